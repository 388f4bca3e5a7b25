"""Output of the commands: results to stdout, errors to stderr."""

from __future__ import annotations

from typing import NoReturn

import typer
from rich.console import Console

from dbt_debezium_spark.text.literals import printable

EXIT_DRIFT = 1
EXIT_USAGE = 2

# No wrapping of paths and messages at 80 columns in logs.
# A name such as `:x:` stays as it is.
out = Console(soft_wrap=True, highlight=False, emoji=False)
err = Console(soft_wrap=True, highlight=False, emoji=False, stderr=True)


def fail(message: object, code: int) -> NoReturn:
    """Print an error and end with an exit code."""
    err.print(printable(str(message), keep="\n"), style="red", markup=False)
    raise typer.Exit(code)
