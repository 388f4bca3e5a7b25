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
