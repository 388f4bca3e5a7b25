{#-
    The records of a document, which Python walks (`src/dbt_debezium_spark/explain/documents.py`);
    `candidates`: texts of the `_id`, of which the first that has records counts.
-#}
{%- macro explained_document(config, model, candidates, as_of) -%}
    {%- set run = adapter.debezium().run -%}
    {%- set log = run.hold(debezium_spark.log_of_keys(model.staging, candidates)) -%}
    {%- set staged = debezium_spark.run_texts(
        debezium_spark.documents_to_explain(config, log)
    ) -%}
    {%- set facts = debezium_spark.facts_of_key(config, model, log, candidates, staged) -%}
    {%- do run.let_go(log) -%}
    {{- return(
        adapter.debezium().explain.explained_document(model, candidates, staged, facts, as_of)
    ) -}}
{%- endmacro -%}


{#- SELECT: texts of what the walk of documents takes, in the order of arrival. -#}
{%- macro documents_to_explain(config, log) -%}
select {{ adapter.debezium().text.exact_json('struct(*)') }} as event
from (
    {{ debezium_spark.document_fold(config, log).events | indent(4) }}
) as events
{%- endmacro -%}
