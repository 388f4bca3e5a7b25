{#-
    Pattern of the texts of values that connectors make up: zero, false, empty, the epoch, nothing.
    `rest`: of the signs behind a time.
-#}
{%- macro _invented_pattern(rest) -%}
    {{- return(
        '-?0+([.]0+)?|false|(AAAA)*(AA==|AAA=)?|1970-01-01' ~ rest ~ '|00:00:00' ~ rest ~ '|P0'
        ~ rest
    ) -}}
{%- endmacro -%}


{#- SQL condition: a value can be made up. -#}
{%- macro is_inventable(text) -%}
    {{- return(
        'coalesce(' ~ text ~ ' rlike '
        ~ debezium_spark.text_literal('^(' ~ debezium_spark._invented_pattern('.*') ~ '|[{\\[].*)$')
        ~ ', true)'
    ) -}}
{%- endmacro -%}


{#-
    SQL condition: the text of a record's key, in any form, may have a member that is made up. It is
    no proof.
-#}
{%- macro is_doubtful_key(key) -%}
    {%- set value = '"?(null|' ~ debezium_spark._invented_pattern('[^",}]*') ~ ')"?' -%}
    {{- return(
        'coalesce(substring_index(' ~ key ~ ", '\"payload\":', -1) rlike "
        ~ debezium_spark.text_literal('(^|[:=])\\s*' ~ value ~ '\\s*([,}]|$)|[:=]\\s*[{\\[]')
        ~ ', false)'
    ) -}}
{%- endmacro -%}
