{#-
    SELECT: of the rows that were computed, those that a MERGE has to write. Keys that were folded
    again from the log have all their versions; only those that differ are written, and what is no
    version any more goes. `walk`: what `version_walk` selects.
-#}
{%- macro rows_to_write(columns, options, plan, types, walk) -%}
{%- if not plan.refold_keys %}
{{- debezium_spark._kept_rows(options, plan) }}
{%- else %}
{%- set computed = ['_cdc_write'] + debezium_spark.columns_of_versions(columns, options) -%}
select
    {%- for column in computed %}
    {%- set name = debezium_spark.quote(column) %}
    {%- if column in ['_cdc_key', '_cdc_scd_id'] %}
    coalesce(computed.{{ name }}, known.{{ name }}) as {{ name }}
    {%- elif column == '_cdc_write' %}
    coalesce(computed.{{ name }}, 'gone') as {{ name }}
    {%- else %}
    computed.{{ name }}
    {%- endif %}
    {{- ',' if not loop.last }}
    {%- endfor %}
from (
    {{ debezium_spark._kept_rows(options, plan) | indent(4) }}
) as computed
full outer join (
    select *
    from {{ this }}
    left semi join (select row_key from {{ walk }}) as walked on _cdc_key = walked.row_key
    where _cdc_version is not null
) as known on computed._cdc_scd_id = known._cdc_scd_id
where
    computed._cdc_scd_id is null
    or known._cdc_scd_id is null
    or computed._cdc_op is not null
    or known._cdc_op is not null
    or not (
        {{ debezium_spark._equal_versions(columns, options, types) | indent(8) }}
    )
{%- endif %}
{%- endmacro -%}


{#- Names of all columns of the table of versions. -#}
{%- macro columns_of_versions(columns, options) -%}
    {%- set own = columns + (debezium_spark.version_columns() | list) -%}
    {%- set own = own + (debezium_spark.gap_columns(options) | list) -%}
    {%- set own = own + (debezium_spark.head_columns() | list) -%}
    {{- return(own + (['_cdc_is_expired'] if options.get('keep') else [])) -}}
{%- endmacro -%}


{%- macro _equal_versions(columns, options, types) -%}
    {%- set own = debezium_spark.version_columns() | list -%}
    {%- set own = own + (debezium_spark.gap_columns(options) | list) -%}
    {%- set terms = [] -%}
    {%- for column in columns + own -%}
        {%- set name = debezium_spark.quote(column) -%}
        {%- do terms.append(
            debezium_spark._comparable('computed.' ~ name, types.get(column | lower)) ~ ' <=> '
            ~ debezium_spark._comparable('known.' ~ name, types.get(column | lower))
        ) -%}
    {%- endfor -%}
    {{- return(terms | join('\nand ')) -}}
{%- endmacro -%}


{#- SELECT: the rows without versions that `keep` has removed or would. -#}
{%- macro _kept_rows(options, plan) -%}
{%- if not options.get('keep') -%}
select * from rows
{%- else -%}
select
    *,
    coalesce(_cdc_valid_to < {{ debezium_spark.keep_from(plan) }}, false) as _cdc_is_expired
from rows
where
    _cdc_op is not null
    or _cdc_write != 'row'
    or coalesce(
        {{ debezium_spark._last_of(options) }} >= {{ debezium_spark.keep_from(plan) }}, true
    )
{%- endif -%}
{%- endmacro -%}
