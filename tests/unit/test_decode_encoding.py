"""How columns are written and which type they become: the rows of tests/type_cases, and rules."""

from __future__ import annotations

from typing import Any

import pytest
from dbt_common.exceptions import CompilationError
from hypothesis import given, settings
from hypothesis import strategies as st
from jinja2.filters import do_int

from dbt_debezium_spark.decode import (
    LITERAL_TYPES,
    SEMANTIC_TYPES,
    decoded_columns,
    encoding_of,
    known_database_type,
    spark_type_of,
    unavailable_forms,
    without_known_type,
)
from dbt_debezium_spark.decode.decimal_encoding import decimal_encoding
from dbt_debezium_spark.decode.placeholder import placeholder_forms
from dbt_debezium_spark.decode.whole_number import whole_number
from tests.type_cases import encoded

# The same examples in every run.
FAST = settings(deadline=None, derandomize=True, database=None)
CONNECTORS = ("postgresql", "sqlserver", "oracle", "mysql", "mariadb")
FORMS = placeholder_forms("gone")


def config(connector: str = "postgresql", **options: Any) -> dict[str, Any]:
    usual = {"binary_handling_mode": "bytes", "decimal_format": "base64"}
    return {"connector": connector, "unavailable_value_forms": FORMS, **usual, **options}


@pytest.mark.parametrize("connector", CONNECTORS)
@pytest.mark.parametrize("semantic", SEMANTIC_TYPES)
def test_a_semantic_type_has_the_kind_of_the_table_whatever_the_connector(connector, semantic):
    column = {"name": "c", "type": SEMANTIC_TYPES[semantic]["literal"], "semantic": semantic}

    assert encoding_of(config(connector), column)["kind"] == SEMANTIC_TYPES[semantic]["kind"]


def test_the_table_stays_as_it_is_when_a_connector_adds_to_an_entry():
    column = encoded("string t.ZonedTimestamp")

    assert encoding_of(config("oracle"), column)["exact_text"] == "always"
    assert "exact_text" not in encoding_of(config("postgresql"), column)
    encoding_of(config(), {"type": "int8"})["kind"] = "changed"
    assert LITERAL_TYPES["int8"]["kind"] == "number"


def test_an_unknown_semantic_type_is_read_by_its_literal_type():
    column = {"name": "c", "type": "int64", "semantic": "io.debezium.time.Unheard"}

    assert encoding_of(config(), column) == LITERAL_TYPES["int64"]


def test_an_unknown_literal_type_is_refused_with_the_column_and_the_remedy():
    with pytest.raises(CompilationError) as refused:
        encoding_of(config(), {"name": "c", "type": "int128"})

    assert refused.value.msg == (
        "debezium_spark.encoding: column 'c' has the unknown Connect type 'int128' Use one of int8,"
        " int16, int32, int64, float, float32, double, float64, boolean, string, bytes, map,"
        " struct, array (spec of the Connect schema: type)."
    )


def test_a_refusal_shows_no_sign_that_a_terminal_reads():
    with pytest.raises(CompilationError, match=r"'\\x1b\[2J'"):
        encoding_of(config(), {"name": "c", "type": "\x1b[2J"})


def test_an_array_of_which_nothing_is_known_is_one_of_texts():
    assert spark_type_of(config(), {"type": "array"}) == "array<string>"


# -- decimals ----------------------------------------------------------------------------------


@FAST
@given(st.integers(1, 38), st.data())
def test_what_spark_can_declare_it_declares(precision, data):
    scale = data.draw(st.integers(0, precision))
    parameters = {"scale": str(scale), "connect.decimal.precision": str(precision)}

    assert decimal_encoding(parameters)["spark_type"] == f"decimal({precision},{scale})"


@FAST
@given(st.integers(1, 38), st.integers(-1000, -1))
def test_a_negative_scale_is_one_rule_in_both_of_its_forms(precision, scale):
    plain, counted = (
        decimal_encoding({"scale": str(one), "connect.decimal.precision": str(precision)})
        for one in (scale, scale + 2048)
    )

    assert plain["spark_type"] == counted["spark_type"]
    if plain["spark_type"] != "string":
        assert (plain["cut"], counted["cut"]) == (False, True)


@FAST
@given(
    st.one_of(
        st.text(),
        st.none(),
        st.integers(),
        st.floats(),
        st.integers().map(str),
        st.floats().map(str),
        st.sampled_from(["1e400", "inf", "nan", " 7 ", "1_000", "0x1f", "٣"]),
    )
)
def test_a_number_of_a_schema_is_read_as_jinja_reads_it(value):
    try:
        expected = do_int(value)
    except OverflowError:  # a float that is infinite, which no schema's parameter is
        return
    assert whole_number(value) == expected


# -- database types ----------------------------------------------------------------------------


@FAST
@given(st.text(), st.sampled_from(["string", "int64", "int64 t.MicroTime", "bytes"]))
def test_what_a_database_type_adds_is_taken_away_again(database_type, shorthand):
    column = {**encoded(shorthand), "parameters": {"length": "7"}}
    options = config("mysql", binary_handling_mode="hex")
    told = known_database_type(options, column, database_type)

    plain = {name: value for name, value in without_known_type(told).items() if name != "digits"}
    kept = column["parameters"] if told.get("parameters") == column["parameters"] else {}
    assert plain == {**column, "parameters": kept}


# -- companions --------------------------------------------------------------------------------


def test_a_companion_stands_behind_its_column():
    columns = [encoded("int64 t.NanoTimestamp"), {"name": "d", "type": "int32"}]

    assert decoded_columns(config(), columns) == [
        {"name": "c", "data_type": "timestamp_ntz", "of": None},
        {"name": "_cdc_text_c", "data_type": "string", "of": "c"},
        {"name": "d", "data_type": "int", "of": None},
    ]


# -- the placeholder ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("column", "forms"),
    [
        (encoded("string"), ["text"]),
        (encoded("string d.Json"), ["text", "hstore"]),
        (encoded("bytes"), ["base64"]),
        (encoded("bytes k.Decimal scale=2"), ["base64"]),
        ({"type": "map"}, ["hstore"]),
        ({"type": "array"}, ["text_array"]),
        ({"type": "array", "items": encoded("string d.Uuid")}, ["uuid_array", "text_array"]),
        ({"type": "array", "items": {"type": "bytes"}}, ["base64_array"]),
        ({"type": "array", "items": encoded("int32 t.Date")}, ["code_array"]),
        (encoded("int64"), []),
    ],
)
def test_the_placeholder_has_the_forms_of_the_type(column, forms):
    assert unavailable_forms(config(), column) == [FORMS[one] for one in forms]


def test_a_blob_of_oracle_looks_like_any_text():
    options = config("oracle", binary_handling_mode="base64-url-safe")

    assert unavailable_forms(options, encoded("string")) == [
        FORMS["text"],
        FORMS["base64_url_safe"],
    ]
    assert unavailable_forms(options, encoded("string d.Xml")) == [FORMS["text"]]


def test_records_of_another_layout_add_their_forms_once():
    layouts = [
        {"column": encoded(one), "hashes": ["1"]} for one in ("bytes", "string", "string d.Json")
    ]
    column = {**encoded("string"), "layouts": layouts}

    assert unavailable_forms(config(), column) == [FORMS["text"], FORMS["base64"], FORMS["hstore"]]
