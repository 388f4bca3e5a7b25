{#-
    SQL: the content of a change without a position (docs/semantics.md, words), beginning with `~`
    because changes of one run can share it. Never the envelope's times, which a redelivery changes.
    A delivery after a column was dropped has other images and is not recognised.
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
    SQL: `_cdc_identity`, NULL where `_cdc_pos` is enough. A read is identified by its bytes; before
    Debezium 2.6 they lack microseconds, so that equal rows can share them (`~`). So is a change
    that does not tell where it lies in the log.
-#}
{%- macro event_identity(position, value_hash) -%}
case
    when op = 'r'
        then concat(if(coalesce(source.version rlike '^([01]|2[.][0-5])[.]', true), '~', ''),
            {{ value_hash }})
    when op in ('c', 'u', 'd', 't') and not {{ position.is_told }}
        then concat('~', {{ value_hash }})
    {%- if position.get('identity') %}
    when op in ('c', 'u', 'd') then {{ position.identity }}
    {%- endif %}
    {%- if position.get('truncate_identity') %}
    when op = 't' then {{ position.truncate_identity }}
    {%- endif %}
end
{%- endmacro -%}


{#-
    SQL: the identity of a streaming event. As text it mostly rises with the source's log: above the
    highest that was folded, nothing repeats. Positions do not show that: PostgreSQL's can rise in a
    redelivery.
-#}
{%- macro log_identity() -%}
    {{- return('coalesce(_cdc_identity, _cdc_pos)') -}}
{%- endmacro -%}
