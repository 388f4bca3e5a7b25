"""PostgreSQL: spec §10.3 and §16. It has no schema-change topic: a column is known by its record."""

from __future__ import annotations

from tests.type_cases import decimal, unscaled, variable
from tests.type_cases.rows import BINARY_MODES, NUMERIC, Rows
from tests.type_cases.temporal import DAY

# one line for each row
# fmt: off
CASES = Rows("postgresql")
row, number, text = CASES.row, CASES.number, CASES.text
BITS = "bytes d.Bits length="
NO_LENGTH = BITS + "2147483647"

row("boolean", "boolean", "true", "boolean", "true")
row("bit(1)", "boolean", "false", "boolean", "false")
row("varbit(1)", "boolean", "true", "boolean", "true")
row("bit(24)", BITS + "24", '"AQID"', "string", "000000110000001000000001", trap=51)
row("bit(3)", BITS + "3", '""', "string", "000")
row("bit(9)", BITS + "9", '"AQ=="', "string", "000000001")
row("varbit(9)", BITS + "9", '"AQE="', "string", "100000001")
row("varbit", NO_LENGTH, '"BQ=="', "string", "101", trap=51)
row("varbit", NO_LENGTH, '""', "string", "")
row("varbit", NO_LENGTH, '"no base64!"', "string", None)
row("smallint", "int16", "-32768", "int", "-32768")
row("integer", "int32", "2147483647", "int", "2147483647")
row("bigint", "int64", "9223372036854775807", "bigint", "9223372036854775807")
row("bigint", "int64", '"-9223372036854775808"', "bigint", "-9223372036854775808")
row("bigint", "int64", "9223372036854775808", "bigint", None)
row("oid", "int64", "4294967295", "bigint", "4294967295")
row("real", "float", '"NaN"', "float", "NaN", trap=61)
row("real", "float", "-0.0", "float", "-0.0")
row("double precision", "double", '"-Infinity"', "double", "-Infinity", trap=61)
row("double precision", "double", '"Infinity"', "double", "Infinity")
row("double precision", "double", "5.0E-324", "double", "4.9E-324")
row("double precision", "double", "0.1", "double", "0.1", **NUMERIC)
text("char(4)", "ab  ")
text("varchar(9)", "vcč")
text("text", "")
text("text", "123")
text("text", "1.10")
text("text", 'say "1.10"\\ no')
text("text", 'say "1.10"\\ no', **NUMERIC)
text("text", "-1.10", **NUMERIC)
text("citext", "CI")
text("inet", "192.168.2.0/12")
text("cidr", "10.0.0.0/8")
text("macaddr", "08:00:2b:01:02:03")
text("tsrange", '["2019-03-31 15:30:00",infinity)')
text("isbn", "0-393-04002-X")
text("uuid", "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11", "string d.Uuid")
text("json", '{"a": 1.10, "b": [1e400]}', "string d.Json")
text("jsonb", '{"bar": "baz"}', "string d.Json")
text("xml", "<foo>bar</foo>", "string d.Xml")
text("ltree", "Top.Science", "string d.Ltree")
text("enum", "o,k", "string d.Enum")
text("tsvector", "'a':1 'b':2", "string d.Tsvector")
text("extension", "anything", "string d.Unheard", is_told=False, trap=63)
row("extension", "int64 d.Unheard", "7", "bigint", "7", is_told=False)
number("numeric(3,2)", 3, 2, '"bg=="', "1.10")
number("numeric(38,0)", 38, 0, 1 - 10**38, "-" + "9" * 38)
number("numeric(39,1)", 39, 1, 10**39 - 1, "9" * 38 + ".9", "string")
number("numeric(1000,500)", 1000, 500, 1 - 10**1000, "-" + "9" * 500 + "." + "9" * 500, "string")
# scales below zero arrive in eleven bits
number("numeric(5,-2)", 5, 2046, 12300 * 10**2046, "12300", "decimal(7,0)")
number("numeric(5,-2)", 5, 2046, -9999900 * 10**2046, "-9999900", "decimal(7,0)")
number("numeric(5,-2)", 5, 2046, 0, "0", "decimal(7,0)")
number("numeric(5,-2)", 5, 2046, 12300 * 10**2046 + 1, None, "decimal(7,0)")
number("numeric(5,-2)", 5, 2046, "12300", "12300", "decimal(7,0)", **NUMERIC)
number("numeric(5,-2)", 5, 2046, "12300.5", None, "decimal(7,0)", **NUMERIC)
number("numeric(2,4)", 2, 4, -12, "-0.0012", "string")
for value, shown in [
    ("1.10", "1.10"), ("-0.01", "-0.01"), ("2025", "2025.00"), ("0", "0.00"), ('"/w=="', "-0.01"), ('"NAN"', None),
]:
    number("numeric(10,2)", 10, 2, value, shown, **NUMERIC)
# digits that a double does not hold; the converter writes them without quotes
PRICE = "12345678901234567890.123456789012345678"
number("numeric(38,18)", 38, 18, PRICE, PRICE, **NUMERIC, trap=6)
number("numeric(39,0)", 39, 0, "9" * 39, "9" * 39, "string", **NUMERIC, trap=6)
LONG = 31415926535897932384626433832795028841971693993751058209749445923078164
CASES.variable("numeric", 101111, 4, "10.1111", trap=52)
CASES.variable("numeric", 101111, 4, "10.1111", **NUMERIC)
CASES.variable("numeric", -33, 1, "-3.3")
CASES.variable("numeric", 1, 40, "0." + "0" * 39 + "1")
CASES.variable("numeric", LONG, 0, str(LONG))
CASES.variable("numeric", -LONG, 70, f"-{str(LONG)[0]}.{str(LONG)[1:]}")
MONEY = "bytes k.Decimal scale=2"
row("money", MONEY, unscaled(-(2**63)), "decimal(38,2)", "-92233720368547758.08")
for value, shown in [("10.25", "10.25"), ('"NaN"', "NaN"), ('"-Infinity"', "-Infinity")]:
    row("numeric, numeric(10,2), money", "double", value, "double", shown, decimal_handling_mode="double")
for shown in ("10.250", "NAN", "POSITIVE_INFINITY", "NEGATIVE_INFINITY"):
    text("numeric, numeric(10,2), money", shown, decimal_handling_mode="string")
CASES.dates("date", "2016-11-04")
CASES.dates("date", "-0001-12-31")
CASES.dates("date", "-4713-11-24")
CASES.dates("date", "+10000-01-01")
CASES.dates("date", "+5874897-12-31")
# the first day that is believed; the last is the last of the server
row("date", "int32 t.Date", "-2440600", "date", "-4713-11-12")
# infinite: the type does not hold it, the companion does
for days in ("-2147472692", "-2147472693", "2147483647", "-2440601", "2145042906"):
    row("date", "int32 t.Date", days, "date", None, days)
row("date", "int32 k.Date", "-2147472692", "date", None, "-2147472692", time_precision_mode="connect")
row("date", "int32 t.Date", "2147483648", "date", None)
row("date", "int32 t.Date", '"infinity"', "date", None)
CASES.times("time(0)", 0, 49890 * 10**9)
CASES.times("time(3)", 3, 49890123000000)
CASES.times("time(6)", 6, 86399999999000)
row("time", "int64 t.MicroTime", str(DAY * 10**6), "string", "24:00:00.000000", trap=59)
row("time(3)", "int32 t.Time", str(DAY * 1000), "string", "24:00:00.000")
row("time", "int64 t.NanoTime", str(DAY * 10**9), "string", "24:00:00.000000000", time_precision_mode="nanoseconds")
row("time", "int64 t.MicroTime", '"soon"', "string", None)
CASES.timestamps("timestamp(0)", 0, "2016-11-04T13:51:30", 0)
CASES.timestamps("timestamp(3)", 3, "2016-11-04T13:51:30", 123000000, trap=57)
CASES.timestamps("timestamp(6)", 6, "2016-11-04T13:51:30", 123456000, trap=57)
CASES.timestamps("timestamp", 6, "-4712-12-31T23:59:59", 999999000, without="nanoseconds")
CASES.timestamps("timestamp", 6, "+21016-11-04T06:51:30", 1000, without="nanoseconds")
INFINITY, MINUS = "+294247-01-10 04:00:25.2", "-290308-12-21 19:59:27.6"
MICROS, MINUS_MICROS = 9223372036825200000, -9223372036832400000
for about, mode, encoding, unit in [
    ("timestamp", "adaptive", "int64 t.MicroTimestamp", 1),
    ("timestamp(3)", "adaptive", "int64 t.Timestamp", 1000),
    ("timestamp", "connect", "int64 k.Timestamp", 1000),
    ("timestamp", "microseconds", "int64 t.MicroTimestamp", 1),
]:
    row(about, encoding, str(MICROS // unit), "timestamp_ntz", INFINITY, time_precision_mode=mode)
    row(about, encoding, str(MINUS_MICROS // unit), "timestamp_ntz", MINUS, time_precision_mode=mode)
NANOSECONDS = {"time_precision_mode": "nanoseconds"}
NANO = "int64 t.NanoTimestamp"
row("timestamp", NANO, str(2**63 - 1), "timestamp_ntz", INFINITY, "infinity", **NANOSECONDS)
row("timestamp", NANO, str(-(2**63)), "timestamp_ntz", MINUS, "-infinity", **NANOSECONDS)
for sent, shown in [
    ("+294247-01-10T04:00:25.2Z", INFINITY), ("-290308-12-21T19:59:27.6Z", MINUS), ("+294276-12-31T23:59:59Z", None),
]:
    row("timestamp", "string t.IsoTimestamp", f'"{sent}"', "timestamp_ntz", shown, time_precision_mode="isostring")
ZONED = "string t.ZonedTimestamp"
for mode in ("adaptive", "connect", "isostring"):
    for about, sent, shown in [
        ("timestamptz", "2016-11-04T11:51:30.123456Z", "2016-11-04 11:51:30.123456"),
        ("timestamptz(0)", "2016-11-04T11:51:30Z", "2016-11-04 11:51:30"),
        ("timestamptz", "+21016-11-04T06:51:30.123456Z", "+21016-11-04 06:51:30.123456"),
        ("timestamptz", "-4713-12-31T23:59:59.999999Z", "-4713-12-31 23:59:59.999999"),
        ("timestamptz", "infinity", INFINITY),
        ("timestamptz", "-infinity", MINUS),
        ("timestamptz", "+294276-12-31T23:59:59Z", None),
    ]:
        row(about, ZONED, f'"{sent}"', "timestamp", shown, time_precision_mode=mode)
for mode in ("adaptive", "connect"):
    text("timetz", "11:51:30.123789Z", "string t.ZonedTime", time_precision_mode=mode)
    text("timetz", "11:51:30+02:00", "string t.ZonedTime", time_precision_mode=mode)
for value in ("37091106780000", "-1"):
    row("interval", "int64 t.MicroDuration", value, "bigint", value, interval_handling_mode="numeric")
for value in ("P1Y2M3DT4H5M6.78S", "P-1Y0M-3DT0H0M-6.5S"):
    text("interval", value, "string t.Interval", interval_handling_mode="string")
row("interval", "int64 t.NanoDuration", "37091106780000000", "bigint", "37091106780000000", is_told=False)
row("bytea", "bytes", '""', "binary", "")
CASES.binary("bytea")
for mode, _, value in BINARY_MODES[1:]:  # without more evidence a text in a text mode is a text
    row("bytea", "string", value, "string", value[1:-1], binary_handling_mode=mode, is_told=False)
text("hstore", '{"k":"v","n":null}', "string d.Json")
for value, shown in [
    ('{"k":"v","n":null}', "{k -> v, n -> null}"), ("{}", "{}"), ('{"n":"1.10"}', "{n -> 1.10}"), ('"no map"', None),
]:
    row("hstore", "map", value, "map<string,string>", shown, hstore_handling_mode="map")
NUMBERED = "map with numbers as keys"
row(NUMBERED, "map", '[[1,"a"],[2,null]]', "map<string,string>", "{1 -> a, 2 -> null}", is_told=False)
row(NUMBERED, "map", '[[1,"a"],[1,"b"]]', "map<string,string>", None, is_told=False)
row(NUMBERED, "map", '[[null,"a"]]', "map<string,string>", None, is_told=False)
POINT = "struct d.geometry.Point"
POINT_TYPE = "struct<x:double,y:double,wkb:binary,srid:int>"
WKB = '"wkb":"AQEAAAAAAAAAAADwPwAAAAAAAPA/"'
row("point", POINT, f'{{"x":1.5,"y":-1.0E-7,{WKB},"srid":null}}', POINT_TYPE,
    f'{{"x":1.5,"y":-1.0E-7,{WKB},"srid":null}}')
row("point", POINT, f'{{"x":"1.5","y":2,{WKB},"srid":"4326"}}', POINT_TYPE,
    f'{{"x":1.5,"y":2.0,{WKB},"srid":4326}}')
row("point", POINT, '{"x":"NaN","y":"Infinity","wkb":null,"srid":null}', POINT_TYPE,
    '{"x":"NaN","y":"Infinity","wkb":null,"srid":null}')
row("point", POINT, '{"x":0.1,"y":2.5,"wkb":null,"srid":null}', POINT_TYPE,
    '{"x":0.1,"y":2.5,"wkb":null,"srid":null}', **NUMERIC)
row("point", POINT, '{"x":"east","y":1.0,"wkb":null,"srid":null}', POINT_TYPE, None)
for about in ("geometry", "geography"):
    encoding = f"struct d.geometry.{about.title()}"
    for value in (f'{{{WKB},"srid":4326}}', f'{{{WKB},"srid":null}}'):
        row(about, encoding, value, "struct<wkb:binary,srid:int>", value)
    row(about, encoding, '"POINT(1 1)"', "struct<wkb:binary,srid:int>", None)
row("vector(3)", "array d.DoubleVector", "[1.5,2.0,3.25]", "array<double>", "[1.5, 2.0, 3.25]")
row("vector(3)", "array d.DoubleVector", '["NaN",2,1e-7]', "array<double>", "[NaN, 2.0, 1.0E-7]")
row("vector(3)", "array d.DoubleVector", '"none"', "array<double>", None)
row("halfvec(2)", "array d.FloatVector", "[1.5,-2.0]", "array<float>", "[1.5, -2.0]")
SPARSE = "struct<dimensions:int,vector:map<int,double>>"
for value, shown in [
    ('{"dimensions":25,"vector":[[1,10.0],[11,20.0]]}', "{25, {1 -> 10.0, 11 -> 20.0}}"),
    ('{"dimensions":5,"vector":[]}', "{5, {}}"),
    ('{"dimensions":5,"vector":[["1","0.5"]]}', "{5, {1 -> 0.5}}"),
    ('{"dimensions":5,"vector":[[1,0.5],[1,2.0]]}', None),
    ('{"dimensions":5,"vector":[["x",0.5]]}', None),
    ('{"dimensions":5,"vector":[[1]]}', None),
    ('"none"', None),
]:
    row("sparsevec(5)", "struct d.SparseDoubleVector", value, SPARSE, shown)
for about, items, value, spark_type, shown in [
    ("integer[]", "int32", "[1,-2,null]", "int", "[1, -2, null]"),
    ("integer[]", "int32", "[]", "int", "[]"),
    ("integer[]", "int32", '["1",2]', "int", "[1, 2]"),
    ("integer[]", "int32", "[1,1.5]", "int", None),
    ("bigint[]", "int64", "[9223372036854775807]", "bigint", "[9223372036854775807]"),
    ("double precision[]", "double", '[1.5,"NaN",null]', "double", "[1.5, NaN, null]"),
    ("boolean[]", "boolean", "[true,null,false]", "boolean", "[true, null, false]"),
    ("text[]", "string", '["a",null,"b,c","[1]"]', "string", "[a, null, b,c, [1]]"),
    ("uuid[]", "string d.Uuid", '["a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"]', "string",
     "[a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11]"),
    ("jsonb[]", "string d.Json", '["{\\"a\\": 1.10}"]', "string", '[{"a": 1.10}]'),
    ("numeric(10,2)[]", decimal(10, 2), '["AeIT",null,"/w=="]', "decimal(10,2)", "[1234.11, null, -0.01]"),
    ("numeric[]", "struct d.VariableScaleDecimal", f"[{variable(-33, 1)},null]", "string", "[-3.3, null]"),
    ("date[]", "int32 t.Date", "[17109,null,-719529]", "date", "[2016-11-04, null, -0001-12-31]"),
    ("date[]", "int32 t.Date", "[-2147472692]", "date", None),
    ("time[]", "int64 t.MicroTime", "[86400000000]", "string", "[24:00:00.000000]"),
    ("timestamp[]", "int64 t.MicroTimestamp", "[1478267490123456]", "timestamp_ntz", "[2016-11-04 13:51:30.123456]"),
    ("timestamptz[]", ZONED, '["2016-11-04T11:51:30.123456Z","infinity"]', "timestamp",
     f"[2016-11-04 11:51:30.123456, {INFINITY}]"),
    ("bytea[]", "bytes", '["AQID",null]', "binary", '["AQID",null]'),
    ("geometry[]", "struct d.geometry.Geometry", f'[{{{WKB},"srid":4326}}]', "struct<wkb:binary,srid:int>",
     f'[{{{WKB},"srid":4326}}]'),
    ("integer[][]", "array of int32", "[[1,2],[3,null],null]", "array<int>", "[[1, 2], [3, null], null]"),
    ("integer[][]", "array of int32", '[[1,"x"]]', "array<int>", None),
    ("text[][][]", "array of array of string", '[[["a"],["b",null]],[]]', "array<array<string>>",
     "[[[a], [b, null]], []]"),
]:
    row(about, f"array of {items}", value, f"array<{spark_type}>", shown)
row("numeric(10,2)[]", f"array of {decimal(10, 2)}", "[1234.11,null,2025]", "array<decimal(10,2)>",
    "[1234.11, null, 2025.00]", **NUMERIC)
row("numeric(38,18)[]", f"array of {decimal(38, 18)}", f"[{PRICE}]", "array<decimal(38,18)>", f"[{PRICE}]", **NUMERIC)
row("hstore[]", "array of map", '[{"a":"1"},null]', "array<map<string,string>>", "[{a -> 1}, null]",
    hstore_handling_mode="map")
row("composite", "struct", '{"a":1,"b":"x"}', "string", '{"a":1,"b":"x"}', is_told=False)

# fields of the example that no row above says
field = CASES.example("postgres_3.6_types_with_schema")
field("pk", "int", "1")
field("money", "decimal(38,2)", "-1234.11")
field("ba", "binary", "010203")
field("ints", "array<int>", "[1, 2, null]")
field("hs", "string", '{"key":"val","k2":null}')
field("mood", "string", "ok", trap=63)
field("p", POINT_TYPE, f'{{"x":1.0,"y":1.0,{WKB},"srid":null}}')
field("v", "array<double>", "[1.5, 2.0, 3.25]")
field("sv", SPARSE, "{5, {1 -> 0.5, 4 -> 2.0}}")
