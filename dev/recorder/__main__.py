"""`python -m dev.recorder --out DIR`: make a recording."""

from __future__ import annotations

import signal
import sys
import time
from pathlib import Path
from typing import Annotated

import typer

from dev.recorder.recording import SIZES, record
from dev.servers import ServerError


def main(
    out: Annotated[Path, typer.Option(help="Folder to write; new or empty.")],
    seed: Annotated[int, typer.Option(help="Decides the statements.")] = 1,
    size: Annotated[str, typer.Option(help=f"One of {', '.join(SIZES)}.")] = "small",
) -> None:
    """Record real PostgreSQL through real Debezium, and say what was recorded."""
    # As an exception, so that the servers are stopped on the way out.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("recorder: terminated."))
    started = time.monotonic()
    try:
        manifest = record(out, seed, size)
    except ServerError as error:
        sys.exit(str(error))
    operations = ", ".join(f"{kind} {count}" for kind, count in manifest.operations.items())
    print(
        f"{manifest.records} records ({operations}; {manifest.redelivered} redelivered) "
        f"in {manifest.parts} files, {time.monotonic() - started:.0f} s: {out}"
    )


if __name__ == "__main__":
    typer.run(main)
