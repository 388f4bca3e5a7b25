"""One source: the topics of a Debezium connector, and their options."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Annotated, Any, Self

from pydantic import AfterValidator, BeforeValidator, Field, model_validator
from pydantic_core import PydanticCustomError

from dbt_debezium_spark.config.block import (
    EMPTY_LIST,
    Block,
    Flag,
    Moment,
    NamedBlock,
    as_mapping,
    as_text,
    first_repeated,
    matching,
    one_of,
    otherwise,
    text,
)
from dbt_debezium_spark.config.errors import ConfigError, in_words, nearest, problem
from dbt_debezium_spark.config.inputs import Input
from dbt_debezium_spark.config.records import (
    MODES,
    UNAVAILABLE_VALUE_PLACEHOLDER,
    Avro,
    Flattened,
    default_of,
)
from dbt_debezium_spark.config.table_input import TableInput
from dbt_debezium_spark.config.tables import CONTRACT, History, RetentionConfig, Tables
from dbt_debezium_spark.decode.connectors import CONNECTORS

SOURCE_NAME = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
HEARTBEAT_PREFIX = "__debezium-heartbeat"
DEFAULT_MAX_AGE = 3600
# What offsets without a record are: docs/lost.md.
OFFSET_GAPS = ("lost", "markers", "compacted")

# -- topics and tables -----------------------------------------------------------------------------

_TOPIC_CHARACTERS = "Use letters, digits, `.`, `_` and `-`: topic names have no other characters"
_TOPIC = "[A-Za-z0-9._-]+"
# Before the name of a table or view of Spark with an export.
RELATION_MARK = "table:"


def heartbeat_topic(source: Mapping[str, Any]) -> str:
    """Return the topic to which a connector writes its heartbeats.

    Args:
        source: result of `SourceConfig.to_dict`.
    """
    return f"{source.get('topic_heartbeat_prefix', HEARTBEAT_PREFIX)}.{source['topic_prefix']}"


def _signal(value: Any) -> str:
    name = as_text(value, "public.debezium_signal")
    if "." not in name:
        raise problem(f" is `{name}`", "Write it with its schema, like `public.debezium_signal`")
    return name


def _export_place(value: Any) -> str:
    """Return where an export of the columns of the source's database is."""
    text = as_text(value, "columns/shop.csv")
    if text.startswith(RELATION_MARK):
        as_text(text.removeprefix(RELATION_MARK), "table:bronze.shop_columns")
    elif not (text.lower().endswith(".csv") or is_parquet(text)):
        raise problem(
            f" is {text!r}",
            "Write the path of a CSV file (`.csv`) or of Parquet (`.parquet`), or"
            " `table:schema.name`",
        )
    return text


def is_parquet(text: str) -> bool:
    """Return whether the place of an export names Parquet, one file or a folder."""
    return text.rstrip("/").lower().endswith((".parquet", ".parq", ".pq"))


# -- lateness --------------------------------------------------------------------------------------

_DURATION = re.compile(r"([0-9]+) *([a-z]+)")
_SECONDS = {"second": 1, "minute": 60, "hour": 3600, "day": 86_400}
_LONGEST_DAYS = 3650
_LAG_REMEDY = (
    "Write a number and a unit, like `15 minutes`; units: "
    + in_words(f"{unit}s" for unit in _SECONDS)
    + f"; at most {_LONGEST_DAYS} days"
)


def _seconds(value: Any) -> int:
    """Return a duration in seconds; a number is one already, as in `SourceConfig.to_dict`."""
    seconds = None
    if isinstance(value, int) and not isinstance(value, bool):
        seconds = value
    elif isinstance(value, str) and (found := _DURATION.fullmatch(value.strip().lower())):
        unit = _SECONDS.get(found[2].removesuffix("s"))
        seconds = None if unit is None else int(found[1]) * unit
    if seconds is None or not 0 < seconds <= _LONGEST_DAYS * _SECONDS["day"]:
        raise problem(f" is {value!r}", _LAG_REMEDY)
    return seconds


# -- what an operator says of records --------------------------------------------------------------

_EPOCH_REMEDY = 'Write `{from: "2026-01-31T12:00:00Z"}` or `{topic: <topic>, offsets: {"0": 123}}`'
_RECORD = '{topic: dbserver1.public.orders, partition: 0, offset: 17, reason: "cut by a proxy"}'


def _offsets(value: Any) -> dict[str, int]:
    if not isinstance(value, Mapping) or not value:
        raise problem(f" is {value!r}", _EPOCH_REMEDY)
    offsets = {}
    for partition, offset in value.items():
        # YAML reads an unquoted partition as a number; JSON has only text keys.
        if isinstance(partition, bool) or not str(partition).isdecimal():
            raise problem(f" has the partition {partition!r}", "Write a number from 0 up")
        if isinstance(offset, bool) or not isinstance(offset, int) or offset < 0:
            raise problem(f".{partition} is {offset!r}", "Write an offset from 0 up")
        offsets[str(int(partition))] = offset
    return offsets


class EpochConfig(Block):
    """Where positions restarted without a snapshot.

    That is a record timestamp, or an offset in each partition of a topic.
    """

    from_: Moment | None = Field(default=None, alias="from")
    topic: Annotated[str, text("dbserver1.public.orders")] | None = None
    offsets: Annotated[dict[str, int], BeforeValidator(_offsets)] | None = None

    @model_validator(mode="after")
    def _has_one_form(self) -> Self:
        if self.model_fields_set not in ({"from_"}, {"topic", "offsets"}):
            raise problem(f" is {self.to_dict()!r}", _EPOCH_REMEDY)
        return self


_FromZero = Annotated[
    int, Field(strict=True, ge=0), otherwise(f"Write a number from 0 up, as in `{_RECORD}`")
]


class IgnoredRecord(Block):
    """A record that all models leave out, by its place in Kafka, and the reason."""

    topic: Annotated[str, text("dbserver1.public.orders")]
    partition: _FromZero
    offset: _FromZero
    reason: Annotated[str, text("cut by a proxy")]

    @property
    def place(self) -> tuple[str, int, int]:
        """Topic, partition and offset."""
        return self.topic, self.partition, self.offset


def _by_place(records: tuple[IgnoredRecord, ...]) -> tuple[IgnoredRecord, ...]:
    repeated = first_repeated(record.place for record in records)
    if repeated is not None:
        raise problem(f" names the record {repeated} twice", "Remove one of them")
    return tuple(sorted(records, key=lambda record: record.place))


def _by_time(moments: tuple[str, ...]) -> tuple[str, ...]:
    repeated = first_repeated(moments)
    if repeated is not None:
        # A duplicate would count as a second boundary and change the incarnations of records.
        raise problem(f" names {repeated} twice", "Remove one of them")
    return tuple(sorted(moments, key=lambda moment: moment.rstrip("Z")))


# -- the source ------------------------------------------------------------------------------------


def _mode(option: str) -> Any:
    """Return the default of a mode, which is that of the connector."""
    return Field(default_factory=lambda data: default_of(option, data.get("connector", "")))


def _lower(value: Any) -> Any:
    # the converter's documentation has upper-case values
    return value.lower() if isinstance(value, str) else value


class SourceConfig(Block):
    """A validated source with every default filled in."""

    key_field = "name"
    shown = (
        *("unavailable_value_placeholder", "signal_data_collection"),
        *("epochs", "incarnations", "tables"),
    )
    removed = {
        "contract": CONTRACT,
        "group": "Set `+group: <name>` on the models in dbt_project.yml (docs/generate.md)",
        "exposures": "Write the exposures into a properties file of yours (docs/generate.md)",
    }
    # the option's name before Debezium 2.0
    older_names = {"heartbeat_topics_prefix": "topic_heartbeat_prefix"}

    name: str
    connector: Annotated[str, one_of(CONNECTORS)]
    topic_prefix: Annotated[str, matching(_TOPIC, "dbserver1", _TOPIC_CHARACTERS)]
    input: Input
    avro: Avro = None
    flattened: Flattened = None
    unavailable_value_placeholder: Annotated[str, text(UNAVAILABLE_VALUE_PLACEHOLDER)] = (
        UNAVAILABLE_VALUE_PLACEHOLDER
    )
    decimal_handling_mode: Annotated[str, one_of(MODES["decimal_handling_mode"])] = _mode(
        "decimal_handling_mode"
    )
    time_precision_mode: Annotated[str, one_of(MODES["time_precision_mode"])] = _mode(
        "time_precision_mode"
    )
    binary_handling_mode: Annotated[str, one_of(MODES["binary_handling_mode"])] = _mode(
        "binary_handling_mode"
    )
    interval_handling_mode: Annotated[str, one_of(MODES["interval_handling_mode"])] = _mode(
        "interval_handling_mode"
    )
    hstore_handling_mode: Annotated[str, one_of(MODES["hstore_handling_mode"])] = _mode(
        "hstore_handling_mode"
    )
    bigint_unsigned_handling_mode: Annotated[
        str, one_of(MODES["bigint_unsigned_handling_mode"])
    ] = _mode("bigint_unsigned_handling_mode")
    decimal_format: Annotated[str, one_of(MODES["decimal_format"]), BeforeValidator(_lower)] = (
        _mode("decimal_format")
    )
    binlog_transaction_compression: Annotated[
        Flag,
        otherwise(
            "Write true if the server or one of its sessions compresses transactions, else false"
        ),
    ] = False
    signal_data_collection: Annotated[str, BeforeValidator(_signal)] | None = None
    topic_heartbeat_prefix: Annotated[
        str, matching(_TOPIC, HEARTBEAT_PREFIX, _TOPIC_CHARACTERS)
    ] = HEARTBEAT_PREFIX
    max_lag: Annotated[int, BeforeValidator(_seconds)] | None = None
    columns_from: Annotated[str, BeforeValidator(_export_place)] | None = None
    epochs: Annotated[tuple[EpochConfig, ...], EMPTY_LIST] = ()
    incarnations: Annotated[tuple[Moment, ...], EMPTY_LIST, AfterValidator(_by_time)] = ()
    ignore_records: Annotated[tuple[IgnoredRecord, ...], EMPTY_LIST, AfterValidator(_by_place)] = ()
    feed: Flag = False
    offset_gaps: Annotated[str, one_of(OFFSET_GAPS)] | None = None
    provide_transaction_metadata: Flag = False
    topic_transaction: Annotated[
        str,
        matching(
            _TOPIC,
            "transaction",
            "Write the part of the topic's name that follows the topic prefix and a dot, like"
            " `transaction`",
        ),
    ] = "transaction"
    transaction_max_age_seconds: Annotated[
        int, Field(strict=True, ge=0), otherwise(f"Write whole seconds, like {DEFAULT_MAX_AGE}")
    ] = DEFAULT_MAX_AGE
    history: History = None
    retention: RetentionConfig | None = None
    tables: Tables = {}

    @model_validator(mode="after")
    def _options_fit(self) -> Self:
        if self.binlog_transaction_compression and self.connector != "mysql":
            raise problem(
                f".binlog_transaction_compression is set for the connector `{self.connector}`",
                "Remove it: only MySQL compresses whole transactions",
            )
        if self.columns_from is not None and CONNECTORS[self.connector].has_documents:
            raise problem(
                ".columns_from is set for the connector `mongodb`",
                "Remove it: collections have no columns; `tables.<collection>.fields` types some",
            )
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


# -- the var ---------------------------------------------------------------------------------------


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
    described: dict[str, Any] = json.loads(_describe_once(_options(name, mapping)))
    return described


def check_input(source: SourceConfig, project_dir: str) -> None:
    """Check a source's input without Spark; landing finds out whether a table exists.

    Args:
        source: the source.
        project_dir: folder of the dbt project, at which relative paths start.

    Raises:
        ConfigError: files are missing or unreadable, or an environment variable is not set.
    """
    if not isinstance(source.input, TableInput):
        source.input.check(f"debezium_sources.{source.name}.input", project_dir)


@dataclass(frozen=True)
class _Options:
    """Options of a source. Equal are those with the same text: `1` and `true` are not."""

    name: str
    text: str
    value: Any = field(compare=False, repr=False)


def _options(name: str, mapping: Any) -> _Options:
    sources = _sources(mapping)
    if name not in sources:
        similar = nearest(name, sources)
        hint = f"Did you mean `{similar}`? " if similar else ""
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
