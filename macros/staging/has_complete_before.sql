{#-
    Whether a table's `before` images hold the whole old row, so that their values may be trusted:
    SQL Server, Oracle, MySQL and MariaDB always; PostgreSQL with REPLICA IDENTITY FULL, which only
    the configuration can state. Otherwise they are null, partial or filled with invented values
    (spec §6.4).

    For PostgreSQL it may hold only from a moment on (`before_is_complete`); `always` asks whether
    it holds for all records.
-#}
{%- macro has_complete_before(config, table, always=false) -%}
    {%- if config.connector == 'postgresql' -%}
        {%- set condition = debezium_spark.before_is_complete(config, table) -%}
        {{- return(condition == 'true' if always else condition != 'false') -}}
    {%- endif -%}
    {{- return(config.connector in ('sqlserver', 'oracle', 'mysql', 'mariadb')) -}}
{%- endmacro -%}


{#-
    SQL condition over a record's `timestamp`: its `before` may be trusted; `true` or `false` where
    that is the same for all records.
-#}
{%- macro before_is_complete(config, table) -%}
    {%- if config.connector == 'postgresql' -%}
        {{- return(debezium_spark.replica_identity_is(config, table, ['full'])) -}}
    {%- endif -%}
    {{- return('true') -}}
{%- endmacro -%}
