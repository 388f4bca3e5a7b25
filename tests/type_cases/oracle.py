"""Oracle: spec §10.4."""

from __future__ import annotations

import re

from tests.type_cases import Definition
from tests.type_cases.rows import NUMERIC, Rows

CODES = {
    "CHAR": 1, "NCHAR": -15, "VARCHAR2": 12, "NVARCHAR2": -9, "CLOB": 2005, "NCLOB": 2011,
    "ROWID": -8, "NUMBER": 2, "INTEGER": 4, "INT": 4, "SMALLINT": 5, "DECIMAL": 3, "NUMERIC": 2,
    "FLOAT": 6, "REAL": 7, "DOUBLE PRECISION": 8, "BINARY_FLOAT": 100, "BINARY_DOUBLE": 101,
    "DATE": 93, "TIMESTAMP": 93, "TIMESTAMP WITH TIME ZONE": -101,
    "TIMESTAMP WITH LOCAL TIME ZONE": -102, "INTERVAL YEAR TO MONTH": -103,
    "INTERVAL DAY TO SECOND": -104, "RAW": -3, "BLOB": 2004, "XMLTYPE": 2009,
    "LONG": -1, "LONG RAW": -4, "BFILE": -13, "UROWID": 1111,
}  # fmt: skip


def definition(about: str) -> Definition:
    """Return the schema-change entry of a type as people write it."""
    name = re.sub(r"\s*\([^)]*\)", "", about)
    sizes = [int(one) for one in re.findall(r"[(,](-?\d+)", about)]
    length = sizes[0] if sizes else None
    scale = sizes[1] if len(sizes) > 1 else None
    if name.startswith(("TIMESTAMP", "INTERVAL")):
        return Definition(about, CODES[name], length, None)
    if name in ("INTEGER", "INT", "SMALLINT"):
        length, scale = 38, 0
    elif name == "NUMBER" and length is not None and scale is None and "*" not in about:
        scale = 0
    elif name == "NUMBER" and length is None:
        length = 0 if about == "NUMBER" else 38
    return Definition(name, CODES[name], length, scale)


# one line for each row
# fmt: off
CASES = Rows("oracle", definition)
row, number, text, variable = CASES.row, CASES.number, CASES.text, CASES.variable
VARIABLE = "struct d.VariableScaleDecimal"

text("CHAR(4)", "ab  ")
text("NCHAR(2)", "ß ")
text("VARCHAR2(255)", "vcč")
text("NVARCHAR2(9)", "ñ")
text("CLOB", "clob text")
text("NCLOB", "nclob")
text("ROWID", "AAAR3sAAEAAAACXAAA")
for about, encoding, spark_type, value in [
    ("NUMBER(1)", "int8", "int", "9"),
    ("NUMBER(2,0)", "int8", "int", "-99"),
    ("NUMBER(4,0)", "int16", "int", "9999"),
    ("NUMBER(9,0)", "int32", "int", "999999999"),
    ("NUMBER(18,0)", "int64", "bigint", "-999999999999999999"),
    ("NUMBER(5,-2)", "int32", "int", "12300"),
    ("NUMBER(1,-1)", "int8", "int", "90"),
    ("NUMBER(16,-2)", "int64", "bigint", "999999999999999900"),
    ("DECIMAL(9,0)", "int32", "int", "-1"),
]:
    row(about, encoding, value, spark_type, value)
number("NUMBER(19)", 19, 0, 10**19 - 1, "9" * 19)
number("NUMBER(38,0)", 38, 0, 123456789012345678901234567890, "123456789012345678901234567890")
number("NUMBER(38)", 38, 0, 1 - 10**38, "-" + "9" * 38)
number("NUMBER(10,2)", 10, 2, -7732, "-77.32")
number("NUMBER(3,5)", 3, 5, 123, "0.00123", "string")
number("NUMBER(3,5)", 3, 5, -1, "-0.00001", "string")
number("NUMBER(30,-4)", 30, -4, 10**30 - 1, "9" * 30 + "0000", "decimal(34,0)")
number("NUMBER(38,-84)", 38, -84, 1 - 10**38, "-" + "9" * 38 + "0" * 84, "string")
number("NUMBER(38,-84)", 38, -84, 0, "0", "string")
number("NUMBER(38,127)", 38, 127, 5, "0." + "0" * 126 + "5", "string")
number("INTEGER", 38, 0, -5, "-5")
number("INT", 38, 0, 2**100, str(2**100))
number("SMALLINT", 38, 0, 0, "0")
number("DECIMAL", 38, 0, 77, "77")
number("NUMERIC", 38, 0, -77, "-77")
number("NUMERIC(12,4)", 12, 4, -123456, "-12.3456")
number("NUMBER(10,2)", 10, 2, "-77.32", "-77.32", **NUMERIC)
number("NUMBER(38,0)", 38, 0, "123456789012345678901234567890", "123456789012345678901234567890", **NUMERIC)
number("NUMBER(30,-4)", 30, -4, "9" * 30 + "0000", "9" * 30 + "0000", "decimal(34,0)", **NUMERIC)
number("NUMBER(3,5)", 3, 5, "0.00123", "0.00123", "string", **NUMERIC)
variable("NUMBER", 77323, 3, "77.323", trap=52)
variable("NUMBER", -1, -2, "-100", trap=52)
variable("NUMBER", 0, 5, "0.00000")
variable("NUMBER", 1, 5, "0.00001", trap=52)
variable("NUMBER", 10**38 - 1, 0, "9" * 38, trap=52)
variable("NUMBER", 10**38, 0, "1" + "0" * 38)
variable("NUMBER", -(10**39) - 1, 1, "-1" + "0" * 38 + ".1")
LONG = 123456789012345678901234567890123456789012345678901234567890
variable("NUMBER", LONG, 10, f"{str(LONG)[:-10]}.{str(LONG)[-10:]}")
variable("NUMBER", -LONG, -3, f"-{LONG}000")
variable("NUMBER", -(2**256), 0, str(-(2**256)))
variable("NUMBER", 2**1000 - 1, 300, f"{str(2**1000 - 1)[:-300]}.{str(2**1000 - 1)[-300:]}")
variable("NUMBER", 5, 130, "0." + "0" * 129 + "5")
variable("NUMBER(*)", 33, 1, "3.3", trap=52)
variable("FLOAT(126)", 333, 2, "3.33", trap=52)
variable("REAL", -333, 2, "-3.33")
variable("DOUBLE PRECISION", 1, 20, "0.00000000000000000001")
row("NUMBER", VARIABLE, '{"scale":1}', "string", None)
row("NUMBER", VARIABLE, '{"value":"IQ=="}', "string", None)
row("NUMBER", VARIABLE, '{"scale":1,"value":""}', "string", None)
row("NUMBER", VARIABLE, '{"scale":16384,"value":"AQ=="}', "string", None)
row("NUMBER", VARIABLE, '{"scale":-131073,"value":"AQ=="}', "string", None)
NUMBERS = "NUMBER(10,2), NUMBER(9,0), NUMBER, FLOAT(126), INTEGER, NUMERIC(12,4)"
row(NUMBERS, "double", "-77.32", "double", "-77.32", decimal_handling_mode="double")
row(NUMBERS, "string", '"-77.30"', "string", "-77.30", decimal_handling_mode="string")
row(NUMBERS, "string", "999999999", "string", "999999999", decimal_handling_mode="string")
row("BINARY_FLOAT", "float", "1.1", "float", "1.1")
row("BINARY_FLOAT", "float", '"NaN"', "float", "NaN")
row("BINARY_DOUBLE", "double", "2.22", "double", "2.22")
row("BINARY_DOUBLE", "double", '"Infinity"', "double", "Infinity")
CASES.timestamps("DATE", 0, "2018-03-27T12:34:56", 0)
row("DATE", "int64 t.Timestamp", "-210831897600000", "timestamp_ntz", "-4711-01-01 00:00:00", trap=55)
for digits, nanoseconds in [(0, 0), (3, 125000000), (6, 125456000), (9, 125456789)]:
    CASES.timestamps(f"TIMESTAMP({digits})", digits, "2018-03-27T12:34:56", nanoseconds)
CASES.timestamps("TIMESTAMP", 6, "1900-01-01T00:00:00", 1000)
for about, sent, shown in [
    (
        "TIMESTAMP(6) WITH TIME ZONE",
        "2018-03-27T01:34:56.007891-11:00",
        "2018-03-27 12:34:56.007891",
    ),
    (
        "TIMESTAMP(9) WITH TIME ZONE",
        "2018-03-27T01:34:56.123456789+05:30",
        "2018-03-26 20:04:56.123456",
    ),
    (
        "TIMESTAMP(6) WITH LOCAL TIME ZONE",
        "2018-03-27T01:34:56.007891Z",
        "2018-03-27 01:34:56.007891",
    ),
]:
    row(about, "string t.ZonedTimestamp", f'"{sent}"', "timestamp", shown, sent, trap=56)
for about, count, iso in [
    ("INTERVAL YEAR(2) TO MONTH", "-110451600000000", "P-3Y-6M"),
    ("INTERVAL DAY(3) TO SECOND(2)", "-93784560000", "P-1DT-2H-3M-4.56S"),
]:
    row(about, "int64 t.MicroDuration", count, "bigint", count, interval_handling_mode="numeric")
    text(about, iso, "string t.Interval", interval_handling_mode="string")
CASES.binary("RAW(16), BLOB")
text("XMLTYPE", "<a/>", "string d.Xml")

# fields of the example that no row above says
field = CASES.example("oracle_3.6_types_with_schema")
field("ID", "bigint", "1")
field("N_2_0", "int", "99")
field("D_DATE", "timestamp_ntz", "2018-03-27 00:00:00", trap=55)
field("RW", "binary", "CAFE")
