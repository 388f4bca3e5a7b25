"""What is written of a source in the configuration: how it is described, what is refused."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from dbt_debezium_spark.config import (
    ConfigError,
    KafkaInput,
    SourceConfig,
    check_input,
    describe_source,
    input_location,
    load_source,
    load_sources,
)
from dbt_debezium_spark.config.inputs import local_path
from dbt_debezium_spark.config.sources import heartbeat_topic, is_parquet
from dbt_debezium_spark.inputs.avro import AvroSettings
from dbt_debezium_spark.staging import included_origins, matches_text
from tests.support.blocks import source_options
from tests.support.macros import macros_of
from tests.support.said import is_said, rows_of

DEFAULTS = {
    "name": "s",
    **source_options(),
    "unavailable_value_placeholder": "__debezium_unavailable_value",
    "decimal_handling_mode": "precise",
    "time_precision_mode": "adaptive",
    "binary_handling_mode": "bytes",
    "interval_handling_mode": "numeric",
    "hstore_handling_mode": "json",
    "bigint_unsigned_handling_mode": "long",
    "decimal_format": "base64",
    "signal_data_collection": None,
    "epochs": [],
    "incarnations": [],
    "tables": {},
}
TABLE = "public.t"


def load(**options: Any) -> SourceConfig:
    return load_source("s", {"s": source_options() | options})


def test_defaults_are_debeziums() -> None:
    assert load().to_dict() == DEFAULTS


@pytest.mark.parametrize(("written", "described"), rows_of(__file__, "config_values.txt"))
def test_what_is_written_is_described_and_read_again(written: str, described: str) -> None:
    options = yaml.safe_load(f"{{{written}}}")
    told = options if described == "as written" else yaml.safe_load(f"{{{described}}}")
    config = load(**options)
    assert config.to_dict() == DEFAULTS | told
    assert SourceConfig.from_dict(json.loads(json.dumps(config.to_dict()))) == config


@pytest.mark.covers("case replica-identity-index-then-full")
def test_a_replica_identity_can_hold_since_a_moment() -> None:
    told = [{"is": "index"}, {"is": "full", "from": "2026-01-31T13:00:00+01:00"}]
    found = load(tables={TABLE: {"replica_identity": told}}).to_dict()
    assert found["tables"][TABLE]["replica_identity"] == [
        {"is": "index"},
        {"is": "full", "from": "2026-01-31T12:00:00Z"},
    ]


def test_a_pattern_of_included_tables_is_data() -> None:
    """What stands in a name is no pattern of SQL and ends no literal; only `*` is a pattern."""
    name = "100%_o'r\\*"
    macros = macros_of("postgresql", {"tables": {TABLE: {"includes": [{"table": name}]}}})
    (included,) = included_origins(macros.source_config("s"))
    assert included == {
        "table": TABLE,
        "own": {"schema": "public", "table": "t"},
        "members": {"schema": "public", "table": name},
    }
    assert matches_text("x", name) == r"x like '100\\%\\_o\'r\\\\%'"
    assert matches_text("x", "100%") == "x = '100%'"


@pytest.mark.parametrize(
    ("of_source", "of_table", "has_feed"),
    [
        ({}, {}, False),
        ({"feed": True}, {}, True),
        ({"feed": True}, {"feed": False}, False),
        ({}, {"feed": True}, True),
        ({"feed": False}, {"feed": True}, True),
    ],
)
def test_a_table_decides_over_its_source(
    of_source: dict[str, Any], of_table: dict[str, Any], has_feed: bool
) -> None:
    tables = {"tables": {TABLE: of_table}} if of_table else {}
    macros = macros_of("postgresql", {**of_source, **tables})
    assert macros.has_feed(macros.source_config("s"), TABLE) is has_feed


@pytest.mark.parametrize(
    ("options", "transactions", "heartbeats"),
    [
        ({}, "p.transaction", "__debezium-heartbeat.p"),
        ({"topic_transaction": "tx.b"}, "p.tx.b", "__debezium-heartbeat.p"),
        ({"topic_heartbeat_prefix": "beat"}, "p.transaction", "beat.p"),
    ],
)
def test_topics_of_transactions_and_heartbeats_have_the_prefix(
    options: dict[str, Any], transactions: str, heartbeats: str
) -> None:
    macros = macros_of("postgresql", options)
    assert macros.transaction_topic(macros.source_config("s")) == transactions
    assert heartbeat_topic(load(**options).to_dict()) == heartbeats


def test_all_sources_are_loaded_and_none_are_no_error() -> None:
    found = load_sources({"a": source_options(), "b_2": source_options("mysql")})
    assert {name: config.connector for name, config in found.items()} == {
        "a": "postgresql",
        "b_2": "mysql",
    }
    assert load_sources(None) == load_sources({}) == {}


def test_what_is_done_to_a_description_is_not_seen_by_the_next() -> None:
    sources = {"s": source_options()}
    describe_source("s", sources).pop("connector")
    assert describe_source("s", sources) == DEFAULTS


def test_equal_options_of_other_types_are_read_each_as_they_are() -> None:
    options = source_options("mysql", binlog_transaction_compression=True)
    assert describe_source("s", {"s": options})["binlog_transaction_compression"]
    options["binlog_transaction_compression"] = 1
    with pytest.raises(ConfigError, match="binlog_transaction_compression"):
        describe_source("s", {"s": options})


@pytest.mark.parametrize(
    "code",
    [
        "import dbt_debezium_spark.config",
        "from dbt_debezium_spark.inputs.avro import AvroSettings as a;"
        " a.read({'registry': 'http://h'}, '')",
        # the modules import each other's parts, in either order
        "import dbt_debezium_spark.inputs.avro, dbt_debezium_spark.config",
    ],
)
def test_reading_the_configuration_imports_neither_spark_nor_a_client(code: str) -> None:
    heavy = "import sys; assert not {'pyspark', 'requests'} & {*sys.modules}"
    subprocess.run([sys.executable, "-c", f"{code}\n{heavy}"], check=True)


# -- where records come from ----------------------------------------------------------------------


def source(**options: Any) -> SourceConfig:
    block = source_options(prefix="db.srv-1", input=options)
    return load_source("inventory", {"inventory": block})


def files(path: str) -> SourceConfig:
    return source(type="files", path=path)


def kafka(**options: Any) -> tuple[SourceConfig, KafkaInput]:
    """Return a source, and its input."""
    read = source(type="kafka", brokers="b1:9092", **options)
    assert isinstance(read.input, KafkaInput)
    return read, read.input


# -- files ----------------------------------------------------------------------------------------


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "data").mkdir()
    (tmp_path / "data/a.jsonl").touch()
    return tmp_path


@pytest.mark.parametrize(
    "path",
    ["data", "data/", "data/*.jsonl", "data/a.jsonl", "*/x", "data/[ab]*", "s3a://bucket/x*"],
)
def test_folders_files_and_globs_without_matches_are_fine(project: Path, path: str) -> None:
    check_input(files(path), str(project))


def test_absolute_paths_and_file_uris_are_fine(tmp_path: Path) -> None:
    check_input(files(str(tmp_path / "*")), "/elsewhere")
    check_input(files((tmp_path).as_uri()), "/elsewhere")
    assert Path(local_path("file:///data/x")) == Path("/data/x")


@pytest.mark.parametrize("path", ["dta", "dta/*.jsonl", "data/b.jsonl", "data/a.jsonl/*"])
def test_a_path_that_is_not_there_is_told(project: Path, path: str) -> None:
    with pytest.raises(ConfigError) as raised:
        check_input(files(path), str(project))

    assert f"debezium_sources.inventory.input.path is `{path}`" in str(raised.value)
    assert "orrect the path" in str(raised.value)


def test_a_folder_that_cannot_be_read_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Whoever runs the tests may be allowed everything, so the answer of the system is replaced.
    monkeypatch.setattr("os.access", lambda path, mode: False)

    with pytest.raises(ConfigError, match="cannot be read"):
        check_input(files("."), str(tmp_path))


def test_relative_paths_count_from_the_project() -> None:
    assert input_location("data/*.jsonl", "/home/me/project") == "/home/me/project/data/*.jsonl"
    assert input_location("../in", "/home/me/project") == "/home/me/in"
    assert input_location("s3a://bucket/x", "/home/me/project") == "s3a://bucket/x"


@pytest.mark.parametrize("place", ["x.PARQUET", "folder.parquet/", "a/b.Parquet"])
def test_a_folder_of_parquet_is_known_by_its_name(place: str) -> None:
    assert is_parquet(place)


# -- Kafka ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("topic", "matches"),
    [
        ("db.srv-1", True),
        ("db.srv-1.public.orders", True),
        ("db.srv-1.transaction", True),
        ("db.srv-10.public.orders", False),
        ("dbxsrv-1.public.orders", False),
        ("a.db.srv-1.public.orders", False),
        ("__debezium-heartbeat.db.srv-1", True),
        ("__debezium-heartbeat.db.srv-10", False),
        ("__debezium-heartbeat.db.srv-1.public", False),
        ("__debezium-heartbeat.dbxsrv-1", False),
    ],
)
def test_the_topics_are_those_of_the_prefix_unless_told(topic: str, matches: bool) -> None:
    pattern = kafka()[1].pattern("db.srv-1", "__debezium-heartbeat.db.srv-1")
    assert bool(re.fullmatch(pattern, topic)) is matches
    assert kafka(topic_pattern="x|y")[1].pattern("db.srv-1", "beat.db.srv-1") == "x|y"


def test_secrets_stand_in_the_environment_and_nowhere_else(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JAAS", "a secret")
    one, read = kafka(options_from_env={"kafka.sasl.jaas.config": "JAAS"})
    check_input(one, "/project")
    assert read.secrets() == {"kafka.sasl.jaas.config": "a secret"}
    assert "a secret" not in json.dumps(one.to_dict()) + repr(one)

    monkeypatch.delenv("JAAS")
    assert read.secrets() == {"kafka.sasl.jaas.config": ""}
    with pytest.raises(ConfigError, match=r"`JAAS`, which is not set\. Set it in the environment"):
        check_input(one, "/project")


# -- what is wrong is told, with its value and a remedy -------------------------------------------


USUAL = source_options()


@pytest.mark.parametrize(("options", "said"), rows_of(__file__, "config_errors.txt"))
def test_what_is_wrong_is_told_with_its_value_and_a_remedy(options: str, said: str) -> None:
    with pytest.raises(ConfigError) as raised:
        load(**yaml.safe_load(f"{{{options}}}"))

    message = str(raised.value)
    space = "" if said.startswith(".") else " "
    assert is_said(f"debezium_spark: debezium_sources.s{space}{said}", message), message
    assert message.endswith(".")
    # the secrets of the rows
    assert "hunter2" not in message


def test_a_block_avro_needs_a_registry() -> None:
    with pytest.raises(ConfigError, match="avro.registry is missing"):
        AvroSettings.read({}, "avro")


# -- names of sources, and what two of them say ---------------------------------------------------


@pytest.mark.parametrize("name", ["Inventory", "2x", "a__b", "_a", "a_", "a-b", "", "a.b"])
def test_names_that_break_model_names_are_refused(name: str) -> None:
    with pytest.raises(ConfigError, match="has a source named"):
        load_sources({name: USUAL})


def test_a_source_that_is_not_configured_is_told_with_the_nearest() -> None:
    with pytest.raises(ConfigError, match="no source 'inventry'. Did you mean `inventory`?"):
        load_source("inventry", {"inventory": USUAL})
