{#-
    Whether a NULL in a row image says no more than a member that is not there. A table has one set
    of columns for all records, so a record that is older than a column has a NULL there if it is
    read after the column was added, and nothing if it was read before. Without a schema of its own
    it must mean the same, or the rows would depend on when a record was read.
-#}
{%- macro nulls_are_absent(config) -%}
    {%- set input = config.get('input') or {} -%}
    {%- set nested = input.get('nested') or {} -%}
    {{- return(input.get('type') == 'table' and nested.get('types') == 'none') -}}
{%- endmacro -%}
