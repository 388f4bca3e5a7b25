{#-
    Whether SQL that is made without looking at data must obey every rule of the fold: it does in compile, lint and unit tests.

    The generated unit tests override it (`overrides: {macros: {debezium_spark.needs_every_rule: false}}`): their rows have no truncate,
    no unavailable value, no key change and one partition, and the SQL that a run chooses for such rows is checked in a tenth of the time.
-#}
{%- macro needs_every_rule() -%}
    {{- return(true) -}}
{%- endmacro -%}


{#- The plan that a first run chooses for the rows of a generated unit test. -#}
{%- macro usual_plan() -%}
    {%- set plan = debezium_spark.fold_plan([]) -%}
    {%- do plan.update({
        'several_partitions': false, 'identities': false, 'follows_origins': false, 'truncates': false, 'new_truncates': false,
    }) -%}
    {{- return(plan) -}}
{%- endmacro -%}
