{#-
    Versions that `keep` removes (docs/history.md, options). One with a gap behind it that is kept
    is hidden.
-#}
{%- macro expiry_statements(options, plan) -%}
    {%- if not options.get('keep')
        or plan.nothing_new
        or plan.watermark is none
        or plan.newest is none -%}
        {{- return([]) -}}
    {%- endif -%}
    {%- set is_gone = (
        '_cdc_version > 0 and ' ~ debezium_spark._last_of(options) ~ ' < '
        ~ debezium_spark.keep_from(plan)
    ) -%}
    {%- set is_hidden = (
        '_cdc_version > 0 and _cdc_valid_to < ' ~ debezium_spark.keep_from(plan)
        ~ ' and not _cdc_is_expired'
    ) -%}
    {#- `when`: a condition under which the statement has something to do -#}
    {{- return([
        {'when': is_gone, 'sql': 'delete from ' ~ this ~ ' where ' ~ is_gone},
        {
            'when': is_hidden,
            'sql': 'update ' ~ this ~ ' set _cdc_is_expired = true where ' ~ is_hidden,
        },
    ]) -}}
{%- endmacro -%}


{#- SQL: versions that ended before this instant are not kept. -#}
{%- macro keep_from(plan) -%}
    {{- return(
        'timestamp_micros(least(' ~ (plan.newest or 0) ~ ', unix_micros(current_timestamp())) - '
        ~ (plan.keep or 0) ~ ')'
    ) -}}
{%- endmacro -%}


{#- SQL: until when a row of the table tells something, NULL for ever. -#}
{%- macro _last_of(options) -%}
    {{- return(
        'case when _cdc_has_gap then _cdc_gap_to else _cdc_valid_to end'
        if options.get('deleted_rows')
        else '_cdc_valid_to'
    ) -}}
{%- endmacro -%}
