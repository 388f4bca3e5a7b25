{#-
    A column of which the catalog knows the database type, with what that type tells and the record does not: that a text stands for
    bytes, that a 64-bit number has no sign, how many digits a time of day has.

    `column` is the column as its record or definition describes it, `database_type` the type as people write it (`varbinary(16)`,
    `BIGINT UNSIGNED`), or none. What it adds is taken away by `without_known_type`.
-#}
{%- macro known_database_type(config, column, database_type) -%}
    {%- set type_name = (database_type or '') | lower -%}
    {%- set word = type_name.replace('(', ' ').split(' ')[0] -%}
    {%- set sizes = modules.re.findall('[0-9]+', type_name) -%}
    {%- set connector = config.connector -%}
    {%- set mode = config.binary_handling_mode -%}
    {%- if column.type == 'string' and not column.get('semantic') and mode != 'bytes' and word in (
        'binary', 'varbinary', 'image', 'rowversion', 'tinyblob', 'blob', 'mediumblob', 'longblob', 'raw', 'bytea',
    ) or (column.type == 'string' and connector == 'sqlserver' and word == 'timestamp' and mode != 'bytes') -%}
        {{- return(dict(column, parameters={'binary.handling.mode': mode})) -}}
    {%- elif column.type == 'int64' and not column.get('semantic') and word in ('bigint', 'serial', 'int8') and connector in ('mysql', 'mariadb')
        and (word == 'serial' or 'unsigned' in type_name or 'zerofill' in type_name) -%}
        {{- return(dict(column, parameters={'unsigned': 'true'})) -}}
    {%- elif word == 'time' and connector in ('sqlserver', 'mysql', 'mariadb')
        and debezium_spark.encoding(config, column).kind == 'time_of_day' -%}
        {{- return(dict(column, digits=(sizes | last | int if sizes else (7 if connector == 'sqlserver' else 0)))) -}}
    {%- endif -%}
    {{- return(column) -}}
{%- endmacro -%}


{%- macro without_known_type(column) -%}
    {%- set parameters = {} -%}
    {%- for name, value in (column.get('parameters') or {}).items() if name not in ('binary.handling.mode', 'unsigned') -%}
        {%- do parameters.update({name: value}) -%}
    {%- endfor -%}
    {{- return(dict(column, parameters=parameters)) -}}
{%- endmacro -%}
