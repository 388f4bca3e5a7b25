{#-
    SQL: the JSON text of a column in a row image, under its name or one it had before (`formerly`,
    from the option `renames` of its table). An image has one of them.
-#}
{%- macro column_member(image, column) -%}
    {%- set texts = [] -%}
    {%- for name in debezium_spark.names_ever([column]) -%}
        {%- do texts.append(debezium_spark.image_member(image, name)) -%}
    {%- endfor -%}
    {{- return('coalesce(' ~ texts | join(', ') ~ ')' if texts | length > 1 else texts[0]) -}}
{%- endmacro -%}


{#- SQL condition: a row image has the column, under any of its names. -#}
{%- macro image_has(image, column) -%}
    {%- set conditions = [] -%}
    {%- for name in debezium_spark.names_ever([column]) -%}
        {%- do conditions.append(
            'map_contains_key(' ~ image ~ ', ' ~ debezium_spark.text_literal(name) ~ ')'
        ) -%}
    {%- endfor -%}
    {{- return(conditions | join(' or ')) -}}
{%- endmacro -%}


{#- The names that columns have or had. -#}
{%- macro names_ever(columns) -%}
    {%- set names = [] -%}
    {%- for column in columns -%}
        {%- do names.append(column.name) -%}
        {%- do names.extend(column.get('formerly') or []) -%}
    {%- endfor -%}
    {{- return(names) -}}
{%- endmacro -%}


{#-
    SQL: a decoded value, or, where the row image is of a time before the column was added, what the
    source gave to the rows that existed (`added_default`, from the option `added_defaults` of its
    table). A row image has all columns of its layout (spec §6.5), so one that lacks the column is
    older than it; so is one of an earlier column of the name (`column_life`).
-#}
{%- macro value_or_added_default(config, column, image, value, spark_type) -%}
{%- if column.get('added_default') is none -%}{{- return(value) -}}{%- endif -%}
case
    when op in ('c', 'r', 'u')
        and (not ({{ debezium_spark.image_has(image, column) }})
        {%- if column.get('gone_until') %}
            or {{ debezium_spark.is_of_earlier_life(config, column) }}
        {%- endif -%}
        ) then cast({{ debezium_spark.text_literal(column.added_default) }} as {{ spark_type }})
    else {{ value }}
end
{%- endmacro -%}
