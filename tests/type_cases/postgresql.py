"""PostgreSQL: spec §10.3 and §16. It has no schema-change topic: a column is known by its record."""

from __future__ import annotations

from typing import Any

from tests.type_cases import TypeCase, decimal, encoded, quoted, unscaled, variable
from tests.type_cases.temporal import DAY, dates, times, timestamps


def case(about: str, encoding: str, value: str, spark_type: str, shown: str | None,
         beside: str | None = None, items: str | None = None, **options: Any) -> TypeCase:  # fmt: skip
    """Return one row; `items` is the encoding of an array's elements, `array of` nests."""
    column = encoded(encoding)
    if items:
        column["items"] = element(items)
    return TypeCase(
        "postgresql", about, column, value, spark_type, shown, beside, options=options
    )  # fmt: skip


def element(items: str) -> dict[str, Any]:
    """Return the encoding of an array's elements."""
    if items.startswith("array of "):
        return {"type": "array", "items": element(items.removeprefix("array of "))}
    column = encoded(items)
    del column["name"]
    return column


VARIABLE = "struct d.VariableScaleDecimal"
POINT = "AQEAAAAAAAAAAADwPwAAAAAAAPA/"
POINT_TYPE = "struct<x:double,y:double,wkb:binary,srid:int>"
SPARSE = "struct<dimensions:int,vector:map<int,double>>"
ZONED = "string t.ZonedTimestamp"
BITS = "bytes d.Bits length="
NO_LENGTH = BITS + "2147483647"
INFINITY, MINUS_INFINITY = 9223372036825200000, -9223372036832400000
SHOWN_INFINITY, SHOWN_MINUS = "+294247-01-10 04:00:25.2", "-290308-12-21 19:59:27.6"
LONG = 31415926535897932384626433832795028841971693993751058209749445923078164

CASES = [
    case("boolean", "boolean", "true", "boolean", "true"),
    case("bit(1)", "boolean", "false", "boolean", "false"),
    case("varbit(1)", "boolean", "true", "boolean", "true"),
    case("bit(24)", BITS + "24", '"AQID"', "string", "000000110000001000000001"),
    case("bit(3)", BITS + "3", '""', "string", "000"),
    case("bit(9)", BITS + "9", '"AQ=="', "string", "000000001"),
    case("varbit(9)", BITS + "9", '"AQE="', "string", "100000001"),
    case("varbit", NO_LENGTH, '"BQ=="', "string", "101"),
    case("varbit", NO_LENGTH, '""', "string", ""),
    case("varbit", NO_LENGTH, '"no base64!"', "string", None),
    case("smallint", "int16", "-32768", "int", "-32768"),
    case("integer", "int32", "2147483647", "int", "2147483647"),
    case("bigint", "int64", "9223372036854775807", "bigint", "9223372036854775807"),
    case("bigint", "int64", '"-9223372036854775808"', "bigint", "-9223372036854775808"),
    case("bigint", "int64", "9223372036854775808", "bigint", None),
    case("oid", "int64", "4294967295", "bigint", "4294967295"),
    case("real", "float", '"NaN"', "float", "NaN"),
    case("real", "float", "-0.0", "float", "-0.0"),
    case("double precision", "double", '"-Infinity"', "double", "-Infinity"),
    case("double precision", "double", '"Infinity"', "double", "Infinity"),
    case("double precision", "double", "5.0E-324", "double", "4.9E-324"),
    case("double precision", "double", "0.1", "double", "0.1", decimal_format="numeric"),
    *(
        case(about, encoding, quoted(text), "string", text)
        for about, encoding, text in [
            ("char(4)", "string", "ab  "), ("varchar(9)", "string", "vcč"), ("text", "string", ""),
            ("text", "string", "123"), ("text", "string", "1.10"), ("text", "string", 'say "1.10"\\ no'),
            ("citext", "string", "CI"), ("inet", "string", "192.168.2.0/12"),
            ("cidr", "string", "10.0.0.0/8"), ("macaddr", "string", "08:00:2b:01:02:03"),
            ("tsrange", "string", '["2019-03-31 15:30:00",infinity)'), ("isbn", "string", "0-393-04002-X"),
            ("uuid", "string d.Uuid", "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"),
            ("json", "string d.Json", '{"a": 1.10, "b": [1e400]}'), ("jsonb", "string d.Json", '{"bar": "baz"}'),
            ("xml", "string d.Xml", "<foo>bar</foo>"), ("ltree", "string d.Ltree", "Top.Science"),
            ("enum", "string d.Enum", "o,k"), ("tsvector", "string d.Tsvector", "'a':1 'b':2"),
            ("extension", "string d.Unheard", "anything"),
        ]
    ),
    case("text", "string", quoted('say "1.10"\\ no'), "string", 'say "1.10"\\ no', decimal_format="numeric"),
    case("text", "string", quoted("-1.10"), "string", "-1.10", decimal_format="numeric"),
    case("extension", "int64 d.Unheard", "7", "bigint", "7"),
    case("numeric(3,2)", decimal(3, 2), '"bg=="', "decimal(3,2)", "1.10"),
    case("numeric(38,0)", decimal(38, 0), unscaled(1 - 10**38), "decimal(38,0)", "-" + "9" * 38),
    case("numeric(39,1)", decimal(39, 1), unscaled(10**39 - 1), "string", "9" * 38 + ".9"),
    case("numeric(1000,500)", decimal(1000, 500), unscaled(-(10**1000 - 1)), "string",
         "-" + "9" * 500 + "." + "9" * 500),
    case("numeric(5,-2)", decimal(5, 2046), unscaled(12300 * 10**2046), "decimal(7,0)", "12300"),
    case("numeric(5,-2)", decimal(5, 2046), unscaled(-9999900 * 10**2046), "decimal(7,0)", "-9999900"),
    case("numeric(5,-2)", decimal(5, 2046), unscaled(0), "decimal(7,0)", "0"),
    case("numeric(5,-2)", decimal(5, 2046), unscaled(12300 * 10**2046 + 1), "decimal(7,0)", None),
    case("numeric(2,4)", decimal(2, 4), unscaled(-12), "string", "-0.0012"),
    *(
        case("numeric(10,2)", decimal(10, 2), value, "decimal(10,2)", shown, decimal_format="numeric")
        for value, shown in [("1.10", "1.10"), ("-0.01", "-0.01"), ("2025", "2025.00"), ("0", "0.00"),
                             (unscaled(-1), "-0.01"), ('"NAN"', None)]
    ),
    case("numeric(38,18)", decimal(38, 18), "12345678901234567890.123456789012345678", "decimal(38,18)",
         "12345678901234567890.123456789012345678", decimal_format="numeric"),
    case("numeric(5,-2)", decimal(5, 2046), "12300", "decimal(7,0)", "12300", decimal_format="numeric"),
    *(
        case("numeric", VARIABLE, variable(number, scale), "string", shown, **options)
        for number, scale, shown, options in [
            (101111, 4, "10.1111", {}), (-33, 1, "-3.3", {}), (1, 40, "0." + "0" * 39 + "1", {}),
            (LONG, 0, str(LONG), {}), (-LONG, 70, f"-{str(LONG)[0]}.{str(LONG)[1:]}", {}),
            (101111, 4, "10.1111", {"decimal_format": "numeric"}),
        ]
    ),
    case("money", "bytes k.Decimal scale=2", unscaled(-(2**63)), "decimal(38,2)", "-92233720368547758.08"),
    *(
        case(about, "double", value, "double", shown, decimal_handling_mode="double")
        for about in ("numeric", "numeric(10,2)", "money")
        for value, shown in [("10.25", "10.25"), ('"NaN"', "NaN"), ('"-Infinity"', "-Infinity")]
    ),
    *(
        case(about, "string", quoted(text), "string", text, decimal_handling_mode="string")
        for about in ("numeric", "numeric(10,2)", "money")
        for text in ("10.250", "NAN", "POSITIVE_INFINITY", "NEGATIVE_INFINITY")
    ),
    *(case("date", *row, time_precision_mode=mode) for mode, row in dates("2016-11-04")),
    *(case("date", *row, time_precision_mode=mode) for mode, row in dates("-0001-12-31")),
    *(case("date", *row, time_precision_mode=mode) for mode, row in dates("-4713-11-24")),
    *(case("date", *row, time_precision_mode=mode) for mode, row in dates("+10000-01-01")),
    *(case("date", *row, time_precision_mode=mode) for mode, row in dates("+5874897-12-31")),
    # infinite: the type does not hold it, the companion does
    case("date", "int32 t.Date", "-2147472692", "date", None, "-2147472692"),
    case("date", "int32 t.Date", "-2147472693", "date", None, "-2147472693"),
    case("date", "int32 t.Date", "2147483647", "date", None, "2147483647"),
    case("date", "int32 k.Date", "-2147472692", "date", None, "-2147472692", time_precision_mode="connect"),
    case("date", "int32 t.Date", "2147483648", "date", None),
    case("date", "int32 t.Date", '"infinity"', "date", None),
    *(
        case(f"time({digits})", *row, time_precision_mode=mode)
        for digits, nanoseconds in [(0, 49890 * 10**9), (3, 49890123000000), (6, 86399999999000)]
        for mode, row in times(digits, nanoseconds)
    ),
    case("time", "int64 t.MicroTime", str(DAY * 10**6), "string", "24:00:00.000000"),
    case("time(3)", "int32 t.Time", str(DAY * 1000), "string", "24:00:00.000"),
    case("time", "int64 t.NanoTime", str(DAY * 10**9), "string", "24:00:00.000000000",
         time_precision_mode="nanoseconds"),
    case("time", "int64 t.MicroTime", '"soon"', "string", None),
    *(
        case(f"timestamp({digits})", *row, time_precision_mode=mode)
        for digits, nanoseconds in [(0, 0), (3, 123000000), (6, 123456000)]
        for mode, row in timestamps(digits, "2016-11-04T13:51:30", nanoseconds)
    ),
    *(
        case("timestamp", *row, time_precision_mode=mode)
        for mode, row in timestamps(6, "-4712-12-31T23:59:59", 999999000)
        if mode != "nanoseconds"
    ),
    *(
        case("timestamp", *row, time_precision_mode=mode)
        for mode, row in timestamps(6, "+21016-11-04T06:51:30", 1000)
        if mode != "nanoseconds"
    ),
    *(
        case(about, encoding, str(value), "timestamp_ntz", shown, beside, time_precision_mode=mode)
        for about, mode, encoding, plus, minus, texts in [
            ("timestamp", "adaptive", "int64 t.MicroTimestamp", INFINITY, MINUS_INFINITY, None),
            ("timestamp(3)", "adaptive", "int64 t.Timestamp", INFINITY // 1000, MINUS_INFINITY // 1000, None),
            ("timestamp", "connect", "int64 k.Timestamp", INFINITY // 1000, MINUS_INFINITY // 1000, None),
            ("timestamp", "microseconds", "int64 t.MicroTimestamp", INFINITY, MINUS_INFINITY, None),
            ("timestamp", "nanoseconds", "int64 t.NanoTimestamp", 2**63 - 1, -(2**63),
             ("infinity", "-infinity")),
        ]
        for value, shown, beside in [
            (plus, SHOWN_INFINITY, texts and texts[0]), (minus, SHOWN_MINUS, texts and texts[1]),
        ]
    ),
    case("timestamp", "string t.IsoTimestamp", '"+294247-01-10T04:00:25.2Z"', "timestamp_ntz",
         SHOWN_INFINITY, time_precision_mode="isostring"),
    case("timestamp", "string t.IsoTimestamp", '"-290308-12-21T19:59:27.6Z"', "timestamp_ntz",
         SHOWN_MINUS, time_precision_mode="isostring"),
    case("timestamp", "string t.IsoTimestamp", '"+294276-12-31T23:59:59Z"', "timestamp_ntz", None,
         time_precision_mode="isostring"),
    *(
        case(about, ZONED, quoted(text), "timestamp", shown, time_precision_mode=mode)
        for mode in ("adaptive", "connect", "isostring")
        for about, text, shown in [
            ("timestamptz", "2016-11-04T11:51:30.123456Z", "2016-11-04 11:51:30.123456"),
            ("timestamptz(0)", "2016-11-04T11:51:30Z", "2016-11-04 11:51:30"),
            ("timestamptz", "+21016-11-04T06:51:30.123456Z", "+21016-11-04 06:51:30.123456"),
            ("timestamptz", "-4713-12-31T23:59:59.999999Z", "-4713-12-31 23:59:59.999999"),
            ("timestamptz", "infinity", SHOWN_INFINITY),
            ("timestamptz", "-infinity", SHOWN_MINUS),
            ("timestamptz", "+294276-12-31T23:59:59Z", None),
        ]
    ),
    *(
        case("timetz", "string t.ZonedTime", quoted(text), "string", text, time_precision_mode=mode)
        for mode in ("adaptive", "connect")
        for text in ("11:51:30.123789Z", "11:51:30+02:00")
    ),
    *(
        case("interval", encoding, value, spark_type, shown, interval_handling_mode=mode)
        for mode, encoding, value, spark_type, shown in [
            ("numeric", "int64 t.MicroDuration", "37091106780000", "bigint", "37091106780000"),
            ("numeric", "int64 t.MicroDuration", "-1", "bigint", "-1"),
            ("string", "string t.Interval", '"P1Y2M3DT4H5M6.78S"', "string", "P1Y2M3DT4H5M6.78S"),
            ("string", "string t.Interval", '"P-1Y0M-3DT0H0M-6.5S"', "string", "P-1Y0M-3DT0H0M-6.5S"),
        ]
    ),
    case("interval", "int64 t.NanoDuration", "37091106780000000", "bigint", "37091106780000000"),
    case("bytea", "bytes", '"+/8B"', "binary", "FBFF01"),
    case("bytea", "bytes", '""', "binary", ""),
    *(
        # without more evidence a text in a text mode is a text
        case("bytea", "string", value, "string", value[1:-1], binary_handling_mode=mode)
        for mode, value in [("base64", '"+/8B"'), ("base64-url-safe", '"-_8B"'), ("hex", '"fbff01"')]
    ),
    *(
        case("bytea", f"string binary={mode}", value, "binary", "FBFF01", binary_handling_mode=mode)
        for mode, value in [("base64", '"+/8B"'), ("base64-url-safe", '"-_8B"'), ("hex", '"fbff01"')]
    ),
    case("hstore", "string d.Json", quoted('{"k":"v","n":null}'), "string", '{"k":"v","n":null}'),
    *(
        case("hstore", "map", value, "map<string,string>", shown, hstore_handling_mode="map")
        for value, shown in [
            ('{"k":"v","n":null}', "{k -> v, n -> null}"), ("{}", "{}"), ('{"n":"1.10"}', "{n -> 1.10}"),
            ('"no map"', None),
        ]
    ),
    case("map with numbers as keys", "map", '[[1,"a"],[2,null]]', "map<string,string>", "{1 -> a, 2 -> null}"),
    case("map with numbers as keys", "map", '[[1,"a"],[1,"b"]]', "map<string,string>", None),
    case("map with numbers as keys", "map", '[[null,"a"]]', "map<string,string>", None),
    case("point", "struct d.geometry.Point", f'{{"x":1.5,"y":-1.0E-7,"wkb":"{POINT}","srid":null}}', POINT_TYPE,
         f'{{"x":1.5,"y":-1.0E-7,"wkb":"{POINT}","srid":null}}'),
    case("point", "struct d.geometry.Point", f'{{"x":"1.5","y":2,"wkb":"{POINT}","srid":"4326"}}', POINT_TYPE,
         f'{{"x":1.5,"y":2.0,"wkb":"{POINT}","srid":4326}}'),
    case("point", "struct d.geometry.Point", '{"x":"NaN","y":"Infinity","wkb":null,"srid":null}', POINT_TYPE,
         '{"x":"NaN","y":"Infinity","wkb":null,"srid":null}'),
    case("point", "struct d.geometry.Point", '{"x":0.1,"y":2.5,"wkb":null,"srid":null}', POINT_TYPE,
         '{"x":0.1,"y":2.5,"wkb":null,"srid":null}', decimal_format="numeric"),
    case("point", "struct d.geometry.Point", '{"x":"east","y":1.0,"wkb":null,"srid":null}', POINT_TYPE, None),
    *(
        case(about, f"struct d.geometry.{name}", value, "struct<wkb:binary,srid:int>", shown)
        for about, name in [("geometry", "Geometry"), ("geography", "Geography")]
        for value, shown in [
            (f'{{"wkb":"{POINT}","srid":4326}}', f'{{"wkb":"{POINT}","srid":4326}}'),
            (f'{{"wkb":"{POINT}","srid":null}}', f'{{"wkb":"{POINT}","srid":null}}'),
            ('"POINT(1 1)"', None),
        ]
    ),
    case("vector(3)", "array d.DoubleVector", "[1.5,2.0,3.25]", "array<double>", "[1.5, 2.0, 3.25]"),
    case("vector(3)", "array d.DoubleVector", '["NaN",2,1e-7]', "array<double>", "[NaN, 2.0, 1.0E-7]"),
    case("vector(3)", "array d.DoubleVector", '"none"', "array<double>", None),
    case("halfvec(2)", "array d.FloatVector", "[1.5,-2.0]", "array<float>", "[1.5, -2.0]"),
    *(
        case("sparsevec(5)", "struct d.SparseDoubleVector", value, SPARSE, shown)
        for value, shown in [
            ('{"dimensions":25,"vector":[[1,10.0],[11,20.0]]}', "{25, {1 -> 10.0, 11 -> 20.0}}"),
            ('{"dimensions":5,"vector":[]}', "{5, {}}"),
            ('{"dimensions":5,"vector":[["1","0.5"]]}', "{5, {1 -> 0.5}}"),
            ('{"dimensions":5,"vector":[[1,0.5],[1,2.0]]}', None),
            ('{"dimensions":5,"vector":[["x",0.5]]}', None),
            ('{"dimensions":5,"vector":[[1]]}', None),
            ('"none"', None),
        ]
    ),
    *(
        case(about, "array", value, spark_type, shown, items=items, **options)
        for about, items, value, spark_type, shown, options in [
            ("integer[]", "int32", "[1,-2,null]", "array<int>", "[1, -2, null]", {}),
            ("integer[]", "int32", "[]", "array<int>", "[]", {}),
            ("integer[]", "int32", '["1",2]', "array<int>", "[1, 2]", {}),
            ("integer[]", "int32", "[1,1.5]", "array<int>", None, {}),
            ("bigint[]", "int64", f"[{2**63 - 1}]", "array<bigint>", f"[{2**63 - 1}]", {}),
            ("double precision[]", "double", '[1.5,"NaN",null]', "array<double>", "[1.5, NaN, null]", {}),
            ("boolean[]", "boolean", "[true,null,false]", "array<boolean>", "[true, null, false]", {}),
            ("text[]", "string", '["a",null,"b,c","[1]"]', "array<string>", "[a, null, b,c, [1]]", {}),
            ("uuid[]", "string d.Uuid", '["a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"]', "array<string>",
             "[a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11]", {}),
            ("jsonb[]", "string d.Json", '["{\\"a\\": 1.10}"]', "array<string>", '[{"a": 1.10}]', {}),
            ("numeric(10,2)[]", decimal(10, 2), '["AeIT",null,"/w=="]', "array<decimal(10,2)>",
             "[1234.11, null, -0.01]", {}),
            ("numeric(10,2)[]", decimal(10, 2), "[1234.11,null,2025]", "array<decimal(10,2)>",
             "[1234.11, null, 2025.00]", {"decimal_format": "numeric"}),
            ("numeric(38,18)[]", decimal(38, 18), "[12345678901234567890.123456789012345678]",
             "array<decimal(38,18)>", "[12345678901234567890.123456789012345678]",
             {"decimal_format": "numeric"}),
            ("numeric[]", VARIABLE, f"[{variable(-33, 1)},null]", "array<string>", "[-3.3, null]", {}),
            ("date[]", "int32 t.Date", "[17109,null,-719529]", "array<date>",
             "[2016-11-04, null, -0001-12-31]", {}),
            ("date[]", "int32 t.Date", "[-2147472692]", "array<date>", None, {}),
            ("time[]", "int64 t.MicroTime", "[86400000000]", "array<string>", "[24:00:00.000000]", {}),
            ("timestamp[]", "int64 t.MicroTimestamp", "[1478267490123456]", "array<timestamp_ntz>",
             "[2016-11-04 13:51:30.123456]", {}),
            ("timestamptz[]", ZONED, '["2016-11-04T11:51:30.123456Z","infinity"]', "array<timestamp>",
             f"[2016-11-04 11:51:30.123456, {SHOWN_INFINITY}]", {}),
            ("hstore[]", "map", '[{"a":"1"},null]', "array<map<string,string>>", "[{a -> 1}, null]",
             {"hstore_handling_mode": "map"}),
            ("integer[][]", "array of int32", "[[1,2],[3,null],null]", "array<array<int>>",
             "[[1, 2], [3, null], null]", {}),
            ("integer[][]", "array of int32", '[[1,"x"]]', "array<array<int>>", None, {}),
            ("text[][][]", "array of array of string", '[[["a"],["b",null]],[]]', "array<array<array<string>>>",
             "[[[a], [b, null]], []]", {}),
        ]
    ),
    case("bytea[]", "array", '["AQID",null]', "array<binary>", '["AQID",null]', items="bytes"),
    case("geometry[]", "array", f'[{{"wkb":"{POINT}","srid":4326}}]', "array<struct<wkb:binary,srid:int>>",
         f'[{{"wkb":"{POINT}","srid":4326}}]', items="struct d.geometry.Geometry"),
    case("composite", "struct", '{"a":1,"b":"x"}', "string", '{"a":1,"b":"x"}'),
]  # fmt: skip


def is_configurable(case: TypeCase) -> bool:
    """Tell whether `database_type` in the configuration can say what the row's column is."""
    if case.connector != "postgresql" or case.about in ("extension", "composite"):
        return False
    is_unknown_text = case.about == "bytea" and case.column == encoded("string")
    is_other = case.column.get("semantic", "").endswith("NanoDuration")
    return not (is_unknown_text or is_other or case.about.startswith("map "))
