{#-
    Keep what tests passed on, so that the next build answers those of untouched tables without a
    scan (`passed_tests` in Python). Losing this table costs one run of every test. It is made again
    each time, so that no snapshots pile up.
-#}
{%- macro _keep_passed_tests() -%}
    {%- set debezium = adapter.debezium() -%}
    {%- if not execute or flags.WHICH not in ('build', 'retry') -%}{{- return('') -}}{%- endif -%}
    {%- set tests = debezium.run.tests_to_keep() -%}
    {%- if not tests -%}{{- return('') -}}{%- endif -%}
    {%- set relation = debezium.run.tests_table() -%}
    {%- set rows = [] -%}
    {%- for test, state in tests.items() -%}
        {%- do rows.append('(' ~ debezium_spark.text_literals([test, state]) ~ ')') -%}
    {%- endfor -%}
    {#- the configuration of a hook is that of this package, and not of the project -#}
    {%- set file_format = debezium.run.format_of_target() -%}
    {%- do run_query('create schema if not exists ' ~ relation.without_identifier()) -%}
    {%- do run_query(
        'drop table if exists ' ~ relation
        ~ (' purge' if file_format == 'iceberg' else '')
    ) -%}
    {%- do run_query(
        'create table ' ~ relation ~ ' using ' ~ file_format
        ~ ' as select * from values\n' ~ rows | join(',\n') ~ ' as tests (test, passed_on)'
    ) -%}
    {{- return('') -}}
{%- endmacro -%}
