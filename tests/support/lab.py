"""A lab for the macros: their SELECTs on temporary views, without dbt and without a table format.

The macros decide here as they do in a run of dbt: what was staged since the last run, which plan
the fold takes, what the state remembers. Only writing is left out: a table is a view over rows that
Spark holds in memory.
"""

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType, ModuleType, SimpleNamespace
from typing import Any, Concatenate, ParamSpec, TypeVar

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as f

from dbt_debezium_spark import staging
from dbt_debezium_spark.spark.local_frames import local_frame
from dbt_debezium_spark.staging.type_change import Differences
from tests.support.lab_versions import write_versions
from tests.support.macros import Macros
from tests.support.raw import RAW_TYPE

_CREATE = re.compile(r"create table (\S+)\s+using \w+\s+as\s+(.*)", re.DOTALL)
_INSERT = re.compile(r"insert into (\S+)\s+(.*)", re.DOTALL)
_DROP = re.compile(r"drop table if exists (\S+)")
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
    """Tables of one session, by name, and the macros that read and write them.

    Many small tables, each with topics of its own, may be folded by one model (`table_of`).
    """

    has_many_tables = True

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
        values: Mapping[str, str] = MappingProxyType({}),
        condition: str | None = None,
    ) -> None:
        """Write rows into a table; those of a key that is there take its place.

        `values` are SQL over `debezium_source` and `debezium_target`, by column, for rows that are
        there. With a condition, only rows of which it is true are looked for.
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
        if values:
            new = _merged(new, held, key, values)
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
            condition = None
            if decisions.get("key_hashes") is not None:
                condition = macros.has_key_hash("_cdc_key", decisions["key_hashes"])
            write_versions(self, into, frame, decisions["statements"], condition)
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
        if marks := decisions.get("marked_rows"):
            self._mark(into, self.session.sql(marks))
        of_merge: dict[str, Any] = {}
        if decisions.get("merge_values"):
            of_merge["values"] = decisions["merge_values"]
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

    def _mark(self, table: str, marks: DataFrame) -> None:
        """Write the columns of some rows of a table, which has them."""
        held, new = self.tables[self.name(table)], marks.localCheckpoint()
        of_new = new.select(*(f.col(name).alias(f"new_{name}") for name in new.columns))
        met = held.join(f.broadcast(of_new), f.expr("_cdc_key = new__cdc_key"), "left")
        columns = [
            f.coalesce(f.col(f"new_{name}"), f.col(name)).alias(name)
            if name in new.columns
            else name
            for name in held.columns
        ]
        self.put(table, met.select(*columns))

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
        self._macros["_column_differences"] = lambda relation, columns: Differences()
        self.door.staging = _StagedAgain("staging")
        self._macros["chains_table"] = lambda: this + "__dbt_chains"
        self._macros["_walk_view"] = lambda: this + "__dbt_walk"
        self._macros["column_types"] = lambda relation: {
            name.lower(): kind for name, kind in lab.session.table(relation).dtypes
        }
        self._macros["file_format"] = lambda: "iceberg"
        self._macros["_schema_change_mode"] = lambda: "append_new_columns"
        self._macros["_table"] = lambda relation: relation
        if lab.has_many_tables:
            self._tell_tables_apart()
        # all run in one session
        self._macros["reads_few_rows"] = lambda *args, **kwargs: True
        for name, replace in lab.replaced.items():
            self._macros[name] = replace(self)

    def _tell_tables_apart(self) -> None:
        """Let no rule of one small table reach rows of another."""
        self._macros["table_of"] = table_of
        self._macros["is_keyless_moved"] = self._is_keyless_moved

        def of_one_table(name: str, topics: Callable[..., tuple[str, str]]) -> None:
            rule = self._macros[name]
            self._macros[name] = lambda *args, **kwargs: (
                f"({' = '.join(map(table_of, topics(*args)))} and {rule(*args, **kwargs)})"
            )

        of_one_table("truncate_removes", lambda winner, _: ("t.topic", f"{winner}.topic"))
        of_one_table("keyless_truncate_removes", lambda: ("t.topic", "arrived_events.topic"))
        of_one_table("snapshot_closes", lambda winner, *_: ("s.topic", f"{winner}.topic"))
        for name, topic in (("place", "topic"), ("staged_place", "_cdc_topic")):
            place = self._macros[name]
            self._macros[name] = lambda prefix="", place=place, topic=topic: (
                f"concat({table_of(prefix + topic)}, ' ', {place(prefix)})"
            )
        identity = self._macros["truncate_identity"]
        self._macros["truncate_identity"] = lambda: (
            f"concat({table_of('topic')}, ' ', {identity()})"
        )

    def _is_keyless_moved(self, staging: str) -> str:
        table, place = table_of("_cdc_topic"), "struct(_cdc_topic, _cdc_partition)"
        moved = self._run_query(
            f"select {table} from {staging} where {self._macros['is_keyless_event']()}"
            f" group by 1 having min({place}) != max({place})"
        )
        names = [f"'{row[0]}'" for row in moved.rows]
        return f"{table} in ({', '.join(names)})" if names else "false"

    def _batch_watermark(self, relation: str) -> int | None:
        if relation not in self.lab.tables:
            return None
        return self._run_query(f"select max(_cdc_batch_id) from {relation}").rows[0][0]

    def _run_query(self, query: str) -> Any:
        return self.lab.run_query(query)

    def _create_view(self, view: str, query: str) -> list[Any]:
        self.lab.session.sql(query).createOrReplaceTempView(view)
        return []


class _StagedAgain(ModuleType):
    """The namespace `staging`, by which rows held are not altered: they are staged again."""

    def __getattr__(self, name: str) -> Any:
        return getattr(staging, name)

    def rebuild_reasons(self, *arguments: Any) -> list[str]:
        """Return the reasons of a run, and the columns that changed."""
        _, _, _, changed, _ = arguments
        return [
            *staging.rebuild_reasons(*arguments),
            *(column["name"] for column in changed),
        ]


def _merged(new: DataFrame, held: DataFrame, key: str, values: Mapping[str, str]) -> DataFrame:
    met = new.alias("debezium_source").join(
        held.alias("debezium_target"),
        f.expr(f"debezium_source.{key} = debezium_target.{key}"),
        "left",
    )
    return met.selectExpr(
        *(
            f"if(debezium_target.{key} is null, debezium_source.`{name}`,"
            f" {values.get(name, f'debezium_source.`{name}`')}) as `{name}`"
            for name in held.columns
        )
    ).localCheckpoint()
