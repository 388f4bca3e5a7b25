{#-
    SQL: where a delivery arrived. Over several partitions offsets have no order: time decides
    (docs/semantics.md, arrival).
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
    SQL: a read's arrival compared with the first of its snapshot, which can share its millisecond.
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
