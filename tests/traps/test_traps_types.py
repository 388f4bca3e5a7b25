"""Traps 50 to 63 of the specification: types. Expected values are those of the examples' notes."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.examples import example
from tests.traps.cases import Case
from tests.traps.records import Log, embedded_columns
from tests.traps.tables import column, decimal

TIME = "io.debezium.time."
CONNECT = "org.apache.kafka.connect.data."

PG_TYPES = Case(
    "pg_types",
    "postgresql",
    embedded_columns("postgres_3.6_types_with_schema"),
    key=["pk"],
    table="public.all_types",
    mark=None,
    as_text=True,
)
ALL_OF_PG = PG_TYPES.story("all", example("postgres_3.6_types_with_schema"))
SS_TYPES = Case(
    "ss_types",
    "sqlserver",
    embedded_columns("sqlserver_3.6_types_with_schema"),
    table="dbo.all_types",
    mark=None,
    as_text=True,
)
ALL_OF_SS = SS_TYPES.story("all", example("sqlserver_3.6_types_with_schema"))

PG_EXPECTED = {
    "pk": "1",
    "ts": "2016-11-04 13:51:30.123456",
    "ts_3": "2016-11-04 13:51:30.123",
    "tstz": "2016-11-04 11:51:30.123456",
    "d": "2016-11-04",
    "t": "13:51:30.000000",
    "t_24": "24:00:00.000000",
    "ttz": "11:51:30.123789Z",
    "itv": "37091106780000",
    "ts_bc": "-4712-12-31 23:59:59.999999",
    "ts_pinf": "+294247-01-10 04:00:25.2",
    "ts_ninf": "-290308-12-21 19:59:27.6",
    "tstz_pinf": "+294247-01-10 04:00:25.2",
    "tstz_large": "+21016-11-04 06:51:30.123456",
    "n_3_2": "1.10",
    "n_any": "10.1111",
    "money": "-1234.11",
    "r_nan": "NaN",
    "d_inf": "-Infinity",
    "bit1": "true",
    "bit24": "000000110000001000000001",
    "varbit": "101",
    "jb": '{"bar": "baz"}',
    "x": "<foo>bar</foo>",
    "u": "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11",
    "ba": "010203",
    "ints": "[1, 2, null]",
    "lt": "Top.Science",
    "hs": '{"key":"val","k2":null}',
    "mood": "ok",
    "v": "[1.5, 2.0, 3.25]",
    "sv": "{5, {1 -> 0.5, 4 -> 2.0}}",
    "inet": "192.168.2.0/12",
    "tsr": '["2019-03-31 15:30:00",infinity)',
}
SS_EXPECTED = {
    "id": "1",
    "c_bit": "true",
    "c_tinyint": "255",
    "c_smallint": "333",
    "c_bigint": "55555",
    "c_real": "4.323",
    "c_float": "3.323",
    "c_decimal_6_3": "1.123",
    "c_numeric_18_0": "2",
    "c_smallmoney": "5.3230",
    "c_money": "-0.0100",
    "c_nvarchar": "vcč",
    "c_uniqueidentifier": "6F9619FF-8B86-D011-B42D-00C04FC964FF",
    "c_xml": "<a>b</a>",
    "c_varbinary": "010203",
    "c_date": "2018-07-13",
    "c_time_2": "10:23:45.680",
    "c_time_4": "10:23:45.678900",
    "c_time_7": "10:23:45.678901200",
    "c_datetime": "2018-07-13 13:23:45.78",
    "c_smalldatetime": "2018-07-13 14:24:00",
    "c_datetime2_6": "2018-06-20 15:13:16.945104",
    "c_datetime2_7": "2018-07-13 11:23:45.34",
    "_cdc_text_c_datetime2_7": "2018-07-13T11:23:45.340000000",
    "c_datetimeoffset": "2018-07-13 01:23:45.456",
    "_cdc_text_c_datetimeoffset": "2018-07-13T12:23:45.456+11:00",
}


@pytest.mark.parametrize("name", PG_EXPECTED)
def test_50_every_documented_postgresql_type_is_decoded(built, name):
    for row in (*built.staged(ALL_OF_PG), *built.current(ALL_OF_PG)):
        assert row[name] == PG_EXPECTED[name]


def test_50_a_point_keeps_its_parts(built):
    (row,) = built.current(ALL_OF_PG)
    assert row["p"].startswith("{1.0, 1.0, ") and row["p"].endswith(", null}")


@pytest.mark.parametrize("name", SS_EXPECTED)
def test_50_every_documented_sqlserver_type_is_decoded(built, name):
    for row in (*built.staged(ALL_OF_SS), *built.current(ALL_OF_SS)):
        assert row[name] == SS_EXPECTED[name]


@pytest.mark.parametrize("story", [ALL_OF_PG, ALL_OF_SS], ids=["postgresql", "sqlserver"])
def test_50_nothing_documented_fails_to_decode(built, story):
    assert [event["_cdc_errors"] for event in built.staged(story)] == [None]


# One value per row: what the examples do not hold.

EDGE_COLUMNS = [
    column("id", "int32"),
    decimal("d2", 10, 2),
    decimal("d18", 18, 0),
    decimal("d19", 19, 0),
    decimal("d38", 38, 10),
    decimal("d38_0", 38, 0),
    decimal("negative_scale", 5, -2),
    column("any", "struct", "io.debezium.data.VariableScaleDecimal"),
    column("day", "int32", TIME + "Date"),
    column("iso_day", "string", TIME + "IsoDate"),
    column("iso_time", "string", TIME + "IsoTime"),
    column("iso_moment", "string", TIME + "IsoTimestamp"),
    column("connect_day", "int32", CONNECT + "Date"),
    column("connect_time", "int32", CONNECT + "Time"),
    column("connect_moment", "int64", CONNECT + "Timestamp"),
    column("nano", "int64", TIME + "NanoTimestamp"),
    column("nano_time", "int64", TIME + "NanoTime"),
    column("micro_time", "int64", TIME + "MicroTime"),
    column("zoned", "string", TIME + "ZonedTimestamp"),
    column("bits", "bytes", "io.debezium.data.Bits", parameters={"length": "9"}),
    column("number", "double"),
    column("single", "float"),
    column("text"),
    column("level", "string", "io.debezium.data.Enum", parameters={"allowed": "low,high,a,b"}),
    column("later", "string", "com.example.Unheard"),
    column("big", "int64"),
    column("whole", "int32"),
]
SS_EDGES = Case("ss_edges", "sqlserver", EDGE_COLUMNS, table="dbo.edges", mark=None, as_text=True)
# trap, column, JSON value, decoded text (None: unreadable, and said so)
EDGES: list[tuple[int, str, Any, str | None]] = [
    (50, "d2", "AeIT", "1234.11"),
    (51, "d2", "/h3t", "-1234.11"),
    (51, "d2", "/w==", "-0.01"),
    (51, "d2", "gA==", "-1.28"),
    (51, "d2", "AA==", "0.00"),
    (51, "d2", "MDk=", "123.45"),
    (51, "d2", "AACAAA==", "327.68"),
    (51, "d2", "//+AAA==", "-327.68"),
    (51, "d18", "DeC2s6dkAAA=", None),
    (51, "d18", "DeC2s6dj//8=", "999999999999999999"),
    (51, "d18", "8h9JTFicAAE=", "-999999999999999999"),
    (51, "d19", "gAAAAAAAAAA=", "-9223372036854775808"),
    (51, "d38_0", "AP//////////", "18446744073709551615"),
    (51, "d38_0", "SztMqFqGxHoJiiI//////w==", "9" * 38),
    (51, "d38_0", "tMSzV6V5O4X2dd3AAAAAAQ==", "-" + "9" * 38),
    (51, "d38", "SztMqFqGxHoJiiI//////w==", "9" * 28 + "." + "9" * 10),
    (51, "d38", "/w==", "-0.0000000001"),
    (51, "d2", "", None),
    (51, "d2", "no base64!", None),
    (52, "any", {"scale": 1, "value": "IQ=="}, "3.3"),
    (52, "any", {"scale": 0, "value": "SztMqFqGxHoJiiI//////w=="}, "9" * 38),
    (52, "any", {"scale": -2, "value": "/w=="}, "-100"),
    (52, "any", {"scale": 5, "value": "AQ=="}, "0.00001"),
    (52, "negative_scale", "MDk=", "1234500"),
    (53, "nano", 1478267490123456700, "2016-11-04 13:51:30.123456"),
    (53, "nano", -1, "1969-12-31 23:59:59.999999"),
    (53, "nano", -4852116231933722724, "9999-12-31 23:59:59.999999"),
    (53, "nano", 9223372036854775807, "2262-04-11 23:47:16.854775"),
    (53, "nano", -9223372036854775800, "1677-09-21 00:12:43.145224"),
    (54, "connect_time", 48690123, "13:31:30.123"),
    (54, "connect_day", -1, "1969-12-31"),
    (54, "connect_moment", 1529507596000, "2018-06-20 15:13:16"),
    (56, "zoned", "2018-07-13T12:23:45.456+11:00", "2018-07-13 01:23:45.456"),
    (56, "zoned", "2018-07-13T12:23:45Z", "2018-07-13 12:23:45"),
    (56, "zoned", "2018-07-13T12:23:45.123456789-03:30", "2018-07-13 15:53:45.123456"),
    (58, "day", 17321, "2017-06-04"),
    (58, "day", -719162, "0001-01-01"),
    (58, "day", 2932896, "9999-12-31"),
    (58, "day", -2147472692, None),
    (58, "day", 2932897, "+10000-01-01"),
    (59, "micro_time", 86400000000, "24:00:00.000000"),
    (59, "micro_time", -1, "-00:00:00.000001"),
    (59, "nano_time", 17105789123400, "04:45:05.789123400"),
    (61, "number", "NaN", "NaN"),
    (61, "number", "Infinity", "Infinity"),
    (61, "single", "-Infinity", "-Infinity"),
    (61, "number", 1e-300, "1.0E-300"),
    (61, "text", "NAN", "NAN"),
    (62, "iso_day", "2017-09-15Z", "2017-09-15"),
    (62, "iso_time", "04:05:11.789Z", "04:05:11.789"),
    (62, "iso_moment", "2019-07-09T02:28:57.123456Z", "2019-07-09 02:28:57.123456"),
    (63, "level", "a,b", "a,b"),
    (63, "level", "never allowed", "never allowed"),
    (63, "later", "of a type unheard of", "of a type unheard of"),
    (51, "bits", "AQE=", "100000001"),
    (51, "bits", "AgE=", "100000010"),
    (51, "bits", "AQ==", "000000001"),
    (6, "big", 9223372036854775807, "9223372036854775807"),
    (6, "big", -9223372036854775808, "-9223372036854775808"),
    (6, "number", 1.10, "1.1"),
    (6, "number", 1.7976931348623157e308, "1.7976931348623157E308"),
    (6, "d38", "AJUmmF4zAvExbd4kEhU=", "1181694084656662418019.5394064917"),
    (6, "whole", 3000000000, None),
    (6, "whole", "5", "5"),
]
edges = Log("sqlserver")
for number, (_, name, value, _) in enumerate(EDGES):
    edges.add("c", {"id": number}, 10 + number, {"id": number, name: value})
EDGE = SS_EDGES.story("edges", edges.records)
EXACT_TEXTS = {
    ("nano", 1478267490123456700): "2016-11-04T13:51:30.123456700",
    ("nano", -1): "1969-12-31T23:59:59.999999999",
    ("nano", -4852116231933722724): "9999-12-31T23:59:59.999999900",
    ("zoned", "2018-07-13T12:23:45.456+11:00"): "2018-07-13T12:23:45.456+11:00",
    ("zoned", "2018-07-13T12:23:45.123456789-03:30"): "2018-07-13T12:23:45.123456789-03:30",
}


def edge(trap: int) -> list[Any]:
    """Return the rows of one trap as parameters."""
    return [
        pytest.param(number, id=f"{name} {value!r}"[:60])
        for number, (of, name, value, _) in enumerate(EDGES)
        if of == trap
    ]


def check(built: Any, number: int) -> None:
    """Compare one row with what its value means."""
    _, name, value, expected = EDGES[number]
    (event,) = [event for event in built.staged(EDGE) if event["id"] == str(number)]
    (row,) = [row for row in built.current(EDGE) if row["id"] == str(number)]
    assert event[name] == row[name] == expected
    if expected is None:
        (error,) = event["_cdc_errors"]
        assert error.startswith(f"{name}: not a ") and error.endswith(f": {value}")
    else:
        assert event["_cdc_errors"] is None
    if not isinstance(value, dict) and (name, value) in EXACT_TEXTS:
        assert row[f"_cdc_text_{name}"] == EXACT_TEXTS[name, value]


@pytest.mark.parametrize("number", edge(6))
def test_06_a_number_keeps_its_digits_or_is_said_to_be_unreadable(built, number):
    check(built, number)


@pytest.mark.parametrize("number", edge(50))
def test_50_base64_is_decoded(built, number):
    check(built, number)


@pytest.mark.parametrize("number", edge(51))
def test_51_decimals_are_big_endian_and_signed_and_bits_little_endian_and_unsigned(built, number):
    check(built, number)


@pytest.mark.parametrize("number", edge(52))
def test_52_each_value_has_its_own_scale(built, number):
    check(built, number)


@pytest.mark.parametrize("number", edge(53))
def test_53_nanoseconds_are_cut_not_rounded_and_kept_in_full_beside(built, number):
    check(built, number)


@pytest.mark.parametrize("number", edge(54))
def test_54_times_of_connect_are_milliseconds(built, number):
    check(built, number)


@pytest.mark.parametrize("number", edge(56))
def test_56_an_offset_moves_the_instant_and_is_kept_beside_it(built, number):
    check(built, number)


def test_57_zoneless_moments_are_wall_clock(built):
    assert built.current(ALL_OF_PG)[0]["ts"] == "2016-11-04 13:51:30.123456"
    types = built.types(ALL_OF_PG)
    assert (types["ts"], types["ts_3"], types["tstz"]) == (
        "timestamp_ntz",
        "timestamp_ntz",
        "timestamp",
    )


@pytest.mark.parametrize("number", edge(58))
def test_58_years_beyond_9999_are_dates_and_infinite_dates_are_said_to_be_unreadable(built, number):
    check(built, number)


@pytest.mark.parametrize("number", edge(59))
def test_59_a_time_of_day_is_text_and_may_be_24_hours_or_negative(built, number):
    check(built, number)


@pytest.mark.parametrize("number", edge(61))
def test_61_not_a_number_and_infinities_are_read_from_their_words(built, number):
    check(built, number)


@pytest.mark.parametrize("number", edge(62))
def test_62_the_z_of_zoneless_iso_texts_is_stripped(built, number):
    check(built, number)


@pytest.mark.parametrize("number", edge(63))
def test_63_a_label_is_text_whatever_the_schema_allows(built, number):
    check(built, number)
