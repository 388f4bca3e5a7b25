{#-
    SQL: the JSON text of a column. An update leaves a column with the placeholder as it was, so the
    value in a complete `before` counts (docs/semantics.md, unavailable values). A member of the key
    that the image lacks is in the record's key. `names`: see `aligned_texts`.
-#}
{%- macro column_text(config, column, reads_before, key, names) -%}
{%- set text = debezium_spark.image_text(config, column, reads_before, names) -%}
{%- if not debezium_spark.is_in_key(column, key) -%}{{- return(text) -}}{%- endif -%}
{%- set of_key = debezium_spark.column_member('key_members', column) -%}
if({{ debezium_spark.is_outside_image(column) }}, {{ of_key }}, {{ text }})
{%- endmacro -%}


{%- macro image_text(config, column, reads_before, names) -%}
{%- set text = debezium_spark.aligned_text('image_texts', column, names) -%}
{%- set is_unavailable = debezium_spark.unavailable_condition(config, column, text) -%}
{%- if not reads_before or is_unavailable is none -%}
    {{- return(text) -}}
{%- endif -%}
{%- set before = debezium_spark.aligned_text('before_texts', column, names) -%}
{%- set was_unavailable = debezium_spark.unavailable_condition(config, column, before) -%}
case
    when op = 'u'
        and ({{ is_unavailable }})
        and ({{ debezium_spark.has_column('before', column) }})
        and ({{ was_unavailable }}) is distinct from true then {{ before }}
    else {{ text }}
end
{%- endmacro -%}


{%- macro is_in_key(column, key) -%}
    {{- return(column.name in key | map(attribute='name')) -}}
{%- endmacro -%}


{#- SQL condition: a record has a row image, and that lacks the column. -#}
{%- macro is_outside_image(column) -%}
    {{- return('not (' ~ debezium_spark.has_column('image', column) ~ ')') -}}
{%- endmacro -%}


{#- SQL: the hash of the schema of a column's text; None without other layouts. -#}
{%- macro layout_of_text(column, key) -%}
    {%- if not column.get('layouts') or not debezium_spark.is_in_key(column, key) -%}
        {{- return('_layout') -}}
    {%- endif -%}
    {{- return('if(' ~ debezium_spark.is_outside_image(column) ~ ', _key_layout, _layout)') -}}
{%- endmacro -%}


{#- SQL condition: the text is the placeholder; none for types that cannot carry one. -#}
{%- macro unavailable_condition(config, column, text) -%}
    {%- set literals = [] -%}
    {%- for form in debezium_spark.unavailable_forms(config, column) -%}
        {%- do literals.append(debezium_spark.text_literal(form)) -%}
    {%- endfor -%}
    {%- if not literals -%}{{- return(none) -}}{%- endif -%}
    {%- if literals | length == 1 -%}{{- return(text ~ ' = ' ~ literals[0]) -}}{%- endif -%}
    {{- return(text ~ ' in (' ~ literals | join(', ') ~ ')') -}}
{%- endmacro -%}


{#- SQL: the prepared value of a column, NULL where the text is a placeholder. -#}
{%- macro prepare_known(config, column, text, record=none) -%}
    {%- set condition = debezium_spark.unavailable_condition(config, column, text) -%}
    {%- set prepared = debezium_spark.prepare(config, column, text, record) -%}
    {%- if condition is none -%}{{- return(prepared) -}}{%- endif -%}
    {{- return('case when (' ~ condition ~ ') is distinct from true then ' ~ prepared ~ ' end') -}}
{%- endmacro -%}
