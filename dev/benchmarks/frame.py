"""What the benchmarks share: a Spark of their own, seconds by work and side, tables of them."""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer
from pyspark.sql import SparkSession
from rich.console import Console
from rich.table import Table

REPOSITORY = Path(__file__).resolve().parents[2]
BARE, OURS = "bare", "ours"

Repeats = Annotated[int, typer.Option(help="Rounds of each; the median counts.")]
Target = Annotated[str, typer.Option(help="Table format: iceberg or delta.")]


@contextmanager
def new_folder(name: str, *, keep: bool = False, memory: str | None = "4g") -> Iterator[Path]:
    """Give a folder with Spark's state below it, which is removed at the end, or named.

    Args:
        name: of the benchmark.
        keep: whether it stays.
        memory: heap of Spark, where the environment has no other one; None for the default.
    """
    folder = Path(tempfile.mkdtemp(prefix=f"debezium-spark-{name}-"))
    os.environ["DEBEZIUM_SPARK_STATE"] = str(folder / "state")
    if memory:
        os.environ.setdefault("DEBEZIUM_SPARK_DRIVER_MEMORY", memory)
    try:
        yield folder
    finally:
        if keep:
            typer.echo(str(folder))
        else:
            shutil.rmtree(folder, ignore_errors=True)


def start_spark(target: str, **further: str) -> SparkSession:
    """Start Spark with the settings of a target of the repository's profile, and further ones."""
    from dbt_debezium_spark.notebook import read_settings
    from dbt_debezium_spark.spark.session import session_for

    settings = read_settings(REPOSITORY, REPOSITORY / "profiles", target)[0]
    return session_for({**settings, **further})


class Seconds:
    """What each work took, on each side."""

    def __init__(self) -> None:
        """Start with nothing measured."""
        self.taken: dict[tuple[str, str], list[float]] = {}

    def keep(self, work: str, side: str, seconds: float, how: str = "") -> None:
        """Note what a work took; `how` is only said."""
        self.taken.setdefault((work, side), []).append(seconds)
        typer.echo(f"  {work}, {side}: {how}{seconds:.2f} s")

    def time(self, work: str, side: str, act: Callable[[], Any]) -> Any:
        """Do some work, note what it took, and return what it returned."""
        started = time.perf_counter()
        result = act()
        self.keep(work, side, time.perf_counter() - started)
        return result

    def median(self, work: str, side: str) -> float:
        """Return the median of what a work took."""
        ordered = sorted(self.taken[work, side])
        return ordered[len(ordered) // 2]

    def sides(self, *works: str, sides: tuple[str, str] = (BARE, OURS)) -> list[str]:
        """Return the medians of both sides, summed over works, and their ratio, as cells."""
        first, second = (sum(self.median(work, side) for work in works) for side in sides)
        return [f"{first:.1f}", f"{second:.1f}", f"{second / first:.2f}"]


def table(title: str, *headings: str) -> Table:
    """Return an empty table of numbers behind names."""
    made = Table(title=title)
    for place, heading in enumerate(headings):
        made.add_column(heading, justify="right" if place else "left")
    return made


def show(*tables: Table) -> None:
    """Print tables."""
    Console(width=100).print(*tables)
