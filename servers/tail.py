"""What a broker's topics get, as it comes: for waiting on it, counting it and watching it."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any

from servers.errors import ServerError
from servers.java import logging_to_console
from servers.kafka import kafka_jars
from servers.process import Process

POLL_SECONDS = 0.05
WAIT_SECONDS = 120
HIDDEN = ("connect-configs", "connect-status", "__consumer_offsets")
"""Topics that are not followed: bookkeeping, and Connect keeps passwords in its configurations."""

Record = dict[str, Any]


class Tail:
    """Follows all topics of a broker from their beginning, as a context manager."""

    def __init__(self, folder: Path, broker: str) -> None:
        """Prepare to follow; `folder` gets `records.jsonl`, in Spark's names of the columns."""
        self._folder = folder
        self._broker = broker
        self._process: Process | None = None
        self._read_bytes = 0
        self._partial = b""
        self.spool = folder / "records.jsonl"
        self.records: list[Record] = []

    def __enter__(self) -> Tail:
        """Start to follow."""
        configuration = self._folder / "tail.json"
        configuration.write_text(
            json.dumps(
                {
                    "broker": self._broker,
                    "jars": str(kafka_jars()),
                    "spool": str(self.spool),
                    "hidden": HIDDEN,
                    "logging": str(logging_to_console(self._folder, "WARN")),
                }
            )
        )
        self.spool.touch()
        self._process = Process(
            "the consumer that follows the topics",
            # -P: Java's packages are imported by names that modules beside the script have, too.
            [sys.executable, "-P", Path(__file__).with_name("tail_host.py"), configuration],
            self._folder / "tail.log",
            environment={**os.environ, "PYTHONUNBUFFERED": "1"},
        )
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Stop following."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()

    def poll(self) -> list[Record]:
        """Read what came since the last call; return it."""
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
        matches: Callable[[Record], bool],
        what: str,
        since: int = 0,
        seconds: float = WAIT_SECONDS,
        meanwhile: Callable[[], None] = lambda: None,
    ) -> Record:
        """Return the first record that matches, waiting for it.

        Args:
            matches: says whether a record is the one.
            what: the record in words, for the error.
            since: number of records to leave out, from the first one followed.
            seconds: time-out.
            meanwhile: is called while waiting; raises when waiting is of no use.

        Raises:
            ServerError: the time is over, or the consumer ended.
        """
        found: list[Record] = []
        seen = since

        def came() -> bool:
            nonlocal seen
            self.poll()
            fresh, seen = self.records[seen:], len(self.records)
            found.extend(record for record in fresh if matches(record))
            return bool(found)

        self.wait_until(came, what, seconds, meanwhile)
        return found[0]

    def wait_until(
        self,
        holds: Callable[[], bool],
        what: str,
        seconds: float = WAIT_SECONDS,
        meanwhile: Callable[[], None] = lambda: None,
    ) -> None:
        """Wait for a condition on what came.

        Args:
            holds: says whether it holds.
            what: what must come, in words, for the error.
            seconds: time-out.
            meanwhile: is called while waiting; raises when waiting is of no use.

        Raises:
            ServerError: the time is over, or the consumer ended.
        """
        deadline = time.monotonic() + seconds
        while not holds():
            if self._process is None or not self._process.alive:
                said = self._process.tail() if self._process else "(it was stopped)"
                raise ServerError(f"servers: the consumer ended before {what} came:\n{said}")
            meanwhile()
            if time.monotonic() > deadline:
                raise ServerError(
                    f"servers: {what} did not come in {seconds:.0f} s, of {len(self.records)} "
                    "records so far. Look into the log of Kafka Connect."
                )
            time.sleep(POLL_SECONDS)
