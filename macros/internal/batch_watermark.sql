{#-
    Highest `_cdc_batch_id` in a relation, none without the relation. Models read "batches above",
    never "offsets above": files may arrive late.
-#}
{%- macro batch_watermark(relation) -%}
    {%- if not execute -%}{{- return(none) -}}{%- endif -%}
    {%- if load_relation(relation) is none -%}{{- return(none) -}}{%- endif -%}
    {%- set rows = run_query('select max(_cdc_batch_id) as batch_id from ' ~ relation).rows -%}
    {{- return(rows[0][0] | int if rows and rows[0][0] is not none else none) -}}
{%- endmacro -%}
