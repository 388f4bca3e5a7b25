{#- Without it, dbt-spark submits the model to a cluster, and its message asks for the cluster. -#}
{%- macro _check_runs_python(remedy) -%}
    {%- if not adapter.debezium().run.runs_python() -%}
        {%- do debezium_spark._fail(
            config.get('materialized'),
            model.name ~ ' is a Python model, and a thrift server runs none.',
            remedy,
        ) -%}
    {%- endif -%}
{%- endmacro -%}
