{#-
    SQL: `_cdc_errors`, NULL without any: `record: <reason>`, or `<column>: <reason>: <text>` for
    each value, and what is wrong with a time. A record error hides the others.
-#}
{%- macro decoding_errors(config, columns) -%}
    {%- set conditions = [] -%}
    {%- set texts = [] -%}
    {%- for column in columns if debezium_spark.encoding(config, column).kind != 'string' -%}
        {%- set index = columns.index(column) + 1 -%}
        {%- set unavailable = debezium_spark.unavailable_condition(
            config, column, '_text_' ~ index
        ) -%}
        {%- set condition = debezium_spark.undecodable_condition(
            config, column, '_text_' ~ index, '_value_' ~ index, '_prepared_' ~ index
        ) -%}
        {%- if unavailable is not none -%}
            {%- set condition = (
                '(' ~ condition ~ ' and (' ~ unavailable ~ ') is distinct from true)'
            ) -%}
        {%- endif -%}
        {%- do conditions.append(condition) -%}
        {%- do texts.append(
            'case when ' ~ condition ~ ' then concat('
            ~ debezium_spark.text_literal(
                column.name ~ ': not a ' ~ (column.get('semantic') or column.type) ~ ': '
            )
            ~ ', left(_text_' ~ index ~ ', 1000)) end'
        ) -%}
    {%- endfor -%}
    {%- for condition, text in debezium_spark.unreadable_members() -%}
        {%- do conditions.append(condition) -%}
        {%- do texts.append('case when ' ~ condition ~ ' then ' ~ text ~ ' end') -%}
    {%- endfor -%}
    {%- set missing -%}
transform(_missing_columns, name -> concat(name,
            ': not in the row, but in the schema of its record'))
    {%- endset -%}
case
    when _record_error is not null then array(_record_error)
    when {{ conditions | join(' or ') }}
        then concat(array_compact(array({{ texts | join(', ') }})),
            coalesce({{ missing }}, array()))
    else {{ missing }}
end
{%- endmacro -%}
