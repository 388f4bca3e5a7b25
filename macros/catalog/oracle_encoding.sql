{#-
    How Oracle's connector encodes a column that only the schema-change topic describes (spec §10.4).

    `oracle_encoding(column, config)`: as `sqlserver_encoding`: `column` is a SQL expression, one member of
    `tableChanges[].table.columns`; renders struct<type, name, parameters, database_type>, with a null type for types that the
    connector leaves out.

    A NUMBER without a scale carries one in each value. Numbers without digits behind the point follow
    `decimal.handling.mode` since Debezium 2.7; before, and with `legacy.decimal.handling.strategy`, those of up to 18 digits stay
    integers, which the same columns read as well.
-#}
{%- macro oracle_encoding(column, config) -%}
    {{- return(adapter.dispatch('oracle_encoding', 'debezium_spark')(column, config)) -}}
{%- endmacro -%}


{%- macro default__oracle_encoding(column, config) -%}
    {{- return(debezium_spark._encoding_expression(column, debezium_spark._oracle_types(config))) -}}
{%- endmacro -%}


{%- macro _oracle_types(config) -%}
    {%- set decimal = debezium_spark._decimal_encoding_of(config) -%}
    {%- set variable = {'type': 'struct', 'name': 'io.debezium.data.VariableScaleDecimal'} -%}
    {%- set is_precise = config['decimal_handling_mode'] == 'precise' -%}
    {%- set binary = debezium_spark._binary_encoding_of(config) -%}
    {%- set interval = debezium_spark._interval_encoding_of(config) -%}
    {%- set temporal = debezium_spark._temporal_encoding(config['time_precision_mode']) -%}
    {%- set width = '{c}.length - {c}.scale' -%}
    {%- set whole = [] -%}
    {%- for most, type in [[2, 'int8'], [4, 'int16'], [9, 'int32'], [18, 'int64']] if is_precise -%}
        {%- do whole.append({
            'if': '{c}.scale <= 0 and {c}.length > 0 and ' ~ width ~ ' <= ' ~ most, 'as': {'type': type},
            'says': 'up to ' ~ most ~ ' digits, none behind the point',
        }) -%}
    {%- endfor -%}
    {%- set number = [
        {'if': '{c}.scale is null', 'says': 'without a scale', 'as': variable if is_precise else decimal},
    ] + whole + [{'if': none, 'says': 'else', 'as': decimal, 'numbers': ['if({c}.length > 0, {c}.length, 38)', '{c}.scale']}] -%}
    {#- `TIMESTAMP(6) WITH TIME ZONE`, `INTERVAL DAY (2) TO SECOND (6)`: without the numbers -#}
    {#- the name tells the digits, the length repeats them -#}
    {{- return({
        'word': "trim(regexp_replace(regexp_replace(upper({c}.typeName), '\\\\([^)]*\\\\)', ' '), '\\\\s+', ' '))",
        'digits': (
            "coalesce(try_cast(nullif(regexp_extract({c}.typeName, '^TIMESTAMP\\\\s*\\\\(([0-9]+)\\\\)', 1), '') as int),"
            ~ ' {c}.length, 6)'
        ),
        'types': [
            {'types': ['CHAR', 'NCHAR', 'VARCHAR', 'VARCHAR2', 'NVARCHAR2', 'CHARACTER', 'CHARACTER VARYING', 'CHAR VARYING',
             'NCHAR VARYING', 'NATIONAL CHARACTER', 'NATIONAL CHARACTER VARYING'],
             'as': {'type': 'string'}, 'shown': 'size'},
            {'types': ['CLOB', 'NCLOB', 'ROWID'], 'as': {'type': 'string'}},
            {'types': ['NUMBER'], 'cases': number, 'shown': 'size'},
            {'types': ['INTEGER', 'INT', 'SMALLINT'], 'as': decimal, 'numbers': ['38', '0']},
            {'types': ['DECIMAL', 'DEC', 'NUMERIC'], 'shown': 'size', 'cases': [
                {'if': '{c}.scale is null or coalesce({c}.length, 0) = 0', 'says': 'without a scale', 'as': decimal,
                 'numbers': ['if({c}.length > 0, {c}.length, 38)', '0']},
            ] + whole + [{'if': none, 'says': 'else', 'as': decimal}]},
            {'types': ['FLOAT', 'REAL', 'DOUBLE PRECISION'], 'as': variable if is_precise else decimal, 'shown': 'size'},
            {'types': ['BINARY_FLOAT'], 'as': {'type': 'float'}, 'jdbc': [100]},
            {'types': ['BINARY_DOUBLE'], 'as': {'type': 'double'}, 'jdbc': [101]},
            {'types': ['DATE'], 'as': temporal['timestamp'][0][1]},
            {'types': ['TIMESTAMP'], 'by_digits': temporal['timestamp'], 'shown': 'size'},
            {'types': ['TIMESTAMP WITH TIME ZONE', 'TIMESTAMP WITH LOCAL TIME ZONE'], 'jdbc': [-101, -102],
             'as': {'type': 'string', 'name': 'io.debezium.time.ZonedTimestamp'}},
            {'types': ['INTERVAL YEAR TO MONTH', 'INTERVAL DAY TO SECOND'], 'as': interval, 'jdbc': [-103, -104]},
            {'types': ['RAW'], 'as': binary, 'shown': 'size'},
            {'types': ['BLOB'], 'as': binary},
            {'types': ['XMLTYPE', 'SYS.XMLTYPE'], 'as': {'type': 'string', 'name': 'io.debezium.data.Xml'}, 'jdbc': [2009]},
        ],
    }) -}}
{%- endmacro -%}
