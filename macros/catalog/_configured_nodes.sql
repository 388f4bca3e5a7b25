{#- Configured tables as {table: {key, columns}}, each column as the Connect schema node it stands for. -#}
{%- macro _configured_nodes(config) -%}
    {%- set tables = {} -%}
    {%- for table, settings in (config.get('tables') or {}).items() -%}
        {%- set nodes = [] -%}
        {%- for column in settings.get('columns') or [] -%}
            {%- do nodes.append(
                debezium_spark._connect_node(debezium_spark._configured_column(config, table, column))
            ) -%}
        {%- endfor -%}
        {%- do tables.update({table: {'key': settings.get('key'), 'columns': nodes}}) -%}
    {%- endfor -%}
    {{- return(tables) -}}
{%- endmacro -%}


{#- Configuration calls a field's name `name` and its semantic name `semantic`; Connect `field`, `name`. -#}
{%- macro _connect_node(column) -%}
    {%- set node = {'type': column['type'], 'optional': column.get('optional', true)} -%}
    {%- if column.get('name') is not none %}{% do node.update({'field': column['name']}) %}{% endif -%}
    {%- if column.get('semantic') is not none %}{% do node.update({'name': column['semantic']}) %}{% endif -%}
    {%- for member in ['parameters', 'default'] if column.get(member) is not none -%}
        {%- do node.update({member: column[member]}) -%}
    {%- endfor -%}
    {%- for member in ['items', 'keys', 'values'] if column.get(member) is mapping -%}
        {%- do node.update({member: debezium_spark._connect_node(column[member])}) -%}
    {%- endfor -%}
    {%- if column.get('fields') -%}
        {%- set fields = [] -%}
        {%- for field in column['fields'] %}{% do fields.append(debezium_spark._connect_node(field)) %}{% endfor -%}
        {%- do node.update({'fields': fields}) -%}
    {%- endif -%}
    {{- return(node) -}}
{%- endmacro -%}


{#- A configured column by its Connect type, also where it is given by its database type (PostgreSQL). -#}
{%- macro _configured_column(config, table, column) -%}
    {%- if not column.get('database_type') -%}{{- return(column) -}}{%- endif -%}
    {%- set encoding = debezium_spark.postgresql_encoding(column['database_type'], config) -%}
    {%- if encoding is none -%}
        {%- do debezium_spark._fail(
            'configured_columns',
            "debezium_sources." ~ config['name'] ~ '.tables.' ~ table ~ ".columns: '" ~ column['name'] ~ "' has the database_type '"
            ~ column['database_type'] ~ "', which is not known.",
            'Write a type of docs/types.md, an array of one (`integer[]`), or the Connect type (`type`, `semantic`).',
        ) -%}
    {%- endif -%}
    {%- set described = dict(column, **encoding) -%}
    {%- do described.pop('database_type') -%}
    {{- return(described) -}}
{%- endmacro -%}
