"""Run dbt over the stories, a run for each batch, and keep the tables as plain rows."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

from pyspark.sql import Row, SparkSession

from tests.support.project import DbtProject, create_project
from tests.support.raw import RAW_TYPE, raw_row
from tests.traps.cases import Case, Story

SCHEMA = "traps"


class Built:
    """The tables after each run, as the stories told them."""

    def __init__(self, cases: Sequence[Case], project: DbtProject) -> None:
        """Expect these cases."""
        self._project = project
        self._runs = max(len(story.batches) for case in cases for story in case.stories)
        self._tables: dict[tuple[str, str, int], list[dict[str, Any]]] = {}
        self._types: dict[str, dict[str, str]] = {}

    def keep(self, layer: str, case: Case, run: int, rows: list[dict[str, Any]]) -> None:
        """Remember a table; it stays so until a later run is remembered."""
        for later in range(run, self._runs + 1):
            self._tables[layer, case.name, later] = rows

    def state_plan(self, story: Story) -> str:
        """Return how Spark would compute the rows of the last run of a state model."""
        name = f"state_{story.case.name}.sql"
        (file,) = self._project.path.glob(f"target/compiled/*/models/{name}")
        frame = self._project.spark.sql(file.read_text(encoding="utf-8"))
        return str(frame._jdf.queryExecution().optimizedPlan().toString())

    def keep_types(self, case: Case, types: dict[str, str]) -> None:
        """Remember the Spark types of the columns of a `cur_` view."""
        self._types[case.name] = types

    def types(self, story: Story) -> dict[str, str]:
        """Return the Spark types of the table's columns."""
        return self._types[story.case.name]

    def current(self, story: Story, after: int | None = None) -> list[dict[str, Any]]:
        """Return the live rows after a run, ordered by their texts; by default after the last."""
        rows = [
            {name: value for name, value in row.items() if _is_of_table(name)}
            for row in self._tables["cur", story.case.name, after or self._runs]
            if story.owns(row)
        ]
        return sorted((story.unmarked(row) for row in rows), key=repr)

    def values(self, story: Story, column: str, after: int | None = None) -> dict[Any, Any]:
        """Return one column of the live rows by the column that tells stories apart."""
        mark = story.case.mark or story.case.key[0]
        return {row[mark]: row[column] for row in self.current(story, after)}

    def state(self, story: Story, after: int | None = None) -> list[dict[str, Any]]:
        """Return the rows of the state, dead ones included, in the order of their keys."""
        rows = self._tables["state", story.case.name, after or self._runs]
        own = [row for row in rows if row["_cdc_fold_topic"] == story.topic]
        own = [row for row in own if not row["_cdc_key"].startswith("!")]
        return [story.unmarked(row) for row in sorted(own, key=lambda row: row["_cdc_key"])]

    def replays(self, story: Story, after: int | None = None) -> tuple[int, int]:
        """Return how many replays the state counted, and how many of them are unexplained."""
        rows = self.state(story, after)
        return (
            sum(row["_cdc_fold_replays"] for row in rows),
            sum(row["_cdc_fold_unexplained"] for row in rows),
        )

    def staged(self, story: Story) -> list[dict[str, Any]]:
        """Return the staged records by partition and offset."""
        rows = self._tables["stg", story.case.name, self._runs]
        own = [row for row in rows if row["_cdc_topic"] == story.topic]
        own.sort(key=lambda row: (row["_cdc_partition"], row["_cdc_offset"]))
        return [story.unmarked(row) for row in own]


def _is_of_table(name: str) -> bool:
    return not name.startswith("_cdc_") or name.startswith("_cdc_text_")


def build(folder: Path, spark: SparkSession, cases: Sequence[Case]) -> Built:
    """Land each story's batches, fold them with dbt, and return the tables."""
    project = _project(folder, spark, cases)
    spark.sql(f"create schema if not exists `{SCHEMA}`")
    for case in cases:
        spark.createDataFrame([], RAW_TYPE).writeTo(f"`{SCHEMA}`.landed_{case.name}").create()
    built = Built(cases, project)
    for run in range(1, max(len(s.batches) for case in cases for s in case.stories) + 1):
        touched = [case for case in cases if _land(spark, case, run)]
        layers = ("+cur_",) if run == 1 else ("stg_", "state_")
        project.run("run", "--select", *(layer + case.name for case in touched for layer in layers))
        for case in touched:
            for layer in ("cur", "state", "stg"):
                built.keep(layer, case, run, _rows(project, case, layer))
        if run == 1:
            for case in touched:
                frame = spark.table(project.table(f"cur_{case.name}"))
                built.keep_types(case, dict(frame.dtypes))
    return built


def _land(spark: SparkSession, case: Case, run: int) -> bool:
    batches = [story.batches[run - 1] for story in case.stories if len(story.batches) >= run]
    rows = [raw_row(record, run) for batch in batches for record in batch]
    if rows:
        spark.createDataFrame(rows, RAW_TYPE).coalesce(1).writeTo(
            f"`{SCHEMA}`.landed_{case.name}"
        ).append()
    return bool(rows)


def _rows(project: DbtProject, case: Case, layer: str) -> list[dict[str, Any]]:
    frame = project.spark.table(project.table(f"{layer}_{case.name}"))
    if not case.as_text:
        return [_plain(row) for row in frame.collect()]
    frame = frame.selectExpr(
        *(
            _as_text(name, kind) if _is_of_table(name) else f"`{name}`"
            for name, kind in frame.dtypes
        )
    )
    rows = [_plain(row) for row in frame.collect()]
    scales = {name: kind[:-1].split(",")[1] for name, kind in frame.dtypes if "decimal(" in kind}
    for row in rows:
        row |= {
            name: f"{row[name]:.{scale}f}"
            for name, scale in scales.items()
            if isinstance(row[name], Decimal)
        }
    return rows


def _plain(value: Any) -> Any:
    if isinstance(value, Row):
        return {name: _plain(member) for name, member in value.asDict().items()}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    return bytes(value) if isinstance(value, bytearray) else value


def _as_text(name: str, kind: str) -> str:
    """SQL: a column as a text that shows all of its value; Python prints decimals better."""
    if kind.startswith("decimal"):
        return f"`{name}`"
    text = f"hex(`{name}`)" if kind == "binary" else f"cast(`{name}` as string)"
    return f"{text} as `{name}`"


def _project(folder: Path, spark: SparkSession, cases: Sequence[Case]) -> DbtProject:
    data = folder / "data"
    data.mkdir(parents=True)
    files: dict[str, str] = {}
    sources: dict[str, Any] = defaultdict(dict)
    for case in cases:
        files |= _models(case)
        sources[case.name] = case.source_config() | {"input": {"type": "files", "path": str(data)}}
    return create_project(
        folder,
        schema=SCHEMA,
        target="iceberg",
        spark=spark,
        files=files,
        variables={"debezium_sources": dict(sources)},
    )


def _models(case: Case) -> dict[str, str]:
    # JSON of such lists is Jinja, too
    columns = json.dumps(case.columns)
    key = json.dumps([column for column in case.columns if column["name"] in case.key])
    topics = json.dumps([story.topic for story in case.stories])
    decoded = (
        f"debezium_spark.decoded_columns('{case.name}', {columns}) | map(attribute='name') | list"
    )
    return {
        f"models/raw_{case.name}.sql": (
            "{{ config(materialized='view') }}\n" + f"select * from `{SCHEMA}`.landed_{case.name}"
        ),
        f"models/stg_{case.name}.sql": (
            "{{ config(materialized='debezium_append') }}\n"
            f"{{{{ debezium_spark.staging(source='{case.name}', raw=ref('raw_{case.name}'),"
            f" topics={topics}, table='{case.table}', key={key}, columns={columns},"
            f" shared_topic={json.dumps(case.shared_topic)}) }}}}"
        ),
        f"models/state_{case.name}.sql": (
            "{{ config(materialized='debezium_merge', unique_key='_cdc_key') }}\n"
            f"{{{{ debezium_spark.state(source='{case.name}', table='{case.table}',"
            f" staging=ref('stg_{case.name}'), key={json.dumps(case.key)}, columns={decoded}) }}}}"
        ),
        f"models/cur_{case.name}.sql": (
            "{{ config(materialized='view') }}\n"
            f"{{{{ debezium_spark.current(state=ref('state_{case.name}'), columns={decoded},"
            f" keyless={json.dumps(not case.key)}) }}}}"
        ),
    }
