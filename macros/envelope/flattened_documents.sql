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
