"""Oracle: spec §10.4."""

from __future__ import annotations

import re
from typing import Any

from tests.type_cases import Definition, TypeCase, decimal, encoded, quoted, unscaled, variable
from tests.type_cases.temporal import timestamps

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


def case(about: str, encoding: str, value: str, spark_type: str, shown: str | None,
         beside: str | None = None, **options: Any) -> TypeCase:  # fmt: skip
    """Return one row."""
    return TypeCase(
        "oracle", about, encoded(encoding), value, spark_type, shown, beside,
        definition=definition(about), options=options,
    )  # fmt: skip


VARIABLE = "struct d.VariableScaleDecimal"
ZONED = "string t.ZonedTimestamp"
LONG = 123456789012345678901234567890123456789012345678901234567890
CASES = [
    *(
        case(about, "string", quoted(text), "string", text)
        for about, text in [
            ("CHAR(4)", "ab  "), ("NCHAR(2)", "ß "), ("VARCHAR2(255)", "vcč"), ("NVARCHAR2(9)", "ñ"),
            ("CLOB", "clob text"), ("NCLOB", "nclob"), ("ROWID", "AAAR3sAAEAAAACXAAA"),
        ]
    ),
    *(
        case(about, encoding, value, spark_type, value)
        for about, encoding, value, spark_type in [
            ("NUMBER(1)", "int8", "9", "int"),
            ("NUMBER(2,0)", "int8", "-99", "int"),
            ("NUMBER(4,0)", "int16", "9999", "int"),
            ("NUMBER(9,0)", "int32", "999999999", "int"),
            ("NUMBER(18,0)", "int64", "-999999999999999999", "bigint"),
            ("NUMBER(5,-2)", "int32", "12300", "int"),
            ("NUMBER(1,-1)", "int8", "90", "int"),
            ("NUMBER(16,-2)", "int64", "999999999999999900", "bigint"),
            ("DECIMAL(9,0)", "int32", "-1", "int"),
        ]
    ),
    *(
        case(about, decimal(precision, scale), unscaled(number), spark_type, shown)
        for about, precision, scale, number, spark_type, shown in [
            ("NUMBER(19)", 19, 0, 10**19 - 1, "decimal(19,0)", "9" * 19),
            ("NUMBER(38,0)", 38, 0, 123456789012345678901234567890, "decimal(38,0)",
             "123456789012345678901234567890"),
            ("NUMBER(38)", 38, 0, 1 - 10**38, "decimal(38,0)", "-" + "9" * 38),
            ("NUMBER(10,2)", 10, 2, -7732, "decimal(10,2)", "-77.32"),
            ("NUMBER(3,5)", 3, 5, 123, "string", "0.00123"),
            ("NUMBER(3,5)", 3, 5, -1, "string", "-0.00001"),
            ("NUMBER(30,-4)", 30, -4, 10**30 - 1, "decimal(34,0)", "9" * 30 + "0000"),
            ("NUMBER(38,-84)", 38, -84, -(10**38 - 1), "string", "-" + "9" * 38 + "0" * 84),
            ("NUMBER(38,-84)", 38, -84, 0, "string", "0"),
            ("NUMBER(38,127)", 38, 127, 5, "string", "0." + "0" * 126 + "5"),
            ("INTEGER", 38, 0, -5, "decimal(38,0)", "-5"),
            ("INT", 38, 0, 2**100, "decimal(38,0)", str(2**100)),
            ("SMALLINT", 38, 0, 0, "decimal(38,0)", "0"),
            ("DECIMAL", 38, 0, 77, "decimal(38,0)", "77"),
            ("NUMERIC", 38, 0, -77, "decimal(38,0)", "-77"),
            ("NUMERIC(12,4)", 12, 4, -123456, "decimal(12,4)", "-12.3456"),
        ]
    ),
    *(
        case(about, decimal(precision, scale), value, spark_type, value, decimal_format="numeric")
        for about, precision, scale, spark_type, value in [
            ("NUMBER(10,2)", 10, 2, "decimal(10,2)", "-77.32"),
            ("NUMBER(38,0)", 38, 0, "decimal(38,0)", "123456789012345678901234567890"),
            ("NUMBER(30,-4)", 30, -4, "decimal(34,0)", "9" * 30 + "0000"),
            ("NUMBER(3,5)", 3, 5, "string", "0.00123"),
        ]
    ),
    *(
        case(about, VARIABLE, variable(number, scale), "string", shown)
        for about, number, scale, shown in [
            ("NUMBER", 77323, 3, "77.323"),
            ("NUMBER", -1, -2, "-100"),
            ("NUMBER", 0, 5, "0.00000"),
            ("NUMBER", 10**38 - 1, 0, "9" * 38),
            ("NUMBER", 10**38, 0, "1" + "0" * 38),
            ("NUMBER", -(10**39) - 1, 1, "-1" + "0" * 38 + ".1"),
            ("NUMBER", LONG, 10, f"{str(LONG)[:-10]}.{str(LONG)[-10:]}"),
            ("NUMBER", -LONG, -3, f"-{LONG}000"),
            ("NUMBER", -(2**256), 0, str(-(2**256))),
            ("NUMBER", 2**1000 - 1, 300, f"{str(2**1000 - 1)[:-300]}.{str(2**1000 - 1)[-300:]}"),
            ("NUMBER", 5, 130, "0." + "0" * 129 + "5"),
            ("NUMBER(*)", 33, 1, "3.3"),
            ("FLOAT(126)", 333, 2, "3.33"),
            ("REAL", -333, 2, "-3.33"),
            ("DOUBLE PRECISION", 1, 20, "0.00000000000000000001"),
        ]
    ),
    case("NUMBER", VARIABLE, '{"scale":1}', "string", None),
    case("NUMBER", VARIABLE, '{"value":"IQ=="}', "string", None),
    case("NUMBER", VARIABLE, '{"scale":1,"value":""}', "string", None),
    *(
        case(about, "double", "-77.32", "double", "-77.32", decimal_handling_mode="double")
        for about in ("NUMBER(10,2)", "NUMBER(9,0)", "NUMBER", "FLOAT(126)", "INTEGER", "NUMERIC(12,4)")
    ),
    *(
        case(about, "string", value, "string", shown, decimal_handling_mode="string")
        for about in ("NUMBER(10,2)", "NUMBER(9,0)", "NUMBER", "FLOAT(126)", "INTEGER", "NUMERIC(12,4)")
        for value, shown in [('"-77.30"', "-77.30"), ("999999999", "999999999")]
    ),
    case("BINARY_FLOAT", "float", "1.1", "float", "1.1"),
    case("BINARY_FLOAT", "float", '"NaN"', "float", "NaN"),
    case("BINARY_DOUBLE", "double", "2.22", "double", "2.22"),
    case("BINARY_DOUBLE", "double", '"Infinity"', "double", "Infinity"),
    *(
        case("DATE", *row, time_precision_mode=mode)
        for mode, row in timestamps(0, "2018-03-27T12:34:56", 0, is_cut=True)
    ),
    case("DATE", "int64 t.Timestamp", "-210831897600000", "timestamp_ntz", "-4711-01-01 00:00:00"),
    *(
        case(f"TIMESTAMP({digits})", *row, time_precision_mode=mode)
        for digits, nanoseconds in [(0, 0), (3, 125000000), (6, 125456000), (9, 125456789)]
        for mode, row in timestamps(digits, "2018-03-27T12:34:56", nanoseconds, is_cut=True)
    ),
    *(
        case("TIMESTAMP", *row, time_precision_mode=mode)
        for mode, row in timestamps(6, "1900-01-01T00:00:00", 1000, is_cut=True)
    ),
    *(
        case(about, ZONED, quoted(text), "timestamp", shown, text)
        for about, text, shown in [
            ("TIMESTAMP(6) WITH TIME ZONE", "2018-03-27T01:34:56.007891-11:00", "2018-03-27 12:34:56.007891"),
            ("TIMESTAMP(9) WITH TIME ZONE", "2018-03-27T01:34:56.123456789+05:30", "2018-03-26 20:04:56.123456"),
            ("TIMESTAMP(6) WITH LOCAL TIME ZONE", "2018-03-27T01:34:56.007891Z", "2018-03-27 01:34:56.007891"),
        ]
    ),
    *(
        case(about, encoding, value, spark_type, shown, interval_handling_mode=mode)
        for about, number, text in [
            ("INTERVAL YEAR(2) TO MONTH", -110451600000000, "P-3Y-6M"),
            ("INTERVAL DAY(3) TO SECOND(2)", -93784560000, "P-1DT-2H-3M-4.56S"),
        ]
        for mode, encoding, value, spark_type, shown in [
            ("numeric", "int64 t.MicroDuration", str(number), "bigint", str(number)),
            ("string", "string t.Interval", quoted(text), "string", text),
        ]
    ),
    *(
        case(about, encoding, value, "binary", "FBFF01", binary_handling_mode=mode)
        for about in ("RAW(16)", "BLOB")
        for mode, encoding, value in [
            ("bytes", "bytes", '"+/8B"'),
            ("base64", "string binary=base64", '"+/8B"'),
            ("base64-url-safe", "string binary=base64-url-safe", '"-_8B"'),
            ("hex", "string binary=hex", '"fbff01"'),
        ]
    ),
    case("XMLTYPE", "string d.Xml", quoted("<a/>"), "string", "<a/>"),
]  # fmt: skip
OMITTED = ["LONG", "LONG RAW", "BFILE", "UROWID"]
