{#-
    Fails with the rows whose value none of the lists holds; each is a text with labels between commas.

    PostgreSQL's enums come like this, and a label may hold a comma itself: the list cannot be split for certain, but a label
    stands in it as a whole, between two commas.
-#}
{%- test accepted_values_of_lists(model, column_name, lists) -%}
select *
from {{ model }}
where
    {%- for labels in lists %}
    {{ 'and ' if not loop.first }}instr(
        {{ debezium_spark.text_literal(',' ~ labels ~ ',') }}, concat(',', {{ column_name }}, ',')
    ) = 0
    {%- endfor %}
{%- endtest -%}
