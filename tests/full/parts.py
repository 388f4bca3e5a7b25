"""The parts of `make test-all`."""

from __future__ import annotations

import sys
from dataclasses import dataclass

from tests.support.paths import REPOSITORY

ARTIFACTS = REPOSITORY / "artifacts"


@dataclass(frozen=True)
class Part:
    """One part: how it is run, in the clone, and what it shows.

    `make` names a target, `module` a Python module with its arguments, `tests` arguments of pytest;
    it keeps so many `processes` busy.
    """

    shows: str
    make: str = ""
    module: tuple[str, ...] = ()
    tests: tuple[str, ...] = ()
    processes: int = 1

    def command(self, name: str) -> list[str]:
        """Return the command line."""
        if self.make:
            return ["make", self.make]
        python = [sys.executable, "-m"]
        if self.module:
            return [*python, *self.module]
        several = [f"--numprocesses={self.processes}", "--dist=loadscope", "--no-loadscope-reorder"]
        return [
            *(*python, "pytest", *self.tests, "--durations=25"),
            *(several if self.processes > 1 else []),
            f"--junitxml={ARTIFACTS / f'junit-{name}.xml'}",
        ]


def _folder(name: str, shows: str, processes: int = 1) -> Part:
    return Part(shows, tests=(f"tests/full/{name}",), processes=processes)


# Those that keep both cores busy come first, then the long ones.
PARTS = {
    "test": Part("`make test`", make="test", processes=2),
    "variants": Part(
        "on Delta, or of all connectors, what `make test` shows on Iceberg, or of one",
        tests=(
            *(
                f"tests/{one}"
                for one in ("unit", "cases", "traps", "spark", "dbt", "property", "lab")
            ),
            "-m",
            "full",
        ),
        processes=2,
    ),
    "histories": Part(
        "2,000 random histories",
        module=("tests.property", "--histories", "2000", "--seed", "400000"),
        processes=2,
    ),
    "versions": Part(
        "the versions of 2,000 random histories",
        module=(
            *("tests.property", "--versions", "--histories", "2000"),
            # a plan of this size takes longer to make than rows of a few hundred histories
            *("--group", "300", "--seed", "600000"),
        ),
        processes=2,
    ),
    "kafka": _folder("kafka", "landing from Kafka; Avro of real converters", 2),
    "lint": Part("`make lint`", make="lint", processes=2),
    "standalone": _folder(
        "standalone", "a standalone master, two workers, and one that dies in a batch", 2
    ),
    "servers": _folder("servers", "Spark Connect and thrift servers"),
    "live": _folder(
        "live", "PostgreSQL and MariaDB through Kafka Connect and Kafka, while they change"
    ),
    "sources": _folder("sources", "every bundled source, built and compared; MongoDB's way"),
    "large": _folder("large", "100 tables; 1,000 columns; names that are hard to write"),
    "feed": _folder("feed", "a model on a change feed, batch by batch"),
    "commands": _folder("commands", "every command of docs/commands.md, and the rows after each"),
    "runs": _folder("runs", "overlapping and killed runs"),
    "environments": _folder(
        "environments", "pip resolves beside dbt-databricks and others; recipes of schedulers"
    ),
    "spark": _folder("spark_versions", "the demo on each version of Spark and each table format"),
    "wheel": _folder(
        "wheel", "the wheel alone in a new environment: every connector and form of records"
    ),
    "maintenance": _folder("maintenance", "compaction and expiry"),
    "names": _folder("names", "names, labels and comments as strangers might choose them"),
    "recording": _folder("recording", "a fresh recording of a real PostgreSQL, and its truth"),
}
