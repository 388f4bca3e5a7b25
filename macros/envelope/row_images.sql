{#- SQL: the JSON text of one member of a row image, NULL if it is absent or null. -#}
{%- macro image_member(image, name) -%}
    {{- return('try_element_at(' ~ image ~ ', ' ~ debezium_spark.text_literal(name) ~ ')') -}}
{%- endmacro -%}


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


{#-
    SQL: the texts of a row image in the order of `names`, as an array: a map is searched from its
    begin for each column, so that a table of 1,000 columns would take a million steps for a row. An
    image has the names of its layout in their order. It has all of them, or lacks the last ones, or
    has more behind them; else it is searched. With the names (id, v):

    | image | texts |
    |-------|-------|
    | {id: 1, v: a} | [1, a] |
    | {id: 1} | [1] |
    | {id: 1, v: a, w: b} | [1, a, b] |
    | {v: a, id: 1} | [1, a] |
-#}
{%- macro aligned_texts(image, names) -%}
{%- set names_in_order = 'array(' ~ debezium_spark.text_literals(names) ~ ')' -%}
case
            when {{ image }} is null then null
            when slice(map_keys({{ image }}), 1, {{ names | length }})
                = slice({{ names_in_order }}, 1, size({{ image }})) then map_values({{ image }})
            else transform({{ names_in_order }}, name -> try_element_at({{ image }}, name))
        end
{%- endmacro -%}


{#- SQL: the same of one column, from `aligned_texts` with these names. -#}
{%- macro aligned_text(texts, column, names) -%}
    {%- set found = [] -%}
    {%- for name in debezium_spark.all_names([column]) -%}
        {%- do found.append('get(' ~ texts ~ ', ' ~ names.index(name) ~ ')') -%}
    {%- endfor -%}
    {{- return('coalesce(' ~ found | join(', ') ~ ')' if found | length > 1 else found[0]) -}}
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
