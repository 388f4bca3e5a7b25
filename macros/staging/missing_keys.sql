{#-
    Files of a sink may hold values without their keys (`key_switch`, in the configuration of such
    a source: what the sink must write). Then the row is told by `after`, and of a delete by
    `before`, even if that is not complete: every replica identity but `nothing` has the key, and
    `is_invented_key` finds those that were made up.
-#}
{%- macro may_lack_keys(config) -%}
    {{- return(config.get('key_switch') is not none) -}}
{%- endmacro -%}


{#- SQL: why a record has no key. `names`: the key columns of its table. -#}
{%- macro no_key_error(config, names) -%}
    {%- if not debezium_spark.may_lack_keys(config) -%}
        {{- return("'record: no key'") -}}
    {%- endif -%}
    {{- return(debezium_spark.text_literal(
        'record: no key: it has none, and its images do not have (' ~ names
        ~ '). Let the sink write keys: ' ~ config.key_switch
    )) -}}
{%- endmacro -%}
