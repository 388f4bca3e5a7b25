{#-
    SELECT: the versions of a table's history with all their columns, and with `deleted_rows` the
    gaps behind lives, as `_cdc_is_deleted` tells.
-#}
{%- macro stored_versions(versions, columns, options) -%}
{%- set own = (debezium_spark.version_columns() | list) + ['_cdc_batch_id'] -%}
{%- set is_kept = 'not _cdc_is_expired' if options.get('keep') else 'true' -%}
select
    {%- for column in columns + own %}
    {{ debezium_spark.quote(column) }}{{ ',' if not loop.last or options.get('deleted_rows') }}
    {%- endfor %}
    {%- if options.get('deleted_rows') %}
    false as _cdc_is_deleted
    {%- endif %}
from {{ versions }}
where _cdc_version > 0 and {{ is_kept }}
{%- if options.get('deleted_rows') %}

union all

select
    {%- for column in columns + own %}
    {{ debezium_spark._of_gap(column) }} as {{ debezium_spark.quote(column) }},
    {%- endfor %}
    true as _cdc_is_deleted
from {{ versions }}
where _cdc_version > 0 and _cdc_has_gap
{%- endif %}
{%- endmacro -%}


{#- SQL: a column of the row over the gap behind a life. -#}
{%- macro _of_gap(column) -%}
    {{- return({
        '_cdc_scd_id': "concat(_cdc_scd_id, '/deleted')",
        '_cdc_valid_from': '_cdc_valid_to',
        '_cdc_valid_to': '_cdc_gap_to',
        '_cdc_is_current': 'false',
        '_cdc_source_at': 'cast(null as timestamp)',
        '_cdc_from_pos': '_cdc_to_pos',
        '_cdc_to_pos': '_cdc_gap_to_pos',
        '_cdc_from_event_id': '_cdc_to_event_id',
        '_cdc_to_event_id': '_cdc_gap_to_event_id',
        '_cdc_tx_id': '_cdc_to_tx_id',
        '_cdc_to_tx_id': '_cdc_gap_to_tx_id',
        '_cdc_began_by': '_cdc_ended_by',
        '_cdc_ended_by': '_cdc_gap_ended_by',
        '_cdc_from_is_exact': 'true',
        '_cdc_previous_key': 'cast(null as string)',
        '_cdc_next_key': 'cast(null as string)',
    }.get(column, debezium_spark.quote(column))) -}}
{%- endmacro -%}
