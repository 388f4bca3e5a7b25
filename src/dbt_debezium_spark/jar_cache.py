"""Spark's folder of fetched jars (`spark.jars.ivy`), for one process at a time.

Ivy writes there without a lock: of two processes that fetch the same jar at the same time, one
finds the other's unfinished file gone and fails. That happens once per machine, when several runs
begin on a new one.
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
    """Return the folder that a profile's settings name, or Spark's own."""
    return Path(settings.get("spark.jars.ivy") or DEFAULT_CACHE).expanduser()


def resolved_jar(cache: Path, group: str, module: str, version: str) -> Path:
    """Return where Spark's resolver leaves a jar in its folder."""
    return cache / "jars" / f"{group}_{module}-{version}.jar"


@contextmanager
def resolving(cache: str | Path, say: Callable[[str], None]) -> Iterator[None]:
    """Resolve packages in the block, while no other process of this machine does.

    The operating system gives the lock back when its process ends. One that is held for longer than
    `WAIT_SECONDS` is not waited for: a start that hangs must not hold up those that find their
    jars. It must not be taken again inside the block.

    Args:
        cache: Spark's `spark.jars.ivy`; made when it is not there.
        say: told when another process has it, when it is not waited for any longer, and when the
            file cannot be locked.
    """
    folder = Path(cache).expanduser()
    lock = FileLock(folder / LOCK_FILE_NAME, fallback_to_soft=False)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock.acquire(blocking=False)
    except Timeout:
        say(f"waiting for another process, which looks for jars in {folder}")
        try:
            lock.acquire(timeout=WAIT_SECONDS)
        except Timeout:
            say(f"it has not ended in {WAIT_SECONDS:g} s: starting beside it")
    except (OSError, NotImplementedError) as error:
        # A file system without locks: as Spark does it, which goes well with a filled cache.
        say(f"{lock.lock_file} cannot be locked ({error}): start one process at a time")
    try:
        yield
    finally:
        lock.release()
