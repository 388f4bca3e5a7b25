{#-
    How SQL Server's connector encodes a column that only the schema-change topic describes.

    Returns a SQL expression over one column definition: struct<type, name, parameters, database_type>,
    the Connect literal type, semantic name, schema parameters and the database type as people write it.
    All of it is in the table below; what the topic cannot tell (the handling modes) is configuration.
    A type that is not in the table gives a null type: the column stays unknown until configured.
-#}
{%- macro sqlserver_encoding(column, config) -%}
    {{- return(adapter.dispatch('sqlserver_encoding', 'debezium_spark')(column, config)) -}}
{%- endmacro -%}


{%- macro default__sqlserver_encoding(column, config) -%}
    {%- set decimal = {
        'precise': {'type': 'bytes', 'name': 'org.apache.kafka.connect.data.Decimal'},
        'double': {'type': 'double'},
        'string': {'type': 'string'},
    }[config['decimal_handling_mode']] -%}
    {%- set binary = {'type': 'bytes' if config['binary_handling_mode'] == 'bytes' else 'string'} -%}
    {%- set temporal = debezium_spark._temporal_encoding(config['time_precision_mode']) -%}
    {#- `numbers`: where precision and scale stand; `shown`: what follows the name in the DDL -#}
    {%- set catalogue = [
        {'types': ['bit'], 'as': {'type': 'boolean'}, 'jdbc': [-7]},
        {'types': ['tinyint', 'smallint'], 'as': {'type': 'int16'}, 'jdbc': [-6, 5]},
        {'types': ['int'], 'as': {'type': 'int32'}, 'jdbc': [4]},
        {'types': ['bigint'], 'as': {'type': 'int64'}, 'jdbc': [-5]},
        {'types': ['real'], 'as': {'type': 'float'}, 'jdbc': [7]},
        {'types': ['float'], 'as': {'type': 'double'}, 'jdbc': [6, 8]},
        {'types': ['decimal', 'numeric'], 'as': decimal, 'jdbc': [2, 3],
         'numbers': ['length', 'scale'], 'shown': 'precision'},
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
    ] -%}
    {#- identity columns read `int identity`, and a computed one `decimal() identity` -#}
    {%- set type_word = "regexp_extract(lower(" ~ column ~ ".typeName), '^\\\\s*([a-z0-9_]+)', 1)" -%}
case
    {%- for entry in catalogue %}
        {%- set by_name = type_word ~ " in ('" ~ (entry['types'] | join("', '")) ~ "')" %}
        {%- set size = entry.get('numbers', ['length', 'scale']) %}
        {%- for digits, encoding in entry.get('by_digits', [[none, entry.get('as')]]) %}
            when
                {{ by_name }}
                {%- if digits is not none %}
                and coalesce({{ column }}.scale, 7) <= {{ digits }}
                {%- endif %}
                then {{ debezium_spark._encoding_struct(column, encoding, size, entry.get('shown')) }}
        {%- endfor %}
    {%- endfor %}
    {#- alias types carry a name of their own: their JDBC code still tells the base type -#}
    {%- for entry in catalogue if entry.get('jdbc') %}
        {%- set size = entry.get('numbers', ['length', 'scale']) %}
        {%- for digits, encoding in entry.get('by_digits', [[none, entry.get('as')]]) %}
            when
                {{ type_word }} not in (
                    {{- debezium_spark._unencodable_sqlserver_types() -}}
                )
                and {{ column }}.jdbcType in ({{ entry['jdbc'] | join(', ') }})
                {%- if digits is not none %}
                and coalesce({{ column }}.scale, 7) <= {{ digits }}
                {%- endif %}
                then {{ debezium_spark._encoding_struct(column, encoding, size, none) }}
        {%- endfor %}
    {%- endfor %}
            else {{ debezium_spark._encoding_struct(column, none, none, none) }}
        end
{%- endmacro -%}


{#- Types the connector leaves out although their JDBC code looks familiar. -#}
{%- macro _unencodable_sqlserver_types() -%}
'geometry', 'geography', 'hierarchyid', 'sql_variant', 'vector', 'json'
{%- endmacro -%}


{#- One encoding as a struct; `size` names the definition's members that hold precision and scale. -#}
{%- macro _encoding_struct(column, encoding, size, shown) -%}
    {%- set is_decimal = encoding and 'Decimal' in encoding.get('name', '') -%}
    {%- set members = [] -%}
    {%- if is_decimal -%}
        {%- for member in size -%}
            {%- do members.append(member if member | int(-1) >= 0 else column ~ '.' ~ member) -%}
        {%- endfor -%}
    {%- endif -%}
named_struct(
                    'type', cast({{ "'" ~ encoding['type'] ~ "'" if encoding else 'null' }} as string),
                    'name', cast({{ "'" ~ encoding['name'] ~ "'" if encoding and encoding.get('name') else 'null' }} as string),
                    'parameters',
                    {%- if is_decimal %}
                    map(
                        'scale', cast(coalesce({{ members[1] }}, 0) as string),
                        'connect.decimal.precision', cast({{ members[0] }} as string)
                    ),
                    {%- else %}
                    cast(null as map<string, string>),
                    {%- endif %}
                    'database_type',
                    {%- if shown == 'precision' %}
                    concat(
                        {{ column }}.typeName,
                        '(', {{ column }}.length, ',', coalesce({{ column }}.scale, 0), ')'
                    )
                    {%- elif shown == 'length' %}
                    concat(
                        {{ column }}.typeName,
                        coalesce(
                            concat(
                                '(',
                                if({{ column }}.length > 8000, 'max', cast({{ column }}.length as string)),
                                ')'
                            ),
                            ''
                        )
                    )
                    {%- elif shown == 'digits' %}
                    concat({{ column }}.typeName, coalesce(concat('(', {{ column }}.scale, ')'), ''))
                    {%- else %}
                    {{ column }}.typeName
                    {%- endif %}
                )
{%- endmacro -%}
