{#-
    Highest `_cdc_batch_id` that a relation holds, or none when the relation does not exist yet.

    Downstream models read "rows with a batch id above the highest one I hold", never "offsets
    above": files may arrive late. Iceberg and Delta answer from file statistics.
-#}
{%- macro batch_watermark(relation) -%}
    {%- if not execute -%}{{- return(none) -}}{%- endif -%}
    {%- if load_relation(relation) is none -%}{{- return(none) -}}{%- endif -%}
    {%- set rows = run_query('select max(_cdc_batch_id) as batch_id from ' ~ relation).rows -%}
    {{- return(rows[0][0] | int if rows and rows[0][0] is not none else none) -}}
{%- endmacro -%}
