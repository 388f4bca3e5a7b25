{#- Whether a table has a change feed: its own option `feed` decides, else that of its source. -#}
{%- macro has_feed(config, table) -%}
    {%- set own = ((config.get('tables') or {}).get(table) or {}).get('feed') -%}
    {{- return(config.get('feed', false) if own is none else own) -}}
{%- endmacro -%}
