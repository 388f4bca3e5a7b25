{#- One form of every error: what is wrong, with the value, then what to do. -#}
{%- macro _fail(macro_name, problem, remedy) -%}
    {%- do exceptions.raise_compiler_error(
        adapter.debezium().text.printable(
            'debezium_spark.' ~ macro_name ~ ': ' ~ problem ~ ' ' ~ remedy, '\n'
        )
    ) -%}
{%- endmacro -%}
