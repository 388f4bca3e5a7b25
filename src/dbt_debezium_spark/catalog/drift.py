"""How a source's tables differ from their models: the rows of `debezium_obs__drift`.

Compared are the tables that `generate` would write and the arguments in each staging model's text,
so that a file taken over by hand counts as it stands.

Not reported: models without landed records, tables that ended before they had models, and tables
that `generate` refuses, unless their records lie in a topic that models read. Documents have no
layout: of MongoDB, only collections without models are reported.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from dbt_debezium_spark.decode import key_form, key_text_form, names_of, spark_type_of
from dbt_debezium_spark.staging.type_change import type_change
from dbt_debezium_spark.text.literals import yaml_name

_Plain = Mapping[str, Any]
_DECIMAL = "org.apache.kafka.connect.data.Decimal"


@dataclass
class Change:
    """One row; `modelled` and `recorded` are texts for people."""

    change: str
    column_name: str | None = None
    modelled: str | None = None
    recorded: str | None = None
    is_compatible: bool = True
    remedy: str | None = None
    source_name: str = ""
    table_name: str = ""
    evidence: str | None = None
    event_id: str | None = None


def rebuild_command(model: str, *, is_compatible: bool = True, rebuilds: bool = False) -> str:
    """Return the commands that bring a model up to date.

    Args:
        model: name of the staging model.
        is_compatible: whether its table can take the change.
        rebuilds: whether the var `debezium_incompatible_changes` is `rebuild`.
    """
    command = f"debezium-spark generate, then dbt build --select {model}+"
    if is_compatible or rebuilds:
        return command
    return (
        f"{command} --vars 'debezium_incompatible_changes: rebuild'"
        " once those who read the tables are ready for it"
    )


def unread_model(model: str, table: str) -> str:
    """Return the line for a model whose text does not tell its columns."""
    return (
        f"debezium_obs__drift: the text of {model} does not tell its columns (no call of"
        f" debezium_spark.staging that can be read); of table {table} only columns kept in"
        " _cdc_unmapped are reported."
    )


def collections_added(
    config: _Plain, collections: Sequence[_Plain], modelled: Sequence[str]
) -> list[dict[str, Any]]:
    """Return a change for each collection without models.

    Args:
        config: configuration of the source.
        collections: those in its records.
        modelled: names of those that have models.
    """
    return [
        asdict(
            Change(
                "table_added",
                recorded="a collection",
                remedy=rebuild_command(f"stg_{config['name']}__{one['model']}"),
                source_name=config["name"],
                table_name=one["name"],
                evidence="values",
            )
        )
        for one in collections
        if one["name"] not in modelled and not one["problems"]
    ]


def table_changes(
    config: _Plain,
    tables: Sequence[_Plain],
    undescribed: Sequence[_Plain],
    models: Sequence[_Plain],
    *,
    rebuilds: bool,
) -> dict[str, list[Any]]:
    """Return the `changes` of a source's tables, and lines about models that are `unread`.

    Args:
        config: configuration of the source.
        tables: as `generate` would write them; those it refuses have `problems`.
        undescribed: tables without known types in topics of others.
        models: staging models: `table`, `model`, `ended_by`, and the arguments of its `call`.
        rebuilds: whether the var `debezium_incompatible_changes` is `rebuild`.
    """
    drift = _Drift(config, {one["table"]: one for one in models}, rebuilds)
    return {
        "changes": [asdict(one) for one in drift.of_tables(tables, undescribed)],
        "unread": drift.unread,
    }


class _Drift:
    """The comparison of one source."""

    def __init__(self, config: _Plain, models: Mapping[str, _Plain], rebuilds: bool) -> None:
        self._config, self._models, self._rebuilds = config, models, rebuilds
        calls = [one["call"] for one in models.values() if one["call"]]
        self._read_topics = {topic for call in calls for topic in call["topics"]}
        self.unread: list[str] = []

    def of_tables(
        self, tables: Sequence[_Plain], undescribed: Sequence[_Plain]
    ) -> Iterator[Change]:
        source = self._config["name"]
        for table in sorted(tables, key=lambda one: str(one["name"]).lower()):
            for change in self._of_table(table):
                change.source_name, change.table_name = source, table["name"]
                change.evidence, change.event_id = table["evidence"], table["since_position"]
                yield change
        for other in undescribed:
            if other["topic"] in self._read_topics:
                yield Change(
                    "table_added",
                    recorded=f"of unknown types, fields {', '.join(other['fields'])}, in a topic of"
                    " other tables",
                    remedy="declare its columns, as no record tells their types:"
                    f" debezium_sources.{source}.tables.{other['name']}.columns;"
                    f" debezium-spark generate, then dbt build{self._includes_hint()}",
                    source_name=source,
                    table_name=other["name"],
                    evidence="values",
                    event_id=other["event_id"],
                )

    def _of_table(self, table: _Plain) -> Iterator[Change]:
        is_in_read_topic = not self._read_topics.isdisjoint(table["topics"])
        problems = " ".join(table["problems"])
        if table["name"] in self._models:
            for change in self._of_model(table, self._models[table["name"]]):
                if problems:
                    change.is_compatible, change.remedy = False, problems
                yield change
        elif table["ended_by"]:
            return
        elif problems and is_in_read_topic:
            yield Change(
                "table_added", recorded=_table_text(table), is_compatible=False, remedy=problems
            )
        elif not problems and table["columns"]:
            model = f"stg_{self._config['name']}__{table['model']}"
            yield Change(
                "table_added",
                recorded=_table_text(table)
                + (", in a topic of other tables" if is_in_read_topic else ""),
                remedy=self._rebuild(model) + (self._includes_hint() if is_in_read_topic else ""),
            )

    def _of_model(self, table: _Plain, staging: _Plain) -> Iterator[Change]:
        # that of a table whose name another one has now, too, gets another name
        model = staging["model"]
        if not table["problems"] and table["columns"]:
            model = f"stg_{self._config['name']}__{table['model']}"
        ended, was_ended = table["ended_by"], staging["ended_by"]
        if ended and was_ended != ended:
            shows = "" if ended == "dropped" else " and show the rows it held"
            yield Change(
                "table_renamed" if ended.startswith("renamed") else "table_dropped",
                modelled=was_ended or _table_text(table),
                recorded=ended,
                remedy=f"its models stay{shows}; {self._rebuild(model)} notes it in them",
            )
        elif was_ended and not ended:
            yield Change(
                "table_added",
                modelled=was_ended,
                recorded=_table_text(table),
                remedy=self._rebuild(model),
            )
        if staging["call"]:
            yield from self._of_declaration(table, staging["call"], model)
            yield from self._of_columns(table, staging["call"], model)
        else:
            self.unread.append(unread_model(model, table["name"]))

    def _of_declaration(self, table: _Plain, call: _Plain, model: str) -> Iterator[Change]:
        """Yield where other arguments of a `staging` call than its columns differ."""
        if sorted(table["topics"]) != sorted(call["topics"]) or (
            table["is_shared_topic"] and not call["shared_topic"]
        ):
            yield Change(
                "topics_changed",
                modelled=_topics_text(call["topics"], call["shared_topic"]),
                recorded=_topics_text(table["topics"], table["is_shared_topic"]),
                remedy=self._rebuild(model),
            )
        if not _origins_agree(call["origins"], table["origins"]):
            yield Change(
                "origin_changed",
                modelled=_origins_text(call["origins"]),
                recorded=_origins_text(table["origins"]),
                remedy=self._rebuild(model),
            )
        modelled, recorded = (_key_text(call), _key_text(table))
        if modelled != recorded:
            # another former key, or a declared rename of a key column, is no other key
            is_compatible = key_form(self._config, call["key"]) == key_form(
                self._config, table["key"]
            )
            yield Change(
                "key_changed",
                modelled=modelled,
                recorded=recorded,
                is_compatible=is_compatible,
                remedy=self._rebuild(model, is_compatible=is_compatible),
            )

    def _of_columns(self, table: _Plain, call: _Plain, model: str) -> Iterator[Change]:
        ours = {column["name"]: column for column in call["columns"]}
        theirs = {column["name"]: column for column in table["columns"]}
        renames = renamed_columns(ours, theirs)
        for name, column in theirs.items():
            if name in ours:
                continue
            remedy = self._rebuild(model)
            if name in renames and renames[name] not in names_of(column):
                remedy = (
                    f"if {name} is {renames[name]} renamed, first declare renames:"
                    f" {{{yaml_name(name)}: {yaml_name(renames[name])}}} in"
                    f" debezium_sources.{self._config['name']}.tables.{table['name']}; {remedy}"
                )
            yield Change("column_added", name, recorded=_type_text(table, column), remedy=remedy)
        for name, column in ours.items():
            other = theirs.get(name)
            if other is None:
                yield Change(
                    "column_dropped", name, modelled=type_text(column), remedy=self._rebuild(model)
                )
            elif column != other:
                yield from self._of_column(table, call, model, column, other)

    def _of_column(
        self, table: _Plain, call: _Plain, model: str, column: Any, other: Any
    ) -> Iterator[Change]:
        name = column["name"]
        if type_text(column) != type_text(other):
            # the table accepts types that go together and, in the key, are printed alike
            is_compatible = (
                type_change(spark_type_of(self._config, column), spark_type_of(self._config, other))
                != "differs"
            )
            if name in [one["name"] for one in call["key"]]:
                forms = [key_text_form(self._config, one) for one in (column, other)]
                is_compatible = is_compatible and forms[0] == forms[1]
            yield Change(
                "column_type_changed",
                name,
                modelled=type_text(column),
                recorded=_type_text(table, other),
                is_compatible=is_compatible,
                remedy=self._rebuild(model, is_compatible=is_compatible),
            )
        if other.get("gone_until") != column.get("gone_until"):
            yield Change(
                "column_added_again",
                name,
                modelled=_gone_text(column),
                recorded=_gone_text(other),
                remedy=self._rebuild(model),
            )
        # where null was allowed and no longer is, no model depends on it
        if column.get("optional") is False and other.get("optional") is not False:
            yield Change(
                "column_nullability_changed",
                name,
                modelled="not null",
                recorded="null allowed",
                remedy=self._rebuild(model),
            )

    def _rebuild(self, model: str, *, is_compatible: bool = True) -> str:
        return rebuild_command(model, is_compatible=is_compatible, rebuilds=self._rebuilds)

    def _includes_hint(self) -> str:
        """Return what else to do about a table that turns up in the topic of another."""
        return (
            "; if it is part of a table that has models (a shard, a partition, a database renamed),"
            f" before that: debezium_sources.{self._config['name']}.tables.<that table>.includes"
        )


def renamed_columns(ours: Mapping[str, _Plain], theirs: Mapping[str, _Plain]) -> dict[str, str]:
    """Return columns that may be renamed, {new: old}.

    They have the same type, at the same ordinal or behind the same column. Records do not
    distinguish a rename from a drop and an addition.

    Args:
        ours: columns of the model, in their order.
        theirs: columns of the table.
    """
    renames: dict[str, str] = {}
    old_places = _places(ours, theirs)
    for new, (number, gap) in _places(theirs, ours).items():
        for old, (old_number, old_gap) in old_places.items():
            if new in renames or old in renames.values():
                continue
            is_near = number == old_number or gap == old_gap
            if is_near and type_text(theirs[new]) == type_text(ours[old]):
                renames[new] = old
    return renames


def _places(
    columns: Mapping[str, _Plain], others: Mapping[str, _Plain]
) -> dict[str, tuple[int, tuple[str | None, int]]]:
    """Return ordinals of the columns that `others` lacks, and how far behind a common one."""
    places = {}
    common, at = None, -1
    for number, name in enumerate(columns):
        if name in others:
            common, at = name, number
        else:
            places[name] = (number, (common, number - at))
    return places


def type_text(column: _Plain) -> str:
    """Return a column's encoding as people read it.

    `int64`, `org.apache.kafka.connect.data.Decimal(10,2)`,
    `io.debezium.time.MicroTimestamp (int64)`, `array<int32>`.
    """
    details = dict(column.get("parameters") or {})
    if column.get("digits") is not None:
        details["digits"] = column["digits"]
    text = str(column["type"])
    if text == "array" and column.get("items"):
        text = f"array<{type_text(column['items'])}>"
    elif text == "map" and column.get("keys") and column.get("values"):
        text = f"map<{type_text(column['keys'])}, {type_text(column['values'])}>"
    elif column.get("fields"):
        members = [f"{member['name']}: {type_text(member)}" for member in column["fields"]]
        text = f"struct<{', '.join(members)}>"
    semantic = column.get("semantic")
    if semantic == _DECIMAL:
        scale = details.pop("scale", "0")
        precision = details.pop("connect.decimal.precision", None)
        text = f"{semantic}({f'{precision},{scale}' if precision else f'scale {scale}'})"
    elif semantic:
        text = f"{semantic} ({text})"
    return ", ".join([text, *(f"{name} {details[name]}" for name in sorted(details))])


def _type_text(table: _Plain, column: _Plain) -> str:
    database_type = table["described"][column["name"]].get("database_type")
    return type_text(column) + (f", database type {database_type}" if database_type else "")


def _gone_text(column: _Plain) -> str | None:
    return f"gone until {column['gone_until']}" if column.get("gone_until") else None


def _table_text(table: _Plain) -> str:
    count = len(table["columns"])
    key = ", ".join(column["name"] for column in table["key"])
    return f"{count} {'column' if count == 1 else 'columns'}, {f'key {key}' if key else 'no key'}"


def _key_text(declared: _Plain) -> str:
    """Return key columns, with the types of those that are no columns, and former keys."""
    names = [column["name"] for column in declared["columns"]]
    parts = [
        column["name"] + ("" if column["name"] in names else f" {type_text(column)}")
        for column in declared["key"]
    ]
    former = "; ".join(", ".join(names) for names in declared["former_keys"])
    return (", ".join(parts) or "no key") + (f" (formerly {former})" if former else "")


def _topics_text(topics: Sequence[str], is_shared: bool) -> str:
    return ", ".join(sorted(topics)) + (" (shared with other tables)" if is_shared else "")


def _origins_agree(ours: Sequence[_Plain], theirs: Sequence[_Plain]) -> bool:
    """Tell whether a model reads a table's origins.

    A model without an origin reads by the table's name; a member it does not name may be anything.
    """
    if not ours:
        return len(theirs) <= 1
    return len(ours) == len(theirs) and all(
        other.get(member) == text
        for own, other in zip(ours, theirs, strict=True)
        for member, text in own.items()
    )


def _origins_text(origins: Sequence[_Plain]) -> str:
    return ", ".join(".".join(map(str, origin.values())) for origin in origins)
