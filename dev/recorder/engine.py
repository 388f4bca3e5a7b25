"""The recorder's side of an engine process: start it, watch what it delivers, stop or kill it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from dev.recorder.errors import RecorderError

STOP_SECONDS = 30
WAIT_SECONDS = 90
POLL_SECONDS = 0.02

_LOG4J = """\
rootLogger.level=INFO
appender.file.type=File
appender.file.name=file
appender.file.fileName={log}
appender.file.layout.type=PatternLayout
appender.file.layout.pattern=%date [%level] [%threadName] %c{{6}} - %m%n
rootLogger.appenderRef.file.ref=file
"""


class Engine:
    """One run of the embedded engine, in a process of its own."""

    def __init__(
        self, folder: Path, number: int, properties: Mapping[str, str], schemas_enable: bool
    ) -> None:
        """Start the process.

        Args:
            folder: working folder; gets the spool and the logs.
            number: of this run, from 1; part of the file names.
            properties: Debezium's options.
            schemas_enable: whether keys and values carry their schema.
        """
        self.number = number
        self.spool = folder / f"spool-{number}.jsonl"
        self.spool.touch()
        self.log = folder / f"debezium-{number}.log"
        self.records: list[dict[str, Any]] = []
        self._read_bytes = 0
        self._partial = b""
        logging = folder / f"log4j2-{number}.properties"
        logging.write_text(_LOG4J.format(log=self.log))
        config = folder / f"engine-{number}.json"
        config.touch(mode=0o600)
        config.write_text(
            json.dumps(
                {
                    "properties": dict(properties),
                    "schemas_enable": schemas_enable,
                    "spool": str(self.spool),
                    "jvm_options": [
                        "-Xms64m",
                        "-Xmx768m",
                        # The run is short: a quick start is worth more than peak speed.
                        "-XX:TieredStopAtLevel=1",
                        "-Duser.timezone=UTC",
                        f"-Dlog4j2.configurationFile={logging}",
                    ],
                }
            )
        )
        self._output = folder / f"engine-{number}.out"
        with open(self._output, "wb") as output:
            self._process = subprocess.Popen(
                [sys.executable, Path(__file__).with_name("engine_host.py"), config],
                stdin=subprocess.PIPE, stdout=output, stderr=output, cwd=folder,
                env={**os.environ, "PYTHONUNBUFFERED": "1"}, start_new_session=True, text=True,
            )  # fmt: skip

    def poll(self) -> list[dict[str, Any]]:
        """Read what was delivered since the last call; return the new records."""
        with open(self.spool, "rb") as spool:
            spool.seek(self._read_bytes)
            data = spool.read()
        self._read_bytes += len(data)
        *lines, self._partial = (self._partial + data).split(b"\n")
        fresh = [json.loads(line) for line in lines]
        self.records.extend(fresh)
        return fresh

    def wait_for(
        self,
        matches: Callable[[dict[str, Any]], bool],
        what: str,
        seconds: float = WAIT_SECONDS,
    ) -> dict[str, Any]:
        """Return the first record of this run that matches, waiting for it.

        Args:
            matches: says whether a record is the one.
            what: the record in words, for the error.
            seconds: time-out.

        Raises:
            RecorderError: the engine ended, or the time is over.
        """
        deadline = time.monotonic() + seconds
        seen = 0
        while True:
            self.poll()
            for record in self.records[seen:]:
                if matches(record):
                    return record
            seen = len(self.records)
            self.check_alive(what)
            if time.monotonic() > deadline:
                raise RecorderError(
                    f"recorder: Debezium did not deliver {what} in {seconds:.0f} s "
                    f"({len(self.records)} records so far). It said:\n{self.complaints()}"
                )
            time.sleep(POLL_SECONDS)

    def check_alive(self, what: str) -> None:
        """Raise when the engine ended before it came to `what`."""
        if self._process.poll() is not None:
            raise RecorderError(
                f"recorder: Debezium ended (exit code {self._process.returncode}) before it came "
                f"to {what}. It said:\n{self.complaints()}"
            )

    def hold(self, after: int = 0) -> None:
        """Acknowledge nothing from here on: a kill then repeats what is delivered after this.

        Args:
            after: changes of rows that are still acknowledged; the repeat then starts inside a
                transaction.
        """
        self._command(f"hold {after}")
        deadline = time.monotonic() + STOP_SECONDS
        while "holding" not in self._output.read_text(errors="replace"):
            if time.monotonic() > deadline:
                raise RecorderError("recorder: the engine process does not answer to `hold`.")
            time.sleep(POLL_SECONDS)

    def kill(self) -> None:
        """End the process without warning, as a crash does."""
        self._process.kill()
        self._process.wait(STOP_SECONDS)
        self._close_input()
        self.poll()

    def stop(self) -> None:
        """End the process in order; by force when it does not end in time."""
        if self._process.poll() is None:
            self._command("stop")
            self._close_input()
            try:
                self._process.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait(STOP_SECONDS)
        self.poll()

    def complaints(self) -> str:
        """Return the last warnings and errors of the engine, at most 20 lines."""
        lines: list[str] = []
        for path in (self.log, self._output):
            if path.exists():
                lines.extend(
                    line
                    for line in path.read_text(errors="replace").splitlines()
                    if any(
                        word in line
                        for word in ("[ERROR]", "[WARN]", "Error", "Exception", "failed", "Caused")
                    )
                )
        return "\n".join(lines[-20:]) or "(nothing)"

    def _command(self, word: str) -> None:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(word + "\n")
            self._process.stdin.flush()
        except BrokenPipeError as gone:
            raise RecorderError(
                f"recorder: the engine process is gone. It said:\n{self.complaints()}"
            ) from gone

    def _close_input(self) -> None:
        assert self._process.stdin is not None
        try:
            self._process.stdin.close()
        except BrokenPipeError:
            # The process read its last command and left first.
            return
