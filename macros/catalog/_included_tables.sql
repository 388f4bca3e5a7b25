{#- Tables that configuration includes in others: see `included_origins` in macros/envelope. -#}

{#-
    Columns of the catalog for the members of a source block; MySQL and MongoDB have databases where
    others have schemas.
-#}
{%- macro _origin_columns(config) -%}
    {%- set has_schemas = 'schema' in debezium_spark.origin_members(config) -%}
    {{- return({
        'name': ['topic_prefix'],
        'db': ['database_name'] if has_schemas else ['schema_name', 'database_name'],
        'schema': ['schema_name'],
        'table': ['table_name'],
        'collection': ['table_name'],
    }) -}}
{%- endmacro -%}


{%- macro _is_included(config, inclusions) -%}
    {%- set columns = debezium_spark._origin_columns(config) -%}
    {%- set conditions = [] -%}
    {%- for member, text in inclusions.members.items() -%}
        {%- do conditions.append(debezium_spark._matches_text(columns[member][0], text)) -%}
    {%- endfor -%}
    {{- return('coalesce((' ~ conditions | join(' and ') ~ '), false)') -}}
{%- endmacro -%}


{#- SQL: a part of a table's name; for an included table, of the one that includes it. -#}
{%- macro _with_included(config, inclusions, column) -%}
    {%- set columns = debezium_spark._origin_columns(config) -%}
    {%- set branches = [] -%}
    {%- for one in inclusions -%}
        {%- set of_whole = namespace(value=column) -%}
        {%- for member, text in one.own.items() if column in columns[member] -%}
            {%- set of_whole.value = debezium_spark.text_literal(text) -%}
        {%- endfor -%}
        {%- do branches.append(
            'when ' ~ debezium_spark._is_included(config, one) ~ ' then ' ~ of_whole.value
        ) -%}
    {%- endfor -%}
    {{- return('case ' ~ branches | join(' ') ~ ' else ' ~ column ~ ' end') -}}
{%- endmacro -%}


{%- macro _origin_rules(config) -%}
    {{- return({
        'members': debezium_spark.origin_members(config),
        'columns': debezium_spark._origin_columns(config),
        'included': debezium_spark.included_origins(config),
    }) -}}
{%- endmacro -%}
