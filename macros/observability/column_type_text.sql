{#-
    A column's encoding as people read it: `int64`, `org.apache.kafka.connect.data.Decimal(10,2)`,
    `io.debezium.time.MicroTimestamp (int64)`, `array<int32>`.
-#}
{%- macro column_type_text(column) -%}
    {%- set semantic = column.get('semantic') -%}
    {%- set details = dict(column.get('parameters') or {}) -%}
    {%- if column.get('digits') is not none -%}
        {%- do details.update({'digits': column.digits}) -%}
    {%- endif -%}
    {%- set text = column.type -%}
    {%- if column.type == 'array' and column.get('items') -%}
        {%- set text = 'array<' ~ debezium_spark.column_type_text(column['items']) ~ '>' -%}
    {%- elif column.type == 'map' and column.get('keys') and column.get('values') -%}
        {%- set text = 'map<' ~ debezium_spark.column_type_text(column['keys']) ~ ', '
            ~ debezium_spark.column_type_text(column['values']) ~ '>' -%}
    {%- elif column.get('fields') -%}
        {%- set members = [] -%}
        {%- for member in column.fields -%}
            {%- do members.append(member.name ~ ': ' ~ debezium_spark.column_type_text(member)) -%}
        {%- endfor -%}
        {%- set text = 'struct<' ~ members | join(', ') ~ '>' -%}
    {%- endif -%}
    {%- if semantic == 'org.apache.kafka.connect.data.Decimal' -%}
        {%- set scale = details.pop('scale', '0') -%}
        {%- set precision = details.pop('connect.decimal.precision', none) -%}
        {%- set text = (
            semantic ~ '(' ~ (precision ~ ',' ~ scale if precision else 'scale ' ~ scale) ~ ')'
        ) -%}
    {%- elif semantic -%}
        {%- set text = semantic ~ ' (' ~ text ~ ')' -%}
    {%- endif -%}
    {%- set parts = [text] -%}
    {%- for name in details | sort %}{% do parts.append(name ~ ' ' ~ details[name]) %}{% endfor -%}
    {{- return(parts | join(', ')) -}}
{%- endmacro -%}
