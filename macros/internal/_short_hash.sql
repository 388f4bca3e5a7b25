{%- macro _short_hash(value) -%}
    {{- return(local_md5(tojson(value, sort_keys=true))[:8]) -}}
{%- endmacro -%}
