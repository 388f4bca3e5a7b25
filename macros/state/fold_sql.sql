{#-
    SELECT of the rows that a fold writes: one per touched key, and control rows. `plan`: see
    `fold_plan`.
-#}
{%- macro fold_sql(config, staging, columns, plan) -%}
{%- if plan.in_order -%}
    {{- return(debezium_spark.fold_in_order(config, staging, columns, plan)) -}}
{%- endif -%}
with
{% if plan.follows_origins and not plan.chains %}recursive{% endif %}

{{ debezium_spark.fold_input(config, staging, columns, plan) }},

{{ debezium_spark.fold_walk(plan) }},

{% if plan.follows_origins -%}
{{ debezium_spark.fold_origins(plan) }},

{% endif -%}
{% if plan.lookup_columns -%}
{{ debezium_spark.fold_unavailable(plan) }},

{% endif -%}
{{ debezium_spark.fold_rows(columns, plan) }}
{%- endmacro -%}
