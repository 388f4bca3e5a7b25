"""Values that no example holds, one in a row: what each is decoded to, or why it is not."""

from __future__ import annotations

from typing import Any

import pytest

from tests.cases.log import Log
from tests.cases.table import Table
from tests.cases.tables import column, decimal

TIME = "io.debezium.time."
CONNECT = "org.apache.kafka.connect.data."

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
SS_EDGES = Table("ss_edges", "sqlserver", EDGE_COLUMNS, table="dbo.edges", mark=None, as_text=True)
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
