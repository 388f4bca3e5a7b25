{#- Columns with the encodings by which the given schemas ({hash: fields}) differ from them. -#}
{%- macro with_layouts(config, columns, fields_by_hash) -%}
    {%- set told = [] -%}
    {%- for column in columns -%}
        {%- set others = {} -%}
        {%- for schema_hash, fields in fields_by_hash.items() -%}
            {%- for node in fields if node.get('field') in debezium_spark.names_ever([column]) -%}
                {%- set own = debezium_spark._column_of(node) -%}
                {%- if not debezium_spark.same_encoding(config, own, column) -%}
                    {%- set label = tojson(debezium_spark.encoding_identity(config, own)) -%}
                    {%- set other = others.get(label) or {'column': own, 'hashes': []} -%}
                    {%- do other.hashes.append(schema_hash) -%}
                    {%- do others.update({label: other}) -%}
                {%- endif -%}
            {%- endfor -%}
        {%- endfor -%}
        {%- do told.append(dict(column, layouts=others.values() | list) if others else column) -%}
    {%- endfor -%}
    {{- return(told) -}}
{%- endmacro -%}


{#-
    Whether two descriptions of a column are read alike. What only the database type shows
    (`known_database_type`) is not in a record.
-#}
{%- macro same_encoding(config, recorded, modelled) -%}
    {{- return(
        debezium_spark.encoding_identity(config, recorded)
        == debezium_spark.encoding_identity(config, debezium_spark.without_known_type(modelled))
    ) -}}
{%- endmacro -%}


{%- macro encoding_identity(config, column) -%}
    {%- set identity = {} -%}
    {%- for member, value in debezium_spark.encoding(config, column).items()
        if member not in ('about', 'literal') -%}
        {%- do identity.update({member: value}) -%}
    {%- endfor -%}
    {%- if identity.kind == 'bits' -%}
        {%- do identity.update({'length': (column.get('parameters') or {}).get('length')}) -%}
    {%- elif identity.kind == 'array' -%}
        {%- do identity.update(
            {
                'items': debezium_spark.encoding_identity(
                    config, column.get('items') or {'type': 'string'}
                )
            }
        ) -%}
    {%- endif -%}
    {{- return(identity) -}}
{%- endmacro -%}
