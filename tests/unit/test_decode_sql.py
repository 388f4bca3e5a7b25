"""The SQL of decoders beside what it makes of values: that is in the rows of tests/type_cases.

What is prepared once, what another layout takes, what no name can change.
"""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from dbt_common.exceptions import CompilationError
from hypothesis import given, settings
from hypothesis import strategies as st

from dbt_debezium_spark.decode import (
    decode,
    decode_exact_text,
    decode_recorded,
    decode_recorded_text,
    exact_numbers,
    let,
    prepare,
    quote_fractions,
)
from dbt_debezium_spark.decode.big_integers import (
    integer_text,
    scaled_decimal_text,
    unscaled_decimal,
)
from dbt_debezium_spark.text.sql_text import text_literal
from tests.support.macros import Macros
from tests.support.said import rows_of
from tests.type_cases import decimal, encoded

# The same examples in every run.
FAST = settings(deadline=None, derandomize=True, database=None)
LITERAL = re.compile(r"'(?:[^'\\]|\\.)*'", re.DOTALL)
MACROS = Macros()


def config(connector: str = "postgresql", **options: Any) -> dict[str, Any]:
    usual = {"binary_handling_mode": "bytes", "decimal_format": "base64"}
    return {"connector": connector, **usual, **options}


def test_a_text_mode_that_nobody_knows_is_a_defect():
    with pytest.raises(CompilationError) as refused:
        decode(config(), encoded("string binary=braille"), "x")

    assert refused.value.msg == (
        "debezium_spark.decode: no decoder for kind 'braille' This is a defect of the package."
    )


def test_the_pieces_of_big_integers():
    assert unscaled_decimal("d").startswith(
        "case when length(d) > 0 then case when substr(d, 1, 1)"
    )
    assert "then -1BD - (case when length(d) <= 16 then" in unscaled_decimal("d")
    assert integer_text("d").startswith("case when length(d) between 1 and 8192 then coalesce(")
    assert scaled_decimal_text("n", "-3").endswith("repeat('0', -(-3))) end)")
    variable = decode(config(), encoded("struct d.VariableScaleDecimal"), "x")
    assert "case when x.scale between -131072 and 16383 then concat(" in variable


# -- layouts ------------------------------------------------------------------------------------


def recorded(wanted: str, own: str, **options: Any) -> str:
    layouts = [{"column": encoded(own), "hashes": ["7", "-8"]}]
    column = {**encoded(wanted), "layouts": layouts}
    text = decode_recorded(config("mysql", **options), column, "t", "p")
    assert text.startswith("case when _layout in (7, -8) then ")
    assert text.endswith(f" else {decode(config('mysql', **options), encoded(wanted), 'p')} end")
    return text.removeprefix("case when _layout in (7, -8) then ").partition(" else ")[0]


@pytest.mark.parametrize(("encodings", "sql"), rows_of(__file__, "decoded_sql.txt"))
def test_a_value_is_prepared_and_taken_into_the_models_type(encodings, sql):
    wanted, _, own = encodings.partition(" in place of ")
    if not own:
        assert prepare(config(), encoded(wanted), "x") == sql
        return
    text = recorded(wanted, own, binary_handling_mode="hex")
    assert text == sql or sql.startswith(text)


def test_a_text_stands_for_bytes_only_where_the_configuration_says_in_which_form():
    assert recorded("bytes", "string") == "cast(null as binary)"


def test_without_layouts_a_record_is_read_by_the_model():
    column = encoded("int32 t.Date")

    assert decode_recorded(config(), column, "t", "p") == decode(config(), column, "p")
    text = decode_exact_text(config(), column, "p")
    assert decode_recorded_text(config(), column, "t", "p") == text


def test_the_companion_of_another_layout_is_its_own_or_the_value_as_text():
    layouts = [
        {"column": encoded("int64 t.MicroTimestamp"), "hashes": ["1"]},
        {"column": encoded("string t.IsoTimestamp"), "hashes": ["2"]},
    ]
    always = {**encoded("int64 t.NanoTimestamp"), "layouts": layouts}
    beyond = {**encoded("string t.IsoTimestamp"), "layouts": layouts[:1]}

    text = decode_recorded_text(config("oracle"), always, "t", "p")
    assert text.startswith("case when _layout in (1) then replace(cast(timestamp_ntz'1970-01-01")
    assert " when _layout in (2) then case when (length(substring_index(t," in text
    text = decode_recorded_text(config("oracle"), beyond, "t", "p")
    assert text.startswith("case when _layout in (1) then cast(null as string) else ")


# -- texts of strangers ------------------------------------------------------------------------


@FAST
@given(st.text())
def test_a_literal_holds_any_text_on_one_line(text):
    literal = text_literal(text)

    assert LITERAL.fullmatch(literal)
    assert not set(literal) & set("\n\r\0")
    assert "${" not in literal
    assert literal == MACROS.text_literal(text)


@FAST
@given(st.text())
def test_a_name_never_leaves_its_literal(name):
    column = encoded(decimal(9, 2))
    rest = LITERAL.sub("''", prepare(config(), {**column, "name": name}, "x", "r"))

    assert rest == LITERAL.sub("''", prepare(config(), column, "x", "r"))


def test_a_value_is_computed_once():
    assert let("n", "long", "n + n") == "transform(array(long), n -> n + n)[0]"


# -- fractions ---------------------------------------------------------------------------------


NUMBERS = st.one_of(
    st.integers(),
    st.floats(allow_nan=False, allow_infinity=False),
    st.sampled_from([0.1, -0.0, 1e300, 123456789.125]),
)
DOCUMENTS = st.recursive(
    st.one_of(NUMBERS, st.text(), st.booleans(), st.none(), st.sampled_from(['"1.5"', "\\", "-"])),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


def with_quoted_fractions(text: str) -> str:
    r"""Return what Spark makes of a text; `re` has no `\G`, so numbers are met in turn."""
    literal = quote_fractions("t").removeprefix("regexp_replace(t, ")
    pattern = LITERAL.match(literal)[0][1:-1].replace("\\\\", "\\").replace("\\'", "'")
    assert pattern.startswith("\\G")
    numbers, place, parts = re.compile(pattern.removeprefix("\\G")), 0, []
    while met := numbers.match(text, place):
        parts.append(f'{met[1]}"{met[2]}"')
        place = met.end()
    return "".join(parts) + text[place:]


@FAST
@given(DOCUMENTS)
def test_fractions_are_quoted_and_nothing_else(document):
    text = json.dumps([document])  # a message is no bare number

    expected = json.loads(text, parse_float=lambda number: number)
    assert json.loads(with_quoted_fractions(text)) == expected


def test_fractions_are_quoted_only_where_the_converter_writes_numbers():
    assert exact_numbers(config(decimal_format="base64"), "t") == "t"
    assert exact_numbers(config(decimal_format="numeric"), "t") == quote_fractions("t")
