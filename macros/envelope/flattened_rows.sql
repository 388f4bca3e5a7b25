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
    {%- if not config.get('flattened') -%}{{- return('') -}}{%- endif -%}
    {%- set alternatives = [] -%}
    {%- for members in adapter.debezium_required_members(config) -%}
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
            'record: flattened without its position: ' ~ adapter.debezium_recommended_line(config)
        )
    ) -}}
{%- endmacro -%}
