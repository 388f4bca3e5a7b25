{#-
    True when dbt is about to execute this model, false while it parses, compiles, lints, writes docs or runs a unit test.

    Only a run may look at data to choose a shorter SQL: everything else must work without any.
-#}
{%- macro is_running() -%}
    {{- return(
        execute
        and flags.WHICH in ('run', 'build', 'retry')
        and model.resource_type | string == 'model'
    ) -}}
{%- endmacro -%}
