{#- Name of the companion column that keeps the exact text of a value that its Spark type cannot hold in full. -#}
{%- macro exact_text_name(name) -%}
    {{- return('_cdc_text_' ~ name) -}}
{%- endmacro -%}
