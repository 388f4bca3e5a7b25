{#-
    SQL: a row's key as canonical JSON (`_cdc_key`), NULL for members that identify no row. Members
    are decoded and printed in the model's order, so that neither a connector upgrade nor another
    converter doubles the rows.

    A key with other members, of a time before DDL changed it (spec §6.2), is printed sorted, if all
    of them are columns (`known_names`, a SQL array). `record`: see `prepare`.
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
