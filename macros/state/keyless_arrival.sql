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
