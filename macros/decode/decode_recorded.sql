{#-
    SQL: the value of a column, each record read as its own embedded schema says.

    `column.layouts`, where `record_layouts` found any, lists the other encodings that records of this run carry:
    [{column, hashes}]. Their values are read by their own decoder and then taken into the type that the model has;
    what that type does not hold exactly stays unread. Without layouts, which is the usual case, this is `decode`.

    `text` is the value's JSON text, `prepared` the same as `prepare` made it for the model's encoding, `layout` the SQL of the
    hash of the record's schema.
-#}
{%- macro decode_recorded(config, column, text, prepared, layout='_layout', record=none) -%}
    {%- set usual = debezium_spark.decode(config, column, prepared) -%}
    {%- set branches = [] -%}
    {%- for other in column.get('layouts') or [] -%}
        {%- set value = debezium_spark.taken_into_type(
            config, other.column, column, debezium_spark.decode(config, other.column, debezium_spark.prepare(config, other.column, text, record)), text
        ) -%}
        {%- do branches.append('when ' ~ layout ~ ' in (' ~ other.hashes | join(', ') ~ ') then ' ~ value) -%}
    {%- endfor -%}
    {{- return('case ' ~ branches | join(' ') ~ ' else ' ~ usual ~ ' end' if branches else usual) -}}
{%- endmacro -%}


{#- The same for the companion column: where a record's own encoding has none, the decoded value as text. -#}
{%- macro decode_recorded_text(config, column, text, prepared) -%}
    {%- set usual = debezium_spark.decode_exact_text(config, column, prepared) -%}
    {%- set branches = [] -%}
    {%- for other in column.get('layouts') or [] -%}
        {%- set own = debezium_spark.prepare(config, other.column, text) -%}
        {%- if debezium_spark.encoding(config, other.column).get('exact_text') -%}
            {%- set value = debezium_spark.decode_exact_text(config, other.column, own) -%}
        {%- elif debezium_spark.encoding(config, column).exact_text == 'always' -%}
            {%- set value = "replace(cast(" ~ debezium_spark.decode(config, other.column, own) ~ " as string), ' ', 'T')" -%}
        {%- else -%}
            {%- set value = 'cast(null as string)' -%}
        {%- endif -%}
        {%- do branches.append('when _layout in (' ~ other.hashes | join(', ') ~ ') then ' ~ value) -%}
    {%- endfor -%}
    {{- return('case ' ~ branches | join(' ') ~ ' else ' ~ usual ~ ' end' if branches else usual) -}}
{%- endmacro -%}


{#-
    SQL: a value decoded by one encoding, in the Spark type of another; NULL where it does not fit exactly. Only DOUBLE takes what it can:
    whoever asks for it has agreed to its digits.
-#}
{%- macro taken_into_type(config, own, wanted, value, text) -%}
    {%- set from = debezium_spark.encoding(config, own).spark_type -%}
    {%- set into = debezium_spark.encoding(config, wanted).spark_type -%}
    {%- set mode = config['binary_handling_mode'] -%}
    {%- if from == into -%}
        {{- return(value) -}}
    {%- elif from == 'binary' and into == 'string' -%}
        {#- as the connector would write the bytes now -#}
        {{- return({
            'hex': 'lower(hex(' ~ value ~ '))', 'base64-url-safe': 'translate(base64(' ~ value ~ "), '+/', '-_')",
        }.get(mode, 'base64(' ~ value ~ ')')) -}}
    {%- elif from == 'string' and into == 'binary' -%}
        {#- a text that once stood for bytes; in which form, only the configuration can say -#}
        {%- if mode == 'bytes' -%}{{- return('cast(null as binary)') -}}{%- endif -%}
        {{- return(debezium_spark.decode(config, {'type': 'string', 'parameters': {'binary.handling.mode': mode}}, text)) -}}
    {%- elif into == 'string' and debezium_spark.encoding(config, own).kind == 'decimal' and not debezium_spark.encoding(config, own).get('cut') -%}
        {#- Spark prints small decimals with an exponent -#}
        {%- set as_text = dict(debezium_spark.encoding(config, own), spark_type='string') -%}
        {{- return(debezium_spark.let('p', debezium_spark.prepare(config, own, text), debezium_spark.decode_decimal(as_text, 'p'))) -}}
    {%- elif into == 'string' -%}
        {{- return('cast(' ~ value ~ ' as string)') -}}
    {%- elif into == 'double' and not from.startswith(('array', 'map', 'struct')) -%}
        {{- return('try_cast(' ~ value ~ ' as double)') -}}
    {%- elif from == 'string' and into.startswith('decimal') -%}
        {{- return(debezium_spark.decode_decimal_number({'spark_type': into, 'scale': into[:-1].split(',')[1] | int}, '(' ~ value ~ ')')) -}}
    {%- elif from == 'string' and into in ('int', 'bigint', 'float', 'date', 'timestamp_ntz', 'timestamp', 'boolean') -%}
        {{- return('try_cast(' ~ value ~ ' as ' ~ into ~ ')') -}}
    {%- elif 'boolean' in (from, into) -%}
        {{- return('cast(' ~ value ~ ' as ' ~ into ~ ')' if (from, into) in (('boolean', 'int'), ('int', 'boolean')) else 'cast(null as ' ~ into ~ ')') -}}
    {%- elif debezium_spark._is_convertible(from, into) -%}
        {%- set taken = 'try_cast(v as ' ~ into ~ ')' -%}
        {{- return(debezium_spark.let('v', value, 'case when ' ~ taken ~ ' = v then ' ~ taken ~ ' end')) -}}
    {%- endif -%}
    {{- return('cast(null as ' ~ into ~ ')') -}}
{%- endmacro -%}


{%- macro _is_convertible(from, into) -%}
    {%- set numbers = ['int', 'bigint', 'float', 'double', 'decimal'] -%}
    {%- set moments = ['date', 'timestamp_ntz', 'timestamp'] -%}
    {%- set kinds = [from.split('(')[0], into.split('(')[0]] -%}
    {{- return((kinds | reject('in', numbers) | list == []) or (kinds | reject('in', moments) | list == [])) -}}
{%- endmacro -%}
