{#-
    SELECT: of the rows that were computed, those that a MERGE has to write. Keys that were folded
    again from the log have all their versions; only those that differ are written, and what is no
    version any more goes.
-#}
{%- macro rows_to_write(columns, options, plan, types) -%}
{%- if not plan.refold_keys %}
{{- debezium_spark._kept_rows(options, plan) }}
{%- else %}
select computed.*
from (
    {{ debezium_spark._kept_rows(options, plan) | indent(4) }}
) as computed
left join {{ this }} as known on computed._cdc_scd_id = known._cdc_scd_id
where
    known._cdc_scd_id is null
    or computed._cdc_op is not null
    or known._cdc_op is not null
    or startswith(computed._cdc_key, '!')
    or not (
        {{ debezium_spark._equal_versions(columns, options, types) | indent(8) }}
    )

union all

select
    {{ debezium_spark.version_select(
        columns,
        options,
        {'_cdc_key': 'known._cdc_key', '_cdc_scd_id': 'known._cdc_scd_id'},
        "'gone'"
    ) | indent(4) }}
    {%- if options.get('keep') %},
    false as _cdc_is_expired
    {%- endif %}
from {{ this }} as known
left semi join rows on known._cdc_key = rows._cdc_key
left anti join rows on known._cdc_scd_id = rows._cdc_scd_id
where known._cdc_version is not null
{%- endif %}
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
