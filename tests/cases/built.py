"""Stage and fold the stories, a run for each batch, and keep the tables as plain rows.

The fold knows no connector: tables of the same columns and options are staged by models of their
own and folded by one, because each fold takes seconds, however few its rows are.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from functools import reduce
from typing import Any

from pyspark.sql import DataFrame, Row, SparkSession

from tests.cases.table import Story, Table
from tests.support.lab import Lab
from tests.support.raw import raw_row
from tests.support.table_columns import is_of_table


class Built:
    """The tables after each run, as the stories told them."""

    def __init__(self, folds: Sequence[Sequence[Table]], lab: Lab) -> None:
        """Expect these cases, those together that are folded together."""
        cases = [case for fold in folds for case in fold]
        self._folds = {case.name: fold[0].name for fold in folds for case in fold}
        self._lab = lab
        self._runs = max(len(story.batches) for case in cases for story in case.stories)
        self._tables: dict[tuple[str, str, int], list[dict[str, Any]]] = {}
        self._types: dict[str, dict[str, str]] = {}

    def keep(self, layer: str, case: Table, run: int, rows: list[dict[str, Any]]) -> None:
        """Remember a table; it stays so until a later run is remembered."""
        for later in range(run, self._runs + 1):
            self._tables[layer, case.name, later] = rows

    def state_plan(self, story: Story) -> str:
        """Return how Spark would compute the rows of the last run of a state model."""
        frame = self._lab.session.sql(self._lab.sql[f"state_{self._fold_of(story)}"])
        return str(frame._jdf.queryExecution().optimizedPlan().toString())

    def _fold_of(self, story: Story) -> str:
        return self._folds[story.told_on.name]

    def keep_types(self, case: Table, types: dict[str, str]) -> None:
        """Remember the Spark types of the columns of a `cur_` view."""
        self._types[case.name] = types

    def types(self, story: Story) -> dict[str, str]:
        """Return the Spark types of the table's columns."""
        return self._types[self._fold_of(story)]

    def current(self, story: Story, after: int | None = None) -> list[dict[str, Any]]:
        """Return the live rows after a run, ordered by their texts; by default after the last."""
        rows = [
            {name: value for name, value in row.items() if is_of_table(name)}
            for row in self._tables["cur", self._fold_of(story), after or self._runs]
            if story.owns(row)
        ]
        return sorted((story.unmarked(row) for row in rows), key=repr)

    def values(self, story: Story, column: str, after: int | None = None) -> dict[Any, Any]:
        """Return one column of the live rows by the column that tells stories apart."""
        mark = story.told_on.mark or story.told_on.key[0]
        return {row[mark]: row[column] for row in self.current(story, after)}

    def state(self, story: Story, after: int | None = None) -> list[dict[str, Any]]:
        """Return the rows of the state, dead ones included, in the order of their keys."""
        rows = self._tables["state", self._fold_of(story), after or self._runs]
        own = [row for row in rows if row["_cdc_fold_topic"] in story.topics.values()]
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
        rows = self._tables["stg", story.told_on.name, self._runs]
        own = [row for row in rows if row["_cdc_topic"] in story.topics.values()]
        own.sort(key=lambda row: (row["_cdc_topic"], row["_cdc_partition"], row["_cdc_offset"]))
        return [story.unmarked(row) for row in own]


def build(session: SparkSession, cases: Sequence[Table]) -> Built:
    """Land each story's batches, stage and fold them, and return the tables."""
    lab = Lab(session)
    folds = _folded_together(cases)
    built = Built(folds, lab)
    for run in range(1, max(len(s.batches) for case in cases for s in case.stories) + 1):
        for fold in folds:
            landed = [case for case in fold if _land(lab, case, run)]
            if not landed:
                continue
            for case in landed:
                _stage(lab, case)
            case = fold[0]
            current = _fold(lab, fold, run)
            if run == 1:
                built.keep_types(case, dict(current.dtypes))
            built.keep("cur", case, run, _rows(current, case))
            built.keep("state", case, run, _rows(_table(lab, "state", case), case))
    for case in cases:
        # a log: what it held after each run is in what it holds now
        built.keep("stg", case, 1, _rows(_table(lab, "stg", case), case))
    return built


# What staging alone reads, or what names the topics that it is about.
_OF_STAGING = {"signal_data_collection", "unavailable_value_placeholder"}


def _folded_together(cases: Sequence[Table]) -> list[list[Table]]:
    """Return the tables that one model can fold, together."""
    folds: dict[str, list[Table]] = {}
    for case in cases:
        options = {name: told for name, told in case.options.items() if name not in _OF_STAGING}
        epochs = [one for one in options.pop("epochs", ()) if "topic" not in one]
        told = (case.columns, case.key, case.mark, case.as_text, case.full, case.settings)
        alone = "" if case.key and not case.has_catalog and case.mark else case.name
        folds.setdefault(repr((told, options, epochs, alone)), []).append(case)
    return list(folds.values())


def _table(lab: Lab, layer: str, case: Table) -> DataFrame:
    return lab.tables[lab.name(f"{layer}_{case.name}")]


def _land(lab: Lab, case: Table, run: int) -> bool:
    batches = [story.batches[run - 1] for story in case.stories if len(story.batches) >= run]
    rows = [raw_row(record, run) for batch in batches for record in batch]
    if rows:
        lab.append(f"raw_{case.name}", lab.rows(rows))
    return bool(rows)


def _stage(lab: Lab, case: Table) -> None:
    sources = {case.name: case.source_config()}
    catalog = {}
    if case.has_catalog:
        lab.read_schemas(sources, case.name, f"raw_{case.name}", f"catalog_{case.name}")
        catalog["schemas"] = lab.name(f"catalog_{case.name}")
    lab.stage(
        sources,
        case.name,
        f"raw_{case.name}",
        f"stg_{case.name}",
        topics=case.topics(),
        table=case.table,
        key=[column for column in case.columns if column["name"] in case.key],
        columns=case.columns,
        shared_topic=case.shared_topic,
        **catalog,
    )


def _fold(lab: Lab, fold: Sequence[Table], run: int) -> DataFrame:
    """Fold what a run staged of some tables, and return the rows of the last model."""
    case, stg = fold[0], f"stg_{fold[0].name}"
    sources = {case.name: case.source_config()}
    if len(fold) > 1:
        epochs = [one for table in fold for one in table.options.get("epochs", ())]
        sources[case.name] |= {"epochs": epochs} if epochs else {}
        stg = f"staged_{case.name}"
        staged = [
            _table(lab, "stg", one) for one in fold if lab.name(f"stg_{one.name}") in lab.tables
        ]
        new = [frame.where(f"_cdc_batch_id = {run}") for frame in staged]
        both = reduce(lambda one, other: one.unionByName(other, allowMissingColumns=True), new)
        lab.append(stg, both)
    macros = lab.macros(sources, "")
    columns = [one["name"] for one in macros.decoded_columns(case.name, case.columns)]
    state = f"state_{case.name}"
    lab.fold(sources, case.name, stg, state, table=case.table, key=case.key, columns=columns)
    return lab.session.sql(
        macros.current(state=lab.name(state), columns=columns, keyless=not case.key)
    )


def _rows(frame: DataFrame, case: Table) -> list[dict[str, Any]]:
    if not case.as_text:
        return [_plain(row) for row in frame.collect()]
    frame = frame.selectExpr(
        *(_as_text(name, kind) if is_of_table(name) else f"`{name}`" for name, kind in frame.dtypes)
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
