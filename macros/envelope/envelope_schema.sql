{#-
    Schema that reads a change event's value with one `from_json`, in both forms of the JSON
    converter: members at the top level (without the schema block) and under `payload` (with it).
    Which form it is shows per record (spec §1.2).

    Row images are maps from column name to JSON text: exact names (`id` and `ID` differ), members
    the model does not know are kept, and a value of an unexpected type never becomes NULL.
    Everything else is text as well: seeds and old connectors write numbers in quotes (spec §4.1).
    `before` is read only where it is complete: Spark skips what the schema does not name.
-#}
{%- macro envelope_schema(connector, reads_before=false) -%}
    {%- set source = (
        ['version', 'name', 'db', 'schema', 'table', 'snapshot', 'ts_ms', 'ts_us']
        + debezium_spark.position_source_fields(connector)
    ) -%}
    {%- set members = [
        'op:string',
        'ts_ms:string',
        'ts_us:string',
        'after:map<string,string>',
        'source:struct<`' ~ (source | join('`:string,`')) ~ '`:string>',
        'transaction:struct<id:string,total_order:string,data_collection_order:string>',
    ] -%}
    {%- if reads_before -%}
        {%- do members.append('before:map<string,string>') -%}
    {%- endif -%}
    {%- set envelope = members | join(',') -%}
    {{- return('struct<payload:struct<' ~ envelope ~ '>,' ~ envelope ~ '>') -}}
{%- endmacro -%}
