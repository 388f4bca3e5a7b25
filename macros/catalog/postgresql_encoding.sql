{#-
    How PostgreSQL's connector encodes a column that configuration gives by its database type (spec §10.3): PostgreSQL has no
    schema-change topic, so topics without embedded schemas are described in `tables.<name>.columns`, and
    `{name: price, database_type: "numeric(10,2)"}` spares the reader Connect's words.

    `postgresql_encoding(database_type, config)`: the type as people write it; returns {type, semantic, parameters, items} under the
    handling modes of `config`, none for a type that the connector leaves out.

    Entries as in `_encoding_expression`; their cases go by the first number in the parentheses: `most` is the largest that fits, none
    stands for all others, also for no number where `bare` is not said.
-#}
{%- macro postgresql_encoding(database_type, config) -%}
    {%- set text = database_type | lower | trim -%}
    {%- if text.endswith('[]') -%}
        {%- set items = debezium_spark.postgresql_encoding(text[:-2], config) -%}
        {{- return({'type': 'array', 'items': items} if items is not none else none) -}}
    {%- endif -%}
    {%- set word = modules.re.sub('\\s+', ' ', modules.re.sub('\\([^)]*\\)', ' ', text)) | trim -%}
    {%- set sizes = modules.re.findall('[(,]\\s*(-?[0-9]+)', text) -%}
    {%- set table = debezium_spark._postgresql_types(config) -%}
    {%- for entry in table['types'] if word in entry['types'] -%}
        {%- set size = sizes[0] | int if sizes else entry.get('bare', table['digits']) -%}
        {%- for case in debezium_spark._encoding_cases(entry) if case.get('most') is none or size <= case['most'] -%}
            {%- set encoding = case['as'] -%}
            {%- set column = {'type': encoding['type']} -%}
            {%- if encoding.get('name') %}{% do column.update({'semantic': encoding['name']}) %}{% endif -%}
            {%- set parameters = dict(encoding.get('parameters') or {}) -%}
            {%- if parameters.get('length') == 'length' %}{% do parameters.update({'length': size | string}) %}{% endif -%}
            {%- if word in ('numeric', 'decimal') and encoding.get('name', '').endswith('.Decimal') -%}
                {%- set scale = sizes[1] | int if sizes | length > 1 else 0 -%}
                {%- do parameters.update({
                    'scale': (scale + 2048 if scale < 0 else scale) | string, 'connect.decimal.precision': sizes[0],
                }) -%}
            {%- endif -%}
            {%- if parameters %}{% do column.update({'parameters': parameters}) %}{% endif -%}
            {{- return(column) -}}
        {%- endfor -%}
    {%- endfor -%}
    {{- return(none) -}}
{%- endmacro -%}


{%- macro _postgresql_types(config) -%}
    {%- set decimal = debezium_spark._decimal_encoding_of(config) -%}
    {%- set is_precise = config['decimal_handling_mode'] == 'precise' -%}
    {%- set variable = {'type': 'struct', 'name': 'io.debezium.data.VariableScaleDecimal'} if is_precise else decimal -%}
    {%- set money = dict(decimal, parameters={'scale': '2'}) if is_precise else decimal -%}
    {%- set temporal = debezium_spark._temporal_encoding(config['time_precision_mode']) -%}
    {%- set bits = {'type': 'bytes', 'name': 'io.debezium.data.Bits', 'parameters': {'length': 'length'}} -%}
    {%- set hstore = {
        'json': {'type': 'string', 'name': 'io.debezium.data.Json'}, 'map': {'type': 'map'},
    }[config['hstore_handling_mode']] -%}
    {%- set string = {'type': 'string'} -%}
    {{- return({
        'digits': 6,
        'types': [
            {'types': ['boolean', 'bool'], 'as': {'type': 'boolean'}},
            {'types': ['bit'], 'bare': 1, 'cases': [
                {'most': 1, 'says': 'one bit', 'as': {'type': 'boolean'}}, {'most': none, 'says': 'more bits', 'as': bits},
            ]},
            {'types': ['varbit', 'bit varying'], 'bare': 2147483647, 'cases': [
                {'most': 1, 'says': 'one bit', 'as': {'type': 'boolean'}}, {'most': none, 'says': 'else', 'as': bits},
            ]},
            {'types': ['smallint', 'int2', 'smallserial'], 'as': {'type': 'int16'}},
            {'types': ['integer', 'int', 'int4', 'serial'], 'as': {'type': 'int32'}},
            {'types': ['bigint', 'int8', 'bigserial', 'oid'], 'as': {'type': 'int64'}},
            {'types': ['real', 'float4'], 'as': {'type': 'float'}},
            {'types': ['double precision', 'float8', 'float'], 'as': {'type': 'double'}},
            {'types': ['numeric', 'decimal'], 'bare': 100000, 'cases': [
                {'most': 1000, 'says': '(p,s)', 'as': decimal}, {'most': none, 'says': 'without a scale', 'as': variable},
            ]},
            {'types': ['money'], 'as': money},
            {'types': ['char', 'character', 'bpchar', 'varchar', 'character varying', 'text', 'citext', 'name', 'inet', 'cidr',
             'macaddr', 'macaddr8', 'int4range', 'int8range', 'numrange', 'tsrange', 'tstzrange', 'daterange', 'isbn'], 'as': string},
            {'types': ['uuid'], 'as': {'type': 'string', 'name': 'io.debezium.data.Uuid'}},
            {'types': ['json', 'jsonb'], 'as': {'type': 'string', 'name': 'io.debezium.data.Json'}},
            {'types': ['xml'], 'as': {'type': 'string', 'name': 'io.debezium.data.Xml'}},
            {'types': ['ltree'], 'as': {'type': 'string', 'name': 'io.debezium.data.Ltree'}},
            {'types': ['tsvector'], 'as': {'type': 'string', 'name': 'io.debezium.data.Tsvector'}},
            {'types': ['enum'], 'as': {'type': 'string', 'name': 'io.debezium.data.Enum'}},
            {'types': ['date'], 'as': temporal['date']},
            {'types': ['time', 'time without time zone'], 'by_digits': temporal['time']},
            {'types': ['timestamp', 'timestamp without time zone'], 'by_digits': temporal['timestamp']},
            {'types': ['timestamptz', 'timestamp with time zone'],
             'as': {'type': 'string', 'name': 'io.debezium.time.ZonedTimestamp'}},
            {'types': ['timetz', 'time with time zone'], 'as': {'type': 'string', 'name': 'io.debezium.time.ZonedTime'}},
            {'types': ['interval'], 'as': debezium_spark._interval_encoding_of(config)},
            {'types': ['bytea'], 'as': debezium_spark._binary_encoding_of(config)},
            {'types': ['hstore'], 'as': hstore},
            {'types': ['point'], 'as': {'type': 'struct', 'name': 'io.debezium.data.geometry.Point'}},
            {'types': ['geometry'], 'as': {'type': 'struct', 'name': 'io.debezium.data.geometry.Geometry'}},
            {'types': ['geography'], 'as': {'type': 'struct', 'name': 'io.debezium.data.geometry.Geography'}},
            {'types': ['vector'], 'as': {'type': 'array', 'name': 'io.debezium.data.DoubleVector'}},
            {'types': ['halfvec'], 'as': {'type': 'array', 'name': 'io.debezium.data.FloatVector'}},
            {'types': ['sparsevec'], 'as': {'type': 'struct', 'name': 'io.debezium.data.SparseDoubleVector'}},
        ],
    }) -}}
{%- endmacro -%}
