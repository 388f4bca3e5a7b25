{#-
    MERGE of the rows of a history. `_cdc_write` says what happens to a version that the table has:

    * `close`: a later step ended it, or its key's walk went on; what began it stays;
    * `amend`: that, and its values are those of a later upsert;
    * `row`: it is written anew; a version that the table has not is inserted;
    * `gone`: it is no version any more.
-#}
{%- macro _merge_versions_sql(relation, source, columns, decisions) -%}
    {%- set names = [] -%}
    {%- for column in columns -%}
        {%- do names.append(column.name) -%}
    {%- endfor -%}
    {%- set closed = (decisions.closing_columns or []) + (decisions.head_columns or []) -%}
merge into {{ relation }} as debezium_target
using {{ source }} as debezium_source
on
    debezium_target._cdc_scd_id = debezium_source._cdc_scd_id
    {%- for predicate in config.get('incremental_predicates') or [] %}
    and {{ predicate }}
    {%- endfor %}
    {%- if decisions.get('key_hashes') is not none %}
    and {{ debezium_spark.has_key_hash('debezium_target._cdc_key', decisions.key_hashes) }}
    {%- endif %}
when matched and debezium_source._cdc_write = 'gone' then delete
when matched and debezium_source._cdc_write = 'close' then update set
    {{ debezium_spark._settings(closed) | indent(4) }}
when matched and debezium_source._cdc_write = 'amend' then update set
    {{ debezium_spark._settings((decisions.amended_columns or []) + closed) | indent(4) }}
when matched then update set
    {{ debezium_spark._settings(names) | indent(4) }}
when not matched and debezium_source._cdc_write = 'row' then insert (
    {%- for name in names %}
    {{ debezium_spark.quote(name) }}{{ ',' if not loop.last }}
    {%- endfor %}
)
values (
    {%- for name in names %}
    debezium_source.{{ debezium_spark.quote(name) }}{{ ',' if not loop.last }}
    {%- endfor %}
)
{%- endmacro -%}


{%- macro _settings(names) -%}
    {%- set settings = [] -%}
    {%- for name in names -%}
        {%- set name = debezium_spark.quote(name) -%}
        {%- do settings.append('debezium_target.' ~ name ~ ' = debezium_source.' ~ name) -%}
    {%- endfor -%}
    {{- return(settings | join(',\n')) -}}
{%- endmacro -%}


{#- The columns of a model that its table has: `_cdc_write` only tells how a row is written. -#}
{%- macro _written_columns(columns) -%}
    {%- set written = [] -%}
    {%- for column in columns if column.name != '_cdc_write' -%}
        {%- do written.append(column) -%}
    {%- endfor -%}
    {{- return(written) -}}
{%- endmacro -%}


{%- macro _without_write(sql) -%}
select * except (_cdc_write)
from (
{{ sql }}
) as rows_with_write
{%- endmacro -%}
