{#-
    Rows that were late when the run began, or at the var `debezium_as_of`: how long the run itself
    takes must not count. Its outcome changes with time, so it is never answered from an earlier run
    (`passed_tests` in Python does not list it).
-#}
{%- test never_late(model) -%}
select *
from {{ model }}
where late_at <= {{ debezium_spark.moment_literal(var('debezium_as_of', none) or run_started_at) }}
{%- endtest -%}
