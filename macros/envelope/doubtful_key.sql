{#-
    Values that connectors make up for what a replica identity lacks: zero, false, empty, the epoch.
    `rest` matches what follows a date or a time.
-#}
{%- macro _invented_pattern(rest) -%}
    {{- return(
        '-?0+([.]0+)?|false|(AAAA)*(AA==|AAA=)?|1970-01-01' ~ rest ~ '|00:00:00' ~ rest ~ '|P0'
        ~ rest
    ) -}}
{%- endmacro -%}


{%- macro is_inventable(text) -%}
    {{- return(
        'coalesce(' ~ text ~ ' rlike '
        ~ debezium_spark.text_literal('^(' ~ debezium_spark._invented_pattern('.*') ~ '|[{\\[].*)$')
        ~ ', true)'
    ) -}}
{%- endmacro -%}


{#-
    SQL condition: a member of a key may be made up. This is no proof; `is_invented_key` decides.
-#}
{%- macro is_doubtful_key(key) -%}
    {%- set value = '"?(null|' ~ debezium_spark._invented_pattern('[^",}]*') ~ ')"?' -%}
    {{- return(
        'coalesce(substring_index(' ~ key ~ ", '\"payload\":', -1) rlike "
        ~ debezium_spark.text_literal('(^|[:=])\\s*' ~ value ~ '\\s*([,}]|$)|[:=]\\s*[{\\[]')
        ~ ', false)'
    ) -}}
{%- endmacro -%}
