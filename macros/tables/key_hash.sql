{#-
    SQL: a short hash of a key. Keys may share one: it only rules rows out.

    A MERGE that also inserts joins all rows of its target. Those of other keys are left out before
    they are sorted for it, by the hashes of the few keys that a batch has (`profile_batch`).
-#}
{%- macro key_hash(key) -%}
pmod(hash({{ key }}), 1048576)
{%- endmacro -%}


{#-
    SQL: whether a batch may write a state row: one of these hashes, or a row about the whole table,
    whose key begins with `!`.
-#}
{%- macro has_key_hash(key, key_hashes) -%}
({% if key_hashes -%}
    {{ debezium_spark.key_hash(key) }} in ({{ key_hashes | join(', ') }}) or {% endif -%}
startswith({{ key }}, '!'))
{%- endmacro -%}
