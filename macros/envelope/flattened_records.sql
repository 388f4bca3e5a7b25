{#-
    Flattened records: what Debezium's ExtractNewRecordState leaves of an envelope, which is the row
    and the fields that `add.fields` and `add.headers` name. They are read as the envelopes that
    they were: `before` is null but for deletes, `source` has the added fields only, and its member
    `flattened` names those of the position. Raw records stay as they landed.

    `src/dbt_debezium_spark/flattened/` knows the names. Where the source block lacks the table, the
    topic names it: macros/envelope/flattened_members.sql.
-#}


{#-
    SQL: records with envelopes in place of flattened values; only records of a source with the
    option `flattened` cost anything. Envelopes, definitions and all else stay as they are.
-#}
{%- macro as_envelopes(config, records) -%}
    {%- set fields = debezium_spark.flattened_fields(config) -%}
    {%- if fields is none -%}{{- return(records | string) -}}{%- endif -%}
    {%- set is_document = adapter.debezium().config.connector_of(config).has_documents -%}
    {#- `explode` of one element keeps filters above it from computing all again, as its input -#}
    {%- set sql -%}
(
        select
            * except (
                {{- 'key, ' if is_document -}}
                value, _row, _row_schema, _members, _is_flattened, _flat_op, _envelope),
            {%- if is_document %}
            {{ debezium_spark.document_key() }} as key,
            {%- endif %}
            _envelope as value
        from (
            select
                *,
                {{ debezium_spark._is_flattened(config, fields) }} as _is_flattened,
                {{ debezium_spark._flattened_op(fields) }} as _flat_op
            from (
                select
                    *,
                    {{ debezium_spark._flattened_row() }} as _row,
                    {{ debezium_spark._flattened_row_schema() }} as _row_schema
                from {{ records }}
            ) as cut_values
            lateral view explode(array(from_json(_row, 'map<string,string>'))) parsed as _members
        ) as marked_records
        lateral view explode(array(
            case
                when not _is_flattened then value
                else concat(
                    {{ debezium_spark._flattened_schema(is_document) }},
                    {{ debezium_spark._flattened_images(fields, is_document) }},
                    substring({{ debezium_spark._flattened_rest(config, fields) }}, 2),
                    if({{ 'false' if is_document else '_row_schema is not null' }}, '}', '')
                )
            end
        )) written as _envelope
    ) as read_envelopes
    {%- endset -%}
    {{- return(sql) -}}
{%- endmacro -%}


{#- The names of the source's added fields (`flattened.fields`), none for envelopes. -#}
{%- macro flattened_fields(config) -%}
    {#- while dbt parses, the adapter has no answers -#}
    {%- if not config.get('flattened') or not execute -%}{{- return(none) -}}{%- endif -%}
    {{- return(adapter.debezium().catalog.flattened_fields(config)) -}}
{%- endmacro -%}


{#-
    SQL: the text of a value's row, cut out so that its numbers stay as they are written: the
    converter puts the schema in front.
-#}
{%- macro _flattened_row() -%}
{%- set prefix = debezium_spark._schema_prefix('value') -%}
case
                            when {{ debezium_spark.is_null_payload('value') }} then null
                            when value rlike '^\\{"schema":(\\{|null,)'
                                and octet_length({{ prefix }}) < octet_length(value)
                                then substring(
                                    value,
                                    char_length({{ prefix }}) + 12,
                                    char_length(value) - char_length({{ prefix }}) - 12
                                )
                            when value rlike '^\\s*\\{\\s*"(schema|payload)"\\s*:'
                                and get_json_object(value, '$.schema.type') is not null
                                then get_json_object(value, '$.payload')
                            else value
                        end
{%- endmacro -%}


{#- SQL: the schema of a value's row, NULL without one. -#}
{%- macro _flattened_row_schema() -%}
{%- set prefix = debezium_spark._schema_prefix('value') -%}
case
                            when startswith(value, '{"schema":{')
                                and octet_length({{ prefix }}) < octet_length(value)
                                then substring({{ prefix }}, 11)
                            when value rlike '^\\s*\\{\\s*"(schema|payload)"\\s*:'
                                and get_json_object(value, '$.schema.type') is not null
                                then get_json_object(value, '$.schema')
                        end
{%- endmacro -%}


{#- SQL: the beginning of a value with the schema of its envelope; documents have no layout. -#}
{%- macro _flattened_schema(is_document) -%}
{%- if is_document -%}{{- return("''") -}}{%- endif -%}
if(
                        _row_schema is not null,
                        concat(
                            '{"schema":{"type":"struct","fields":[',
                            left(_row_schema, char_length(_row_schema) - 1),
                            ',"field":"after"}],"optional":false,"name":"
                            {{- adapter.debezium().catalog.SCHEMA_NAME }}"},"payload":'
                        ),
                        ''
                    )
{%- endmacro -%}


{#- SQL: both images; the row of a delete is what the source block's table had before. -#}
{%- macro _flattened_images(fields, is_document) -%}
{%- set row = 'coalesce(_row, ' ~ "'null'" ~ ')' -%}
{%- if is_document -%}
    {%- set row = debezium_spark.document_text(fields) -%}
{%- endif -%}
if(_flat_op = 'd', concat('{"before":', {{ row }}, ',"after":null,'),
                        concat('{"before":null,"after":', {{ row }}, ','))
{%- endmacro -%}


{#- Rows of flattened records without the added fields, which are no columns. -#}


{#-
    SQL: `after` or `before` of a record in the CTE `records`. The key of a delete without a message
    key is in its row, even where nothing else of `before` can be trusted (`trusts_before`).
-#}
{%- macro flattened_image(config, member, trusts_before) -%}
{%- set fields = debezium_spark.flattened_fields(config) -%}
{%- set op = 'coalesce(message.op, message.payload.op)' -%}
{%- set chosen -%}
if(message.op is not null, message.{{ member }}, message.payload.{{ member }})
{%- endset -%}
case
            {%- if trusts_before != 'true' %}
            when not {{ trusts_before }} and (has_key or {{ op }} <> 'd') then null
            {%- endif %}
            when coalesce(message.source.flattened, message.payload.source.flattened) is null
                then {{ chosen }}
            else map_filter(
                {{ chosen }},
                (name, text) -> name not in ({{ debezium_spark.text_literals(fields.added) }})
            )
        end
{%- endmacro -%}


{#- SQL: the names in a row, as evidence of its columns. -#}
{%- macro row_names(config, names) -%}
    {%- set fields = debezium_spark.flattened_fields(config) -%}
    {%- if fields is none -%}{{- return(names) -}}{%- endif -%}
    {{- return(
        'if(get_json_object(value_payload, ' ~ "'$.source.flattened'" ~ ') is null, ' ~ names
        ~ ', filter(' ~ names ~ ', name -> name not in ('
        ~ debezium_spark.text_literals(fields.added) ~ ')))'
    ) -}}
{%- endmacro -%}


{#- What stored rows depend on, for the fingerprints of models that read records. -#}
{%- macro flattened_fingerprint(config) -%}
    {{- return(
        {'flattened': [config.flattened, config.topic_prefix]} if config.get('flattened') else {}
    ) -}}
{%- endmacro -%}


{#-
    SQL branch of `record_error`: nothing places the record among the others of its row. Repeats
    could not be told from changes, nor old changes from new ones.
-#}
{%- macro flattened_errors(config) -%}
    {%- set debezium = adapter.debezium() -%}
    {%- if not config.get('flattened') -%}{{- return('') -}}{%- endif -%}
    {%- set alternatives = [] -%}
    {%- for members in debezium.catalog.required_members(config.connector) -%}
        {%- set conditions = [] -%}
        {%- for member in members -%}
            {%- do conditions.append(
                "array_contains(split(substring(source.flattened, 2), ','), '" ~ member ~ "')"
            ) -%}
        {%- endfor -%}
        {%- do alternatives.append('(' ~ conditions | join(' and ') ~ ')') -%}
    {%- endfor -%}
    {{- return(
        "when source.flattened is not null and op in ('c', 'u', 'd', 'r') and not ("
        ~ alternatives | join(' or ') ~ ')\n        then '
        ~ debezium_spark.text_literal(
            'record: flattened without its position: ' ~ debezium.catalog.recommended_line(config)
        )
    ) -}}
{%- endmacro -%}


{#-
    What ExtractNewDocumentState makes of a MongoDB document: a row whose values have lost their
    BSON types, so that an ObjectId is a text and a date a number of milliseconds. The key is such a
    value, too, where an envelope's key has it as the text of Extended JSON.
-#}


{#-
    SQL: the document as the JSON text that an envelope has. The transform writes what it adds
    behind the document; a part of the document that is called so is not taken for it.
-#}
{%- macro document_text(fields) -%}
{%- set names = [] -%}
{%- for name in fields.added -%}{%- do names.append(modules.re.escape(name)) -%}{%- endfor -%}
{%- set added -%}
(?:,?\s*"(?:{{ names | join('|') }})"\s*:\s*(?:"[^"\\]*+(?:\\.[^"\\]*+)*+"|[^",{}\[\]]++))+\s*\}\s*$
{%- endset -%}
coalesce(substring(to_json(named_struct('v', regexp_replace(_row, {{
                            debezium_spark.text_literal(added) }}, '}'))), 6,
                        char_length(to_json(named_struct('v', regexp_replace(_row, {{
                            debezium_spark.text_literal(added) }}, '}')))) - 6), 'null')
{%- endmacro -%}


{#-
    SQL: the key in the form of an envelope's. A tombstone shows no form: it has that of the records
    around it, which are flattened.
-#}
{%- macro document_key() -%}
{%- set row -%}
case
                    when startswith(key, '{"schema":{')
                        then substring(key, char_length({{ debezium_spark._schema_prefix('key') }})
                            + 12, char_length(key)
                            - char_length({{ debezium_spark._schema_prefix('key') }}) - 12)
                    else key
                end
{%- endset -%}
case
                when (_is_flattened or _row is null)
                    and {{ row }} rlike '^\\s*\\{\\s*"id"\\s*:.*\\}\\s*$'
                    then to_json(named_struct('id', trim(
                        regexp_extract({{ row }}, '(?s)^\\s*\\{\\s*"id"\\s*:(.*)\\}\\s*$', 1))))
                else key
            end
{%- endmacro -%}
