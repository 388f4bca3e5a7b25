"""One source: a Debezium connector's topics and how to read them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from dbt_debezium_spark.avro import AvroSettings, read_avro
from dbt_debezium_spark.config.epochs import EpochConfig, read_epochs
from dbt_debezium_spark.config.errors import (
    ConfigError,
    expect_known,
    expect_list,
    expect_mapping,
    expect_one_of,
    expect_text,
    in_words,
    nearest,
)
from dbt_debezium_spark.config.ignored import IgnoredRecord, read_ignored
from dbt_debezium_spark.config.inputs import Input, read_input
from dbt_debezium_spark.config.options import (
    CONNECTORS,
    MODES,
    UNAVAILABLE_VALUE_PLACEHOLDER,
    default_of,
)
from dbt_debezium_spark.config.tables import TableConfig, read_tables
from dbt_debezium_spark.config.timestamps import utc_text

SOURCE_NAME = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
TOPIC_PREFIX = re.compile(r"[A-Za-z0-9._-]+")
KEYS = (
    "connector",
    "topic_prefix",
    "input",
    "avro",
    "unavailable_value_placeholder",
    *MODES,
    "binlog_transaction_compression",
    "signal_data_collection",
    "epochs",
    "incarnations",
    "ignore_records",
    "tables",
)


@dataclass(frozen=True)
class SourceConfig:
    """A checked source with every default filled in."""

    name: str
    connector: str
    topic_prefix: str
    input: Input
    avro: AvroSettings | None
    unavailable_value_placeholder: str
    decimal_handling_mode: str
    time_precision_mode: str
    binary_handling_mode: str
    interval_handling_mode: str
    hstore_handling_mode: str
    bigint_unsigned_handling_mode: str
    decimal_format: str
    binlog_transaction_compression: bool
    signal_data_collection: str | None
    epochs: tuple[EpochConfig, ...]
    incarnations: tuple[str, ...]
    ignore_records: tuple[IgnoredRecord, ...]
    tables: Mapping[str, TableConfig]

    def to_dict(self) -> dict[str, Any]:
        """Return the source as plain JSON types; `from_dict` reads it back."""
        return {
            "name": self.name,
            "connector": self.connector,
            "topic_prefix": self.topic_prefix,
            "input": self.input.to_dict(),
            **({"avro": self.avro.to_dict()} if self.avro else {}),
            "unavailable_value_placeholder": self.unavailable_value_placeholder,
            **{option: getattr(self, option) for option in MODES},
            **(
                {"binlog_transaction_compression": True}
                if self.binlog_transaction_compression
                else {}
            ),
            "signal_data_collection": self.signal_data_collection,
            "epochs": [epoch.to_dict() for epoch in self.epochs],
            "incarnations": list(self.incarnations),
            **(
                {"ignore_records": [one.to_dict() for one in self.ignore_records]}
                if self.ignore_records
                else {}
            ),
            "tables": {name: table.to_dict() for name, table in self.tables.items()},
        }

    @classmethod
    def from_dict(cls, described: Mapping[str, Any]) -> SourceConfig:
        """Return the source that `to_dict` described.

        Raises:
            ConfigError: the description was changed into something wrong.
        """
        options = {name: value for name, value in described.items() if name != "name"}
        return read_source(described.get("name", ""), options)


def load_sources(mapping: Any) -> dict[str, SourceConfig]:
    """Return every source of the var `debezium_sources`, by name.

    Args:
        mapping: the var's value; none at all means no sources.

    Raises:
        ConfigError: anything in it is wrong.
    """
    sources = expect_mapping(mapping if mapping is not None else {}, "debezium_sources")
    return {name: read_source(name, options) for name, options in sources.items()}


def load_source(name: str, mapping: Any) -> SourceConfig:
    """Return one source of the var `debezium_sources`.

    Args:
        name: its name.
        mapping: the var's value: all sources by name.

    Raises:
        ConfigError: there is no such source, or anything in it is wrong.
    """
    sources = expect_mapping(mapping if mapping is not None else {}, "debezium_sources")
    if name not in sources:
        meant = nearest(name, sources)
        hint = f"Did you mean `{meant}`? " if meant else ""
        known = f"Configured: {in_words(sources)}" if sources else "No source is configured"
        raise ConfigError(f"debezium_sources has no source {name!r}", hint + known)
    return read_source(name, sources[name])


def read_source(name: Any, value: Any) -> SourceConfig:
    """Return one source, checked, with Debezium's defaults for what is not set.

    Args:
        name: its name, a part of every model name.
        value: its options.

    Raises:
        ConfigError: an unknown name, a value that is not allowed, or something missing.
    """
    if not isinstance(name, str) or not SOURCE_NAME.fullmatch(name):
        raise ConfigError(
            f"debezium_sources has a source named {name!r}",
            "Use lower-case letters, digits and single `_`, beginning with a letter:"
            " it becomes part of model names, where `__` separates source and table",
        )
    where = f"debezium_sources.{name}"
    options = expect_mapping(value, where)
    expect_known(options, KEYS, where)
    connector = expect_one_of(options.get("connector"), CONNECTORS, f"{where}.connector")
    return SourceConfig(
        name=name,
        connector=connector,
        topic_prefix=_topic_prefix(options.get("topic_prefix"), f"{where}.topic_prefix"),
        input=read_input(options.get("input"), f"{where}.input"),
        avro=read_avro(options["avro"], f"{where}.avro") if options.get("avro") else None,
        unavailable_value_placeholder=expect_text(
            options.get("unavailable_value_placeholder", UNAVAILABLE_VALUE_PLACEHOLDER),
            f"{where}.unavailable_value_placeholder",
            UNAVAILABLE_VALUE_PLACEHOLDER,
        ),
        **{option: _mode(options, option, connector, where) for option in MODES},
        binlog_transaction_compression=_compression(options, connector, where),
        signal_data_collection=_signal(options, where),
        epochs=read_epochs(options.get("epochs"), f"{where}.epochs"),
        incarnations=_incarnations(options.get("incarnations"), f"{where}.incarnations"),
        ignore_records=read_ignored(options.get("ignore_records"), f"{where}.ignore_records"),
        tables=read_tables(options.get("tables"), f"{where}.tables", connector),
    )


def _topic_prefix(value: Any, where: str) -> str:
    prefix = expect_text(value, where, "dbserver1")
    if not TOPIC_PREFIX.fullmatch(prefix):
        raise ConfigError(
            f"{where} is {prefix!r}",
            "Use letters, digits, `.`, `_` and `-`: nothing else can stand in a topic name",
        )
    return prefix


def _mode(options: Mapping[str, Any], option: str, connector: str, where: str) -> str:
    value = options.get(option, default_of(option, connector))
    if option == "decimal_format" and isinstance(value, str):
        value = value.lower()  # the converter documents its values in capitals
    return expect_one_of(value, MODES[option], f"{where}.{option}")


def _compression(options: Mapping[str, Any], connector: str, where: str) -> bool:
    value = options.get("binlog_transaction_compression", False)
    if not isinstance(value, bool):
        raise ConfigError(
            f"{where}.binlog_transaction_compression is {value!r}",
            "Write true when the server, or a session of it, compresses transactions, else false",
        )
    if value and connector != "mysql":
        raise ConfigError(
            f"{where}.binlog_transaction_compression is set for the connector `{connector}`",
            "Remove it: only MySQL compresses whole transactions",
        )
    return value


def _signal(options: Mapping[str, Any], where: str) -> str | None:
    value = options.get("signal_data_collection")
    if value is None:
        return None
    name = expect_text(value, f"{where}.signal_data_collection", "public.debezium_signal")
    if "." not in name:
        raise ConfigError(
            f"{where}.signal_data_collection is `{name}`",
            "Write it with its schema, like `public.debezium_signal`",
        )
    return name


def _incarnations(value: Any, where: str) -> tuple[str, ...]:
    entries = expect_list(value if value is not None else [], where)
    moments = [utc_text(one, f"{where}[{number}]") for number, one in enumerate(entries)]
    for moment in moments:
        if moments.count(moment) > 1:
            # Twice would count as two boundaries and give records another incarnation than once.
            raise ConfigError(f"{where} names {moment} twice", "Remove one of them")
    return tuple(sorted(moments, key=lambda moment: moment.rstrip("Z")))
