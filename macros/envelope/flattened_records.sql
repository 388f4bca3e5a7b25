{#-
    Flattened records: what Debezium's ExtractNewRecordState leaves of an envelope, which is the row
    and the fields that `add.fields` and `add.headers` name. They are read as the envelopes that
    they were: `before` is null but for deletes, `source` has the added fields only, and its member
    `flattened` names those of the position. Raw records stay as they landed.

    `src/dbt_debezium_spark/flattened/` knows the names. Where the source block lacks the table, the
    topic names it: macros/envelope/flattened_origin.sql.
-#}


{#-
    SQL: records with envelopes in place of flattened values; only records of a source with the
    option `flattened` cost anything. Envelopes, definitions and all else stay as they are.
-#}
{%- macro as_envelopes(config, records) -%}
    {%- set fields = debezium_spark.flattened_fields(config) -%}
    {%- if fields is none -%}{{- return(records | string) -}}{%- endif -%}
    {%- set is_document = config.connector == 'mongodb' -%}
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
    {{- return(adapter.debezium_flattened_fields(config)) -}}
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
                            {{- adapter.debezium_flattened_schema_name() }}"},"payload":'
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
