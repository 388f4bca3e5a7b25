{#-
    SQL: a text that distinguishes a change without a position from others of its row and is the
    same in every delivery: the mark of identities that several changes of one run can share (`~`),
    the members of the source block that show where it lay, its place in the transaction where
    metadata are on, and a hash of what it changes (spec §5.3, §5.4). Never the times of the
    envelope, which are new in a redelivery.

    Over `source`, `transaction`, `before` and `after`. A delivery after a column was dropped has
    other images: such a repeat is not recognised.
-#}
{%- macro change_content(members) -%}
    {%- set texts = ["'~'"] -%}
    {%- for member in members -%}
        {%- do texts.append("coalesce(source.`" ~ member ~ "`, '')") -%}
    {%- endfor -%}
    {%- do texts.append("coalesce(transaction.total_order, '')") -%}
    {%- do texts.append('md5(to_json(struct(before, after)))') -%}
    {{- return("concat_ws('/', " ~ texts | join(', ') ~ ')') -}}
{%- endmacro -%}


{#-
    SQL: `_cdc_identity` of a staged event: with op and key, what another delivery of it has, too,
    and no other event (docs/semantics.md, words). NULL where `_cdc_pos` is enough, and where
    nothing identifies it.

    A read is known by the bytes of its value. Since Debezium 2.6 they hold microseconds; before,
    equal rows of a table without a key can be read within one millisecond, and look alike (`~`).
-#}
{%- macro event_identity(position, value_hash) -%}
case
    when op = 'r'
        then concat(if(coalesce(source.version rlike '^([01]|2[.][0-5])[.]', true), '~', ''),
            {{ value_hash }})
    {%- if position.get('identity') %}
    when op in ('c', 'u', 'd') then {{ position.identity }}
    {%- endif %}
    {%- if position.get('truncate_identity') %}
    when op = 't' then {{ position.truncate_identity }}
    {%- endif %}
end
{%- endmacro -%}
