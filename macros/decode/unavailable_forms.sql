{#-
    The texts by which Debezium says "this value was not in the log" for a column: the configured placeholder in the encoding of the
    column's type (spec §6.5). Compared before decoding and exactly; empty for types that have no such form.
-#}
{%- macro unavailable_forms(source, column) -%}
    {%- set forms = source.unavailable_value_forms -%}
    {%- if column.type == 'string' -%}
        {{- return([forms.text, forms.hstore] if column.get('semantic') == 'io.debezium.data.Json' else [forms.text]) -}}
    {%- elif column.type == 'bytes' -%}
        {{- return([forms.base64]) -}}
    {%- elif column.type == 'map' -%}
        {{- return([forms.hstore]) -}}
    {%- elif column.type == 'array' -%}
        {%- set items = column.get('items') or {} -%}
        {%- if items.get('semantic') == 'io.debezium.data.Uuid' -%}
            {{- return([forms.uuid_array, forms.text_array]) -}}
        {%- elif items.get('type') == 'bytes' -%}
            {{- return([forms.base64_array]) -}}
        {%- elif items.get('type') in ('int8', 'int16', 'int32', 'int64') -%}
            {{- return([forms.code_array]) -}}
        {%- endif -%}
        {{- return([forms.text_array]) -}}
    {%- endif -%}
    {{- return([]) -}}
{%- endmacro -%}
