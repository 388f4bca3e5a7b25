{#-
    dbt's `accepted_values` for texts that dbt or SQL would interpret. `texts` and `column` are
    written as arguments (`argument_text` in Python); `column` names what dbt does not know.
-#}
{%- test accepted_texts(model, texts, column_name=none, column=none) -%}
{%- set tested_column = debezium_spark._tested_column(column_name, column) -%}
select *
from {{ model }}
where
    {{ tested_column }}
    not in ({{ debezium_spark.text_literals(debezium_spark._arguments(texts)) }})
{%- endtest -%}


{#- The column by our own argument, or as dbt has quoted it. -#}
{%- macro _tested_column(column_name, column) -%}
    {{- return(
        column_name
        if column is none
        else debezium_spark.quote(adapter.debezium().text.read_argument(column))
    ) -}}
{%- endmacro -%}


{%- macro _arguments(arguments) -%}
    {%- set texts = [] -%}
    {%- for argument in arguments -%}
        {%- do texts.append(adapter.debezium().text.read_argument(argument | string)) -%}
    {%- endfor -%}
    {{- return(texts) -}}
{%- endmacro -%}
