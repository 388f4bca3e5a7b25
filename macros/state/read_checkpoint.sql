{#- The state's checkpoint of the last run, none without a state. -#}
{%- macro read_checkpoint() -%}
    {%- if not debezium_spark.loads_incrementally() -%}{{- return(none) -}}{%- endif -%}
    {%- set rows = run_query(
        "select _cdc_batch_id, _cdc_marks from " ~ this ~ " where _cdc_key = '!watermark'"
    ).rows -%}
    {%- if not rows -%}{{- return(none) -}}{%- endif -%}
    {%- set checkpoint = fromjson(rows[0][1]) -%}
    {%- do checkpoint.update({'batch_id': rows[0][0] | int}) -%}
    {{- return(checkpoint) -}}
{%- endmacro -%}
