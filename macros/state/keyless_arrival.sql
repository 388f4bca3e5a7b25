{#-
    SQL: where a delivery of `staged` arrived, comparable within its table. A table whose rows lie
    in several partitions has no order of offsets: time orders them (docs/semantics.md, arrival).
-#}
{%- macro _arrival_struct(is_moved, prefix='') -%}
named_struct(
    'incarnation', {{ prefix }}incarnation,
    'moved_at', case when {{ is_moved }} then {{ prefix }}`timestamp` end,
    'moved_topic', case when {{ is_moved }} then {{ prefix }}topic end,
    'moved_to', case when {{ is_moved }} then {{ prefix }}`partition` end,
    'offset', {{ prefix }}`offset`
)
{%- endmacro -%}


{#-
    SQL: when a read arrived, compared with the first of its snapshot. In several partitions only
    time orders reads, and reads of one snapshot share milliseconds.
-#}
{%- macro _beginning_struct(is_moved, prefix='') -%}
named_struct(
    'incarnation', {{ prefix }}incarnation,
    'at', case
        when {{ is_moved }} then unix_micros({{ prefix }}`timestamp`)
        else {{ prefix }}`offset`
    end
)
{%- endmacro -%}
