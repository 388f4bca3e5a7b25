{#-
    Rows that only one of two models has: the current versions of a history, and those of the model
    `current`, the table's. `columns` are written as arguments (`argument_text` in Python); maps
    have no order and are compared as text.
-#}
{%- test current_versions_are_the_rows(model, current, columns) -%}
{%- set rows = ref(current) -%}
{%- set names = [] -%}
{%- for column in debezium_spark._arguments(columns) -%}
    {%- set data_type = debezium_spark._type_of_tested(column) -%}
    {%- set name = debezium_spark.quote(column) -%}
    {%- do names.append(debezium_spark._comparable(name, data_type) ~ ' as ' ~ name) -%}
{%- endfor -%}
{%- set selected = names | join(', ') -%}
(
    select {{ selected }} from {{ model }} where _cdc_is_current
    except all
    select {{ selected }} from {{ rows }}
)
union all
(
    select {{ selected }} from {{ rows }}
    except all
    select {{ selected }} from {{ model }} where _cdc_is_current
)
{%- endtest -%}


{%- macro _type_of_tested(column) -%}
    {%- if not execute -%}{{- return(none) -}}{%- endif -%}
    {%- set node = graph.nodes[model.attached_node] -%}
    {{- return((node.columns.get(column) or {}).get('data_type')) -}}
{%- endmacro -%}
