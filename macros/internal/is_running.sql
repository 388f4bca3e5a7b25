{#-
    True when dbt is about to execute this model, or a hook of the run, false while it parses,
    compiles, lints, writes docs or runs a unit test.

    Only a run may look at data to choose a shorter SQL: everything else must work without any.
-#}
{%- macro is_running() -%}
    {{- return(
        execute
        and flags.WHICH in ('run', 'build', 'retry')
        and model.resource_type | string in ('model', 'operation')
    ) -}}
{%- endmacro -%}


{#-
    Whether dbt runs a model on the rows there are: with `--empty` or `--sample` it reads others.
-#}
{%- macro _reads_all_rows() -%}
    {{- return(debezium_spark.is_running() and not flags.EMPTY and not flags.SAMPLE) -}}
{%- endmacro -%}
