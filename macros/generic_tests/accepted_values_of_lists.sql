{#-
    Values that none of the lists contains. PostgreSQL's enums come as labels between commas, and a
    label may contain a comma: the list cannot be split, but each label stands between two commas.
    `lists` and `column` are arguments as in `accepted_texts`.
-#}
{%- test accepted_values_of_lists(model, lists, column_name=none, column=none) -%}
{%- set tested_column = debezium_spark._tested_column(column_name, column) -%}
select *
from {{ model }}
where
    {%- for labels in debezium_spark._arguments(lists) %}
    {{ 'and ' if not loop.first }}instr(
        {{ debezium_spark.text_literal(',' ~ labels ~ ',') }}, concat(',', {{ tested_column }}, ',')
    ) = 0
    {%- endfor %}
{%- endtest -%}
