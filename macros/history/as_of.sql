{#-
    SQL for FROM: the rows of a table as they were at an instant, from its history, at most one for
    each key. `instant`: SQL of a timestamp.
-#}
{%- macro as_of(history, instant) -%}
(
    select *
    from {{ history }}
    where {{ debezium_spark._holds_at(history, instant) }}
)
{%- endmacro -%}


{#-
    SQL for FROM: each row of a fact table with the version of a row that held when it happened;
    both have their names in `aliases`. `key`: columns of the history by those of the fact table;
    `time_column`: of the fact table. A fact without a version keeps NULLs.
-#}
{%- macro as_of_join(fact, time_column, history, key, aliases=['fact', 'hist']) -%}
{{ fact }} as {{ aliases[0] }}
left join {{ history }} as {{ aliases[1] }}
    on
        {%- for of_fact, of_history in key.items() %}
        {{ aliases[0] }}.{{ debezium_spark.quote(of_fact) }}
        {{- ' = ' ~ aliases[1] }}.{{ debezium_spark.quote(of_history) }}
        and
        {%- endfor %} {{ debezium_spark._holds_at(
            history, aliases[0] ~ '.' ~ debezium_spark.quote(time_column), aliases[1] ~ '.'
        ) }}
{%- endmacro -%}


{%- macro _holds_at(history, instant, prefix='') -%}
    {%- set valid_from = prefix ~ debezium_spark._column_of_time(history, 'valid_from') -%}
    {%- set valid_to = prefix ~ debezium_spark._column_of_time(history, 'valid_to') -%}
    {%- set condition = (
        valid_from ~ ' <= ' ~ instant ~ ' and (' ~ instant ~ ' < ' ~ valid_to
        ~ ' or ' ~ valid_to ~ ' is null)'
    ) -%}
    {%- set deleted = debezium_spark._deleted_column(history, prefix) -%}
    {{- return(condition ~ (' and not ' ~ deleted if deleted else '')) -}}
{%- endmacro -%}


{#- The name of `valid_from` or `valid_to`. -#}
{%- macro _column_of_time(history, name) -%}
    {%- set columns = debezium_spark._columns_of_history(history) -%}
    {{- return(('dbt_' if 'dbt_valid_from' in columns else '_cdc_') ~ name) -}}
{%- endmacro -%}


{#- SQL: whether a row lies over a gap, none if the history has no such rows. -#}
{%- macro _deleted_column(history, prefix='') -%}
    {%- set columns = debezium_spark._columns_of_history(history) -%}
    {%- if 'dbt_is_deleted' in columns -%}
        {{- return('(' ~ prefix ~ "dbt_is_deleted = 'True')") -}}
    {%- endif -%}
    {{- return(prefix ~ '_cdc_is_deleted' if '_cdc_is_deleted' in columns else none) -}}
{%- endmacro -%}


{#- Names of the columns in the properties of a history's model. -#}
{%- macro _columns_of_history(history) -%}
    {%- if not execute -%}{{- return([]) -}}{%- endif -%}
    {#- dbt gives tests a relation, or its text -#}
    {%- set identifier = (history | string).split('.')[-1] | replace('`', '') -%}
    {%- for node in graph.nodes.values() if node.resource_type == 'model' -%}
        {%- if node.alias == identifier -%}{{- return(node.columns | list) -}}{%- endif -%}
    {%- endfor -%}
    {{- return([]) -}}
{%- endmacro -%}
