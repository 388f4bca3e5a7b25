"""What a value in the configuration becomes: forms that a person may write it in."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import Any

import pytest

from dbt_debezium_spark.config import ConfigError, KafkaInput, load_source
from dbt_debezium_spark.config.columns_from import is_parquet
from dbt_debezium_spark.config.input_files import local_path

BASE = {
    "connector": "postgresql",
    "topic_prefix": "p",
    "input": {"type": "files", "path": "data"},
}
KAFKA = {"type": "kafka", "brokers": "broker:9092"}
COLUMN = {"name": "v", "type": "string"}


def load(options: dict[str, Any]) -> Any:
    return load_source("s", {"s": BASE | options})


def of_table(**options: Any) -> dict[str, Any]:
    return {"tables": {"public.t": options}}


def registry(address: str) -> dict[str, Any]:
    return {"avro": {"registry": address}}


def history(**options: Any) -> dict[str, Any]:
    return {"history": options}


READ = [
    # what is written, where it is, what it becomes
    (registry("https://host/api/"), "avro.registry", "https://host/api"),
    (registry("http://host/a@b"), "avro.registry", "http://host/a@b"),
    (history(first_from=dt.date(2020, 1, 2)), "history.first_from", "2020-01-02 00:00:00"),
    (
        history(first_from=dt.datetime(2020, 1, 2, 3, 4, 5, 600)),
        "history.first_from",
        "2020-01-02 03:04:05.000600",
    ),
    (
        history(first_from="2020-01-02T03:04:05+02:00"),
        "history.first_from",
        "2020-01-02 01:04:05",
    ),
    (history(keep="1 day"), "history.keep", 86_400_000_000),
    ({"flattened": {"add_fields": " op , lsn,"}}, "flattened.add_fields", "op,lsn"),
    ({"flattened": False}, "flattened", None),
    ({"max_lag": "1 second"}, "max_lag", 1),
    ({"epochs": [{"topic": "p.t", "offsets": {0: 0}}]}, "epochs.0.offsets", {"0": 0}),
    (of_table(renames=None), "tables.public%t.renames", {}),
    (of_table(added_defaults=None), "tables.public%t.added_defaults", {}),
]


@pytest.mark.parametrize(("options", "place", "value"), READ)
def test_it_is_read_as(options: dict[str, Any], place: str, value: Any) -> None:
    found: Any = load(options)
    for name in place.split("."):
        if name.isdecimal():
            found = found[int(name)]
        else:
            name = name.replace("%", ".")
            found = found[name] if isinstance(found, dict) else getattr(found, name)
    assert found == value


@pytest.mark.parametrize(
    ("options", "text"),
    [
        (registry("http://user:word@host/"), "has a user or password in its address"),
        (registry("ftp://host"), "Write for example"),
        (of_table(columns=[COLUMN | {"parameters": {"scale": True}}]), ".scale is True"),
        (of_table(columns=[COLUMN | {"parameters": {"scale": 2.5}}]), 'Write it as text, like "2"'),
        ({"epochs": [{"topic": "p.t", "offsets": {}}]}, "is {}"),
        ({"input": KAFKA | {"options": {"kafka.bootstrap.servers": "b"}}}, "brokers"),
        ({"input": KAFKA | {"options": {"subscribePattern": ".*"}}}, "topic_pattern"),
        ({"input": KAFKA | {"options_from_env": {"kafka.x": "not a name"}}}, "variable's name"),
    ],
)
def test_it_is_refused_with(options: dict[str, Any], text: str) -> None:
    with pytest.raises(ConfigError) as raised:
        load(options)
    assert text in str(raised.value)


def test_options_of_kafka_are_texts(monkeypatch: pytest.MonkeyPatch) -> None:
    options = {"kafka.a": True, "kafka.b": 3, "kafka.c": "x"}
    monkeypatch.delenv("UNSET_SECRET", raising=False)
    found = load({"input": KAFKA | {"options": options, "options_from_env": {"d": "UNSET_SECRET"}}})
    assert isinstance(found.input, KafkaInput)
    assert found.input.options == {"kafka.a": "true", "kafka.b": "3", "kafka.c": "x"}
    assert found.input.secrets() == {"d": ""}


@pytest.mark.parametrize("place", ["x.PARQUET", "folder.parquet/", "a/b.Parquet"])
def test_a_folder_of_parquet_is_known_by_its_name(place: str) -> None:
    assert is_parquet(place)


def test_an_address_of_a_file_is_a_path() -> None:
    assert Path(local_path("file:///data/x")) == Path("/data/x")
