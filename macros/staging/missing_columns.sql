{#-
    SQL: columns that a record's schema has and its row lacks: converters print nulls too, so these
    got lost. `layout_names`: {names, hashes} of `record_layouts`. Only an image with other names
    than the model's has its schema hashed.
-#}
{%- macro missing_columns(layout_names) -%}
{%- if not layout_names -%}{{- return('cast(null as array<string>)') -}}{%- endif -%}
{%- set missing -%}
array_except(case
            {%- for layout in layout_names %}
            when s in ({{ layout.hashes | join(', ') }})
                then array({{ debezium_spark.text_literals(layout.names) }})
            {%- endfor %}
        end, map_keys(after))
{%- endset -%}
{%- set schema_hash = debezium_spark.embedded_schema_hash('_record_value') -%}
case
    when op in ('c', 'r', 'u') and after_has_other_names
        then nullif({{ debezium_spark.let('s', schema_hash, missing) }}, array())
end
{%- endmacro -%}
