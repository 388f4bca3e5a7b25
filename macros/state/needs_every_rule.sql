{#-
    Whether SQL that is made without looking at data must obey every rule of the fold: it does in
    compile, lint and unit tests.

    The generated unit tests override it (`overrides: {macros: {debezium_spark.needs_every_rule:
    false}}`): their rows have no truncate, no unavailable value, no key change and one partition,
    and the walk without the rules for those is checked in a tenth of the time.
-#}
{%- macro needs_every_rule() -%}
    {{- return(true) -}}
{%- endmacro -%}


{#- The walk without the rules that the rows of a generated unit test do not need. -#}
{%- macro usual_plan() -%}
    {%- set plan = debezium_spark.fold_plan([]) -%}
    {%- do plan.update(
        {
            'several_partitions': false,
            'identities': false,
            'follows_origins': false,
            'truncates': false,
            'new_truncates': false,
        }
    ) -%}
    {{- return(plan) -}}
{%- endmacro -%}
