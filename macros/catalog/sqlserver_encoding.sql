{#-
    How SQL Server's connector encodes a column that only the schema-change topic describes (spec §10.2).

    `sqlserver_encoding(column, config)`: `column` is a SQL expression, one member of `tableChanges[].table.columns`
    (struct<name, jdbcType, typeName, typeExpression, length, scale, …>), `config` the source's configuration. Renders a SQL
    expression of type struct<type, name, parameters, database_type>: the Connect literal type, semantic name,
    schema parameters and the database type as people write it; a null type for a type that the connector leaves out.
    `_encoding_expression` says what the entries of the table mean; docs/types.md is made of the same table.
-#}
{%- macro sqlserver_encoding(column, config) -%}
    {{- return(adapter.dispatch('sqlserver_encoding', 'debezium_spark')(column, config)) -}}
{%- endmacro -%}


{%- macro default__sqlserver_encoding(column, config) -%}
    {{- return(debezium_spark._encoding_expression(column, debezium_spark._sqlserver_types(config))) -}}
{%- endmacro -%}


{%- macro _sqlserver_types(config) -%}
    {%- set decimal = debezium_spark._decimal_encoding_of(config) -%}
    {%- set binary = debezium_spark._binary_encoding_of(config) -%}
    {%- set temporal = debezium_spark._temporal_encoding(config['time_precision_mode']) -%}
    {#- identity columns read `int identity`, and a computed one `decimal() identity` -#}
    {#- alias types carry a name of their own: their JDBC code still tells the base type, but not that of these -#}
    {{- return({
        'word': "regexp_extract(lower({c}.typeName), '^\\\\s*([a-z0-9_]+)', 1)",
        'digits': 'coalesce({c}.scale, 7)',
        'unencoded': ['geometry', 'geography', 'hierarchyid', 'sql_variant', 'vector', 'json'],
        'types': [
            {'types': ['bit'], 'as': {'type': 'boolean'}, 'jdbc': [-7]},
            {'types': ['tinyint', 'smallint'], 'as': {'type': 'int16'}, 'jdbc': [-6, 5]},
            {'types': ['int'], 'as': {'type': 'int32'}, 'jdbc': [4]},
            {'types': ['bigint'], 'as': {'type': 'int64'}, 'jdbc': [-5]},
            {'types': ['real'], 'as': {'type': 'float'}, 'jdbc': [7]},
            {'types': ['float'], 'as': {'type': 'double'}, 'jdbc': [6, 8]},
            {'types': ['decimal', 'numeric'], 'as': decimal, 'jdbc': [2, 3], 'shown': 'precision'},
            {'types': ['money'], 'as': decimal, 'jdbc': [-148], 'numbers': ['19', '4']},
            {'types': ['smallmoney'], 'as': decimal, 'jdbc': [-146], 'numbers': ['10', '4']},
            {'types': ['char', 'varchar', 'nchar', 'nvarchar'], 'as': {'type': 'string'},
             'jdbc': [1, 12, -15, -9, -1, -16], 'shown': 'length'},
            {'types': ['text', 'ntext', 'uniqueidentifier', 'sysname'], 'as': {'type': 'string'}},
            {'types': ['xml'], 'as': {'type': 'string', 'name': 'io.debezium.data.Xml'}, 'jdbc': [2009]},
            {'types': ['binary', 'varbinary'], 'as': binary, 'jdbc': [-2, -3, -4], 'shown': 'length'},
            {'types': ['image', 'timestamp', 'rowversion'], 'as': binary},
            {'types': ['date'], 'as': temporal['date'], 'jdbc': [91]},
            {'types': ['time'], 'by_digits': temporal['time'], 'jdbc': [92], 'shown': 'digits'},
            {'types': ['datetime2'], 'by_digits': temporal['timestamp'], 'shown': 'digits'},
            {'types': ['datetime', 'smalldatetime'], 'as': temporal['timestamp'][0][1], 'jdbc': [93]},
            {'types': ['datetimeoffset'], 'shown': 'digits', 'jdbc': [-155, 2014],
             'as': {'type': 'string', 'name': 'io.debezium.time.ZonedTimestamp'}},
        ],
    }) -}}
{%- endmacro -%}
