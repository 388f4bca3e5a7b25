{#-
    The texts by which Debezium says "this value was not in the log" for a column: the configured placeholder in the encoding of the
    column's type (spec §6.5). Compared before decoding and exactly; empty for types that have no such form.
-#}
{%- macro unavailable_forms(source, column) -%}
    {%- set known = debezium_spark.unavailable_forms_of(source, column) -%}
    {#- records of another layout carry its forms -#}
    {%- for other in column.get('layouts') or [] -%}
        {%- do known.extend(debezium_spark.unavailable_forms_of(source, other.column)) -%}
    {%- endfor -%}
    {{- return(known | unique | list) -}}
{%- endmacro -%}


{%- macro unavailable_forms_of(source, column) -%}
    {%- set forms = source.unavailable_value_forms -%}
    {%- if (column.get('parameters') or {}).get('binary.handling.mode') -%}
        {#- PostgreSQL writes the plain text in mode hex, Oracle the bytes in the configured form -#}
        {{- return([forms.text, forms.base64, forms.base64_url_safe, forms.hex]) -}}
    {%- endif -%}
    {%- if column.type == 'string' -%}
        {%- set mode = (source.get('binary_handling_mode') or 'bytes').replace('-', '_') -%}
        {%- if source.get('connector') == 'oracle' and mode != 'bytes' and not column.get('semantic') -%}
            {#- a BLOB of which only the record tells looks like any text -#}
            {{- return([forms.text, forms[mode]]) -}}
        {%- endif -%}
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
