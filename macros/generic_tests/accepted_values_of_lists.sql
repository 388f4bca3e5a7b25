{#-
    Fails with the rows whose value none of the lists holds; each is a text with labels between
    commas.

    PostgreSQL's enums come like this, and a label may hold a comma itself: the list cannot be split
    for certain, but a label stands in it as a whole, between two commas. `lists` and `column` are
    arguments as those of `accepted_texts`.
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
