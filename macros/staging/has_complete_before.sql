{#-
    Whether a table's `before` images hold the whole old row, so that their values may be trusted: SQL Server, Oracle, MySQL and MariaDB
    always; PostgreSQL with REPLICA IDENTITY FULL, which only configuration can tell. Otherwise they are null, partial or
    filled with invented values (spec §6.4).
-#}
{%- macro has_complete_before(config, table) -%}
    {%- if config.connector == 'postgresql' -%}
        {%- set settings = (config.get('tables') or {}).get(table) or {} -%}
        {{- return(settings.get('replica_identity') == 'full') -}}
    {%- endif -%}
    {{- return(config.connector in ('sqlserver', 'oracle', 'mysql', 'mariadb')) -}}
{%- endmacro -%}
