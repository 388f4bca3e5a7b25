{#-
    MERGE of the rows of a history. `_cdc_write` says what happens: `row` is written, `gone` is no
    version any more. `watermark`: see `_checked_batch`; `key_hashes`: see `key_hash`.
-#}
{%- macro _merge_versions_sql(relation, source, columns, watermark=none, key_hashes=none) -%}
    {%- set names = [] -%}
    {%- for column in columns -%}
        {%- do names.append(debezium_spark.quote(column.name)) -%}
    {%- endfor -%}
    {%- set settings = debezium_spark._settings_of_merge(
        relation, columns, watermark=watermark
    ) -%}
merge into {{ relation }} as debezium_target
using {{ source }} as debezium_source
on
    debezium_target._cdc_scd_id = debezium_source._cdc_scd_id
    {%- if key_hashes is not none %}
    and {{ debezium_spark.has_key_hash('debezium_target._cdc_key', key_hashes) }}
    {%- endif %}
    {%- for predicate in config.get('incremental_predicates') or [] %}
    and {{ predicate }}
    {%- endfor %}
when matched and debezium_source._cdc_write = 'gone' then delete
when matched then update set
    {{ settings | join(',\n    ') }}
when not matched and debezium_source._cdc_write = 'row' then insert (
    {{ names | join(',\n    ') }}
)
values (
    {%- for name in names %}
    debezium_source.{{ name }}{{ ',' if not loop.last }}
    {%- endfor %}
)
{%- endmacro -%}


{#- Columns that only the MERGE reads: its table does not have them. -#}
{%- macro _columns_of_merge() -%}
    {{- return(['_cdc_write', '_cdc_goes_on']) -}}
{%- endmacro -%}


{%- macro _written_columns(columns) -%}
    {%- set written = [] -%}
    {%- for column in columns if column.name not in debezium_spark._columns_of_merge() -%}
        {%- do written.append(column) -%}
    {%- endfor -%}
    {{- return(written) -}}
{%- endmacro -%}


{%- macro _without_column(sql, column) -%}
select * except ({{ column }})
from (
{{ sql }}
) as rows_of_merge
{%- endmacro -%}
