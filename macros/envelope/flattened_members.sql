{#- Members of the envelope that a flattened record kept: added to its value, or as headers. -#}


{#- SQL: the text of a member, NULL where the record does not have it. -#}
{%- macro flattened_member(fields, path) -%}
    {%- set names = fields.members.get(path) or {'fields': [], 'headers': []} -%}
    {%- set texts = [] -%}
    {%- for name in names.fields -%}
        {%- do texts.append(adapter.debezium().staging.image_member('_members', name)) -%}
    {%- endfor -%}
    {%- for name in names.headers -%}
        {%- do texts.append(debezium_spark._header_text(name)) -%}
    {%- endfor -%}
    {%- if not texts -%}{{- return('cast(null as string)') -}}{%- endif -%}
    {{- return('coalesce(' ~ texts | join(', ') ~ ')' if texts | length > 1 else texts[0]) -}}
{%- endmacro -%}


{#-
    SQL: a member as an envelope has it: sinks that write tables make timestamps of its times.
-#}
{%- macro _member_as_written(fields, path) -%}
    {%- set text = debezium_spark.flattened_member(fields, path) -%}
    {%- set unit = {'ts_ms': 'millis', 'ts_us': 'micros'}.get(path.split('.') | last) -%}
    {%- if not unit or path not in fields.members -%}{{- return(text) -}}{%- endif -%}
    {{- return(
        'if(contains(' ~ text ~ ", ':'), coalesce(cast(unix_" ~ unit ~ '(try_cast(' ~ text
        ~ ' as timestamp)) as string), ' ~ text ~ '), ' ~ text ~ ')'
    ) -}}
{%- endmacro -%}


{#- SQL: a header's text, as the default converter writes it or the JSON converter. -#}
{%- macro _header_text(name) -%}
{%- set text = (
    'try_element_at(filter(headers, header -> header.key = ' ~ debezium_spark.text_literal(name)
    ~ '), 1).value'
) -%}
case
        when {{ text }} rlike '^\\s*"' then get_json_object(concat('{"v":', {{ text }}, '}'), '$.v')
        when {{ text }} rlike '^\\s*\\{\\s*"schema"'
            then get_json_object({{ text }}, '$.payload')
        else {{ text }}
    end
{%- endmacro -%}


{#- SQL condition: the record has the member, be it null. -#}
{%- macro _has_flattened_member(fields, path) -%}
    {%- set names = fields.members.get(path) or {'fields': [], 'headers': []} -%}
    {%- set conditions = [] -%}
    {%- for name in names.fields -%}
        {%- do conditions.append(
            'map_contains_key(_members, ' ~ debezium_spark.text_literal(name) ~ ')'
        ) -%}
    {%- endfor -%}
    {%- for name in names.headers -%}
        {%- do conditions.append(
            'exists(headers, header -> header.key = ' ~ debezium_spark.text_literal(name) ~ ')'
        ) -%}
    {%- endfor -%}
    {{- return('coalesce(' ~ (conditions | join(' or ') or 'false') ~ ', false)') -}}
{%- endmacro -%}


{#-
    SQL condition: a record was flattened. An envelope may come before the transform was configured;
    a delete can be left as a null value whose headers have its place (`tombstone`).
-#}
{%- macro _is_flattened(config, fields) -%}
{%- set debezium = adapter.debezium() -%}
{%- set marks = [adapter.debezium().staging.image_member('_members', '__deleted')] -%}
{%- do marks.append(debezium_spark.flattened_member(fields, 'op')) -%}
{%- for member in debezium.catalog.position_members(config.connector) -%}
    {%- do marks.append(debezium_spark.flattened_member(fields, 'source.' ~ member)) -%}
{%- endfor -%}
{%- set places = [] -%}
{%- for member in debezium.catalog.position_members(config.connector)
    if (fields.members.get('source.' ~ member) or {}).get('headers') -%}
    {%- do places.append(
        debezium_spark.flattened_member(fields, 'source.' ~ member) ~ ' is not null'
    ) -%}
{%- endfor -%}
coalesce(case
                    when _row is null
                        then {{ debezium_spark.flattened_member(fields, 'op') }} = 'd'
                            and ({{ places | join(' or ') or 'false' }})
                    when {{ adapter.debezium().staging.image_member('_members', 'source') }}
                        like {{ "'{%'" }}
                        and (map_contains_key(_members, 'tableChanges')
                            or map_contains_key(_members, 'op')
                            and (map_contains_key(_members, 'after')
                                or map_contains_key(_members, 'before'))) then false
                    else coalesce({{ marks | join(', ') }}) is not null
                end, false)
{%- endmacro -%}


{#- SQL: the operation. Without `op`, nothing distinguishes an insert from an update. -#}
{%- macro _flattened_op(fields) -%}
{%- set deleted = adapter.debezium().staging.image_member('_members', '__deleted') -%}
{%- set op = debezium_spark.flattened_member(fields, 'op') -%}
case
                    when lower({{ deleted }}) = 'true'
                        then 'd'
                    when {{ op }} is not null then {{ op }}
                    when coalesce({{ debezium_spark.flattened_member(fields, 'source.snapshot') }},
                        'false') <> 'false' then 'r'
                    else 'u'
                end
{%- endmacro -%}


{#- SQL: the members of the envelope behind the images, as a JSON object. -#}
{%- macro _flattened_rest(config, fields) -%}
{%- set connector = adapter.debezium().config.connector_of(config) -%}
{%- set members = ['version', 'connector', 'snapshot', 'ts_ms', 'ts_us'] -%}
{%- do members.extend(
    ['ord', 'tord', 'lsid', 'txnNumber', 'wallTime'] if connector.has_documents
    else connector.log | list
) -%}
{%- set source = [] -%}
{%- for member, text in debezium_spark.flattened_origin(config, fields).items() -%}
    {%- do source.append("'" ~ member ~ "', " ~ text) -%}
{%- endfor -%}
{%- for member in members -%}
    {%- do source.append(
        "'" ~ member ~ "', " ~ debezium_spark._member_as_written(fields, 'source.' ~ member)
    ) -%}
{%- endfor -%}
{%- set positions = [] -%}
{%- for member in adapter.debezium().catalog.position_members(config.connector) -%}
    {%- do positions.append(
        'if(' ~ debezium_spark._has_flattened_member(fields, 'source.' ~ member) ~ ", '" ~ member
        ~ "', null)"
    ) -%}
{%- endfor -%}
{%- do source.append("'flattened', concat('+', concat_ws(',', " ~ positions | join(', ') ~ '))') -%}
{%- set transaction = [] -%}
{%- for member in ['id', 'total_order', 'data_collection_order'] -%}
    {%- do transaction.append(
        "'" ~ member ~ "', " ~ debezium_spark.flattened_member(fields, 'transaction.' ~ member)
    ) -%}
{%- endfor -%}
to_json(
                        named_struct(
                            'source', named_struct({{ source | join(', ') }}),
                            'transaction', named_struct({{ transaction | join(', ') }}),
                            'op', _flat_op,
                            'ts_ms', {{ debezium_spark._member_as_written(fields, 'ts_ms') }},
                            'ts_us', {{ debezium_spark._member_as_written(fields, 'ts_us') }}
                        )
                    )
{%- endmacro -%}


{#-
    The table of a flattened record: {member of the source block: SQL}. What was not added, the
    topic's name tells, unless the record was routed: then the topic ends in another table's name.
    A name in a topic has `_` for what topics cannot have: `table` among the added fields is better.
-#}
{%- macro flattened_origin(config, fields) -%}
    {%- set members = adapter.debezium().staging.origin_members(config) -%}
    {%- set prefix = debezium_spark.text_literal(config.topic_prefix ~ '.') -%}
    {%- set is_below = 'startswith(topic, ' ~ prefix ~ ')' -%}
    {%- set below = 'substring(topic, ' ~ (config.topic_prefix | length + 2) ~ ')' -%}
    {%- set parts = debezium_spark._topic_parts(config, below) -%}
    {%- set table = members | last -%}
    {%- set added_table = debezium_spark.flattened_member(fields, 'source.' ~ table) -%}
    {%- set is_told -%}
{{ is_below }} and coalesce(regexp_replace({{ added_table }}, '[^A-Za-z0-9._-]', '_')
        = {{ parts[table] }}, true)
    {%- endset -%}
    {%- set origin = {
        'name': 'coalesce(' ~ debezium_spark.flattened_member(fields, 'source.name') ~ ', if('
            ~ is_below ~ ', ' ~ debezium_spark.text_literal(config.topic_prefix) ~ ', null))',
    } -%}
    {%- for member in members[1:] -%}
        {%- set added = debezium_spark.flattened_member(fields, 'source.' ~ member) -%}
        {%- do origin.update({
            member: 'coalesce(' ~ added ~ ', if(' ~ is_told ~ ', ' ~ parts[member] ~ ', null))'
        }) -%}
    {%- endfor -%}
    {{- return(origin) -}}
{%- endmacro -%}


{#- The parts of a topic behind the prefix (spec §2.1), as SQL; NULL where it has too few. -#}
{%- macro _topic_parts(config, below) -%}
    {%- set first = 'substring_index(' ~ below ~ ", '.', 1)" -%}
    {%- set rest = (
        'if(contains(' ~ below ~ ", '.'), substring(" ~ below ~ ', instr(' ~ below
        ~ ", '.') + 1), null)"
    ) -%}
    {%- set owner = 'if(contains(' ~ below ~ ", '.'), " ~ first ~ ', null)' -%}
    {%- if config.connector in ('mysql', 'mariadb') -%}
        {{- return({'db': owner, 'table': rest}) -}}
    {%- elif config.connector == 'mongodb' -%}
        {{- return({'db': owner, 'collection': rest}) -}}
    {%- elif config.connector != 'sqlserver' -%}
        {#- neither PostgreSQL's database nor Oracle's is in a topic -#}
        {{- return({'db': 'cast(null as string)', 'schema': owner, 'table': rest}) -}}
    {%- endif -%}
    {#- before 2.0 without the database -#}
    {%- set behind = 'substring(' ~ rest ~ ', instr(' ~ rest ~ ", '.') + 1)" -%}
    {%- set has_database = 'contains(' ~ rest ~ ", '.')" -%}
    {{- return({
        'db': 'if(' ~ has_database ~ ', ' ~ first ~ ', null)',
        'schema': 'if(' ~ has_database ~ ', substring_index(' ~ rest ~ ", '.', 1), " ~ owner ~ ')',
        'table': 'if(' ~ has_database ~ ', ' ~ behind ~ ', ' ~ rest ~ ')',
    }) -}}
{%- endmacro -%}
