{#-
    Heads of a history: the last version of each key also holds what a state row would, so that the
    walk goes on from it. Other rows have no `_cdc_op`.
-#}
{%- macro is_head(prefix='') -%}
    {{- return(prefix ~ '_cdc_op is not null and ' ~ prefix ~ '_cdc_version is not null') -}}
{%- endmacro -%}


{#- What a walk needs to know of the version that it goes on from. -#}
{%- macro version_head_members() -%}
    {{- return({
        'scd_id': 'string',
        'version': 'int',
        'life': 'int',
        'is_current': 'boolean',
        'valid_from': 'timestamp',
        'valid_to': 'timestamp',
        'to_pos': 'string',
        'to_event_id': 'string',
        'to_tx_id': 'string',
        'ended_by': 'string',
        'next_key': 'string',
        'last_tx': 'string',
    }) -}}
{%- endmacro -%}


{%- macro version_head_type() -%}
    {%- set members = [] -%}
    {%- for name, type in debezium_spark.version_head_members().items() -%}
        {%- do members.append(name ~ ':' ~ type) -%}
    {%- endfor -%}
    {{- return('struct<' ~ members | join(',') ~ '>') -}}
{%- endmacro -%}


{%- macro version_head() -%}
named_struct(
    {%- for name in debezium_spark.version_head_members() %}
    '{{ name }}', state._cdc_{{ name }}
    {{- ',' if not loop.last }}
    {%- endfor %}
)
{%- endmacro -%}


{#- What the walk of a document needs to know of the version that it goes on from. -#}
{%- macro document_head_members() -%}
    {{- return(dict(
        debezium_spark.version_head_members(),
        unavailable='array<string>',
        has_gap='boolean',
        gap_to='timestamp',
        gap_to_pos='string',
        gap_to_event_id='string',
        gap_to_tx_id='string',
        gap_ended_by='string'
    )) -}}
{%- endmacro -%}


{%- macro document_head_type() -%}
    {%- set members = [] -%}
    {%- for name, type in debezium_spark.document_head_members().items() -%}
        {%- do members.append(name ~ ':' ~ type) -%}
    {%- endfor -%}
    {{- return('struct<' ~ members | join(',') ~ '>') -}}
{%- endmacro -%}
