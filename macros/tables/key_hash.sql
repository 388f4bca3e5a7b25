{#-
    SQL: a short hash of a key, which only rules rows out. A MERGE that also inserts joins its whole
    target: rows of other keys are left out before they are sorted (`profile_batch`).
-#}
{%- macro key_hash(key) -%}
pmod(hash({{ key }}), 1048576)
{%- endmacro -%}


{#- SQL: whether a batch may write a state row: one of these hashes, or a control row. -#}
{%- macro has_key_hash(key, key_hashes) -%}
({% if key_hashes -%}
    {{ debezium_spark.key_hash(key) }} in ({{ key_hashes | join(', ') }}) or {% endif -%}
startswith({{ key }}, '!'))
{%- endmacro -%}
