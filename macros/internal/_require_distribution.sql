{#-
    Stop with one sentence where dbt has this package, but not its Python half: someone added it to
    packages.yml alone, or the adapter builds on another engine. Macros that dbt calls while it
    parses begin with this.
-#}
{%- macro _require_distribution() -%}
    {%- if adapter.debezium is not defined -%}
        {%- do exceptions.raise_compiler_error(
            'debezium_spark: the adapter ' ~ adapter.type() ~ ' has no methods of this package.'
            ~ ' Run `pip install dbt-debezium-spark` in the Python environment of dbt'
            ~ (
                '' if adapter.type() == 'spark'
                else ', and use dbt-spark or an adapter that builds on it'
            ) ~ '.'
        ) -%}
    {%- endif -%}
{%- endmacro -%}
