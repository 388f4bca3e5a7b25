"""Spark's folder of downloaded jars (`spark.jars.ivy`), for one process at a time.

Ivy writes there without a lock. If two processes download the same jar, one of them misses the
unfinished file that the other has renamed, and fails. This happens on a new machine on which
several runs start together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

DEFAULT_CACHE = "~/.ivy2.5.2"
LOCK_FILE_NAME = "debezium_spark.lock"
WAIT_SECONDS = 300.0


def cache_folder(settings: Mapping[str, str]) -> Path:
    """Return the folder that a profile's settings name, or Spark's default."""
    return Path(settings.get("spark.jars.ivy") or DEFAULT_CACHE).expanduser()


def packages_of(settings: Mapping[str, str]) -> list[str]:
    """Return the packages that a profile's settings name."""
    names = settings.get("spark.jars.packages", "").split(",")
    return [name.strip() for name in names if name.strip()]


def resolved_jar(cache: Path, group: str, module: str, version: str) -> Path:
    """Return the path of a jar in the folder of Spark's resolver."""
    return cache / "jars" / f"{group}_{module}-{version}.jar"


@contextmanager
def resolving(cache: str | Path, report: Callable[[str], None]) -> Iterator[None]:
    """Let no other process of this machine resolve packages during the block.

    The operating system releases the lock when its process ends. After `WAIT_SECONDS` the block
    runs without the lock, because a start that hangs must not delay others that have their jars.
    The lock must not be taken again inside the block.

    Args:
        cache: Spark's `spark.jars.ivy`; the folder is created if it does not exist.
        report: called with a text when another process holds the lock, when the wait ends without
            it, and when the file cannot be locked.
    """
    folder = Path(cache).expanduser()
    lock = FileLock(folder / LOCK_FILE_NAME, fallback_to_soft=False)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock.acquire(blocking=False)
    except Timeout:
        report(f"waiting for another process, which resolves jars in {folder}")
        try:
            lock.acquire(timeout=WAIT_SECONDS)
        except Timeout:
            report(f"it has not finished after {WAIT_SECONDS:g} s: continuing without the lock")
    except (OSError, NotImplementedError) as error:
        # On a file system without locks, do what Spark does. This is safe if the jars are there.
        report(f"{lock.lock_file} cannot be locked ({error}): start one process at a time")
    try:
        yield
    finally:
        lock.release()
