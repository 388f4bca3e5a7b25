"""MySQL and MariaDB: spec §10.5."""

from __future__ import annotations

import re
from typing import Any

from tests.type_cases import Definition, TypeCase, decimal, encoded, quoted, unscaled
from tests.type_cases.temporal import DAY, dates, times, timestamps

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


def rows(connector: str) -> list[TypeCase]:
    """Return the rows; both connectors have the same."""

    def case(about: str, encoding: str, value: str, spark_type: str, shown: str | None,
             beside: str | None = None, **options: Any) -> TypeCase:  # fmt: skip
        return TypeCase(
            connector, about, encoded(encoding), value, spark_type, shown, beside,
            definition=definition(about), options=options,
        )  # fmt: skip

    point = "AQEAAAAAAAAAAADwPwAAAAAAAPA/"
    return [
        case("bool", "boolean", "true", "boolean", "true"),
        case("boolean", "boolean", "0", "boolean", "false"),
        case("tinyint(1)", "int16", "1", "int", "1"),
        case("tinyint(1)", "int16", "true", "int", "1"),
        case("tinyint(1)", "int16", "false", "int", "0"),
        case("tinyint", "int16", "-128", "int", "-128"),
        case("tinyint unsigned", "int16", "255", "int", "255"),
        case("smallint", "int16", "-32768", "int", "-32768"),
        case("smallint unsigned", "int32", "65535", "int", "65535"),
        case("mediumint", "int32", "-8388608", "int", "-8388608"),
        case("mediumint unsigned", "int32", "16777215", "int", "16777215"),
        case("int", "int32", "2147483647", "int", "2147483647"),
        case("int(10) unsigned", "int64", "4294967295", "bigint", "4294967295"),
        case("int(10) unsigned zerofill", "int64", "7", "bigint", "7"),
        case("bigint", "int64", "-9223372036854775808", "bigint", "-9223372036854775808"),
        *(
            case("bigint unsigned", encoding, value, "decimal(20,0)", shown,
                 bigint_unsigned_handling_mode=mode)
            for shown, mode, encoding, value in [
                ("0", "long", "int64 unsigned=true", "0"),
                (str(2**63 - 1), "long", "int64 unsigned=true", str(2**63 - 1)),
                (str(2**63), "long", "int64 unsigned=true", str(-(2**63))),
                (str(2**64 - 1), "long", "int64 unsigned=true", "-1"),
                (None, "long", "int64 unsigned=true", str(2**64)),
                ("0", "precise", decimal(20, 0), unscaled(0)),
                (str(2**63), "precise", decimal(20, 0), unscaled(2**63)),
                (str(2**64 - 1), "precise", decimal(20, 0), unscaled(2**64 - 1)),
            ]
        ),
        case("decimal", decimal(10, 0), unscaled(-5), "decimal(10,0)", "-5"),
        case("decimal(10,2)", decimal(10, 2), unscaled(-1), "decimal(10,2)", "-0.01"),
        case("numeric(38,30)", decimal(38, 30), unscaled(1 - 10**38), "decimal(38,30)",
             "-" + "9" * 8 + "." + "9" * 30),
        case("decimal(65,30)", decimal(65, 30), unscaled(10**65 - 1), "string", "9" * 35 + "." + "9" * 30),
        case("decimal(65,30)", decimal(65, 30), unscaled(-(10**65) + 1), "string",
             "-" + "9" * 35 + "." + "9" * 30),
        case("decimal(65,0)", decimal(65, 0), unscaled(-(10**64)), "string", "-1" + "0" * 64),
        case("decimal(10,2)", decimal(10, 2), "-0.01", "decimal(10,2)", "-0.01", decimal_format="numeric"),
        case("decimal(10,2)", decimal(10, 2), "12345678", "decimal(10,2)", "12345678.00",
             decimal_format="numeric"),
        case("numeric(38,30)", decimal(38, 30), "-" + "9" * 8 + "." + "9" * 30, "decimal(38,30)",
             "-" + "9" * 8 + "." + "9" * 30, decimal_format="numeric"),
        case("decimal(65,30)", decimal(65, 30), "9" * 35 + "." + "9" * 30, "string",
             "9" * 35 + "." + "9" * 30, decimal_format="numeric"),
        case("decimal(65,30)", decimal(65, 30), "9" * 35 + "." + "9" * 30, "string", None),
        case("bigint unsigned", decimal(20, 0), str(2**64 - 1), "decimal(20,0)", str(2**64 - 1),
             decimal_format="numeric", bigint_unsigned_handling_mode="precise"),
        case("decimal(10,2)", "double", "10.25", "double", "10.25", decimal_handling_mode="double"),
        case("decimal(65,30)", "string", '"10.250"', "string", "10.250", decimal_handling_mode="string"),
        case("float", "float", "1.5", "float", "1.5"),
        case("float(24)", "float", "1.5", "float", "1.5"),
        case("float(53)", "double", "1.5", "double", "1.5"),
        case("float(7,4)", "double", "1.5", "double", "1.5"),
        case("real", "float", "1.5", "float", "1.5"),
        case("double", "double", "-1.0E-300", "double", "-1.0E-300"),
        case("double precision", "double", "1e2", "double", "100.0"),
        case("bit(1)", "boolean", "true", "boolean", "true"),
        case("bit", "boolean", "false", "boolean", "false"),
        case("bit(9)", "bytes d.Bits length=9", '"AQE="', "string", "100000001"),
        case("bit(64)", "bytes d.Bits length=64", '"//////////8="', "string", "1" * 64),
        case("bit(64)", "bytes d.Bits length=64", '"AQ=="', "string", "0" * 63 + "1"),
        *(
            case(about, "string", quoted(text), "string", text)
            for about, text in [
                ("char(4)", "ab"), ("varchar(255)", "vcč"), ("tinytext", ""), ("text", "a\nb"),
                ("mediumtext", "😀"), ("longtext", "{}"),
            ]
        ),
        *(
            case(about, encoding, value, "binary", "FBFF00", binary_handling_mode=mode)
            for about in ("binary(3)", "varbinary(9)", "tinyblob", "blob", "mediumblob", "longblob")
            for mode, encoding, value in [
                ("bytes", "bytes", '"+/8A"'),
                ("base64", "string binary=base64", '"+/8A"'),
                ("base64-url-safe", "string binary=base64-url-safe", '"-_8A"'),
                ("hex", "string binary=hex", '"fbff00"'),
            ]
        ),
        case("json", "string d.Json", quoted('{"a": 1.10}'), "string", '{"a": 1.10}'),
        case("enum('a,b','c')", "string d.Enum", '"a,b"', "string", "a,b"),
        case("enum('a','c')", "string d.Enum", '""', "string", ""),
        case("set('a','b','c')", "string d.EnumSet", '"a,c"', "string", "a,c"),
        case("set('a','b','c')", "string d.EnumSet", '""', "string", ""),
        case("year", "int32 t.Year", "2016", "int", "2016"),
        case("year", "int32 t.Year", "0", "int", "0"),
        *(case("date", *row, time_precision_mode=mode) for mode, row in dates("1969-12-31")),
        *(case("date", *row, time_precision_mode=mode) for mode, row in dates("9999-12-31")),
        # the zero date of a column that is not nullable
        case("date", "int32 t.Date", "0", "date", "1970-01-01"),
        *(
            case(about, *row, time_precision_mode=mode)
            for about, digits, nanoseconds in [
                ("time", 0, 37425 * 10**9), ("time(3)", 3, 37425680000000),
                ("time(6)", 6, DAY * 10**9 - 1000), ("time", 0, -(838 * 3600 + 59 * 60 + 59) * 10**9),
                ("time", 0, (838 * 3600 + 59 * 60 + 59) * 10**9), ("time(6)", 6, -1000),
            ]
            for mode, row in times(digits, nanoseconds)
            # milliseconds of Connect's Time do not hold these
            if mode != "connect" or 0 <= nanoseconds < DAY * 10**9
        ),
        case("time", "int64 t.MicroTime digits=0", "-3020399000000", "string", "-838:59:59"),
        case("time(3)", "int64 t.MicroTime digits=3", "-1000", "string", "-00:00:00.001"),
        *(
            case(about, *row, time_precision_mode=mode)
            for about, digits, nanoseconds in [
                ("datetime", 0, 0), ("datetime(3)", 3, 123000000), ("datetime(6)", 6, 123456000),
            ]
            for mode, row in timestamps(digits, "2018-06-20T06:37:03", nanoseconds)
        ),
        *(
            case(about, "string t.ZonedTimestamp", quoted(text), "timestamp", shown, time_precision_mode=mode)
            for mode in ("adaptive_time_microseconds", "connect")
            for about, text, shown in [
                ("timestamp", "2018-06-20T13:37:03Z", "2018-06-20 13:37:03"),
                ("timestamp(6)", "2018-06-20T13:37:03.123456Z", "2018-06-20 13:37:03.123456"),
                ("timestamp", "1970-01-01T00:00:00Z", "1970-01-01 00:00:00"),
            ]
        ),
        case("point", "struct d.geometry.Point", f'{{"x":1.0,"y":2.5,"wkb":"{point}","srid":null}}',
             "struct<x:double,y:double,wkb:binary,srid:int>", f'{{"x":1.0,"y":2.5,"wkb":"{point}","srid":null}}'),
        *(
            case(about, "struct d.geometry.Geometry", f'{{"wkb":"{point}","srid":4326}}',
                 "struct<wkb:binary,srid:int>", f'{{"wkb":"{point}","srid":4326}}')
            for about in ("geometry", "polygon", "linestring", "multipoint")
        ),
        case("geometry", "struct d.geometry.Geometry", '{"wkb":"no base64!","srid":4326}',
             "struct<wkb:binary,srid:int>", None),
        case("geometry", "struct d.geometry.Geometry", '"POINT(1 1)"', "struct<wkb:binary,srid:int>", None),
        case("vector(2)", "array d.FloatVector", "[1.5,-2.0]", "array<float>", "[1.5, -2.0]"),
        case("vector(2)", "array d.FloatVector", "[]", "array<float>", "[]"),
        case("vector(2)", "array d.FloatVector", '["1.5",-2.0]', "array<float>", "[1.5, -2.0]"),
        case("vector(2)", "array d.FloatVector", '["x",-2.0]', "array<float>", None),
        case("vector(2)", "array d.FloatVector", "[1.5,-2.0]", "array<float>", "[1.5, -2.0]",
             decimal_format="numeric"),
    ]  # fmt: skip


CASES = rows("mysql")
MARIADB_CASES = rows("mariadb")
