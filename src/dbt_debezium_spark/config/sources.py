"""One source: the topics of a Debezium connector, and their options."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Annotated, Any, Self

from pydantic import AfterValidator, BeforeValidator, model_validator
from pydantic_core import PydanticCustomError

from dbt_debezium_spark.config.avro import AvroSettings
from dbt_debezium_spark.config.block import Block, NamedBlock
from dbt_debezium_spark.config.columns_from import export_place
from dbt_debezium_spark.config.epochs import Epochs
from dbt_debezium_spark.config.errors import ConfigError, in_words, nearest, problem
from dbt_debezium_spark.config.flattened import FlattenedSettings, switch
from dbt_debezium_spark.config.history import History
from dbt_debezium_spark.config.ignored import IgnoredRecords
from dbt_debezium_spark.config.input_table import TableInput
from dbt_debezium_spark.config.inputs import Input
from dbt_debezium_spark.config.lateness import (
    HEARTBEAT_PREFIX,
    HeartbeatPrefix,
    MaxLag,
)
from dbt_debezium_spark.config.options import (
    CONNECTORS,
    MODES,
    UNAVAILABLE_VALUE_PLACEHOLDER,
    default_of,
)
from dbt_debezium_spark.config.tables import CONTRACT, Tables
from dbt_debezium_spark.config.timestamps import utc_text
from dbt_debezium_spark.config.transactions import (
    DEFAULT_MAX_AGE,
    DEFAULT_TOPIC,
    MaxAge,
    ProvidesTransactions,
    TransactionTopic,
)
from dbt_debezium_spark.config.values import (
    LIST,
    as_mapping,
    as_text,
    flag,
    one_of,
    text,
    unless_none,
)

SOURCE_NAME = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
TOPIC_PREFIX = re.compile(r"[A-Za-z0-9._-]+")


def _topic_prefix(value: Any) -> str:
    prefix = as_text(value, "dbserver1")
    if not TOPIC_PREFIX.fullmatch(prefix):
        raise problem(
            f" is {prefix!r}",
            "Use letters, digits, `.`, `_` and `-`: topic names have no other characters",
        )
    return prefix


def _signal(value: Any) -> str:
    name = as_text(value, "public.debezium_signal")
    if "." not in name:
        raise problem(f" is `{name}`", "Write it with its schema, like `public.debezium_signal`")
    return name


def _sorted_timestamps(moments: tuple[str, ...]) -> tuple[str, ...]:
    for moment in moments:
        if moments.count(moment) > 1:
            # A duplicate would count as a second boundary and change the incarnations of records.
            raise problem(f" names {moment} twice", "Remove one of them")
    return tuple(sorted(moments, key=lambda moment: moment.rstrip("Z")))


def _lower(value: Any) -> Any:
    # the converter's documentation has upper-case values
    return value.lower() if isinstance(value, str) else value


_TRUE_OR_FALSE = flag(
    "Write true if the server or one of its sessions compresses transactions, else false"
)
Moments = Annotated[
    tuple[Annotated[str, BeforeValidator(utc_text)], ...], LIST, AfterValidator(_sorted_timestamps)
]


class SourceConfig(Block):
    """A validated source with every default filled in."""

    key_field = "name"
    unset = {
        "avro": None,
        "binlog_transaction_compression": False,
        "flattened": None,
        "history": None,
        "ignore_records": (),
        "feed": False,
        "provide_transaction_metadata": False,
        "topic_transaction": DEFAULT_TOPIC,
        "transaction_max_age_seconds": DEFAULT_MAX_AGE,
        "topic_heartbeat_prefix": HEARTBEAT_PREFIX,
        "max_lag": None,
        "columns_from": None,
    }
    removed = {
        "contract": CONTRACT,
        "group": "Set `+group: <name>` on the models in dbt_project.yml (docs/generate.md)",
        "exposures": "Write the exposures into a properties file of yours (docs/generate.md)",
    }
    # the option's name before Debezium 2.0
    older_names = {"heartbeat_topics_prefix": "topic_heartbeat_prefix"}

    name: str
    connector: Annotated[str, one_of(CONNECTORS)]
    topic_prefix: Annotated[str, BeforeValidator(_topic_prefix)]
    input: Input
    avro: Annotated[AvroSettings | None, BeforeValidator(lambda value: value or None)] = None
    flattened: Annotated[FlattenedSettings | None, BeforeValidator(switch)] = None
    unavailable_value_placeholder: Annotated[str, text(UNAVAILABLE_VALUE_PLACEHOLDER)] = (
        UNAVAILABLE_VALUE_PLACEHOLDER
    )
    decimal_handling_mode: Annotated[str, one_of(MODES["decimal_handling_mode"])]
    time_precision_mode: Annotated[str, one_of(MODES["time_precision_mode"])]
    binary_handling_mode: Annotated[str, one_of(MODES["binary_handling_mode"])]
    interval_handling_mode: Annotated[str, one_of(MODES["interval_handling_mode"])]
    hstore_handling_mode: Annotated[str, one_of(MODES["hstore_handling_mode"])]
    bigint_unsigned_handling_mode: Annotated[str, one_of(MODES["bigint_unsigned_handling_mode"])]
    decimal_format: Annotated[str, one_of(MODES["decimal_format"]), BeforeValidator(_lower)]
    binlog_transaction_compression: Annotated[bool, _TRUE_OR_FALSE] = False
    signal_data_collection: Annotated[str | None, unless_none(_signal)] = None
    topic_heartbeat_prefix: HeartbeatPrefix = HEARTBEAT_PREFIX
    max_lag: MaxLag = None
    columns_from: Annotated[str | None, unless_none(export_place)] = None
    epochs: Epochs = ()
    incarnations: Moments = ()
    ignore_records: IgnoredRecords = ()
    feed: Annotated[bool, flag("Use true or false")] = False
    provide_transaction_metadata: ProvidesTransactions = False
    topic_transaction: TransactionTopic = DEFAULT_TOPIC
    transaction_max_age_seconds: MaxAge = DEFAULT_MAX_AGE
    history: History = None
    tables: Tables = {}

    @classmethod
    def prepare(
        cls, options: dict[str, Any], name: str, context: Mapping[str, Any]
    ) -> dict[str, Any]:
        """Return the options with Debezium's defaults for the connector."""
        return {option: default_of(option, context["connector"]) for option in MODES} | options

    @model_validator(mode="after")
    def _fits_the_connector(self) -> Self:
        if self.binlog_transaction_compression and self.connector != "mysql":
            raise problem(
                f".binlog_transaction_compression is set for the connector `{self.connector}`",
                "Remove it: only MySQL compresses whole transactions",
            )
        if self.columns_from is not None and self.connector == "mongodb":
            raise problem(
                ".columns_from is set for the connector `mongodb`",
                "Remove it: collections have no columns; `tables.<collection>.fields` types some",
            )
        return self

    @model_validator(mode="after")
    def _lands_what_sql_can_read(self) -> Self:
        if self.lands_by_sql and self.avro is not None:
            raise problem(
                ".input.landing is `sql`, and `avro` is set",
                "Remove one of them: Avro is decoded by Python on Spark's workers",
            )
        return self

    @property
    def lands_by_sql(self) -> bool:
        """Whether the raw model is SQL."""
        return isinstance(self.input, TableInput) and self.input.landing == "sql"

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> SourceConfig:
        """Return the source from the result of `to_dict`.

        Raises:
            ConfigError: the dict is invalid.
        """
        options = {name: value for name, value in values.items() if name != "name"}
        return read_source(values.get("name", ""), options)


def load_sources(mapping: Any) -> dict[str, SourceConfig]:
    """Return every source of the var `debezium_sources`, by name.

    Args:
        mapping: the var's value; None means no sources.

    Raises:
        ConfigError: a source is invalid.
    """
    return {name: read_source(name, options) for name, options in _sources(mapping).items()}


def load_source(name: str, mapping: Any) -> SourceConfig:
    """Return one source of the var `debezium_sources`.

    Args:
        name: name of the source.
        mapping: the var's value: all sources by name.

    Raises:
        ConfigError: the source does not exist or is invalid.
    """
    return _read_once(_options(name, mapping))


def describe_source(name: str, mapping: Any) -> dict[str, Any]:
    """Return `load_source(name, mapping).to_dict()`, which takes a millisecond for 15 tables.

    Raises:
        ConfigError: see `load_source`.
    """
    load_source(name, mapping)
    described: dict[str, Any] = json.loads(_describe_once(_options(name, mapping)))
    return described


@dataclass(frozen=True)
class _Options:
    """Options of a source. Equal are those with the same text: `1` and `true` are not."""

    name: str
    text: str
    value: Any = field(compare=False, repr=False)


def _options(name: str, mapping: Any) -> _Options:
    sources = _sources(mapping)
    if name not in sources:
        meant = nearest(name, sources)
        hint = f"Did you mean `{meant}`? " if meant else ""
        known = f"Configured: {in_words(sources)}" if sources else "No source is configured"
        raise ConfigError(f"debezium_sources has no source {name!r}", hint + known)
    return _Options(name, repr(sources[name]), sources[name])


# Every model of a command asks for its source, while dbt parses and when it runs.
@lru_cache(maxsize=32)
def _read_once(options: _Options) -> SourceConfig:
    return read_source(options.name, options.value)


@lru_cache(maxsize=32)
def _describe_once(options: _Options) -> str:
    return json.dumps(_read_once(options).to_dict())


def read_source(name: Any, value: Any) -> SourceConfig:
    """Return one validated source, with Debezium's defaults for missing options.

    Args:
        name: name of the source, a part of every model name.
        value: options of the source.

    Raises:
        ConfigError: an option is unknown, invalid, or missing.
    """
    if not isinstance(name, str) or not SOURCE_NAME.fullmatch(name):
        raise ConfigError(
            f"debezium_sources has a source named {name!r}",
            "Use lower-case letters, digits and single `_`, beginning with a letter:"
            " it becomes part of model names, where `__` separates source and table",
        )
    connector = value.get("connector") if isinstance(value, Mapping) else None
    return SourceConfig.read(
        NamedBlock(name, value), f"debezium_sources.{name}", {"connector": str(connector)}
    )


def _sources(mapping: Any) -> Mapping[str, Any]:
    """Return the var's value as a mapping."""
    try:
        return as_mapping({} if mapping is None else mapping)
    except PydanticCustomError as error:
        parts = error.context or {}
        raise ConfigError(f"debezium_sources{parts['what']}", parts["remedy"]) from None
