"""`debezium-spark generate` in this process, with the seconds of each of its parts.

`python -m dev.benchmarks.timed_generate OUT ARGUMENTS…` runs the command as a person would and
writes the seconds to OUT as JSON.
"""

from __future__ import annotations

import functools
import importlib
import json
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

PARSE, START = "dbt reads the project", "waiting for Spark's start"
RUN, LAND = "dbt run, rest", "landing"
BUILD, READ = "building the catalog", "reading the catalog"
RENDER, WRITE, REST = "rendering", "comparing and writing", "rest"
PARTS = (PARSE, START, RUN, LAND, BUILD, READ, RENDER, WRITE, REST)


class Clock:
    """Seconds by part; a part within another one counts for itself only."""

    def __init__(self) -> None:
        """Start with nothing measured."""
        self.seconds = dict.fromkeys(PARTS, 0.0)
        self.stack = [REST]
        self._since = time.perf_counter()

    @contextmanager
    def part(self, name: str) -> Iterator[None]:
        """Count what happens inside for this part."""
        self._lap()
        self.stack.append(name)
        try:
            yield
        finally:
            self._lap()
            self.stack.pop()

    def move(self, source: str, target: str, seconds: float) -> None:
        """Count seconds of one part for another one, as far as it has them."""
        moved = min(seconds, self.seconds[source])
        self.seconds[source] -= moved
        self.seconds[target] += moved

    def stop(self) -> dict[str, float]:
        """Return the seconds of all parts."""
        self._lap()
        return self.seconds

    def _lap(self) -> None:
        now = time.perf_counter()
        self.seconds[self.stack[-1]] += now - self._since
        self._since = now


def watch(clock: Clock) -> None:
    """Let the functions of each part tell the clock."""
    from dbt_debezium_spark.door import queries
    from dbt_debezium_spark.generator.dbt_project import DbtProject
    from dbt_debezium_spark.spark import connection

    def timed(place: Any, name: str, part: str, when: Callable[..., bool] | None = None) -> None:
        function = getattr(place, name)

        @functools.wraps(function)
        def call(*positional: Any, **named: Any) -> Any:
            if when is not None and not when(*positional):
                return function(*positional, **named)
            with clock.part(part):
                return function(*positional, **named)

        setattr(place, name, call)

    def reads_project(_project: Any, arguments: list[str], *_rest: Any) -> bool:
        return "parse" in arguments

    def renders(*_any: Any) -> bool:
        return RENDER in clock.stack

    # the package has a function of the module's name
    generate = importlib.import_module("dbt_debezium_spark.generator.generate")
    timed(connection, "session_for", START, lambda *_any: not clock.seconds[START])
    timed(DbtProject, "render", RENDER)
    timed(DbtProject, "_call", PARSE, reads_project)
    timed(generate, "_compare", WRITE)
    for name in ("execute", "fetchall"):
        timed(connection.SessionCursor, name, READ, renders)
    timed(queries, "texts_of_few_rows", READ, renders)

    call = DbtProject._call

    def call_and_split(project: Any, arguments: list[str], callback: Any = None) -> Any:
        if "run" not in arguments:
            return call(project, arguments, callback)
        with clock.part(RUN):
            result = call(project, arguments, callback)
        for one in result.results:
            part = LAND if one.node.name.startswith("raw_") else BUILD
            clock.move(RUN, part, one.execution_time)
        return result

    DbtProject._call = call_and_split  # type: ignore[method-assign]


def main() -> None:
    """Run the command and write what its parts took."""
    out, *arguments = sys.argv[1:]
    clock = Clock()
    from dbt_debezium_spark.cli import app

    watch(clock)
    code = 0
    try:
        app(["generate", *arguments], standalone_mode=False)
    except SystemExit as end:
        code = int(end.code or 0)
    Path(out).write_text(json.dumps({"seconds": clock.stop(), "code": code}), encoding="utf-8")


if __name__ == "__main__":
    main()
