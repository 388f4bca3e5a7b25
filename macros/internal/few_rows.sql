{#-
    Whether a relation has few rows. A plan of many operators over few rows takes longer to compile
    than to run, so the model's statements then run in a session that compiles nothing
    (`session.session_for_few_rows`). File metadata decide: nothing is read.
-#}
{%- macro reads_few_rows(relation, condition='_cdc_batch_id >= 0', times=1) -%}
    {%- set rows = var('debezium_few_rows', 20000) | int * times -%}
    {{- return(
        rows > 0
        and debezium_spark._reads_all_rows()
        and adapter.debezium().run.reads_few_rows(
            'select 1 from ' ~ relation ~ ' where ' ~ condition, rows
        )
    ) -}}
{%- endmacro -%}
