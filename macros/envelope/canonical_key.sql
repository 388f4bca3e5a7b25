{#-
    SQL: the row's identity as canonical, non-null JSON text (`_cdc_key`), from the key's members.

    Members are decoded and printed in the model's order, so that a connector upgrade, another converter form or another order of
    members does not double the rows. Where a record's members are not the model's (the key was changed by DDL: another
    identity, spec §6.2) or one cannot be decoded, the members are printed sorted as they came.
-#}
{%- macro canonical_key(source, members, key) -%}
    {%- if not key -%}{{- return('cast(null as string)') -}}{%- endif -%}
    {%- set names = [] -%}
    {%- set pairs = [] -%}
    {%- set unread = [] -%}
    {%- for column in key -%}
        {%- set name = debezium_spark.text_literal(column.name) -%}
        {%- set text = 'try_element_at(' ~ members ~ ', ' ~ name ~ ')' -%}
        {%- set prepared = debezium_spark.prepare(source, column, text) -%}
        {%- if debezium_spark.encoding(source, column).get('exact_text') -%}
            {%- set value = debezium_spark.decode_exact_text(source, column, prepared) -%}
        {%- else -%}
            {%- set value = debezium_spark.decode(source, column, prepared) -%}
        {%- endif -%}
        {%- do names.append(name) -%}
        {%- do pairs.append(name ~ ', ' ~ value) -%}
        {%- do unread.append('(' ~ text ~ ' is not null and (' ~ value ~ ') is null)') -%}
    {%- endfor -%}
    {{- return(
        'case when ' ~ members ~ ' is null then null when size(' ~ members ~ ') = ' ~ key | length
        ~ ' and size(array_except(array(' ~ names | join(', ') ~ '), map_keys(' ~ members ~ '))) = 0'
        ~ ' and not (' ~ unread | join(' or ') ~ ') then ' ~ debezium_spark.exact_json('named_struct(' ~ pairs | join(', ') ~ ')')
        ~ ' else to_json(map_from_entries(array_sort(map_entries(' ~ members ~ ')))) end'
    ) -}}
{%- endmacro -%}
