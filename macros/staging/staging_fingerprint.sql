{#-
    What a staging table's rows depend on besides the records: the arguments of its model
    (`arguments`) and the options of its source that decide how records are read. Small enough for a
    table property (`debezium_spark.reading`), by which the next run knows whether the rows staged
    so far are still what a full refresh would give.

    * `version`: of the reading itself; raised when a release reads records in another way.
    * `columns`: name to a short hash of how the column is read.
    * `key`, `options`: short hashes of all the rest, apart because a change of the key is no change
      of an option.
    * `shared`: who had records in its topics when it was last built again for that
      (`sharing_changed`); not there before, and kept since,
    * `ignored`: the records that are left out, {topic:partition:offset: reason}; not there without
      any.
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
    {%- set ignored = {} -%}
    {%- for record in debezium_spark.ignored_records(config, arguments.topics) -%}
        {%- set event_id = record.topic ~ ':' ~ record.partition ~ ':' ~ record.offset -%}
        {%- do ignored.update({event_id: record.reason}) -%}
    {%- endfor -%}
    {{- return(dict({'ignored': ignored} if ignored else {}, **{
        'version': 5,
        'columns': columns,
        'key': debezium_spark._short_hash(debezium_spark._key_fingerprint(config, arguments.key)),
        'options': debezium_spark._short_hash(options),
    })) -}}
{%- endmacro -%}


{#- Everything of a column that decides what is read into it. -#}
{%- macro _column_fingerprint(config, column) -%}
    {%- set dropped = {'gone_until': column.gone_until} if column.get('gone_until') else {} -%}
    {{- return(debezium_spark._short_hash(dict({
        'encoding': debezium_spark.encoding_signature(config, column),
        'formerly': column.get('formerly') or [],
        'added_default': column.get('added_default'),
    }, **dropped))) -}}
{%- endmacro -%}


{#- What makes the keys of staged rows: of each column its first name, and how it is printed. -#}
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


{#-
    What decides how a key column is printed in `_cdc_key`: integers of any length and decimals of
    any precision are printed alike.
-#}
{%- macro _key_text_form(config, column) -%}
    {%- set encoding = debezium_spark.encoding(config, column) -%}
    {%- if encoding.spark_type in ('int', 'bigint') -%}{{- return('integer') -}}{%- endif -%}
    {%- if encoding.spark_type.startswith('decimal') -%}
        {{- return('decimal ' ~ encoding.spark_type[:-1].split(',')[1]) -}}
    {%- endif -%}
    {{- return(debezium_spark.encoding_signature(config, column)) -}}
{%- endmacro -%}
