"""The block `avro` of a source."""

from __future__ import annotations

import subprocess
import sys

import pytest

from dbt_debezium_spark.avro import AvroSettings, read_avro
from dbt_debezium_spark.config.errors import ConfigError

ADDRESS = "http://127.0.0.1:8081"


def test_a_registry_is_enough():
    assert read_avro({"registry": f"{ADDRESS}/apis/ccompat/v7/"}, "avro") == AvroSettings(
        registry=f"{ADDRESS}/apis/ccompat/v7"
    )


def test_a_block_is_read_from_its_own_form_again():
    block = {"registry": ADDRESS, "key": "text", "options_from_env": {"basic_auth": "A"}}

    assert read_avro(block, "avro").to_dict() == block


@pytest.mark.parametrize(
    ("block", "message"),
    [
        ("x", "avro is 'x'"),
        ({}, "avro.registry is missing"),
        ({"registry": "127.0.0.1:8081"}, "not an http or https address"),
        ({"registry": "ftp://127.0.0.1"}, "not an http or https address"),
        ({"registry": f"{ADDRESS}?a=b"}, "with a query"),
        ({"registry": ADDRESS, "registy": ADDRESS}, "unknown option `registy`"),
        ({"registry": ADDRESS, "key": "json"}, "avro.key is 'json'"),
        ({"registry": ADDRESS, "options_from_env": {"password": "A"}}, "option `password`"),
        ({"registry": ADDRESS, "options_from_env": {"basic_auth": 1}}, "basic_auth is 1"),
    ],
)
def test_a_wrong_block_is_refused(block, message):
    with pytest.raises(ConfigError, match=message):
        read_avro(block, "avro")


@pytest.mark.parametrize("user", ["me:secret@", "secret@"])
def test_a_password_in_the_address_is_refused_and_not_shown(user):
    with pytest.raises(ConfigError, match="environment variable") as raised:
        read_avro({"registry": f"https://{user}registry:8081"}, "avro")

    assert "secret" not in str(raised.value)


@pytest.mark.parametrize(
    "order", ["dbt_debezium_spark.avro, dbt_debezium_spark.config", "dbt_debezium_spark.avro"]
)
def test_reading_the_block_imports_neither_spark_nor_the_client(order):
    code = (
        f"import {order}, sys\n"
        f"dbt_debezium_spark.avro.read_avro({{'registry': '{ADDRESS}'}}, 'avro')\n"
        "heavy = {'pyspark', 'requests'} & set(sys.modules)\n"
        "sys.exit(str(heavy) if heavy else 0)"
    )

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)

    assert done.returncode == 0, done.stderr
