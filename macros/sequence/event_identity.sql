{#-
    SQL: a text that tells a change without a position from others of its row and is the same in every delivery: the members of the source
    block that say where it lay, its place in the transaction where metadata are on, and a hash of what it changes (spec §5.3, §5.4).
    Never the times of the envelope, which a redelivery makes anew.

    Over `source`, `transaction`, `before` and `after`. A delivery after a column was dropped has other images: such a repeat is not known.
-#}
{%- macro event_identity(members) -%}
    {%- set texts = [] -%}
    {%- for member in members -%}
        {%- do texts.append("coalesce(source.`" ~ member ~ "`, '')") -%}
    {%- endfor -%}
    {%- do texts.append("coalesce(transaction.total_order, '')") -%}
    {%- do texts.append('md5(to_json(struct(before, after)))') -%}
    {{- return("concat_ws('/', " ~ texts | join(', ') ~ ')') -}}
{%- endmacro -%}
