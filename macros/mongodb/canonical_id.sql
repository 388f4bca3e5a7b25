{#-
    SQL: one text for an `_id` in both dialects of Extended JSON, because a connector upgrade must
    not double the documents (spec §7.1, trap 49). Members keep their order: `{a, b}` and `{b, a}`
    are two ids.

    Quotes within JSON strings are escaped, so a pattern that begins with a brace and a bare quote
    matches members only. `src/dbt_debezium_spark/mongodb/ejson.py` has the same rule in Python.
-#}
{%- macro canonical_id(text) -%}
{%- set string = '"[^"\\\\]*+(?:\\\\.[^"\\\\]*+)*+"' -%}
{%- set compact = debezium_spark._regexp_replace(text, '(' ~ string ~ ')|\\s+', '$1') -%}
{%- set numbers = debezium_spark._regexp_replace(
    compact, '\\{"\\$number(?:Long|Int)":"(-?[0-9]+)"\\}', '$1'
) -%}
{%- set doubles = debezium_spark._regexp_replace(
    numbers, '\\{"\\$numberDouble":"(-?[0-9][-+.0-9Ee]*)"\\}', '$1'
) -%}
{%- set binaries = debezium_spark._regexp_replace(
    doubles,
    '\\{"\\$binary":("[^"\\\\]*"),"\\$type":"([0-9A-Fa-f]{2})"\\}',
    '{"\\$binary":{"base64":$1,"subType":"$2"}}',
) -%}
{%- set regexes = debezium_spark._regexp_replace(
    binaries,
    '\\{"\\$regex":(' ~ string ~ '),"\\$options":("[a-z]*")\\}',
    '{"\\$regularExpression":{"pattern":$1,"options":$2}}',
) -%}
{#- a date is computed, so the result replaces the text of each date that occurs -#}
{%- set date = debezium_spark.text_literal('\\{"\\$date":-?[0-9]+\\}') -%}
{%- set milliseconds = "try_cast(regexp_extract(one_date, '-?[0-9]+', 0) as bigint)" -%}
{%- set moment -%}
replace(date_format(timestamp_millis({{ milliseconds }}),
                    'yyyy-MM-dd\'T\'HH:mm:ss.SSS\'Z\''), '.000Z', 'Z')
{%- endset -%}
{#- a date that no TIMESTAMP holds stays a number, as both dialects write it -#}
{%- set dates -%}
aggregate(array_distinct(regexp_extract_all(id_text, {{ date }}, 0)), id_text,
            (done, one_date) -> case
                when {{ milliseconds }} between -9223372036854775 and 9223372036854775
                    then replace(done, one_date, concat('{"$date":"', {{ moment }}, '"}'))
                else done
            end)
{%- endset -%}
{#- drivers escape characters differently, so a string is read and written again -#}
{%- set content = "from_json(concat('{\"v\":', id_text, '}'), 'v string').v" -%}
{%- set json_text = "to_json(named_struct('v', " ~ content ~ '))' -%}
{%- set canonical -%}
case
        when startswith(id_text, '"')
            then case
                when {{ content }} is null then id_text
                else substring({{ json_text }}, 6, char_length({{ json_text }}) - 6)
            end
        when contains(id_text, '{"$date":') then {{ dates }}
        else id_text
    end
{%- endset -%}
case
    when {{ text }} rlike '^-?[0-9]+$' then {{ text }}
    else {{ adapter.debezium().decode.let('id_text', regexes, canonical) }}
end
{%- endmacro -%}


{%- macro _regexp_replace(text, pattern, replacement) -%}
    {{- return(
        'regexp_replace(' ~ text ~ ', ' ~ debezium_spark.text_literal(pattern) ~ ', '
        ~ debezium_spark.text_literal(replacement) ~ ')'
    ) -}}
{%- endmacro -%}
