{#- Hash of a value for a table property, the same however its members are ordered. -#}
{%- macro _short_hash(value) -%}
    {{- return(local_md5(tojson(value, sort_keys=true))[:8]) -}}
{%- endmacro -%}
