{#- Whether models that only show rows of other tables are views. A catalog may have none. -#}
{%- macro has_views() -%}
    {{- return(var('debezium_views', true) | string | lower != 'false') -}}
{%- endmacro -%}
