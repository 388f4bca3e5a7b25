{#- Columns with the encodings of other schemas, {hash: fields}, that differ from theirs. -#}
{%- macro with_layouts(config, columns, fields_by_hash) -%}
    {%- set columns_with_layouts = [] -%}
    {%- for column in columns -%}
        {%- set layouts = {} -%}
        {%- for schema_hash, fields in fields_by_hash.items() -%}
            {%- for node in fields if node.get('field') in debezium_spark.all_names([column]) -%}
                {%- set record_column = debezium_spark._column_of(node) -%}
                {%- if not debezium_spark.same_encoding(config, record_column, column) -%}
                    {%- set label = tojson(
                        debezium_spark.encoding_signature(config, record_column)
                    ) -%}
                    {%- set layout = (
                        layouts.get(label) or {'column': record_column, 'hashes': []}
                    ) -%}
                    {%- do layout.hashes.append(schema_hash) -%}
                    {%- do layouts.update({label: layout}) -%}
                {%- endif -%}
            {%- endfor -%}
        {%- endfor -%}
        {%- do columns_with_layouts.append(
            dict(column, layouts=layouts.values() | list) if layouts else column
        ) -%}
    {%- endfor -%}
    {{- return(columns_with_layouts) -}}
{%- endmacro -%}


{#- What only the database type shows (`known_database_type`) is not in a record. -#}
{%- macro same_encoding(config, record_column, model_column) -%}
    {{- return(
        debezium_spark.encoding_signature(config, record_column)
        == debezium_spark.encoding_signature(
            config, debezium_spark.without_known_type(model_column)
        )
    ) -}}
{%- endmacro -%}


{%- macro encoding_signature(config, column) -%}
    {%- set signature = {} -%}
    {%- for member, value in debezium_spark.encoding(config, column).items()
        if member not in ('about', 'literal') -%}
        {%- do signature.update({member: value}) -%}
    {%- endfor -%}
    {%- if signature.kind == 'bits' -%}
        {%- do signature.update({'length': (column.get('parameters') or {}).get('length')}) -%}
    {%- elif signature.kind == 'array' -%}
        {%- do signature.update(
            {
                'items': debezium_spark.encoding_signature(
                    config, column.get('items') or {'type': 'string'}
                )
            }
        ) -%}
    {%- endif -%}
    {{- return(signature) -}}
{%- endmacro -%}
