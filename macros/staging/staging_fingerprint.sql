{#-
    What stored rows depend on besides the records, small enough for a table property: the next run
    compares it with its own. Member names are stored and stay.

    * `version`: raised when a release reads records in another way,
    * `columns`: a hash of how each is read,
    * `key`, `options`: hashes of all the rest; a change of the key is no change of an option,
    * `shared`: who shared its topics when `sharing_changed` last built it again,
    * `ignored`: {topic:partition:offset: reason}.
-#}
{%- macro staging_fingerprint(config, arguments) -%}
    {%- set columns = {} -%}
    {%- for column in arguments.columns -%}
        {%- do columns.update({column.name: debezium_spark._column_fingerprint(config, column)}) -%}
    {%- endfor -%}
    {%- set options = {
        'connector': config.connector,
        'table': arguments.table,
        'topics': arguments.topics | sort,
        'shared_topic': arguments.shared_topic and arguments.schemas is none,
        'origins': arguments.origins,
        'former_keys': arguments.former_keys,
        'complete_before': 'yes'
            if debezium_spark.has_complete_before(config, arguments.table)
            else 'no',
        'placeholder': config.get('unavailable_value_placeholder'),
        'decimal_format': config.get('decimal_format'),
        'binary_handling_mode': config.get('binary_handling_mode'),
    } -%}
    {%- set identities = debezium_spark.replica_identities(config, arguments.table) -%}
    {%- if identities and identities[0]['is'] != 'full'
        or identities | length > 1
        or identities | selectattr('from', 'defined') | list -%}
        {#- which `before` may be trusted, and which keys -#}
        {%- do options.update({'replica_identities': identities}) -%}
    {%- endif -%}
    {%- if debezium_spark.may_lack_keys(config) -%}
        {%- do options.update({'may_lack_keys': true}) -%}
    {%- endif -%}
    {%- do options.update(debezium_spark.flattened_fingerprint(config)) -%}
    {%- set ignored = {} -%}
    {%- for record in debezium_spark.ignored_records(config, arguments.topics) -%}
        {%- set event_id = record.topic ~ ':' ~ record.partition ~ ':' ~ record.offset -%}
        {%- do ignored.update({event_id: record.reason}) -%}
    {%- endfor -%}
    {{- return(dict({'ignored': ignored} if ignored else {}, **{
        'version': 7,
        'columns': columns,
        'key': debezium_spark._short_hash(debezium_spark._key_fingerprint(config, arguments.key)),
        'options': debezium_spark._short_hash(options),
    })) -}}
{%- endmacro -%}


{%- macro _column_fingerprint(config, column) -%}
    {%- set gone = {'gone_until': column.gone_until} if column.get('gone_until') else {} -%}
    {{- return(debezium_spark._short_hash(dict({
        'encoding': debezium_spark.encoding_signature(config, column),
        'formerly': column.get('formerly') or [],
        'added_default': column.get('added_default'),
    }, **gone))) -}}
{%- endmacro -%}


{%- macro _key_fingerprint(config, key) -%}
    {%- set parts = [] -%}
    {%- for column in key -%}
        {%- do parts.append(
            [
                debezium_spark.all_names([column]) | last,
                debezium_spark._key_text_form(config, column)
            ]
        ) -%}
    {%- endfor -%}
    {{- return(parts) -}}
{%- endmacro -%}


{#- Integers of any length, and decimals of any precision, are printed alike in `_cdc_key`. -#}
{%- macro _key_text_form(config, column) -%}
    {%- set encoding = debezium_spark.encoding(config, column) -%}
    {%- if encoding.spark_type in ('int', 'bigint') -%}{{- return('integer') -}}{%- endif -%}
    {%- if encoding.spark_type.startswith('decimal') -%}
        {{- return('decimal ' ~ encoding.spark_type[:-1].split(',')[1]) -}}
    {%- endif -%}
    {{- return(debezium_spark.encoding_signature(config, column)) -}}
{%- endmacro -%}
