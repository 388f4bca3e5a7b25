"""The table of all types of Debezium and Kafka Connect, with their encodings (spec §11.2).

`encoding` and the page docs/types.md use it. A value with an unknown semantic name is decoded by
its literal type.
"""

from __future__ import annotations

from dbt_debezium_spark.decode.columns import Encoding

DECIMAL = "org.apache.kafka.connect.data.Decimal"
JSON = "io.debezium.data.Json"
UUID = "io.debezium.data.Uuid"

SEMANTIC_TYPES: dict[str, Encoding] = {
    DECIMAL: {
        "literal": "bytes",
        "kind": "decimal",
        "spark_type": "decimal(p,s)",
        "about": "Exact, from base64 bytes or a JSON number. STRING with the exact number where p"
        " is over 38",
    },
    "io.debezium.data.VariableScaleDecimal": {
        "literal": "struct",
        "kind": "variable_scale_decimal",
        "spark_type": "string",
        "about": "The exact number as text, of up to 9,864 digits: no DECIMAL(p,s) holds every"
        " value",
    },
    "io.debezium.time.Date": {
        "literal": "int32",
        "kind": "days",
        "spark_type": "date",
        "about": "Years before 1 and beyond 9999 too. An infinite date of PostgreSQL is NULL, its"
        " number in the companion",
    },
    "org.apache.kafka.connect.data.Date": {
        "literal": "int32",
        "kind": "days",
        "spark_type": "date",
        "about": "As io.debezium.time.Date",
    },
    "io.debezium.time.IsoDate": {
        "literal": "string",
        "kind": "iso_date",
        "spark_type": "date",
        "about": "Without its Z",
    },
    "io.debezium.time.Time": {
        "literal": "int32",
        "kind": "time_of_day",
        "unit": 3,
        "spark_type": "string",
        "about": "`HH:MM:SS.sss`, or the digits of the column where its database type is known",
    },
    "org.apache.kafka.connect.data.Time": {
        "literal": "int32",
        "kind": "time_of_day",
        "unit": 3,
        "spark_type": "string",
        "about": "As io.debezium.time.Time",
    },
    "io.debezium.time.MicroTime": {
        "literal": "int64",
        "kind": "time_of_day",
        "unit": 6,
        "spark_type": "string",
        "about": "Six digits, else as io.debezium.time.Time; `24:00:00`, more hours and a sign are"
        " kept",
    },
    "io.debezium.time.NanoTime": {
        "literal": "int64",
        "kind": "time_of_day",
        "unit": 9,
        "spark_type": "string",
        "about": "Nine digits, else as io.debezium.time.Time",
    },
    "io.debezium.time.IsoTime": {
        "literal": "string",
        "kind": "iso_time",
        "spark_type": "string",
        "about": "The text without its Z",
    },
    "io.debezium.time.ZonedTime": {
        "literal": "string",
        "kind": "string",
        "spark_type": "string",
        "about": "The text with its offset",
    },
    "io.debezium.time.Timestamp": {
        "literal": "int64",
        "kind": "epoch",
        "unit": 3,
        "spark_type": "timestamp_ntz",
        "about": "Milliseconds, as wall-clock time",
    },
    "org.apache.kafka.connect.data.Timestamp": {
        "literal": "int64",
        "kind": "epoch",
        "unit": 3,
        "spark_type": "timestamp_ntz",
        "about": "As io.debezium.time.Timestamp",
    },
    "io.debezium.time.MicroTimestamp": {
        "literal": "int64",
        "kind": "epoch",
        "unit": 6,
        "spark_type": "timestamp_ntz",
        "about": "Microseconds, as wall-clock time; infinite ones of PostgreSQL are the instants"
        " Debezium sends for them",
    },
    "io.debezium.time.NanoTimestamp": {
        "literal": "int64",
        "kind": "epoch",
        "unit": 9,
        "spark_type": "timestamp_ntz",
        "exact_text": "always",
        "about": "Cut, not rounded, to microseconds; all nine digits in the companion. Of SQL"
        " Server also moments outside 1677 to 2262, which arrive wrapped around 64 bits",
    },
    "io.debezium.time.IsoTimestamp": {
        "literal": "string",
        "kind": "iso_timestamp",
        "spark_type": "timestamp_ntz",
        "about": "Without its Z; of SQL Server and Oracle the companion keeps texts with more than"
        " six digits",
    },
    "io.debezium.time.ZonedTimestamp": {
        "literal": "string",
        "kind": "zoned_timestamp",
        "spark_type": "timestamp",
        "about": "The instant. Of SQL Server and Oracle the companion keeps the text: its offset"
        " and nanoseconds. `infinity` is the instant Debezium sends for infinite timestamps without"
        " a zone",
    },
    "io.debezium.time.Year": {
        "literal": "int32",
        "kind": "number",
        "spark_type": "int",
        "about": "",
    },
    "io.debezium.time.MicroDuration": {
        "literal": "int64",
        "kind": "number",
        "spark_type": "bigint",
        "about": "Microseconds; Debezium counts a month as 30.4375 days",
    },
    "io.debezium.time.NanoDuration": {
        "literal": "int64",
        "kind": "number",
        "spark_type": "bigint",
        "about": "Nanoseconds, likewise",
    },
    "io.debezium.time.Interval": {
        "literal": "string",
        "kind": "string",
        "spark_type": "string",
        "about": "ISO 8601 text, parts may be negative",
    },
    "io.debezium.data.Bits": {
        "literal": "bytes",
        "kind": "bits",
        "spark_type": "string",
        "about": "`0` and `1`, as long as the column; without a length the leading zeros, which the"
        " record lacks, are not there",
    },
    JSON: {"literal": "string", "kind": "string", "spark_type": "string", "about": "The text"},
    "io.debezium.data.Xml": {
        "literal": "string",
        "kind": "string",
        "spark_type": "string",
        "about": "The text",
    },
    UUID: {"literal": "string", "kind": "string", "spark_type": "string", "about": "The text"},
    "io.debezium.data.Ltree": {
        "literal": "string",
        "kind": "string",
        "spark_type": "string",
        "about": "The text",
    },
    "io.debezium.data.Tsvector": {
        "literal": "string",
        "kind": "string",
        "spark_type": "string",
        "about": "The text",
    },
    "io.debezium.data.Enum": {
        "literal": "string",
        "kind": "string",
        "spark_type": "string",
        "about": "The label",
    },
    "io.debezium.data.EnumSet": {
        "literal": "string",
        "kind": "string",
        "spark_type": "string",
        "about": "Labels with commas between; an empty text is the empty set",
    },
    "io.debezium.data.geometry.Point": {
        "literal": "struct",
        "kind": "struct",
        "spark_type": "struct<x:double,y:double,wkb:binary,srid:int>",
        "about": "",
    },
    "io.debezium.data.geometry.Geometry": {
        "literal": "struct",
        "kind": "struct",
        "spark_type": "struct<wkb:binary,srid:int>",
        "about": "",
    },
    "io.debezium.data.geometry.Geography": {
        "literal": "struct",
        "kind": "struct",
        "spark_type": "struct<wkb:binary,srid:int>",
        "about": "",
    },
    "io.debezium.data.DoubleVector": {
        "literal": "array",
        "kind": "vector",
        "spark_type": "array<double>",
        "about": "",
    },
    "io.debezium.data.FloatVector": {
        "literal": "array",
        "kind": "vector",
        "spark_type": "array<float>",
        "about": "",
    },
    "io.debezium.data.SparseDoubleVector": {
        "literal": "struct",
        "kind": "sparse_vector",
        "spark_type": "struct<dimensions:int,vector:map<int,double>>",
        "about": "",
    },
}

# Encodings of literal types without a known semantic type. Iceberg has no integers of 8 or 16 bits,
# so INT gives every table format the same columns.
LITERAL_TYPES: dict[str, Encoding] = {
    "int8": {"kind": "number", "spark_type": "int", "about": ""},
    "int16": {
        "kind": "number",
        "spark_type": "int",
        "about": "Also `true` and `false`, which MySQL sends for one column",
    },
    "int32": {"kind": "number", "spark_type": "int", "about": ""},
    "int64": {
        "kind": "number",
        "spark_type": "bigint",
        "about": "DECIMAL(20,0) for a `bigint unsigned` that is known as one, negative numbers read"
        " as what they stand for",
    },
    "float": {"kind": "number", "spark_type": "float", "about": "`NaN` and infinities too"},
    "float32": {"kind": "number", "spark_type": "float", "about": "As float"},
    "double": {"kind": "number", "spark_type": "double", "about": "`NaN` and infinities too"},
    "float64": {"kind": "number", "spark_type": "double", "about": "As double"},
    "boolean": {
        "kind": "boolean",
        "spark_type": "boolean",
        "about": "Also 0 and 1, quoted or not",
    },
    "string": {
        "kind": "string",
        "spark_type": "string",
        "about": "BINARY for a binary column in a text mode that is known as one",
    },
    "bytes": {"kind": "base64", "spark_type": "binary", "about": ""},
    "map": {
        "kind": "map",
        "spark_type": "map<string,string>",
        "about": "Keys that are no texts arrive as pairs",
    },
    "struct": {"kind": "string", "spark_type": "string", "about": "JSON text"},
    "array": {
        "kind": "array",
        "spark_type": "array<…>",
        "about": "Elements by these rules; also arrays of arrays",
    },
}
