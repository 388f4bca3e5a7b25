{#-
    SQL: the JSON text of a column in a row image, under its name or a former one (option
    `renames`).
-#}
{%- macro column_member(image, column) -%}
    {%- set texts = [] -%}
    {%- for name in debezium_spark.all_names([column]) -%}
        {%- do texts.append(debezium_spark.image_member(image, name)) -%}
    {%- endfor -%}
    {{- return('coalesce(' ~ texts | join(', ') ~ ')' if texts | length > 1 else texts[0]) -}}
{%- endmacro -%}


{%- macro has_column(image, column) -%}
    {%- set conditions = [] -%}
    {%- for name in debezium_spark.all_names([column]) -%}
        {%- do conditions.append(
            'map_contains_key(' ~ image ~ ', ' ~ debezium_spark.text_literal(name) ~ ')'
        ) -%}
    {%- endfor -%}
    {{- return(conditions | join(' or ')) -}}
{%- endmacro -%}


{%- macro all_names(columns) -%}
    {%- set names = [] -%}
    {%- for column in columns -%}
        {%- do names.append(column.name) -%}
        {%- do names.extend(column.get('formerly') or []) -%}
    {%- endfor -%}
    {{- return(names) -}}
{%- endmacro -%}
