{#-
    The table of a flattened record: {member of the source block: SQL}. What was not added, the
    topic's name tells, unless the record was routed: then the topic ends in another table's name.
    A name in a topic has `_` for what topics cannot have: `table` among the added fields is better.
-#}
{%- macro flattened_origin(config, fields) -%}
    {%- set members = debezium_spark.origin_members(config) -%}
    {%- set prefix = debezium_spark.text_literal(config.topic_prefix ~ '.') -%}
    {%- set is_below = 'startswith(topic, ' ~ prefix ~ ')' -%}
    {%- set below = 'substring(topic, ' ~ (config.topic_prefix | length + 2) ~ ')' -%}
    {%- set parts = debezium_spark._topic_parts(config, below) -%}
    {%- set table = members | last -%}
    {%- set added_table = debezium_spark.flattened_member(fields, 'source.' ~ table) -%}
    {%- set is_told -%}
{{ is_below }} and coalesce(regexp_replace({{ added_table }}, '[^A-Za-z0-9._-]', '_')
        = {{ parts[table] }}, true)
    {%- endset -%}
    {%- set origin = {
        'name': 'coalesce(' ~ debezium_spark.flattened_member(fields, 'source.name') ~ ', if('
            ~ is_below ~ ', ' ~ debezium_spark.text_literal(config.topic_prefix) ~ ', null))',
    } -%}
    {%- for member in members[1:] -%}
        {%- set added = debezium_spark.flattened_member(fields, 'source.' ~ member) -%}
        {%- do origin.update({
            member: 'coalesce(' ~ added ~ ', if(' ~ is_told ~ ', ' ~ parts[member] ~ ', null))'
        }) -%}
    {%- endfor -%}
    {{- return(origin) -}}
{%- endmacro -%}


{#- The parts of a topic behind the prefix (spec §2.1), as SQL; NULL where it has too few. -#}
{%- macro _topic_parts(config, below) -%}
    {%- set first = 'substring_index(' ~ below ~ ", '.', 1)" -%}
    {%- set rest = (
        'if(contains(' ~ below ~ ", '.'), substring(" ~ below ~ ', instr(' ~ below
        ~ ", '.') + 1), null)"
    ) -%}
    {%- set owner = 'if(contains(' ~ below ~ ", '.'), " ~ first ~ ', null)' -%}
    {%- if config.connector in ('mysql', 'mariadb') -%}
        {{- return({'db': owner, 'table': rest}) -}}
    {%- elif config.connector == 'mongodb' -%}
        {{- return({'db': owner, 'collection': rest}) -}}
    {%- elif config.connector != 'sqlserver' -%}
        {#- neither PostgreSQL's database nor Oracle's is in a topic -#}
        {{- return({'db': 'cast(null as string)', 'schema': owner, 'table': rest}) -}}
    {%- endif -%}
    {#- before 2.0 without the database -#}
    {%- set behind = 'substring(' ~ rest ~ ', instr(' ~ rest ~ ", '.') + 1)" -%}
    {%- set has_database = 'contains(' ~ rest ~ ", '.')" -%}
    {{- return({
        'db': 'if(' ~ has_database ~ ', ' ~ first ~ ', null)',
        'schema': 'if(' ~ has_database ~ ', substring_index(' ~ rest ~ ", '.', 1), " ~ owner ~ ')',
        'table': 'if(' ~ has_database ~ ', ' ~ behind ~ ', ' ~ rest ~ ')',
    }) -}}
{%- endmacro -%}
