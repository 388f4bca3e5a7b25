{#-
    SQL: the columns that the record's own schema has and its row image lacks; NULL when there are
    none. A converter prints every column of the schema, nulls included, so what is not there got
    lost on the way.

    `names`: of the schemas that the records of this run carry, lists of {names, hashes}
    (`record_layouts`); empty without a catalog. Only an image with other names than the model's is
    looked at, so the schema of the usual record is not hashed.
-#}
{%- macro missing_columns(columns, layout_names) -%}
{%- if not layout_names -%}{{- return('cast(null as array<string>)') -}}{%- endif -%}
{%- set known_names -%}
array({{ debezium_spark.text_literals(debezium_spark.all_names(columns)) }})
{%- endset -%}
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
    when op in ('c', 'r', 'u') and map_keys(after) != {{ known_names }}
        then nullif({{ debezium_spark.let('s', schema_hash, missing) }}, array())
end
{%- endmacro -%}
