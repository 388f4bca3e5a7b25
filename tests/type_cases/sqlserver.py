"""SQL Server: spec §10.2."""

from __future__ import annotations

import re

from tests.type_cases import Definition
from tests.type_cases.rows import NUMERIC, Rows
from tests.type_cases.temporal import moment, seconds_of

# name: JDBC code
CODES = {
    "bit": -7, "tinyint": -6, "smallint": 5, "int": 4, "int identity": 4, "bigint": -5, "real": 7,
    "float": 8, "decimal": 3, "numeric": 2, "money": 3, "smallmoney": 3, "char": 1, "varchar": 12,
    "nchar": -15, "nvarchar": -9, "text": -1, "ntext": -16, "uniqueidentifier": 1, "xml": -16,
    "binary": -2, "varbinary": -3, "image": -4, "rowversion": -2, "timestamp": -2, "date": 91,
    "time": 92, "datetime2": 93, "datetime": 93, "smalldatetime": 93, "datetimeoffset": -155,
}  # fmt: skip
DISPLAY = {"time": 9, "datetime2": 20, "datetimeoffset": 27}


def definition(about: str) -> Definition:
    """Return the schema-change entry of a type as people write it."""
    name, numbers = re.fullmatch(r"([a-z0-9 ]+?)(?:\((.*)\))?", about).groups()
    sizes = [int(one) for one in (numbers or "").split(",") if one not in ("", "max")]
    if name in DISPLAY:
        digits = sizes[0] if sizes else None
        return Definition(name, CODES[name], DISPLAY[name] + (digits or 7), digits)
    length = 2147483647 if numbers == "max" else sizes[0] if sizes else None
    scale = sizes[1] if len(sizes) > 1 else None
    length, scale = {"money": (19, 4), "smallmoney": (10, 4)}.get(name, (length, scale))
    return Definition(name, CODES[name], length, scale)


# one line for each row
# fmt: off
CASES = Rows("sqlserver", definition)
row, number, text = CASES.row, CASES.number, CASES.text

row("bit", "boolean", "true", "boolean", "true")
row("bit", "boolean", "false", "boolean", "false")
row("bit", "boolean", '"true"', "boolean", "true")
row("bit", "boolean", '"maybe"', "boolean", None)
row("tinyint", "int16", "255", "int", "255")
row("smallint", "int16", "-32768", "int", "-32768")
row("int", "int32", "2147483647", "int", "2147483647")
row("int", "int32", '"-5"', "int", "-5", trap=6)
row("int", "int32", "3000000000", "int", None, trap=6)
row("int", "int32", "1.5", "int", None)
row("int identity", "int32", "7", "int", "7")
row("bigint", "int64", "9223372036854775807", "bigint", "9223372036854775807", trap=6)
row("bigint", "int64", "-9223372036854775808", "bigint", "-9223372036854775808", trap=6)
row("real", "float", "4.323", "float", "4.323")
row("real", "float", '"NaN"', "float", "NaN")
row("real", "float", '"-Infinity"', "float", "-Infinity", trap=61)
row("real", "float", "3.5e38", "float", None)
row("float", "double", "3.323", "double", "3.323")
row("float", "double", "1.1", "double", "1.1", trap=6)
row("float", "double", "1.7976931348623157E308", "double", "1.7976931348623157E308", trap=6)
row("float", "double", "1e-300", "double", "1.0E-300", trap=61)
row("float", "double", "1.8e308", "double", None)
row("float", "double", '"NaN"', "double", "NaN", trap=61)
row("float", "double", '"Infinity"', "double", "Infinity", trap=61)
row("float", "double", '"-Infinity"', "double", "-Infinity")
row("float", "double", '"2.5"', "double", "2.5")
number("decimal(6,3)", 6, 3, 1123, "1.123")
number("decimal(10,2)", 10, 2, '"AeIT"', "1234.11", trap=50)
number("decimal(10,2)", 10, 2, '"/h3t"', "-1234.11", trap=51)
number("decimal(10,2)", 10, 2, '"/w=="', "-0.01", trap=51)
number("decimal(10,2)", 10, 2, '"gA=="', "-1.28", trap=51)
number("decimal(10,2)", 10, 2, '"AA=="', "0.00", trap=51)
number("decimal(10,2)", 10, 2, '"MDk="', "123.45", trap=51)
number("decimal(10,2)", 10, 2, '"AACAAA=="', "327.68", trap=51)
number("decimal(10,2)", 10, 2, '"//+AAA=="', "-327.68", trap=51)
number("decimal(10,2)", 10, 2, '""', None, trap=51)
number("decimal(10,2)", 10, 2, '"no base64!"', None, trap=51)
number("numeric(18,0)", 18, 0, '"8h9JTFicAAE="', "-999999999999999999", trap=51)
number("numeric(18,0)", 18, 0, '"DeC2s6dj//8="', "999999999999999999", trap=51)
number("numeric(18,0)", 18, 0, '"DeC2s6dkAAA="', None, trap=51)
number("numeric(19,0)", 19, 0, '"gAAAAAAAAAA="', "-9223372036854775808", trap=51)
number("decimal(38,0)", 38, 0, '"AP//////////"', "18446744073709551615", trap=51)
number("decimal(38,0)", 38, 0, '"SztMqFqGxHoJiiI//////w=="', "9" * 38, trap=51)
number("decimal(38,0)", 38, 0, '"tMSzV6V5O4X2dd3AAAAAAQ=="', "-" + "9" * 38, trap=51)
number("decimal(38,0)", 38, 0, 10**38, None)
number("decimal(38,10)", 38, 10, 10**38 - 1, "9" * 28 + "." + "9" * 10, trap=51)
number("decimal(38,10)", 38, 10, 1 - 10**38, "-" + "9" * 28 + "." + "9" * 10)
number("decimal(38,10)", 38, 10, '"/w=="', "-0.0000000001", trap=51)
number("decimal(38,10)", 38, 10, '"AJUmmF4zAvExbd4kEhU="', "1181694084656662418019.5394064917", trap=6)
number("decimal(38,38)", 38, 38, -1, "-0." + "0" * 37 + "1")
number("money", 19, 4, -(2**63), "-922337203685477.5808")
number("smallmoney", 10, 4, 53230, "5.3230")
number("decimal(6,3)", 6, 3, "1.123", "1.123", **NUMERIC)
number("decimal(6,3)", 6, 3, "1.1", "1.100", **NUMERIC)
number("decimal(10,2)", 10, 2, "-0.01", "-0.01", **NUMERIC)
number("decimal(10,2)", 10, 2, "1025", "1025.00", **NUMERIC)
number("decimal(10,2)", 10, 2, '"1025"', "-26670.79", **NUMERIC)
number("decimal(10,2)", 10, 2, '"/h3t"', "-1234.11", **NUMERIC)
number("decimal(10,2)", 10, 2, "10.255", None, **NUMERIC)
number("decimal(10,2)", 10, 2, "123456789.1", None, **NUMERIC)
number("decimal(38,0)", 38, 0, "9" * 38, "9" * 38, **NUMERIC)
number("decimal(38,10)", 38, 10, "-" + "9" * 28 + "." + "9" * 10, "-" + "9" * 28 + "." + "9" * 10, **NUMERIC)
number("decimal(38,15)", 38, 15, "1.5", "1.500000000000000", **NUMERIC)
number("decimal(38,38)", 38, 38, "1E-38", "0." + "0" * 37 + "1", **NUMERIC)
number("money", 19, 4, "-922337203685477.5808", "-922337203685477.5808", **NUMERIC)
# numbers where base64 is announced: read as long as no digit can have been lost
number("decimal(10,2)", 10, 2, "10.25", "10.25")
number("decimal(10,2)", 10, 2, "-10.25", "-10.25")
number("decimal(10,2)", 10, 2, "-5", "-5.00")
number("decimal(10,2)", 10, 2, "1025", "1025.00")
number("decimal(10,2)", 10, 2, " 1025", "1025.00")
number("decimal(10,2)", 10, 2, '"2025"', "-24049.35")
number("decimal(10,2)", 10, 2, "10.255", None)
number("decimal(15,2)", 15, 2, "1234567890123.45", "1234567890123.45")
number("decimal(16,2)", 16, 2, "9999999999999.5", "9999999999999.50")
number("decimal(16,2)", 16, 2, "10000000000000.5", None)
number("decimal(16,14)", 16, 14, "9.5", "9.50000000000000")
number("decimal(16,14)", 16, 14, "10.5", None)
number("decimal(16,15)", 16, 15, "1.5", None)
number("decimal(38,10)", 38, 10, "1234567890123456.7", None)
number("decimal(38,10)", 38, 10, "12345678901234567890123456789012345678.0", None)
MONEY = "decimal(10,2), numeric(38,10), money, smallmoney"
row(MONEY, "double", "10.25", "double", "10.25", decimal_handling_mode="double")
text(MONEY, "-10.250", decimal_handling_mode="string")
# decimals of no type of SQL Server
number("negative scale", 5, -2, '"MDk="', "1234500", "decimal(7,0)", trap=52, is_told=False)
number("negative scale", 30, -20, 7, "7" + "0" * 20, "string", is_told=False)
number("39 digits", 39, 2, -1, "-0.01", "string", is_told=False)
number("scale of 11 bits", 38, 2047, 5, "0." + "0" * 2046 + "5", "string", is_told=False)
number("1000 digits", 1000, 1000, 5, "0." + "0" * 999 + "5", "string", is_told=False)
text("char(4)", "ab  ")
text("varchar(100)", "vcč")
text("varchar(max)", "")
text("text", "t")
text("nchar(2)", "ß ")
text("nvarchar(100)", 'quote " and \\')
text("nvarchar(max)", "null")
text("nvarchar(max)", "NAN", trap=61)
text("ntext", "😀")
text("uniqueidentifier", "6F9619FF-8B86-D011-B42D-00C04FC964FF")
text("xml", "<a>b</a>", "string d.Xml")
CASES.binary("binary(3), varbinary(100), varbinary(max), image, rowversion, timestamp")
row("varbinary(9)", "bytes", '""', "binary", "")
row("varbinary(9)", "bytes", '"no base64!"', "binary", None)
row("varbinary(9)", "string binary=hex", '"fbf"', "binary", None, binary_handling_mode="hex")
row("varbinary(9)", "string binary=hex", '"zz"', "binary", None, binary_handling_mode="hex")
CASES.dates("date", "2018-07-13")
CASES.dates("date", "0001-01-01", trap=58)
CASES.dates("date", "9999-12-31", trap=58)
row("date", "int32 t.Date", "17321", "date", "2017-06-04", trap=58)
row("date", "int32 t.Date", "2932897", "date", "+10000-01-01", trap=58)
row("date", "int32 t.Date", "-1", "date", "1969-12-31")
row("date", "int32 t.Date", "-2147472692", "date", None, trap=58)
row("date", "int32 k.Date", "-1", "date", "1969-12-31", time_precision_mode="connect", trap=54)
row("date", "string t.IsoDate", '"2017-09-15Z"', "date", "2017-09-15", time_precision_mode="isostring", trap=62)
row("date", "string t.IsoDate", '"soon"', "date", None, time_precision_mode="isostring")
for digits, nanoseconds in [
    (0, 37425 * 10**9), (2, 37425680000000), (3, 48690124000000),
    (4, 37425678900000), (6, 86399999999000), (7, 37425678901200),
]:
    CASES.times(f"time({digits})", digits, nanoseconds)
CASES.times("time", 7, 17105789123400)
row("time(7)", "int64 t.NanoTime digits=7", "37425678901200", "string", "10:23:45.6789012")
row("time(7)", "int64 t.MicroTime digits=7", "37425678901", "string", "10:23:45.678901",
    time_precision_mode="microseconds")
row("time(4)", "int64 t.MicroTime digits=4", "37425678900", "string", "10:23:45.6789")
row("time(0)", "int32 t.Time digits=0", "37425000", "string", "10:23:45")
# narrowed since: nothing is cut that is not zero
row("time(0)", "int32 t.Time digits=0", "37425680", "string", "10:23:45.68")
row("time(3)", "int32 k.Time", "48690123", "string", "13:31:30.123", time_precision_mode="connect", trap=54)
row("time(7)", "int64 t.NanoTime", "17105789123400", "string", "04:45:05.789123400", trap=59)
row("time(3)", "string t.IsoTime", '"04:05:11.789Z"', "string", "04:05:11.789",
    time_precision_mode="isostring", trap=62)
for digits, nanoseconds in [(0, 0), (3, 945000000), (6, 945104000), (7, 945104700)]:
    CASES.timestamps(f"datetime2({digits})", digits, "2018-06-20T15:13:16", nanoseconds)
CASES.timestamps("datetime2", 7, "1969-12-31T23:59:59", 999999900)
CASES.timestamps("datetime", 3, "2018-07-13T13:23:45", 783000000)
CASES.timestamps("smalldatetime", 0, "2018-07-13T14:24:00", 0)
row("datetime2(3)", "int64 k.Timestamp", "1529507596000", "timestamp_ntz", "2018-06-20 15:13:16",
    time_precision_mode="connect", trap=54)
row("datetime2(6)", "string t.IsoTimestamp", '"2019-07-09T02:28:57.123456Z"', "timestamp_ntz",
    "2019-07-09 02:28:57.123456", time_precision_mode="isostring", trap=62)
# moments that 64 bits of nanoseconds do not hold: older connectors let them wrap (spec §11.4)
for iso, fraction in [
    ("0001-01-01T00:00:00", 0), ("2262-04-22T00:00:00", 100), ("1677-09-10T00:00:00", 0),
    ("1066-10-14T09:00:00", 1234500), ("2500-01-01T00:00:00", 999999900),
]:
    wrapped = (seconds_of(iso) * 10**9 + fraction + 2**63) % 2**64 - 2**63
    row("datetime2(7)", "int64 t.NanoTimestamp", str(wrapped), "timestamp_ntz", moment(iso, fraction),
        f"{iso}.{fraction:09d}")
for nanoseconds, shown, beside in [
    (1478267490123456700, "2016-11-04 13:51:30.123456", "2016-11-04T13:51:30.123456700"),
    (-1, "1969-12-31 23:59:59.999999", "1969-12-31T23:59:59.999999999"),
    (-4852116231933722724, "9999-12-31 23:59:59.999999", "9999-12-31T23:59:59.999999900"),
    (2**63 - 1, "2262-04-11 23:47:16.854775", "2262-04-11T23:47:16.854775807"),
    (-9223372036854775800, "1677-09-21 00:12:43.145224", "1677-09-21T00:12:43.145224200"),
]:
    row("datetime2(7)", "int64 t.NanoTimestamp", str(nanoseconds), "timestamp_ntz", shown, beside, trap=53)
MILLISECONDS = 9223372036854775  # are those that 64 bits of microseconds hold
row("datetime2(3)", "int64 t.Timestamp", str(MILLISECONDS), "timestamp_ntz", "+294247-01-10 04:00:54.775")
row("datetime2(3)", "int64 t.Timestamp", str(MILLISECONDS + 1), "timestamp_ntz", None)
row("datetime2(3)", "int64 t.Timestamp", "9223372036854775807", "timestamp_ntz", None)
for about, sent, shown in [
    ("datetimeoffset(3)", "2018-07-13T12:23:45.456+11:00", "2018-07-13 01:23:45.456"),
    ("datetimeoffset(7)", "2018-07-13T12:23:45.1234567-03:30", "2018-07-13 15:53:45.123456"),
    ("datetimeoffset(7)", "2018-07-13T12:23:45.123456789-03:30", "2018-07-13 15:53:45.123456"),
    ("datetimeoffset(0)", "2018-07-13T12:23:45Z", "2018-07-13 12:23:45"),
    ("datetimeoffset", "9999-12-31T23:59:59.9999999Z", "9999-12-31 23:59:59.999999"),
    ("datetimeoffset", "0001-01-01T00:00:00+14:00", "0000-12-31 10:00:00"),
]:
    row(about, "string t.ZonedTimestamp", f'"{sent}"', "timestamp", shown, sent, trap=56)
# unreadable, and beside it stands what was sent
row("datetimeoffset", "string t.ZonedTimestamp", '"not a moment"', "timestamp", None, "not a moment",
    is_unread=True)

# fields of the example that no row above says
field = CASES.example("sqlserver_3.6_types_with_schema")
field("id", "int", "1")
field("c_smallint", "int", "333")
field("c_bigint", "bigint", "55555")
field("c_numeric_18_0", "decimal(18,0)", "2")
field("c_money", "decimal(19,4)", "-0.0100")
field("c_varbinary", "binary", "010203")
field("c_datetime", "timestamp_ntz", "2018-07-13 13:23:45.78")
field("c_datetime2_7", "timestamp_ntz", "2018-07-13 11:23:45.34", "2018-07-13T11:23:45.340000000")
