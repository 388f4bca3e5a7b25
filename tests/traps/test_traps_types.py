"""Traps 50 to 63 of the specification: what values mean, except decimals."""

from __future__ import annotations

import pytest

from tests.cases.log import embedded_columns
from tests.cases.table import Table
from tests.support.examples import example
from tests.traps.edges import check, edge

PG_TYPES = Table(
    "pg_types",
    "postgresql",
    embedded_columns("postgres_3.6_types_with_schema"),
    key=["pk"],
    table="public.all_types",
    mark=None,
    as_text=True,
)
ALL_OF_PG = PG_TYPES.story("all", example("postgres_3.6_types_with_schema"))
SS_TYPES = Table(
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


@pytest.mark.covers("support PostgreSQL: types")
@pytest.mark.parametrize("name", PG_EXPECTED)
def test_50_every_documented_postgresql_type_is_decoded(built, name):
    for row in (*built.staged(ALL_OF_PG), *built.current(ALL_OF_PG)):
        assert row[name] == PG_EXPECTED[name]


def test_50_a_point_keeps_its_parts(built):
    (row,) = built.current(ALL_OF_PG)
    assert row["p"].startswith("{1.0, 1.0, ") and row["p"].endswith(", null}")


@pytest.mark.covers("support SQL Server: types")
@pytest.mark.parametrize("name", SS_EXPECTED)
def test_50_every_documented_sqlserver_type_is_decoded(built, name):
    for row in (*built.staged(ALL_OF_SS), *built.current(ALL_OF_SS)):
        assert row[name] == SS_EXPECTED[name]


@pytest.mark.parametrize("story", [ALL_OF_PG, ALL_OF_SS], ids=["postgresql", "sqlserver"])
def test_50_nothing_documented_fails_to_decode(built, story):
    assert [event["_cdc_errors"] for event in built.staged(story)] == [None]


@pytest.mark.parametrize("number", edge(50))
def test_50_base64_is_decoded(built, number):
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
