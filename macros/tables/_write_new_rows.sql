{#-
    A temporary view of the model's rows: its columns must be known before anything is written.
    dbt's threads share one session, so the name is the model's own.
-#}
{%- macro _source_view(sql) -%}
    {%- set path = {'identifier': this.identifier ~ '__dbt_tmp'} -%}
    {%- set view = this.incorporate(path=path, type='view') -%}
    {%- set source = view.include(database=false, schema=false).quote(identifier=true) -%}
    {{- return({
        'relation': source,
        'columns': adapter.debezium().run.create_temporary_view(source, sql),
    }) -}}
{%- endmacro -%}


{#- By name: the order of the model's columns has no meaning. -#}
{%- macro _insert_sql(relation, source, columns) -%}
    {%- set names = [] -%}
    {%- for column in columns -%}
        {%- do names.append(debezium_spark.quote(column.name)) -%}
    {%- endfor -%}
insert into {{ relation }} ({{ names | join(', ') }})
select {{ names | join(', ') }}
from {{ source }}
{%- endmacro -%}


{#- What a MERGE sets of a row that the table has: see `_merge_sql` for the arguments. -#}
{%- macro _settings_of_merge(relation, columns, values={}, watermark=none) -%}
    {%- if watermark is not none -%}
        {%- set values = dict(values, _cdc_batch_id=debezium_spark._checked_batch(
            relation, watermark
        )) -%}
    {%- endif -%}
    {%- set settings = [] -%}
    {%- for column in columns -%}
        {%- set name = debezium_spark.quote(column.name) -%}
        {%- do settings.append(
            'debezium_target.' ~ name ~ ' = '
            ~ values.get(column.name, 'debezium_source.' ~ name)
        ) -%}
    {%- endfor -%}
    {{- return(settings) -}}
{%- endmacro -%}


{#-
    Columns that only the table has stay as they are. `values`: SQL over `debezium_source` and
    `debezium_target`, by column, for rows that the table has, where that is not the source's value;
    without `inserts` only these rows are written. `keys_are_set`: no key is NULL; `<=>` would sort
    by that, too. `key_hashes`: see `key_hash`; `watermark`: see `_checked_batch`.
-#}
{%- macro _merge_sql(
    relation,
    source,
    columns,
    keys=none,
    inserts=true,
    values={},
    keys_are_set=false,
    key_hashes=none,
    watermark=none
) -%}
    {%- set unique_key = keys or config.get('unique_key', '_cdc_key') -%}
    {%- set keys = [unique_key] if unique_key is string else unique_key -%}
    {%- set names = [] -%}
    {%- for column in columns -%}
        {%- do names.append(debezium_spark.quote(column.name)) -%}
    {%- endfor -%}
    {%- set settings = debezium_spark._settings_of_merge(relation, columns, values, watermark) -%}
merge into {{ relation }} as debezium_target
using {{ source }} as debezium_source
on
    {%- for key in keys %}
    {%- set name = debezium_spark.quote(key) %}
    {{ 'and ' if not loop.first }}debezium_target.{{ name }}
    {{- ' = ' if keys_are_set else ' <=> ' }}debezium_source.{{ name }}
    {%- endfor %}
    {%- for predicate in config.get('incremental_predicates') or [] %}
    and {{ predicate }}
    {%- endfor %}
    {%- if key_hashes is not none %}
    and {{ debezium_spark.has_key_hash('debezium_target._cdc_key', key_hashes) }}
    {%- endif %}
when matched then update set
    {{ settings | join(',\n    ') }}
    {%- if inserts %}
when not matched then insert ({{ names | join(', ') }})
values (
    {%- for name in names %}
    debezium_source.{{ name }}{{ ',' if not loop.last }}
    {%- endfor %}
)
    {%- endif %}
{%- endmacro -%}


{#- Write the columns of some rows of a table, before others are merged into it. -#}
{%- macro _mark_rows(relation, sql) -%}
    {%- set path = {'identifier': this.identifier ~ '__dbt_marks'} -%}
    {%- set view = this.incorporate(path=path, type='view').include(
        database=false, schema=false
    ).quote(identifier=true) -%}
    {%- set columns = adapter.debezium().run.create_temporary_view(view, sql) -%}
    {%- do run_query(debezium_spark._merge_sql(
        relation, view, columns, keys='_cdc_key', inserts=false, keys_are_set=true
    )) -%}
    {%- do run_query('drop view if exists ' ~ view) -%}
{%- endmacro -%}
