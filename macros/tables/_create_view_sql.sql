{#-
    `columns` get comments, in the order of the SELECT; `model_columns` are the model's, by name.
-#}
{%- macro _create_view_sql(relation, sql, columns, model_columns, description, properties={}) -%}
    {%- set comments = {} -%}
    {%- for name, column in model_columns.items() if column.description -%}
        {%- do comments.update(
            {name | lower: ' comment ' ~ debezium_spark.text_literal(column.description | trim)}
        ) -%}
    {%- endfor -%}
create or replace view {{ relation }}
    {%- if columns %} (
    {%- for name in columns %}
    {{ debezium_spark.quote(name) }}{{ comments.get(name | lower, '') }}{{ ',' if not loop.last }}
    {%- endfor %}
)
    {%- endif %}
    {%- if description %}
comment {{ debezium_spark.text_literal(description | trim) }}
    {%- endif %}
    {%- if properties %}
tblproperties (
    {%- for name, value in properties.items() %}
    {{ debezium_spark.text_literal(name) }} = {{ debezium_spark.text_literal(value) }}
    {{- ',' if not loop.last }}
    {%- endfor %}
)
    {%- endif %}
as
{{ sql }}
{%- endmacro -%}
