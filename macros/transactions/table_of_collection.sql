{#-
    SQL: the modelled table that a data collection's events go to, NULL without one. Boundaries name
    a collection by members of its source block: schema and table (PostgreSQL), database, schema and
    table (SQL Server, Oracle), database and table (MySQL, MariaDB) or collection (MongoDB, before
    2.6 with the replica set in front).
-#}
{%- macro table_of_collection(config, entries, collection) -%}
    {%- set branches = [] -%}
    {%- for entry in entries -%}
        {%- set conditions = [] -%}
        {%- for origin in entry.get('origins') or [{}] -%}
            {%- do conditions.append(
                debezium_spark._is_collection_of(config, entry.table, origin, collection)
            ) -%}
        {%- endfor -%}
        {%- do branches.append(
            'when ' ~ conditions | join(' or ') ~ ' then '
            ~ debezium_spark.text_literal(entry.table)
        ) -%}
    {%- endfor -%}
    {{- return(
        'case ' ~ branches | join(' ') ~ ' end' if branches else 'cast(null as string)'
    ) -}}
{%- endmacro -%}


{#- By the origin, or without one by the table's name in the configuration. -#}
{%- macro _is_collection_of(config, table, origin, collection) -%}
    {%- set members = {
        'postgresql': ['schema', 'table'],
        'mysql': ['db', 'table'],
        'mariadb': ['db', 'table'],
        'mongodb': ['db', 'collection'],
    }.get(config.connector, ['db', 'schema', 'table']) -%}
    {%- set names = [] -%}
    {%- for member in members if member in origin -%}
        {%- do names.append(origin[member]) -%}
    {%- endfor -%}
    {%- set name = names | join('.') if names else table -%}
    {%- set is_whole = names | length == members | length and config.connector != 'mongodb' -%}
    {%- set is_equal = debezium_spark._matches_text(collection, name) -%}
    {%- if is_whole -%}{{- return(is_equal) -}}{%- endif -%}
    {#- the origin leaves out what stands in front -#}
    {{- return(
        '(' ~ is_equal ~ ' or '
        ~ debezium_spark._matches_text(
            "substr(" ~ collection ~ ", instr(" ~ collection ~ ", '.') + 1)", name
        ) ~ ')'
    ) -}}
{%- endmacro -%}
