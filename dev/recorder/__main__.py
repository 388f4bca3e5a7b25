"""`python -m dev.recorder --out DIR`: make a recording."""

from __future__ import annotations

import argparse
import signal
import sys
import time
from pathlib import Path
from types import FrameType

from dev.recorder import RecorderError, record
from dev.recorder.recording import SIZES


def _terminate(_number: int, _frame: FrameType | None) -> None:
    # As an exception, so that the server and the engine are stopped on the way out.
    raise SystemExit("recorder: terminated.")


def main() -> int:
    """Parse the arguments, record, and say what was recorded."""
    parser = argparse.ArgumentParser(prog="python -m dev.recorder", description=__doc__)
    parser.add_argument("--out", type=Path, required=True, help="folder to write; new or empty")
    parser.add_argument("--seed", type=int, default=1, help="decides the statements (default 1)")
    parser.add_argument("--size", choices=sorted(SIZES), default="small")
    parser.add_argument(
        "--no-schema", action="store_true", help="payload only, as with schemas.enable=false"
    )
    arguments = parser.parse_args()
    signal.signal(signal.SIGTERM, _terminate)
    started = time.monotonic()
    try:
        manifest = record(
            arguments.out, arguments.seed, arguments.size, schemas=not arguments.no_schema
        )
    except RecorderError as error:
        print(error, file=sys.stderr)
        return 1
    operations = ", ".join(f"{kind} {count}" for kind, count in manifest.operations.items())
    print(
        f"{manifest.records} records ({operations}; {manifest.redelivered} redelivered) "
        f"in {manifest.parts} files, {time.monotonic() - started:.0f} s: {arguments.out}"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
