{#-
    True when dbt is about to execute this model or a hook. Only then may a macro look at data to
    choose shorter SQL: compile, lint, docs and unit tests must work without any.
-#}
{%- macro is_running() -%}
    {{- return(
        execute
        and flags.WHICH in ('run', 'build', 'retry')
        and model.resource_type | string in ('model', 'operation')
    ) -}}
{%- endmacro -%}


{#- With `--empty` or `--sample`, dbt runs a model on other rows than there are. -#}
{%- macro _reads_all_rows() -%}
    {{- return(
        debezium_spark.is_running() and not flags.EMPTY and not debezium_spark.is_sample()
    ) -}}
{%- endmacro -%}


{#- dbt's `flags` do not have it. -#}
{%- macro is_sample() -%}
    {%- set arguments = invocation_args_dict or {} -%}
    {{- return(arguments.get('sample') is not none or arguments.get('SAMPLE') is not none) -}}
{%- endmacro -%}
