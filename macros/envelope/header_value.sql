{#- SQL: a header's text. Sinks often drop headers: never require one. -#}
{%- macro header_value(headers, name) -%}
    {{- return(
        "try_element_at(filter(" ~ headers ~ ", header -> header.key = '" ~ name ~ "'), 1).value"
    ) -}}
{%- endmacro -%}
