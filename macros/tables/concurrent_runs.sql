{#-
    Several runs at a time, on any machines. No lock keeps them apart: a run reads what it found,
    and the commit of a table decides. It writes nothing if another run wrote the table meanwhile.

    | table | a run reads | its commit requires |
    |-------|-------------|---------------------|
    | `raw_` | the input | no batch above the highest that it read (`raw_append.py`) |
    | `stg_`, `catalog_` | the batches that had landed | no row above its watermark |
    | `state_`, `versions_` | the batches that were staged | the checkpoint that it read |
-#}


{#-
    SQL: staged events up to a batch, the highest that a plan knows of: it may be wrong for later
    ones. (A snapshot of the table would lack columns that were added behind it.)
-#}
{%- macro as_found(staging, highest) -%}
    {{- return(
        '(select * from ' ~ staging ~ ' where _cdc_batch_id <= ' ~ highest ~ ')'
        if highest is not none and debezium_spark.is_running()
        else staging
    ) -}}
{%- endmacro -%}


{#- SQL: the raw records of the batches in `raw_inputs`: later ones are left to the next run. -#}
{%- macro landed_records(raw, inputs) -%}
    {%- if not inputs -%}{{- return(raw) -}}{%- endif -%}
    {%- set batches = inputs.batches.values() | reject('none') | list -%}
    {{- return(
        '(select * from ' ~ raw ~ ' where _cdc_batch_id <= ' ~ (batches + [-1]) | max
        ~ ') as landed_records'
    ) -}}
{%- endmacro -%}


{#-
    Of two runs that create a table, one fails. Delta's `create` would also refuse the folder that a
    killed run left; it is looked for just before it is created or replaced.
-#}
{%- macro _create_words(relation) -%}
    {%- set debezium = adapter.debezium() -%}
    {%- if load_cached_relation(relation) is not none -%}
        {{- return('create or replace table') -}}
    {%- endif -%}
    {%- if debezium_spark.file_format() != 'delta' -%}{{- return('create table') -}}{%- endif -%}
    {%- do debezium.tables.forget(relation) -%}
    {%- if debezium.tables.properties(relation) -%}
        {%- do debezium.run.refuse(relation) -%}
    {%- endif -%}
    {{- return('create or replace table') -}}
{%- endmacro -%}


{#-
    Append rows above a watermark, or none: a MERGE, because an INSERT is committed in any case. It
    reads the rows above the watermark, and if there are any, they match each new row. Iceberg
    commits it only if they are still none; for that it needs a branch for matched rows, with which
    Delta would read the source twice (`_check_appended`).
-#}
{%- macro _append_sql(relation, source, columns, watermark) -%}
    {%- set names = [] -%}
    {%- for column in columns -%}
        {%- do names.append(debezium_spark.quote(column.name)) -%}
    {%- endfor -%}
merge into {{ relation }} as debezium_target
using {{ source }} as debezium_source
on debezium_target._cdc_batch_id > {{ watermark if watermark is not none else -1 }}
    {%- if debezium_spark.file_format() != 'delta' %}
when matched then update set
    _cdc_batch_id = {{ debezium_spark._refuse_sql(relation) }}
    {%- endif %}
when not matched then insert ({{ names | join(', ') }})
values (
    {%- for name in names %}
    debezium_source.{{ name }}{{ ',' if not loop.last }}
    {%- endfor %}
)
{%- endmacro -%}


{#- On Delta: nothing is inserted where another run was first, and the result says how many. -#}
{%- macro _check_appended(relation, watermark) -%}
    {%- set written = load_result('main').table.rows[0] -%}
    {%- if written['num_inserted_rows'] | int == 0 -%}
        {%- set others = run_query(
            'select 1 from ' ~ relation ~ ' where _cdc_batch_id > '
            ~ (watermark if watermark is not none else -1) ~ ' limit 1'
        ).rows -%}
        {%- if others -%}{%- do adapter.debezium().run.refuse(relation) -%}{%- endif -%}
    {%- endif -%}
{%- endmacro -%}


{#-
    SQL: the batch of an updated row. The checkpoint must be the one that this run read, or the
    whole MERGE fails, because another run brought the table further. (A clause of its own for this
    check takes twice as long in a MERGE into a large table.)
-#}
{%- macro _checked_batch(relation, watermark) -%}
case
        when debezium_source._cdc_key = '!watermark'
            and debezium_target._cdc_batch_id != {{ watermark }}
            then {{ debezium_spark._refuse_sql(relation) }}
        else debezium_source._cdc_batch_id
    end
{%- endmacro -%}


{%- macro _refuse_sql(relation) -%}
    {%- set debezium = adapter.debezium() -%}
    {{- return(
        'cast(raise_error(' ~ debezium_spark.text_literal(debezium.run.overlap_text(relation))
        ~ ') as bigint)'
    ) -}}
{%- endmacro -%}
