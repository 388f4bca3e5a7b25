{#-
    Whether `before` holds the whole old row. For PostgreSQL only REPLICA IDENTITY FULL does, which
    no record states; otherwise it is null, partial or invented (spec §6.4). With `always`, for all
    records, and not from some time on.
-#}
{%- macro has_complete_before(config, table, always=false) -%}
    {#- of a flattened record, only a delete shows the old row -#}
    {%- if config.get('flattened') -%}{{- return(false) -}}{%- endif -%}
    {%- if config.connector == 'postgresql' -%}
        {%- set condition = debezium_spark.before_is_complete(config, table) -%}
        {{- return(condition == 'true' if always else condition != 'false') -}}
    {%- endif -%}
    {{- return(config.connector in ('sqlserver', 'oracle', 'mysql', 'mariadb')) -}}
{%- endmacro -%}


{#- SQL condition over a record's `timestamp`; `true` or `false` if it holds for all or none. -#}
{%- macro before_is_complete(config, table) -%}
    {%- if config.connector == 'postgresql' -%}
        {{- return(debezium_spark.replica_identity_is(config, table, ['full'])) -}}
    {%- endif -%}
    {{- return('true') -}}
{%- endmacro -%}
