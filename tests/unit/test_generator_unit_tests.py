"""dbt unit tests in the generated properties, in bare Jinja."""

from __future__ import annotations

import json

import pytest
import yaml
from jinja2 import Environment

from dbt_debezium_spark.literals import is_plain
from tests.unit.test_generator_macros import HOSTILE, generate, row

STATE = "models/state/shop/state_shop__customers.yml"
CURRENT = "models/current/shop/cur_shop__customers.yml"


def unit_test(files, path):
    (found,) = yaml.safe_load(files[path])["unit_tests"]
    return found


def given_sql(found):
    """Return the rows given, as dbt renders them: with the file, then as the input's SQL."""
    text = found["given"][0]["rows"]
    for _ in range(2):
        text = Environment(keep_trailing_newline=True).from_string(text).render()
    return text


def expected(found):
    return found["expect"]["rows"]


def typed(column, position, connect_type, **schema):
    node = {"type": connect_type, "field": column, **schema}
    return row(column=column, position=position, schema_json=json.dumps(node))


def test_state_and_current_models_have_one_and_staging_has_none():
    files, _ = generate([row(key=1)])

    assert unit_test(files, STATE)["model"] == "state_shop__customers"
    assert unit_test(files, STATE)["given"][0]["input"] == "ref('stg_shop__customers')"
    assert unit_test(files, CURRENT)["model"] == "cur_shop__customers"
    assert unit_test(files, CURRENT)["given"][0]["input"] == "ref('state_shop__customers')"
    assert "unit_tests" not in yaml.safe_load(files["models/staging/shop/stg_shop__customers.yml"])


def test_values_are_expected_of_the_types_that_dbt_can_compare():
    files, _ = generate(
        [
            row(key=1),
            typed("name", 2, "string"),
            typed("tags", 3, "array", items={"type": "string"}),
            typed("photo", 4, "bytes"),
            typed(
                "share",
                5,
                "bytes",
                name="org.apache.kafka.connect.data.Decimal",
                parameters={"scale": "2", "connect.decimal.precision": "2"},
            ),
        ]
    )

    for path in (STATE, CURRENT):
        found = unit_test(files, path)
        live = expected(found)[-1]
        assert {name: live[name] for name in live if not name.startswith("_cdc_")} == {
            "id": "2",
            "name": "two",
            "share": "0.2",
        }
        assert "cast(null as array<string>) as `tags`" in given_sql(found)
        assert "cast(null as binary) as `photo`" in given_sql(found)


@pytest.mark.parametrize("name", HOSTILE)
def test_a_table_with_a_name_that_dbt_would_read_has_none(name):
    files, _ = generate([row(key=1), row(column=name, position=2)])

    for path in (STATE, CURRENT):
        assert ("unit_tests" in yaml.safe_load(files[path])) == is_plain(name)


def test_names_of_letters_of_any_script_are_given_and_expected():
    files, _ = generate([row(key=1), row(column="ключ, 1.-", position=2)])

    for path in (STATE, CURRENT):
        found = unit_test(files, path)
        assert " as `ключ, 1.-`" in given_sql(found)
        assert expected(found)[0]["ключ, 1.-"] == "2"


def test_of_a_table_without_a_key_every_copy_shows_and_the_state_has_none():
    files, _ = generate([row()])

    assert "unit_tests" not in yaml.safe_load(files[STATE])
    assert [one["id"] for one in expected(unit_test(files, CURRENT))] == ["2", "2"]
