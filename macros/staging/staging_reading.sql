{#-
    What a staging table's rows depend on besides the records: the arguments of its model (`given`)
    and the options of its source that decide how records are read. Small enough for a table
    property (`debezium_spark.reading`), by which the next run knows whether the rows staged so far
    are still what a full refresh would give.

    * `version`: of the reading itself; raised when a release reads records in another way.
    * `columns`: name to a short hash of how the column is read.
    * `key`, `options`: short hashes of all the rest, apart because a change of the key is no change
      of an option.
    * `shared`: who had records in its topics when it was last built again for that
      (`shares_otherwise`); not there before, and kept since,
    * `ignored`: the records that are left out, {topic:partition:offset: reason}; not there without
      any.
-#}
{%- macro staging_reading(config, given) -%}
    {%- set read_columns = {} -%}
    {%- for column in given.columns -%}
        {%- do read_columns.update({column.name: debezium_spark._reading_of(config, column)}) -%}
    {%- endfor -%}
    {%- set options = {
        'connector': config.connector,
        'table': given.table,
        'topics': given.topics | sort,
        'shared_topic': given.shared_topic and given.schemas is none,
        'origins': given.origins,
        'former_keys': given.former_keys,
        'complete_before': 'yes'
            if debezium_spark.has_complete_before(config, given.table)
            else 'no',
        'placeholder': config.get('unavailable_value_placeholder'),
        'decimal_format': config.get('decimal_format'),
        'binary_handling_mode': config.get('binary_handling_mode'),
    } -%}
    {%- set identities = debezium_spark.replica_identities(config, given.table) -%}
    {%- if identities and identities[0]['is'] != 'full'
        or identities | length > 1
        or identities | selectattr('from', 'defined') | list -%}
        {#- which `before` may be trusted, and which keys -#}
        {%- do options.update({'replica_identities': identities}) -%}
    {%- endif -%}
    {%- set ignored = {} -%}
    {%- for one in debezium_spark.ignored_records(config, given.topics) -%}
        {%- do ignored.update({one.topic ~ ':' ~ one.partition ~ ':' ~ one.offset: one.reason}) -%}
    {%- endfor -%}
    {{- return(dict({'ignored': ignored} if ignored else {}, **{
        'version': 5,
        'columns': read_columns,
        'key': debezium_spark._short_hash(debezium_spark._key_reading(config, given.key)),
        'options': debezium_spark._short_hash(options),
    })) -}}
{%- endmacro -%}


{#- Everything of a column that decides what is read into it. -#}
{%- macro _reading_of(config, column) -%}
    {%- set gone = {'gone_until': column.gone_until} if column.get('gone_until') else {} -%}
    {{- return(debezium_spark._short_hash(dict({
        'encoding': debezium_spark.encoding_identity(config, column),
        'formerly': column.get('formerly') or [],
        'added_default': column.get('added_default'),
    }, **gone))) -}}
{%- endmacro -%}


{#- What makes the keys of staged rows: of each column its first name, and how it is printed. -#}
{%- macro _key_reading(config, key) -%}
    {%- set parts = [] -%}
    {%- for column in key -%}
        {%- do parts.append(
            [
                debezium_spark.names_ever([column]) | last,
                debezium_spark._key_text_of(config, column)
            ]
        ) -%}
    {%- endfor -%}
    {{- return(parts) -}}
{%- endmacro -%}


{#-
    What decides how a key column is printed in `_cdc_key`: integers of any length and decimals of
    any precision are printed alike.
-#}
{%- macro _key_text_of(config, column) -%}
    {%- set encoding = debezium_spark.encoding(config, column) -%}
    {%- if encoding.spark_type in ('int', 'bigint') -%}{{- return('integer') -}}{%- endif -%}
    {%- if encoding.spark_type.startswith('decimal') -%}
        {{- return('decimal ' ~ encoding.spark_type[:-1].split(',')[1]) -}}
    {%- endif -%}
    {{- return(debezium_spark.encoding_identity(config, column)) -}}
{%- endmacro -%}
