"""SQL Server: spec §10.2."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from tests.type_cases import Definition, TypeCase, decimal, encoded, quoted, unscaled
from tests.type_cases.temporal import dates, moment, seconds_of, times, timestamps

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


def case(about: str, encoding: str, value: str, spark_type: str, shown: str | None,
         beside: str | None = None, **options: Any) -> TypeCase:  # fmt: skip
    """Return one row."""
    return TypeCase(
        "sqlserver", about, encoded(encoding), value, spark_type, shown, beside,
        definition=definition(about), options=options,
    )  # fmt: skip


ZONED = "string t.ZonedTimestamp"
CASES = [
    case("bit", "boolean", "true", "boolean", "true"),
    case("bit", "boolean", "false", "boolean", "false"),
    case("bit", "boolean", '"true"', "boolean", "true"),
    case("bit", "boolean", '"maybe"', "boolean", None),
    case("tinyint", "int16", "255", "int", "255"),
    case("smallint", "int16", "-32768", "int", "-32768"),
    case("int", "int32", "2147483647", "int", "2147483647"),
    case("int", "int32", '"-5"', "int", "-5"),
    case("int", "int32", "3000000000", "int", None),
    case("int", "int32", "1.5", "int", None),
    case("int identity", "int32", "7", "int", "7"),
    case("bigint", "int64", "-9223372036854775808", "bigint", "-9223372036854775808"),
    case("real", "float", "4.323", "float", "4.323"),
    case("real", "float", '"NaN"', "float", "NaN"),
    case("float", "double", "3.323", "double", "3.323"),
    case("float", "double", "1.7976931348623157E308", "double", "1.7976931348623157E308"),
    case("float", "double", '"-Infinity"', "double", "-Infinity"),
    case("float", "double", '"2.5"', "double", "2.5"),
    *(
        case(about, decimal(precision, scale), unscaled(number), f"decimal({precision},{scale})", shown)
        for about, precision, scale, number, shown in [
            ("decimal(6,3)", 6, 3, 1123, "1.123"),
            ("decimal(10,2)", 10, 2, -1, "-0.01"),
            ("decimal(10,2)", 10, 2, 0, "0.00"),
            ("numeric(18,0)", 18, 0, -(10**18) + 1, "-999999999999999999"),
            ("numeric(18,0)", 18, 0, 10**18, None),
            ("numeric(19,0)", 19, 0, -(2**63), "-9223372036854775808"),
            ("decimal(38,0)", 38, 0, 10**38 - 1, "9" * 38),
            ("decimal(38,0)", 38, 0, 1 - 10**38, "-" + "9" * 38),
            ("decimal(38,0)", 38, 0, 10**38, None),
            ("decimal(38,10)", 38, 10, -(10**38) + 1, "-" + "9" * 28 + "." + "9" * 10),
            ("decimal(38,38)", 38, 38, -1, "-0." + "0" * 37 + "1"),
            ("money", 19, 4, -(2**63), "-922337203685477.5808"),
            ("smallmoney", 10, 4, 53230, "5.3230"),
        ]
    ),
    *(
        case(about, decimal(precision, scale), value, f"decimal({precision},{scale})", shown,
             decimal_format="numeric")
        for about, precision, scale, value, shown in [
            ("decimal(6,3)", 6, 3, "1.123", "1.123"),
            ("decimal(6,3)", 6, 3, "1.1", "1.100"),
            ("decimal(10,2)", 10, 2, "-0.01", "-0.01"),
            ("decimal(10,2)", 10, 2, "1025", "1025.00"),
            ("decimal(10,2)", 10, 2, '"1025"', "-26670.79"),
            ("decimal(10,2)", 10, 2, unscaled(-123411), "-1234.11"),
            ("decimal(10,2)", 10, 2, "10.255", None),
            ("decimal(10,2)", 10, 2, "123456789.1", None),
            ("decimal(38,0)", 38, 0, "9" * 38, "9" * 38),
            ("decimal(38,10)", 38, 10, "-" + "9" * 28 + "." + "9" * 10, "-" + "9" * 28 + "." + "9" * 10),
            ("decimal(38,38)", 38, 38, "1E-38", "0." + "0" * 37 + "1"),
            ("money", 19, 4, "-922337203685477.5808", "-922337203685477.5808"),
        ]
    ),
    # numbers where base64 is announced: read as long as no digit can have been lost
    case("decimal(10,2)", decimal(10, 2), "10.25", "decimal(10,2)", "10.25"),
    case("decimal(10,2)", decimal(10, 2), "-10.25", "decimal(10,2)", "-10.25"),
    case("decimal(10,2)", decimal(10, 2), "-5", "decimal(10,2)", "-5.00"),
    case("decimal(10,2)", decimal(10, 2), "1025", "decimal(10,2)", "1025.00"),
    case("decimal(10,2)", decimal(10, 2), '"2025"', "decimal(10,2)", "-24049.35"),
    case("decimal(38,10)", decimal(38, 10), "1234567890123456.7", "decimal(38,10)", None),
    case("decimal(38,10)", decimal(38, 10), "12345678901234567890123456789012345678.0", "decimal(38,10)", None),
    case("decimal(10,2)", decimal(10, 2), '""', "decimal(10,2)", None),
    case("decimal(10,2)", decimal(10, 2), '"no base64!"', "decimal(10,2)", None),
    *(
        case(about, "double", "10.25", "double", "10.25", decimal_handling_mode="double")
        for about in ("decimal(10,2)", "numeric(38,10)", "money", "smallmoney")
    ),
    *(
        case(about, "string", quoted("-10.250"), "string", "-10.250", decimal_handling_mode="string")
        for about in ("decimal(10,2)", "numeric(38,10)", "money", "smallmoney")
    ),
    *(
        case(about, "string", quoted(text), "string", text)
        for about, text in [
            ("char(4)", "ab  "),
            ("varchar(100)", "vcč"),
            ("varchar(max)", ""),
            ("text", "t"),
            ("nchar(2)", "ß "),
            ("nvarchar(100)", 'quote " and \\'),
            ("nvarchar(max)", "null"),
            ("ntext", "😀"),
            ("uniqueidentifier", "6F9619FF-8B86-D011-B42D-00C04FC964FF"),
        ]
    ),
    case("xml", "string d.Xml", quoted("<a>b</a>"), "string", "<a>b</a>"),
    *(
        case(about, encoding, value, "binary", "FBFF01", **options)
        for about in ("binary(3)", "varbinary(100)", "varbinary(max)", "image", "rowversion", "timestamp")
        for encoding, value, options in [
            ("bytes", '"+/8B"', {}),
            ("string binary=base64", '"+/8B"', {"binary_handling_mode": "base64"}),
            ("string binary=base64-url-safe", '"-_8B"', {"binary_handling_mode": "base64-url-safe"}),
            ("string binary=hex", '"fbff01"', {"binary_handling_mode": "hex"}),
        ]
    ),
    case("varbinary(9)", "bytes", '""', "binary", ""),
    case("varbinary(9)", "bytes", '"no base64!"', "binary", None),
    case("varbinary(9)", "string binary=hex", '"fbf"', "binary", None, binary_handling_mode="hex"),
    case("varbinary(9)", "string binary=hex", '"zz"', "binary", None, binary_handling_mode="hex"),
    *(case("date", *row, time_precision_mode=mode) for mode, row in dates("2018-07-13")),
    *(case("date", *row, time_precision_mode=mode) for mode, row in dates("0001-01-01")),
    *(case("date", *row, time_precision_mode=mode) for mode, row in dates("9999-12-31")),
    case("date", "int32 t.Date", "-1", "date", "1969-12-31"),
    case("date", "int32 t.Date", "-2147472692", "date", None),
    case("date", "string t.IsoDate", '"soon"', "date", None, time_precision_mode="isostring"),
    *(
        case(f"time({digits})", *row, time_precision_mode=mode)
        for digits, nanoseconds in [(0, 37425 * 10**9), (2, 37425680000000), (3, 48690123000000),
                                    (4, 37425678900000), (6, 86399999999000), (7, 37425678901200)]
        for mode, row in times(digits, nanoseconds)
    ),
    *(case("time", *row, time_precision_mode=mode) for mode, row in times(7, 17105789123400)),
    *(
        case(about, encoding, value, "string", shown)
        for about, encoding, value, shown in [
            ("time(7)", "int64 t.NanoTime digits=7", "37425678901200", "10:23:45.6789012"),
            ("time(4)", "int64 t.MicroTime digits=4", "37425678900", "10:23:45.6789"),
            ("time(0)", "int32 t.Time digits=0", "37425000", "10:23:45"),
            # narrowed since: nothing is cut that is not zero
            ("time(0)", "int32 t.Time digits=0", "37425680", "10:23:45.68"),
        ]
    ),
    *(
        case(f"datetime2({digits})", *row, time_precision_mode=mode)
        for digits, nanoseconds in [(0, 0), (3, 945000000), (6, 945104000), (7, 945104700)]
        for mode, row in timestamps(digits, "2018-06-20T15:13:16", nanoseconds, is_cut=True)
    ),
    *(
        case("datetime2", *row, time_precision_mode=mode)
        for mode, row in timestamps(7, "1969-12-31T23:59:59", 999999900, is_cut=True)
    ),
    *(
        case("datetime", *row, time_precision_mode=mode)
        for mode, row in timestamps(3, "2018-07-13T13:23:45", 783000000, is_cut=True)
    ),
    *(
        case("smalldatetime", *row, time_precision_mode=mode)
        for mode, row in timestamps(0, "2018-07-13T14:24:00", 0, is_cut=True)
    ),
    # moments that 64 bits of nanoseconds do not hold: older connectors let them wrap (spec §11.4)
    *(
        case("datetime2(7)", "int64 t.NanoTimestamp", str((total + 2**63) % 2**64 - 2**63),
             "timestamp_ntz", shown, beside)
        for iso, fraction in [
            ("9999-12-31T23:59:59", 999999900), ("0001-01-01T00:00:00", 0), ("2262-04-22T00:00:00", 100),
            ("1677-09-10T00:00:00", 0), ("1066-10-14T09:00:00", 1234500), ("2500-01-01T00:00:00", 999999900),
        ]
        for total in [seconds_of(iso) * 10**9 + fraction]
        for shown, beside in [(moment(iso, fraction), f"{iso}.{fraction:09d}")]
    ),
    case("datetime2(7)", "int64 t.NanoTimestamp", "-1", "timestamp_ntz",
         "1969-12-31 23:59:59.999999", "1969-12-31T23:59:59.999999999"),
    case("datetime2(3)", "int64 t.Timestamp", "9223372036854775807", "timestamp_ntz", None),
    # unreadable, and beside it stands what was sent
    replace(
        case("datetimeoffset", ZONED, '"not a moment"', "timestamp", None, "not a moment"), is_unread=True
    ),
    *(
        case(about, ZONED, quoted(text), "timestamp", shown, text)
        for about, text, shown in [
            ("datetimeoffset(3)", "2018-07-13T12:23:45.456+11:00", "2018-07-13 01:23:45.456"),
            ("datetimeoffset(7)", "2018-07-13T12:23:45.1234567-03:30", "2018-07-13 15:53:45.123456"),
            ("datetimeoffset", "9999-12-31T23:59:59.9999999Z", "9999-12-31 23:59:59.999999"),
            ("datetimeoffset", "0001-01-01T00:00:00+14:00", "0000-12-31 10:00:00"),
        ]
    ),
]  # fmt: skip
