"""MySQL and MariaDB: spec §10.5."""

from __future__ import annotations

import re
from dataclasses import replace

from tests.type_cases import Definition
from tests.type_cases.rows import NUMERIC, Rows
from tests.type_cases.temporal import DAY

CODES = {
    "BOOL": 16, "BOOLEAN": 16, "TINYINT": 5, "SMALLINT": 5, "MEDIUMINT": 4, "INT": 4, "INTEGER": 4,
    "BIGINT": -5, "DECIMAL": 3, "NUMERIC": 2, "FLOAT": 6, "REAL": 7, "DOUBLE": 8, "BIT": -7,
    "CHAR": 1, "VARCHAR": 12, "BINARY": -2, "VARBINARY": -3, "TINYBLOB": 2004, "BLOB": 2004,
    "MEDIUMBLOB": 2004, "LONGBLOB": 2004, "TINYTEXT": 12, "TEXT": 12, "MEDIUMTEXT": 12,
    "LONGTEXT": 12, "JSON": 1111, "ENUM": 1, "SET": 1, "YEAR": 4, "DATE": 91, "TIME": 92,
    "DATETIME": 93, "TIMESTAMP": 2014, "POINT": 1111, "GEOMETRY": 1111, "POLYGON": 1111,
    "LINESTRING": 1111, "MULTIPOINT": 1111, "VECTOR": 1111,
}  # fmt: skip


def definition(about: str) -> Definition:
    """Return the schema-change entry of a type as people write it."""
    name = re.sub(r"\([^)]*\)", "", about).upper()
    sizes = [int(one) for one in re.findall(r"\d+", about)]
    length = sizes[0] if sizes else None
    scale = sizes[1] if len(sizes) > 1 else None
    return Definition(name, CODES[name.split()[0]], length, scale)


# one line for each row
# fmt: off
CASES = Rows("mysql", definition)
row, number, text = CASES.row, CASES.number, CASES.text

row("bool", "boolean", "true", "boolean", "true")
row("boolean", "boolean", "0", "boolean", "false")
row("boolean", "boolean", "1", "boolean", "true")
row("tinyint(1)", "int16", "1", "int", "1")
row("tinyint(1)", "int16", "true", "int", "1")
row("tinyint(1)", "int16", "false", "int", "0")
row("tinyint", "int16", "-128", "int", "-128")
row("tinyint unsigned", "int16", "255", "int", "255")
row("smallint", "int16", "-32768", "int", "-32768")
row("smallint unsigned", "int32", "65535", "int", "65535")
row("mediumint", "int32", "-8388608", "int", "-8388608")
row("mediumint unsigned", "int32", "16777215", "int", "16777215")
row("int", "int32", "2147483647", "int", "2147483647")
row("int(10) unsigned", "int64", "4294967295", "bigint", "4294967295")
row("int(10) unsigned zerofill", "int64", "7", "bigint", "7")
row("bigint", "int64", "-9223372036854775808", "bigint", "-9223372036854775808")
row("bigint of no sign", "int64 unsigned=false", "-1", "bigint", "-1", is_told=False)
for value, shown in [
    (0, "0"),
    (2**63 - 1, "9223372036854775807"),
    (-(2**63), "9223372036854775808"),
    (-1, "18446744073709551615"),
    (2**64, None),
]:
    row("bigint unsigned", "int64 unsigned=true", str(value), "decimal(20,0)", shown,
        bigint_unsigned_handling_mode="long", trap=60)
PRECISE = {"bigint_unsigned_handling_mode": "precise"}
number("bigint unsigned", 20, 0, 0, "0", **PRECISE)
number("bigint unsigned", 20, 0, 2**63, "9223372036854775808", **PRECISE)
number("bigint unsigned", 20, 0, 2**64 - 1, "18446744073709551615", **PRECISE)
number("bigint unsigned", 20, 0, "18446744073709551615", "18446744073709551615", **NUMERIC, **PRECISE)
number("decimal", 10, 0, -5, "-5")
number("decimal(10,2)", 10, 2, -1, "-0.01", trap=51)
number("numeric(38,30)", 38, 30, 1 - 10**38, "-" + "9" * 8 + "." + "9" * 30)
LONG = "9" * 35 + "." + "9" * 30
number("decimal(65,30)", 65, 30, 10**65 - 1, LONG, "string")
number("decimal(65,30)", 65, 30, 1 - 10**65, f"-{LONG}", "string")
number("decimal(65,30)", 65, 30, LONG, None, "string")
number("decimal(65,0)", 65, 0, -(10**64), "-1" + "0" * 64, "string")
number("decimal(10,2)", 10, 2, "-0.01", "-0.01", **NUMERIC)
number("decimal(10,2)", 10, 2, "12345678", "12345678.00", **NUMERIC)
number("numeric(38,30)", 38, 30, "-" + "9" * 8 + "." + "9" * 30, "-" + "9" * 8 + "." + "9" * 30, **NUMERIC)
number("decimal(65,30)", 65, 30, LONG, LONG, "string", **NUMERIC)
row("decimal(10,2)", "double", "10.25", "double", "10.25", decimal_handling_mode="double")
text("decimal(65,30)", "10.250", decimal_handling_mode="string")
row("float", "float", "1.5", "float", "1.5")
row("float(24)", "float", "1.5", "float", "1.5")
row("float(53)", "double", "1.5", "double", "1.5")
row("float(7,4)", "double", "1.5", "double", "1.5")
row("real", "float", "1.5", "float", "1.5")
row("double", "double", "-1.0E-300", "double", "-1.0E-300")
row("double precision", "double", "1e2", "double", "100.0")
row("bit(1)", "boolean", "true", "boolean", "true")
row("bit", "boolean", "false", "boolean", "false")
row("bit(9)", "bytes d.Bits length=9", '"AQE="', "string", "100000001", trap=51)
row("bit(9)", "bytes d.Bits length=9", '"AgE="', "string", "100000010", trap=51)
row("bit(9)", "bytes d.Bits length=9", '"AQ=="', "string", "000000001", trap=51)
row("bit(64)", "bytes d.Bits length=64", '"//////////8="', "string", "1" * 64)
row("bit(64)", "bytes d.Bits length=64", '"AQ=="', "string", "0" * 63 + "1")
text("char(4)", "ab")
text("varchar(255)", "vcč")
text("tinytext", "")
text("text", "a\nb")
text("mediumtext", "😀")
text("longtext", "{}")
CASES.binary("binary(3), varbinary(9), tinyblob, blob, mediumblob, longblob")
text("json", '{"a": 1.10}', "string d.Json")
text("enum('a,b','c')", "a,b", "string d.Enum", trap=63)
text("enum('a','c')", "", "string d.Enum")
text("enum", "never allowed", "string d.Enum allowed=low,high,a,b", trap=63, is_told=False)
text("set('a','b','c')", "a,c", "string d.EnumSet")
text("set('a','b','c')", "", "string d.EnumSet")
row("year", "int32 t.Year", "2016", "int", "2016")
row("year", "int32 t.Year", "0", "int", "0")
CASES.dates("date", "1969-12-31")
CASES.dates("date", "9999-12-31")
# the zero date of a column that is not nullable
row("date", "int32 t.Date", "0", "date", "1970-01-01")
CASES.times("time", 0, 37425 * 10**9)
CASES.times("time(3)", 3, 37425680000000)
CASES.times("time(6)", 6, DAY * 10**9 - 1000)
# milliseconds of Connect's Time do not hold these
CASES.times("time", 0, -(838 * 3600 + 59 * 60 + 59) * 10**9, without="connect")
CASES.times("time", 0, (838 * 3600 + 59 * 60 + 59) * 10**9, without="connect")
CASES.times("time(6)", 6, -1000, without="connect")
row("time", "int64 t.MicroTime digits=0", "-3020399000000", "string", "-838:59:59", trap=59)
row("time(3)", "int64 t.MicroTime digits=3", "-1000", "string", "-00:00:00.001", trap=59)
row("time(6)", "int64 t.MicroTime", "-1", "string", "-00:00:00.000001", trap=59)
row("time(6)", "int64 t.MicroTime", str(-(2**63)), "string", None)
CASES.timestamps("datetime", 0, "2018-06-20T06:37:03", 0, trap=57)
CASES.timestamps("datetime(3)", 3, "2018-06-20T06:37:03", 123000000)
CASES.timestamps("datetime(6)", 6, "2018-06-20T06:37:03", 123456000, trap=57)
for nanoseconds, shown, beside in [  # neither wrapped nor infinite
    (-1, "1969-12-31 23:59:59.999999", "1969-12-31T23:59:59.999999999"),
    (2**63 - 1, "2262-04-11 23:47:16.854775", "2262-04-11T23:47:16.854775807"),
]:
    row("datetime(6)", "int64 t.NanoTimestamp", str(nanoseconds), "timestamp_ntz", shown, beside,
        time_precision_mode="nanoseconds")
for mode in ("adaptive_time_microseconds", "connect"):
    for about, sent, shown in [
        ("timestamp", "2018-06-20T13:37:03Z", "2018-06-20 13:37:03"),
        ("timestamp(6)", "2018-06-20T13:37:03.123456Z", "2018-06-20 13:37:03.123456"),
        ("timestamp", "1970-01-01T00:00:00Z", "1970-01-01 00:00:00"),
    ]:
        row(about, "string t.ZonedTimestamp", f'"{sent}"', "timestamp", shown, time_precision_mode=mode)
WKB = '"wkb":"AQEAAAAAAAAAAADwPwAAAAAAAPA/"'
POINT, GEOMETRY = "struct d.geometry.Point", "struct d.geometry.Geometry"
POINT_TYPE = "struct<x:double,y:double,wkb:binary,srid:int>"
GEOMETRY_TYPE = "struct<wkb:binary,srid:int>"
row("point", POINT, f'{{"x":1.0,"y":2.5,{WKB},"srid":null}}', POINT_TYPE, f'{{"x":1.0,"y":2.5,{WKB},"srid":null}}')
row("geometry, polygon, linestring, multipoint", GEOMETRY, f'{{{WKB},"srid":4326}}', GEOMETRY_TYPE,
    f'{{{WKB},"srid":4326}}')
row("geometry", GEOMETRY, '{"wkb":"no base64!","srid":4326}', GEOMETRY_TYPE, None)
row("geometry", GEOMETRY, f'{{{WKB},"srid":"x"}}', GEOMETRY_TYPE, None)
row("geometry", GEOMETRY, '"POINT(1 1)"', GEOMETRY_TYPE, None)
row("vector(2)", "array d.FloatVector", "[1.5,-2.0]", "array<float>", "[1.5, -2.0]")
row("vector(2)", "array d.FloatVector", "[]", "array<float>", "[]")
row("vector(2)", "array d.FloatVector", '["1.5",-2.0]', "array<float>", "[1.5, -2.0]")
row("vector(2)", "array d.FloatVector", '["x",-2.0]', "array<float>", None)
row("vector(2)", "array d.FloatVector", "[1.5,-2.0]", "array<float>", "[1.5, -2.0]", **NUMERIC)
# both connectors have the same, but for the example
MARIADB_CASES = [replace(case, connector="mariadb") for case in CASES]

# fields of the example that no row above says
field = CASES.example("mysql_3.6_types_with_schema")
field("id", "int", "1")
field("c_enum", "string", "M", trap=63)
field("c_set", "string", "a,c", trap=63)
field("c_json", "string", '{"a":1}')
field("c_vector", "array<float>", "[1.5, -2.0]")
field("c_nullable_with_default", "string", "n/a")
