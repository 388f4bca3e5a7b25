{#-
    Highest `_cdc_batch_id` in a relation, none without the relation; `rows`: what to read of it.
    Models read "batches above", never "offsets above": files may arrive late.
-#}
{%- macro batch_watermark(relation, rows=none) -%}
    {%- if not execute -%}{{- return(none) -}}{%- endif -%}
    {%- if load_relation(relation) is none -%}{{- return(none) -}}{%- endif -%}
    {%- set highest = run_query(
        'select max(_cdc_batch_id) as batch_id from ' ~ (rows or relation)
    ).rows -%}
    {{- return(highest[0][0] | int if highest and highest[0][0] is not none else none) -}}
{%- endmacro -%}
