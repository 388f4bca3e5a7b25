{#-
    How the values of one column are written in JSON, and what they become.

    `column` is a column of a table as the catalog describes it: `name`, `type` (Connect literal type), `semantic` (schema
    name), `parameters`, for arrays `items`, for structs `fields`. Returns a dictionary:

    * `kind`: which decoder reads it (macros/decode/decode.sql),
    * `spark_type`: type of the decoded value,
    * `digits`: digits of the fraction, for times of day,
    * `exact_text`: whether the Spark type cannot hold every value exactly, so that a companion column keeps its text.

    An unknown semantic name never fails: the literal type decides. The rules are those of spec §11.2.
-#}
{%- macro encoding(source, column) -%}
    {%- set parameters = column.get('parameters') or {} -%}
    {%- set by_semantic = {
        'io.debezium.time.Date': {'kind': 'days', 'spark_type': 'date'},
        'org.apache.kafka.connect.data.Date': {'kind': 'days', 'spark_type': 'date'},
        'io.debezium.time.IsoDate': {'kind': 'iso_date', 'spark_type': 'date'},
        'io.debezium.time.Time': {'kind': 'time_of_day', 'unit': 3, 'spark_type': 'string'},
        'org.apache.kafka.connect.data.Time': {'kind': 'time_of_day', 'unit': 3, 'spark_type': 'string'},
        'io.debezium.time.MicroTime': {'kind': 'time_of_day', 'unit': 6, 'spark_type': 'string'},
        'io.debezium.time.NanoTime': {'kind': 'time_of_day', 'unit': 9, 'spark_type': 'string'},
        'io.debezium.time.IsoTime': {'kind': 'iso_time', 'spark_type': 'string'},
        'io.debezium.time.ZonedTime': {'kind': 'string', 'spark_type': 'string'},
        'io.debezium.time.Timestamp': {'kind': 'epoch', 'unit': 3, 'spark_type': 'timestamp_ntz'},
        'org.apache.kafka.connect.data.Timestamp': {'kind': 'epoch', 'unit': 3, 'spark_type': 'timestamp_ntz'},
        'io.debezium.time.MicroTimestamp': {'kind': 'epoch', 'unit': 6, 'spark_type': 'timestamp_ntz'},
        'io.debezium.time.NanoTimestamp': {'kind': 'epoch', 'unit': 9, 'spark_type': 'timestamp_ntz', 'exact_text': true},
        'io.debezium.time.IsoTimestamp': {'kind': 'iso_timestamp', 'spark_type': 'timestamp_ntz'},
        'io.debezium.time.ZonedTimestamp': {
            'kind': 'zoned_timestamp',
            'spark_type': 'timestamp',
            'exact_text': source.get('connector') in ('sqlserver', 'oracle'),
        },
        'io.debezium.time.Interval': {'kind': 'string', 'spark_type': 'string'},
        'io.debezium.data.VariableScaleDecimal': {'kind': 'variable_scale_decimal', 'spark_type': 'string'},
        'io.debezium.data.Bits': {'kind': 'bits', 'spark_type': 'string'},
        'io.debezium.data.geometry.Point': {
            'kind': 'json', 'spark_type': 'struct<x:double,y:double,wkb:binary,srid:int>',
        },
        'io.debezium.data.geometry.Geometry': {'kind': 'json', 'spark_type': 'struct<wkb:binary,srid:int>'},
        'io.debezium.data.geometry.Geography': {'kind': 'json', 'spark_type': 'struct<wkb:binary,srid:int>'},
        'io.debezium.data.DoubleVector': {'kind': 'json', 'spark_type': 'array<double>'},
        'io.debezium.data.FloatVector': {'kind': 'json', 'spark_type': 'array<float>'},
        'io.debezium.data.SparseDoubleVector': {
            'kind': 'sparse_vector', 'spark_type': 'struct<dimensions:int,vector:map<int,double>>',
        },
    } -%}
    {#- Iceberg has no integers of 8 or 16 bits: INT gives every table format the same columns -#}
    {%- set by_type = {
        'int8': {'kind': 'number', 'spark_type': 'int'},
        'int16': {'kind': 'number', 'spark_type': 'int'},
        'int32': {'kind': 'number', 'spark_type': 'int'},
        'int64': {'kind': 'number', 'spark_type': 'bigint'},
        'float': {'kind': 'number', 'spark_type': 'float'},
        'float32': {'kind': 'number', 'spark_type': 'float'},
        'double': {'kind': 'number', 'spark_type': 'double'},
        'float64': {'kind': 'number', 'spark_type': 'double'},
        'boolean': {'kind': 'boolean', 'spark_type': 'boolean'},
        'string': {'kind': 'string', 'spark_type': 'string'},
        'bytes': {'kind': 'base64', 'spark_type': 'binary'},
        'map': {'kind': 'json', 'spark_type': 'map<string,string>'},
        'struct': {'kind': 'string', 'spark_type': 'string'},
    } -%}
    {%- set semantic = column.get('semantic') -%}
    {%- if semantic == 'org.apache.kafka.connect.data.Decimal' -%}
        {{- return(debezium_spark.decimal_encoding(parameters)) -}}
    {%- elif semantic in by_semantic -%}
        {{- return(by_semantic[semantic]) -}}
    {%- elif column.type == 'array' -%}
        {%- set items = column.get('items') or {'type': 'string'} -%}
        {{- return({'kind': 'array', 'spark_type': 'array<' ~ debezium_spark.encoding(source, items).spark_type ~ '>'}) -}}
    {%- elif column.type in by_type -%}
        {{- return(by_type[column.type]) -}}
    {%- endif -%}
    {%- do debezium_spark._fail(
        'encoding',
        "column '" ~ column.get('name') ~ "' has the unknown Connect type '" ~ column.get('type') ~ "'",
        'Use one of ' ~ ((by_type.keys() | list) + ['array']) | join(', ') ~ ' (spec of the Connect schema: type).',
    ) -%}
{%- endmacro -%}
