{#- dbt takes an adapter's own macro before that of dbt-spark. -#}
{%- macro harbor__current_timestamp() -%}
now()
{%- endmacro -%}
