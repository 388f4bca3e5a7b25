{#-
    SQL: the row's identity as canonical JSON text (`_cdc_key`), from the key's members; NULL when
    they are no identity of a row.

    Members are decoded and printed in the model's order, so that a connector upgrade, another
    converter form or another order of members does not double the rows. Where a record has other
    members than the model (the key was changed by DDL: another identity, spec §6.2), or a null
    among them, they are printed sorted as they came. That a key has other members is believed when
    all of them are columns: `known_names` is a SQL array of their names; without it, any are.

    `record` is a SQL expression: the JSON text that the members came from (see `prepare`).
-#}
{%- macro canonical_key(source, members, key, record=none, known_names=none) -%}
    {%- if not key -%}{{- return('cast(null as string)') -}}{%- endif -%}
    {%- set pairs = [] -%}
    {%- set json_parts = [] -%}
    {%- set decoded_conditions = [] -%}
    {%- set undecodable_conditions = [] -%}
    {%- set spark_types = [] -%}
    {%- set name_conditions = [] -%}
    {%- for column in key -%}
        {%- set name = debezium_spark.text_literal(column.name) -%}
        {%- set text = debezium_spark.column_member(members, column) -%}
        {%- set prepared = debezium_spark.prepare(source, column, text, record) -%}
        {%- set exact_text = debezium_spark.encoding(source, column).get('exact_text') -%}
        {%- set value = debezium_spark.decode_recorded(
            source, column, text, prepared, '_key_layout', record
        ) -%}
        {%- if exact_text == 'always' -%}
            {%- set value = debezium_spark.decode_exact_text(source, column, prepared) -%}
        {%- elif exact_text -%}
            {%- set value = (
                'coalesce(' ~ debezium_spark.decode_exact_text(source, column, prepared) ~ ', cast('
                ~ value ~ ' as string))'
            ) -%}
        {%- endif -%}
        {%- do pairs.append(name ~ ', ' ~ value) -%}
        {%- do json_parts.append(
            debezium_spark.text_literal(tojson(column.name) ~ ':') ~ ', ' ~ value
        ) -%}
        {%- do decoded_conditions.append('(' ~ value ~ ') is not null') -%}
        {%- do undecodable_conditions.append(text ~ ' is not null and (' ~ value ~ ') is null') -%}
        {%- do spark_types.append(debezium_spark.encoding(source, column).spark_type) -%}
        {%- do name_conditions.append('(' ~ debezium_spark.has_column(members, column) ~ ')') -%}
    {%- endfor -%}
    {%- if spark_types | reject('in', ['int', 'bigint']) | list -%}
        {%- set canonical = debezium_spark.exact_json(
            'named_struct(' ~ pairs | join(', ') ~ ')'
        ) -%}
    {%- else -%}
        {#- integers need no JSON writer; the text is the same -#}
        {%- set canonical = "concat('{', " ~ json_parts | join(", ',', ") ~ ", '}')" -%}
    {%- endif -%}
    {%- set names = 'map_keys(' ~ members ~ ')' -%}
case
    when {{ members }} is null then null
    when size({{ members }}) = {{ key | length }} and {{ decoded_conditions | join(' and ') }}
        then {{ canonical }}
    when size({{ members }}) = 0
        or size(array_distinct({{ names }})) < size({{ members }}) then null
    when size({{ members }}) = {{ key | length }} and {{ name_conditions | join(' and ') }}
        and ({{ undecodable_conditions | join(' or ') }}) then null
    {%- if known_names %}
    when size(array_except({{ names }}, {{ known_names }})) > 0 then null
    {%- endif %}
    else to_json(map_from_entries(array_sort(map_entries({{ members }}))))
end
{%- endmacro -%}
