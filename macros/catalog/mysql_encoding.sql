{#-
    How MySQL's and MariaDB's connectors encode a column that only the schema-change topic describes (spec §10.5).

    `mysql_encoding(column, config)` and `mariadb_encoding(column, config)`: as `sqlserver_encoding`: `column` is a SQL
    expression, one member of `tableChanges[].table.columns`; renders struct<type, name, parameters, database_type>, with a null
    type for types that the connector leaves out.

    `bigint unsigned` in mode `long` is marked: its schema does not tell it from a signed one, and numbers over 2^63 - 1 arrive
    negative.
-#}
{%- macro mysql_encoding(column, config) -%}
    {{- return(adapter.dispatch('mysql_encoding', 'debezium_spark')(column, config)) -}}
{%- endmacro -%}


{%- macro default__mysql_encoding(column, config) -%}
    {{- return(debezium_spark._encoding_expression(column, debezium_spark._mysql_types(config))) -}}
{%- endmacro -%}


{%- macro mariadb_encoding(column, config) -%}
    {{- return(adapter.dispatch('mariadb_encoding', 'debezium_spark')(column, config)) -}}
{%- endmacro -%}


{%- macro default__mariadb_encoding(column, config) -%}
    {{- return(debezium_spark.mysql_encoding(column, config)) -}}
{%- endmacro -%}


{%- macro _mysql_types(config) -%}
    {%- set decimal = debezium_spark._decimal_encoding_of(config) -%}
    {%- set binary = debezium_spark._binary_encoding_of(config) -%}
    {%- set temporal = debezium_spark._temporal_encoding(config['time_precision_mode']) -%}
    {%- set geometry = {'type': 'struct', 'name': 'io.debezium.data.geometry.Geometry'} -%}
    {%- set unsigned = {'where': "upper({c}.typeName) like '%UNSIGNED%' or upper({c}.typeName) like '%ZEROFILL%'", 'says': 'unsigned'} -%}
    {%- set big_unsigned = {
        'long': {'type': 'int64', 'parameters': {'unsigned': 'true'}},
        'precise': {'type': 'bytes', 'name': 'org.apache.kafka.connect.data.Decimal'},
    }[config['bigint_unsigned_handling_mode']] -%}
    {%- set size = {'shown': 'size'} -%}
    {#- `BIGINT UNSIGNED ZEROFILL`, `DOUBLE PRECISION`: the first word is enough -#}
    {{- return({
        'word': "regexp_extract(lower({c}.typeName), '^\\\\s*([a-z0-9_]+)', 1)",
        'digits': 'coalesce({c}.length, 0)',
        'types': [
            {'types': ['bool', 'boolean'], 'as': {'type': 'boolean'}},
            {'types': ['tinyint'], 'cases': [
                {'if': '{c}.jdbcType = 16', 'says': 'a BOOLEAN of streamed DDL', 'as': {'type': 'boolean'}},
                {'if': none, 'says': 'else', 'as': {'type': 'int16'}},
            ]},
            dict({'types': ['smallint', 'int2'], 'as': {'type': 'int32'}}, **unsigned),
            {'types': ['smallint', 'int1', 'int2'], 'as': {'type': 'int16'}},
            dict({'types': ['int', 'integer', 'int4'], 'as': {'type': 'int64'}}, **unsigned),
            {'types': ['mediumint', 'middleint', 'int3', 'int', 'integer', 'int4'], 'as': {'type': 'int32'}},
            dict({'types': ['bigint', 'int8'], 'as': big_unsigned, 'numbers': ['20', '0']}, **unsigned),
            {'types': ['serial'], 'as': big_unsigned, 'numbers': ['20', '0']},
            {'types': ['bigint', 'int8'], 'as': {'type': 'int64'}},
            dict({'types': ['decimal', 'numeric', 'dec', 'fixed'], 'as': decimal,
             'numbers': ['coalesce({c}.length, 10)', '{c}.scale']}, **size),
            {'types': ['float'], 'cases': [
                {'if': '{c}.scale is not null or {c}.length > 24', 'says': '(M,D) or over 24 bits', 'as': {'type': 'double'}},
                {'if': none, 'says': 'else', 'as': {'type': 'float'}},
            ]},
            {'types': ['real', 'float4'], 'as': {'type': 'float'}},
            {'types': ['double', 'float8'], 'as': {'type': 'double'}},
            {'types': ['bit'], 'shown': 'size', 'cases': [
                {'if': 'coalesce({c}.length, 1) = 1', 'says': 'one bit', 'as': {'type': 'boolean'}},
                {'if': none, 'says': 'more bits',
                 'as': {'type': 'bytes', 'name': 'io.debezium.data.Bits', 'parameters': {'length': '{c}.length'}}},
            ]},
            dict({'types': ['char', 'varchar', 'nchar', 'nvarchar', 'character', 'national'], 'as': {'type': 'string'}}, **size),
            {'types': ['tinytext', 'text', 'mediumtext', 'longtext', 'long'], 'as': {'type': 'string'}},
            dict({'types': ['binary', 'varbinary'], 'as': binary}, **size),
            {'types': ['tinyblob', 'blob', 'mediumblob', 'longblob'], 'as': binary},
            {'types': ['json'], 'as': {'type': 'string', 'name': 'io.debezium.data.Json'}},
            {'types': ['enum'], 'as': {'type': 'string', 'name': 'io.debezium.data.Enum'}},
            {'types': ['set'], 'as': {'type': 'string', 'name': 'io.debezium.data.EnumSet'}},
            {'types': ['year'], 'as': {'type': 'int32', 'name': 'io.debezium.time.Year'}},
            {'types': ['date'], 'as': temporal['date']},
            dict({'types': ['time'], 'by_digits': temporal['time']}, **size),
            dict({'types': ['datetime'], 'by_digits': temporal['timestamp']}, **size),
            dict({'types': ['timestamp'], 'as': {'type': 'string', 'name': 'io.debezium.time.ZonedTimestamp'}}, **size),
            {'types': ['point'], 'as': {'type': 'struct', 'name': 'io.debezium.data.geometry.Point'}},
            {'types': ['geometry', 'linestring', 'polygon', 'multipoint', 'multilinestring', 'multipolygon',
             'geometrycollection', 'geomcollection'], 'as': geometry},
            {'types': ['vector'], 'as': {'type': 'array', 'name': 'io.debezium.data.FloatVector'}},
        ],
    }) -}}
{%- endmacro -%}
