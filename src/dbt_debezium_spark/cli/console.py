"""Output of the commands: results to stdout, errors to stderr."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn

import typer
from rich.console import Console

from dbt_debezium_spark.config import ConfigError
from dbt_debezium_spark.generator import DbtError
from dbt_debezium_spark.text.literals import printable

EXIT_DRIFT = 1
EXIT_USAGE = 2

# No wrapping of paths and messages at 80 columns in logs.
# A name such as `:x:` stays as it is.
out = Console(soft_wrap=True, highlight=False, emoji=False)
err = Console(soft_wrap=True, highlight=False, emoji=False, stderr=True)


@contextmanager
def exit_codes(usage: type[Exception]) -> Iterator[None]:
    """End with 2 where something asked for is none, of type `usage`, and with 1 where dbt fails."""
    try:
        yield
    except (ConfigError, usage) as error:
        fail(error, EXIT_USAGE)
    except DbtError as error:
        fail(error, EXIT_DRIFT)


def fail(message: object, code: int) -> NoReturn:
    """Print an error and end with an exit code."""
    err.print(printable(str(message), keep="\n"), style="red", markup=False)
    raise typer.Exit(code)
