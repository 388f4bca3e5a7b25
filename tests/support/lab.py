"""A lab for the macros: their SELECTs on temporary views, without dbt and without a table format.

The macros decide here as they do in a run of dbt: what was staged since the last run, which plan
the fold takes, what the state remembers. Only writing is left out: a table is a view over rows that
Spark holds in memory.
"""

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import SimpleNamespace
from typing import Any, Concatenate, ParamSpec, TypeVar

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as f

from dbt_debezium_spark.local_frames import local_frame
from tests.support.lab_versions import write_versions
from tests.support.macros import Macros
from tests.support.raw import RAW_TYPE

_CREATE = re.compile(r"create or replace table (\S+)\s+using \w+\s+as\s+(.*)", re.DOTALL)
_INSERT = re.compile(r"insert into (\S+)\s+(.*)", re.DOTALL)
_DROP = re.compile(r"drop table if exists (\S+)")
# decisions that are arguments of `Lab.merge`
OF_A_MERGE = ("preserved_columns", "filled_columns")
_labs = itertools.count(1)
P = ParamSpec("P")
T = TypeVar("T")

# Large plans over few rows: compiling them takes longer than running them.
_SETTINGS = {
    "spark.sql.defaultCatalog": "spark_catalog",
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.ansi.enabled": "false",
    "spark.sql.adaptive.enabled": "false",
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    "spark.sql.constraintPropagation.enabled": "false",
    "spark.sql.shuffle.partitions": "1",
    # a name of WITH is replaced when the SQL is read: Spark does it later, with the same result
    "spark.sql.legacy.ctePrecedencePolicy": "LEGACY",
    "spark.sql.legacy.storeAnalyzedPlanForView": "true",
    # each execution's plan is printed for Spark's own pages, which nobody opens here
    "spark.sql.ui.explainMode": "simple",
}


def lab_session(spark: SparkSession) -> SparkSession:
    """Return a session of the running Spark for large plans over few rows."""
    session = spark.newSession()
    for name, value in _SETTINGS.items():
        session.conf.set(name, value)
    return session


def in_a_lab(
    run: Callable[Concatenate[Lab, P], T],
) -> Callable[Concatenate[SparkSession, P], T]:
    """Return a function that is given a session, and runs in a lab of its own there."""

    @functools.wraps(run)
    def run_there(session: SparkSession, /, *args: P.args, **options: P.kwargs) -> T:
        with Lab(session) as lab:
            return run(lab, *args, **options)

    return run_there


class Lab:
    """Tables of one session, by name, and the macros that read and write them."""

    def __init__(self, session: SparkSession) -> None:
        """Begin without tables; names of several labs on a session do not meet."""
        self.session = session
        self.tables: dict[str, DataFrame] = {}
        self.properties: dict[str, dict[str, str]] = {}
        self.sql: dict[str, str] = {}
        self.models: list[dict[str, Any]] = []  # nodes of dbt's graph
        # what takes the place of a macro, by its name
        self.replaced: dict[str, Callable[[LabMacros], Callable[..., str]]] = {}
        self._prefix = f"lab_{next(_labs)}_"

    def name(self, table: str) -> str:
        """Return the name by which SQL knows a table of this lab."""
        return self._prefix + table

    def put(self, table: str, frame: DataFrame) -> None:
        """Give a table these rows; they are computed once, now."""
        # readers need one task; coalesced before, the whole plan would be checked once more
        held = frame.localCheckpoint().coalesce(1)
        held.createOrReplaceTempView(self.name(table))
        self.tables[self.name(table)] = held

    def rows(self, rows: Iterable[tuple[Any, ...]], columns: str = RAW_TYPE) -> DataFrame:
        """Return rows as a frame."""
        return local_frame(self.session, list(rows), columns)

    def append(self, table: str, frame: DataFrame) -> None:
        """Add rows to a table, by the names of their columns."""
        held = self.tables.get(self.name(table))
        self.put(table, frame if held is None else held.unionByName(frame))

    def merge(
        self,
        table: str,
        frame: DataFrame,
        key: str = "_cdc_key",
        preserved_columns: Sequence[str] = (),
        filled_columns: Sequence[str] = (),
        condition: str | None = None,
    ) -> None:
        """Write rows into a table; those of a key that is there take its place.

        Columns in `preserved_columns` stay as they are there, and those in `filled_columns` where
        the new row has NULL. With a condition, only rows of which it is true are looked for.
        """
        held = self.tables.get(self.name(table))
        if held is None:
            self.put(table, frame)
            return
        new = frame.localCheckpoint()
        keys = [row[0] for row in new.select(key).collect()]
        assert None not in keys and len(set(keys)) == len(keys), f"a MERGE would fail: {keys}"
        if condition:
            assert not new.where(f"not {condition}").count(), f"a MERGE would not find all: {keys}"
        others = held.join(f.broadcast(new.select(key)), key, "left_anti")
        if preserved_columns or filled_columns:
            new = _with_columns_held(new, held, key, preserved_columns, filled_columns)
        self.put(table, others.unionByName(new))

    def macros(self, sources: Mapping[str, Any], this: str) -> LabMacros:
        """Return the macros as a model of that name calls them."""
        return LabMacros(self, sources, self.name(this), self.models)

    def stage(
        self, sources: Mapping[str, Any], source: str, raw: str, into: str, **model: Any
    ) -> dict[str, Any]:
        """Run a staging model: `model` are the arguments of its macro. Returns its decisions."""
        macros = self.macros(sources, into)
        sql = macros.staging(source=source, raw=self.name(raw), **model)
        return self.run(macros, sql, into, self.append)

    def read_schemas(
        self, sources: Mapping[str, Any], source: str, raw: str, into: str
    ) -> dict[str, Any]:
        """Bring a source's catalog of embedded schemas up to date. Returns its decisions."""
        macros = self.macros(sources, into)
        sql = macros.catalog_schemas(source=source, raw=self.name(raw))
        return self.run(macros, sql, into, self.append)

    def stage_documents(
        self, sources: Mapping[str, Any], source: str, raw: str, into: str, **model: Any
    ) -> dict[str, Any]:
        """Run a staging model of a MongoDB collection, as `stage` does."""
        macros = self.macros(sources, into)
        sql = macros.document_staging(source=source, raw=self.name(raw), **model)
        return self.run(macros, sql, into, self.append)

    def fold(
        self, sources: Mapping[str, Any], source: str, staging: str, into: str, **model: Any
    ) -> dict[str, Any]:
        """Run a state model: `model` are the arguments of its macro. Returns its decisions."""
        macros = self.macros(sources, into)
        sql = macros.state(source=source, staging=self.name(staging), **model)
        return self.run(macros, sql, into, self.merge)

    def keep_versions(
        self, sources: Mapping[str, Any], source: str, staging: str, into: str, **model: Any
    ) -> dict[str, Any]:
        """Run the model of a history: `model` are the arguments of its macro."""
        macros = self.macros(sources, into)
        sql = macros.versions(source=source, staging=self.name(staging), **model)
        self.sql[into] = sql
        decisions = dict(macros.decisions)
        frame = self.session.sql(sql)
        if decisions.get("replaces_table"):
            self.put(into, frame.drop("_cdc_write"))
        elif not decisions.get("nothing_new"):
            write_versions(self, macros, into, frame, decisions)
        return decisions

    def run(
        self, macros: Macros, sql: str, into: str, add: Callable[[str, DataFrame], None]
    ) -> dict[str, Any]:
        """Do what a materialization does with a model's SQL; `add` is how it adds rows."""
        self.sql[into] = sql
        decisions = dict(macros.decisions)
        self.properties.setdefault(self.name(into), {}).update(decisions.get("properties", {}))
        # dbt makes a view of what is not written, too
        frame = self.session.sql(sql)
        of_merge = {name: decisions[name] for name in OF_A_MERGE if name in decisions}
        if decisions.get("key_hashes") is not None:
            of_merge["condition"] = macros.has_key_hash("_cdc_key", decisions["key_hashes"])
        if decisions.get("replaces_table"):
            self.put(into, frame)
        elif decisions.get("nothing_new"):
            pass
        elif of_merge:
            self.merge(into, frame, **of_merge)
        else:
            add(into, frame)
        return decisions

    def __enter__(self) -> Lab:
        """Begin what ends with its tables gone."""
        return self

    def __exit__(self, *_: object) -> None:
        """Let all tables go."""
        self.drop()

    def drop(self) -> None:
        """Let all tables go."""
        for name in self.tables:
            self.session.catalog.dropTempView(name)
        self.tables.clear()
        self.properties.clear()

    # what the macros ask of a warehouse

    def run_query(self, query: str) -> Any:
        """Answer a query of a macro, or do what it asks."""
        query = query.strip()
        if match := _CREATE.match(query):
            self._write(match[1], self.session.sql(match[2]))
        elif match := _INSERT.match(query):
            new = self.session.sql(match[2])
            held = self.tables[match[1]]
            self._write(match[1], held.union(new))
        elif match := _DROP.match(query):
            self.session.catalog.dropTempView(match[1])
            self.tables.pop(match[1], None)
        else:
            return SimpleNamespace(rows=[tuple(row) for row in self.session.sql(query).collect()])
        return SimpleNamespace(rows=[])

    def _write(self, name: str, frame: DataFrame) -> None:
        self.put(name.removeprefix(self._prefix), frame)


def table_of(topic: str) -> str:
    """Return SQL for the small table that a topic belongs to: its name without numbers behind it.

    Many of them, each with one topic or several, are folded by one model.
    """
    return f"regexp_replace({topic}, '([.][0-9]+)+$', '')"


class LabMacros(Macros):
    """The macros over a lab's tables, as in a run of dbt."""

    def __init__(
        self,
        lab: Lab,
        sources: Mapping[str, Any],
        this: str,
        models: Iterable[Mapping[str, Any]] = (),
    ) -> None:
        """Read the macros for a model whose relation is `this`; `models` are nodes of the graph."""
        self.lab = lab
        super().__init__(sources, models=models, this=this, running=True)
        self._macros["batch_watermark"] = self._batch_watermark
        self._macros["loads_incrementally"] = lambda: this in lab.tables
        self._macros["_property"] = lambda relation, name: lab.properties.get(
            str(relation), {}
        ).get(name)
        self._macros["_set_property"] = lambda relation, name, value: lab.properties.setdefault(
            str(relation), {}
        ).update({name: value})
        # tables of the lab take the columns of what is written
        self._macros["_column_differences"] = lambda relation, columns: {
            "new": [],
            "wider": [],
            "narrower": [],
            "incompatible": [],
        }
        # and rows held are not altered: they are staged again
        reasons = self._macros["_rebuild_reasons"]
        self._macros["_rebuild_reasons"] = lambda stored, present, differences, columns, model: (
            reasons(stored, present, differences, columns, model)
            + [column["name"] for column in columns]
        )
        self._macros["chains_table"] = lambda: this + "__dbt_chains"
        self._macros["_walk_view"] = lambda: this + "__dbt_walk"
        self._macros["column_types"] = lambda relation: {
            name.lower(): kind for name, kind in lab.session.table(relation).dtypes
        }
        self._macros["file_format"] = lambda: "iceberg"
        self._macros["_schema_change_mode"] = lambda: "append_new_columns"
        self._macros["_table"] = lambda relation: relation
        self._macros["table_of"] = table_of
        # all run in one session
        self._macros["reads_few_rows"] = lambda *args, **kwargs: True
        for name, replace in lab.replaced.items():
            self._macros[name] = replace(self)

    def _batch_watermark(self, relation: str) -> int | None:
        if relation not in self.lab.tables:
            return None
        return self._run_query(f"select max(_cdc_batch_id) from {relation}").rows[0][0]

    def _run_query(self, query: str) -> Any:
        return self.lab.run_query(query)

    def _create_view(self, view: str, query: str) -> list[Any]:
        self.lab.session.sql(query).createOrReplaceTempView(view)
        return []


def _with_columns_held(
    new: DataFrame, held: DataFrame, key: str, keeps: Sequence[str], fills: Sequence[str]
) -> DataFrame:
    of_held = held.select(
        f.col(key).alias("held_key"), *(f.col(c).alias(f"held_{c}") for c in (*keeps, *fills))
    )
    met = new.join(of_held, new[key] == of_held["held_key"], "left")
    columns = []
    for name in new.columns:
        column = f.col(name)
        if name in keeps:
            column = f.when(f.col("held_key").isNotNull(), f.col(f"held_{name}")).otherwise(column)
        elif name in fills:
            column = f.coalesce(column, f.col(f"held_{name}"))
        columns.append(column.alias(name))
    return met.select(columns).localCheckpoint()
