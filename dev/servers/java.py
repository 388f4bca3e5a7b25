"""Java: the program, and options for short runs."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from dev.servers import ServerError


def java() -> Path:
    """Return Java's program.

    Raises:
        ServerError: there is none.
    """
    home = os.environ.get("JAVA_HOME")
    found = Path(home, "bin", "java") if home else Path(shutil.which("java") or "java")
    if not found.exists():
        raise ServerError(
            f"servers: `{found}` is missing. Install Java 17 or newer (Debian: apt-get install "
            "openjdk-17-jdk-headless) or set JAVA_HOME."
        )
    return found


def command(
    *arguments: str | Path, megabytes: int, logging: Path | None = None
) -> list[str | Path]:
    """Return the command that runs a class or a program, for a short time.

    Args:
        arguments: class path, class and its arguments, or the program and its arguments.
        megabytes: the most memory its heap takes.
        logging: configuration of Log4j 2, written by `logging_to_console`.
    """
    return [
        java(), f"-Xmx{megabytes}m",
        # The run is short: a quick start is worth more than peak speed.
        "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Duser.timezone=UTC",
        "-Djava.net.preferIPv4Stack=true",
        *([f"-Dlog4j2.configurationFile={logging}"] if logging else []), *arguments,
    ]  # fmt: skip


def logging_to_console(folder: Path, level: str = "INFO") -> Path:
    """Write a configuration that logs to the console, which is the process's log; return it."""
    file = folder / "log4j2.properties"
    file.write_text(
        f"rootLogger.level={level}\n"
        "appender.out.type=Console\n"
        "appender.out.name=out\n"
        "appender.out.layout.type=PatternLayout\n"
        "appender.out.layout.pattern=%date [%level] [%threadName] %c{6} - %m%n\n"
        "rootLogger.appenderRef.out.ref=out\n"
    )
    return file
