{#-
    One `from_json` reads both forms of the JSON converter, with the schema block and without. Row
    images are maps of text: names keep their case, members the model does not know are kept, and no
    value of another type becomes NULL. Numbers are text too: old connectors quote them (spec §4.1).
-#}
{%- macro envelope_schema(connector, reads_before=false, is_flattened=false) -%}
    {%- set source = (
        ['version', 'connector', 'name', 'db', 'schema', 'table', 'snapshot', 'ts_ms', 'ts_us']
        + adapter.debezium().config.connector_of({'connector': connector}).log | list
        + (['flattened'] if is_flattened else [])
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


{#-
    SQL condition: a logical decoding message of PostgreSQL, which is of no table. A filter on the
    parsed `op` would parse every record twice, because Spark filters before it projects: only texts
    that can be one are parsed, and in a lambda, whose parts Spark does not compute in advance.
-#}
{%- macro is_logical_message() -%}
(coalesce(contains(value, '"m"'), false)
            and exists(array(from_json(value, 'op string, payload struct<op: string>')),
                e -> coalesce(e.op, e.payload.op) <=> 'm'))
{%- endmacro -%}


{#- SQL: a member of the envelope, whose form the place of `op` shows. -#}
{%- macro envelope_member(member) -%}
case when message.op is not null then message.{{ member }} else message.payload.{{ member }} end
{%- endmacro -%}


{#- SQL: the op; what a snapshot read is `r`, whatever wrote it (docs/semantics.md, words). -#}
{%- macro event_op() -%}
{%- set op = debezium_spark.envelope_member('op') -%}
case
    when {{ op }} in ('c', 'u')
        and lower({{ debezium_spark.envelope_member('source.snapshot') }}) in (
            'true', 'first', 'first_in_data_collection', 'last', 'last_in_data_collection',
            'incremental'
        )
        then 'r'
    else {{ op }}
end
{%- endmacro -%}


{#- SQL: a header's text. Sinks often drop headers: never require one. -#}
{%- macro header_value(headers, name) -%}
    {{- return(
        "try_element_at(filter(" ~ headers ~ ", header -> header.key = '" ~ name ~ "'), 1).value"
    ) -}}
{%- endmacro -%}


{#-
    SQL: a null in any of its forms: NULL, an empty text or `null` from landing layers, or the
    envelope that converters wrote before Kafka 2.2 (spec §1.3). Space around and within it says
    nothing, as in all JSON.
-#}
{%- macro is_null_payload(text) -%}
{%- set space = debezium_spark.text_literal(' \t\n\r') -%}
({{ text }} is null
    or (octet_length({{ text }}) < 100
        and (trim({{ space }} from {{ text }}) in ('', 'null')
            or (contains({{ text }}, 'schema') and translate({{ text }}, {{ space }}, '')
                in ('{"schema":null,"payload":null}', '{"payload":null,"schema":null}')))))
{%- endmacro -%}
