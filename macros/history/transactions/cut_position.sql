{#-
    SQL: the newest cut of a source as a value, NULL if there is none; `batch_id`: that of a landing
    or of the last run before it. `cut`: the model made with macro `cut`.
-#}
{%- macro cut_position(cut, batch_id=none) -%}
    {{- return(
        '(select ' ~ debezium_spark.newest_cut() ~ ' from ' ~ cut
        ~ (' where _cdc_batch_id <= ' ~ batch_id | int if batch_id is not none else '') ~ ')'
    ) -}}
{%- endmacro -%}


{#-
    SQL: the last commit up to an instant at the source as a position, at most the newest cut; NULL
    if there is none. `transactions`, `cut`: the models made with these macros; `instant`: SQL of a
    timestamp.
-#}
{%- macro commit_position(transactions, cut, instant) -%}
    {{- return(
        '(select max(high_pos) from ' ~ transactions ~ ' where ' ~ debezium_spark._passes()
        ~ ' and ended_at <= ' ~ instant ~ ' and high_pos <= ' ~ debezium_spark.cut_position(cut)
        ~ ')'
    ) -}}
{%- endmacro -%}


{%- macro newest_cut() -%}
    {{- return('max_by(cut_pos, _cdc_batch_id)') -}}
{%- endmacro -%}
