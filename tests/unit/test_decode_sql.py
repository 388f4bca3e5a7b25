"""The SQL of decoders: what it says of representative columns, and what no name can change."""

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
from dbt_debezium_spark.sql_text import text_literal
from tests.support.macros import Macros
from tests.type_cases import encoded

# The same examples in every run.
FAST = settings(deadline=None, derandomize=True, database=None)
LITERAL = re.compile(r"'(?:[^'\\]|\\.)*'", re.DOTALL)
MACROS = Macros()
EPOCH = "timestamp_ntz'1970-01-01 00:00:00'"


def config(connector: str = "postgresql", **options: Any) -> dict[str, Any]:
    usual = {"binary_handling_mode": "bytes", "decimal_format": "base64"}
    return {"connector": connector, **usual, **options}


DECODED = [
    ("string", "x"),
    ("struct", "x"),
    ("array", "x"),
    ("int32", "try_cast(x as int)"),
    (
        "int16",
        "coalesce(try_cast(x as int), case x when 'true' then 1 when 'false' then 0 end)",
    ),
    (
        "float",
        "case when abs(try_cast(x as float)) < cast('Infinity' as float)"
        " or x in ('NaN', 'Infinity', '-Infinity') then try_cast(x as float) end",
    ),
    (
        "int64 unsigned=true",
        "try_cast(case when x < 0 then cast(x as decimal(20, 0)) + 18446744073709551616BD"
        " else x end as decimal(20,0))",
    ),
    (
        "boolean",
        "case x when 'true' then true when 'false' then false"
        " when '1' then true when '0' then false end",
    ),
    ("bytes", "try_to_binary(x, 'base64')"),
    ("string binary=base64", "try_to_binary(x, 'base64')"),
    ("string binary=base64-url-safe", "try_to_binary(translate(x, '-_', '+/'), 'base64')"),
    ("string binary=hex", "case when length(x) % 2 = 0 then unhex(x) end"),
    (
        "int32 t.Date",
        "case when x between -2440600 and 2145042905 then date_add(date'1970-01-01', x) end",
    ),
    ("string t.IsoDate", "try_cast(regexp_replace(x, 'Z$', '') as date)"),
    ("string t.IsoTime", "regexp_replace(x, 'Z$', '')"),
    ("string t.IsoTimestamp", "try_cast(regexp_replace(x, 'Z$', '') as timestamp_ntz)"),
    ("int64 t.MicroTimestamp", f"{EPOCH} + x * interval '0.000001' second"),
    (
        "int64 t.Timestamp",
        f"case when x between -9223372036854775 and 9223372036854775 then {EPOCH}"
        " + x * interval '0.001' second end",
    ),
    (
        "string t.ZonedTimestamp",
        "case x when 'infinity' then timestamp_micros(9223372036825200000)"
        " when '-infinity' then timestamp_micros(-9223372036832400000)"
        " else try_cast(x as timestamp) end",
    ),
    (
        "bytes d.Bits length=3",
        "case when length(x) = 0 then repeat('0', 3) when length(x) > 0 then"
        " lpad(right(array_join(transform(sequence(length(x), 1, -1),"
        " i -> lpad(conv(hex(substr(x, i, 1)), 16, 2), 8, '0')), ''), 3), 3, '0') end",
    ),
    (
        "bytes d.Bits length=2147483647",
        "case when length(x) = 0 then '' when length(x) > 0 then"
        " ltrim('0', array_join(transform(sequence(length(x), 1, -1),"
        " i -> lpad(conv(hex(substr(x, i, 1)), 16, 2), 8, '0')), '')) end",
    ),
    (
        "struct d.geometry.Geometry",
        "case when (x['wkb'] is not null or x['srid'] is not null) and not"
        " ((x['wkb'] is not null and try_to_binary(x['wkb'], 'base64') is null) or"
        " (x['srid'] is not null and try_cast(x['srid'] as int) is null)) then"
        " named_struct('wkb', try_to_binary(x['wkb'], 'base64'), 'srid', try_cast(x['srid'] as"
        " int)) end",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("shorthand", "sql"), DECODED, ids=[one for one, _ in DECODED])
def test_a_value_is_read_by_the_sql_of_its_type(shorthand, sql):
    assert decode(config(), encoded(shorthand), "x") == sql


def test_nanoseconds_are_floored_and_read_as_each_connector_counts_them():
    column = encoded("int64 t.NanoTimestamp")
    moment = (
        f"{EPOCH} + (x div 1000 - case when x % 1000 < 0 then 1 else 0 end)"
        " * interval '0.000001' second"
    )

    assert decode(config("mysql"), column, "x") == moment
    assert decode(config("postgresql"), column, "x").endswith(f" else {moment} end")
    unwrapped = decode(config("sqlserver"), column, "x")
    assert unwrapped.startswith(f"case when x % 100 = 0 then {moment} when x is not null then ")
    assert "18446744073709551616BD" in unwrapped


@pytest.mark.parametrize(
    ("shorthand", "fraction"),
    [
        ("int32 t.Time", "'.', lpad(cast(abs(x) % 1000 as string), 3, '0'))"),
        ("int64 t.MicroTime digits=9", "'.', lpad(cast(abs(x) % 1000000 as string), 6, '0'))"),
        (
            "int64 t.MicroTime digits=0",
            "case when abs(x) % 1000000 <> 0 then"
            " concat('.', rtrim('0', lpad(cast(abs(x) % 1000000 as string), 6, '0'))) else '' end)",
        ),
        (
            "int64 t.NanoTime digits=7",
            "case when abs(x) % 100 <> 0 then"
            " concat('.', rtrim('0', lpad(cast(abs(x) % 1000000000 as string), 9, '0'))) else"
            " concat('.', substr(lpad(cast(abs(x) % 1000000000 as string), 9, '0'), 1, 7)) end)",
        ),
    ],
)
def test_a_time_of_day_has_the_digits_of_its_type(shorthand, fraction):
    text = decode(config(), encoded(shorthand), "x")

    assert text.startswith("case when x > -9223372036854775808L then concat(case when x < 0 then")
    assert text.endswith(f"{fraction} end")


def test_an_array_is_unread_when_one_element_is():
    item = "try_cast(item as int)"
    numbers = {"type": "array", "items": {"type": "int32"}}
    nested = {"type": "array", "items": numbers}

    read = (
        f"case when not exists(x, item -> item is not null and ({item}) is null)"
        f" then transform(x, item -> {item}) end"
    )
    assert decode(config(), numbers, "x") == read
    inner = read.replace("(x, ", "(from_json(item, 'array<string>'), ")
    assert f"transform(x, item -> {inner})" in decode(config(), nested, "x")
    assert decode(config(), encoded("array d.FloatVector"), "x").count("as float") > 2


def test_a_text_mode_that_nobody_knows_is_a_defect():
    with pytest.raises(CompilationError) as refused:
        decode(config(), encoded("string binary=braille"), "x")

    assert refused.value.msg == (
        "debezium_spark.decode: no decoder for kind 'braille' This is a defect of the package."
    )


@pytest.mark.parametrize(
    ("shorthand", "sql"),
    [
        ("string", "x"),
        ("int32", "x"),
        ("bytes", "x"),
        ("bytes d.Bits length=3", "try_to_binary(x, 'base64')"),
        ("int64 t.MicroTimestamp", "try_cast(x as bigint)"),
        ("int64 unsigned=true", "try_cast(x as bigint)"),
        ("int32 t.Date", "try_cast(x as int)"),
        ("struct d.VariableScaleDecimal", "from_json(x, 'struct<scale:int,value:string>')"),
        ("array", "from_json(x, 'array<string>')"),
        ("array d.DoubleVector", "from_json(x, 'array<string>')"),
        (
            "struct d.geometry.Point",
            "transform(array(from_json(x, 'map<string,string>')), members ->"
            " case when size(array_distinct(map_keys(members))) = size(members)"
            " then members end)[0]",
        ),
    ],
)  # fmt: skip
def test_the_costly_part_is_prepared(shorthand, sql):
    assert prepare(config(), encoded(shorthand), "x") == sql


# -- decimals ----------------------------------------------------------------------------------


def decimal(precision: int, scale: int) -> dict[str, Any]:
    return encoded(f"bytes k.Decimal scale={scale} precision={precision}")


@pytest.mark.parametrize(
    ("precision", "scale", "in_bytes"),
    [
        (18, 0, "try_cast(case when length(x) between 1 and 16 then cast(conv("),
        (18, 18, f"* 0.{'0' * 17}1BD as decimal(18,18))"),
        (9, 2, "* 0.01BD as decimal(9,2))"),
        (19, 0, "cast(u as string)"),
        (38, 38, "cast(u as string)"),
        (39, 2, "'0123456789ABCDEF', 'FEDCBA9876543210'"),
        (5, 2046, "when right(n, 2046) = repeat('0', 2046) then try_cast(substr(n, 1,"),
        (5, -2, "repeat('0', -(-2))"),
    ],
)
def test_a_decimal_is_scaled_in_the_way_that_its_digits_allow(precision, scale, in_bytes):
    assert in_bytes in decode(config(), decimal(precision, scale), "x").split(" else ", 1)[1]


@pytest.mark.parametrize(
    ("precision", "scale", "number"),
    [
        (
            9,
            2,
            "case when try_cast(substr(x, 2) as decimal(9,2)) ="
            " try_cast(substr(x, 2) as decimal(38,31)) then try_cast(substr(x, 2) as decimal(9,2))"
            " end",
        ),
        (39, 2, "substr(x, 2)"),
        (
            5,
            2046,
            "case when try_cast(substr(x, 2) as decimal(7,0)) ="
            " try_cast(substr(x, 2) as decimal(38,31)) then try_cast(substr(x, 2) as decimal(7,0))"
            " end",
        ),
    ],
)
def test_a_number_with_more_digits_than_its_type_stays_unread(precision, scale, number):
    text = decode(config(), decimal(precision, scale), "x")

    assert text.startswith(f"case when startswith(x, '=') then {number} else ")


@pytest.mark.parametrize(
    ("precision", "scale", "decimal_format", "believed"),
    [
        (15, 2, "base64", "concat('=', x)"),
        (16, 2, "base64", "case when abs(try_cast(x as double)) < 1e13 then concat('=', x) end"),
        (16, 14, "base64", "case when abs(try_cast(x as double)) < 1e1 then concat('=', x) end"),
        (16, 15, "base64", "cast(null as string)"),
        (38, 15, "numeric", "concat('=', x)"),
    ],
)
def test_a_fraction_is_believed_when_a_double_holds_it(precision, scale, decimal_format, believed):
    options = config(decimal_format=decimal_format)
    text = prepare(options, decimal(precision, scale), "x")

    assert f" when x like '%.%' then {believed} when x like '-%'" in text


def test_digits_alone_are_a_number_where_the_record_or_the_configuration_says_so():
    column = decimal(9, 2)

    assert "x like '-%' or false then" in prepare(config(), column, "x")
    assert "x like '-%' or true then" in prepare(config(decimal_format="numeric"), column, "x")
    assert "(instr(r, concat('\"c\":', x)) > 0 or instr(r, concat('\"c\": ', x)) > 0)" in prepare(
        config(), column, "x", "r"
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


# -- companions and layouts --------------------------------------------------------------------


def test_a_companion_tells_what_the_type_does_not_hold():
    date, iso = encoded("int32 t.Date"), encoded("string t.IsoTimestamp")
    zoned = encoded("string t.ZonedTimestamp")

    assert decode_exact_text(config("oracle"), zoned, "x") == "x"
    assert decode_exact_text(config(), date, "x") == (
        f"case when ({decode(config(), date, 'x')} is not null) is not true"
        " then cast(x as string) end"
    )
    assert decode_exact_text(config("sqlserver"), iso, "x") == (
        "case when (length(substring_index(x, '.', -1)) <= 7 or instr(x, '.') = 0) is not true"
        " then cast(x as string) end"
    )


def recorded(wanted: str, own: str, **options: Any) -> str:
    layouts = [{"column": encoded(own), "hashes": ["7", "-8"]}]
    column = {**encoded(wanted), "layouts": layouts}
    text = decode_recorded(config("mysql", **options), column, "t", "p")
    assert text.startswith("case when _layout in (7, -8) then ")
    assert text.endswith(f" else {decode(config('mysql', **options), encoded(wanted), 'p')} end")
    return text.removeprefix("case when _layout in (7, -8) then ").partition(" else ")[0]


@pytest.mark.parametrize(
    ("wanted", "own", "value"),
    [
        ("string", "struct", "t"),
        ("string", "bytes", "lower(hex(try_to_binary(t, 'base64')))"),
        ("bytes", "string", "case when length(t) % 2 = 0 then unhex(t) end"),
        ("string", "int32", "cast(try_cast(t as int) as string)"),
        ("double", "int32", "try_cast(try_cast(t as int) as double)"),
        ("double", "struct d.geometry.Geometry", "cast(null as double)"),
        ("int32", "string", "try_cast(t as int)"),
        ("int32", "array", "cast(null as int)"),
        (
            "int64",
            "int32",
            "transform(array(try_cast(t as int)), v -> case when try_cast(v as bigint) = v"
            " then try_cast(v as bigint) end)[0]",
        ),
        (
            "bytes k.Decimal scale=2 precision=9",
            "string",
            "case when try_cast((t) as decimal(9,2)) = try_cast((t) as decimal(38,31))"
            " then try_cast((t) as decimal(9,2)) end",
        ),
        ("boolean", "int64", "cast(null as boolean)"),
        ("int32", "string t.IsoDate", "cast(null as int)"),
    ],
)
def test_a_value_of_another_layout_is_taken_into_the_models_type(wanted, own, value):
    text = recorded(wanted, own, binary_handling_mode="hex")
    assert text == value or value.startswith(text)


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
    column = {**decimal(9, 2), "name": name}
    rest = LITERAL.sub("''", prepare(config(), column, "x", "r"))

    assert rest == LITERAL.sub("''", prepare(config(), decimal(9, 2), "x", "r"))


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
