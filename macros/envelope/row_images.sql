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
