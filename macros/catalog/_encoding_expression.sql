{#-
    SQL: the encoding of a defined column by its connector's table of types, as struct<type, name, parameters, database_type>.

    `column` is a SQL expression (one column entry of the schema-change topic); in the texts of the table `{c}` stands for it.
    `table` is what `_<connector>_types(config)` returns:

    * `word`: SQL of what `types` are compared with; `digits`: SQL of the fraction's digits, the default filled in;
    * `unencoded`: words that no JDBC code may rescue;
    * `types`: entries, the first that fits decides. An entry has `types` and one of `as` (an encoding, none: left out), `by_digits` ([largest
      number of digits, encoding]) and `cases` ([{`if`: SQL or none, `says`: the same in words, `as`, `numbers`}]); and optionally `where`
      (SQL) with `says`, `jdbc` (codes that mean this type under a name that is in no entry), `numbers` (members or literals that hold
      precision and scale), `shown` (what follows the name in the DDL).

    An encoding is {type, name, parameters}; a parameter is a literal, or a member of the definition as `{c}.member`.
-#}
{%- macro _encoding_expression(column, table) -%}
    {#- Types are chosen by number, and what they are compared with is computed once: short texts are analysed sooner. -#}
    {%- set encodings = [] -%}
    {%- set branches = [] -%}
    {%- set digits = table['digits'].replace('{c}', column) -%}
    {%- for is_by_code in [false, true] -%}
        {%- for entry in table['types'] if entry.get('jdbc') or not is_by_code -%}
            {%- for case in debezium_spark._encoding_cases(entry, digits) -%}
                {%- set conditions = [] -%}
                {%- if is_by_code -%}
                    {%- if table.get('unencoded') -%}
                        {%- do conditions.append("word not in ('" ~ table['unencoded'] | join("', '") ~ "')") -%}
                    {%- endif -%}
                    {%- do conditions.append(column ~ '.jdbcType in (' ~ entry['jdbc'] | join(', ') ~ ')') -%}
                {%- else -%}
                    {%- do conditions.append("word in ('" ~ entry['types'] | join("', '") ~ "')") -%}
                {%- endif -%}
                {%- for condition in [entry.get('where'), case['if']] if condition -%}
                    {%- do conditions.append('(' ~ condition.replace('{c}', column) ~ ')') -%}
                {%- endfor -%}
                {%- set encoding = debezium_spark._encoding_struct(
                    column, case['as'], case.get('numbers') or entry.get('numbers', ['{c}.length', '{c}.scale']),
                    none if is_by_code else entry.get('shown')
                ) -%}
                {%- if encoding not in encodings -%}{%- do encodings.append(encoding) -%}{%- endif -%}
                {%- do branches.append('when ' ~ conditions | join(' and ') ~ ' then ' ~ encodings.index(encoding)) -%}
            {%- endfor -%}
        {%- endfor -%}
    {%- endfor -%}
    {%- do encodings.append(debezium_spark._encoding_struct(column, none, none, none)) -%}
    {%- set number %}case
                            {{ branches | join('\n                            ') }}
                            else {{ encodings | length - 1 }}
                        end
    {%- endset -%}
get(
                    array(
                        {{ encodings | join(',\n                        ') }}
                    ),
                    {{ debezium_spark.let('word', table['word'].replace('{c}', column), number) }}
                )
{%- endmacro -%}


{#- The cases of an entry as [{if, says, as, numbers}], whichever form it has. -#}
{%- macro _encoding_cases(entry, digits='digits') -%}
    {%- if entry.get('cases') -%}{{- return(entry['cases']) -}}{%- endif -%}
    {%- if not entry.get('by_digits') -%}{{- return([{'if': none, 'says': none, 'as': entry['as']}]) -}}{%- endif -%}
    {%- set cases = [] -%}
    {%- set last = entry['by_digits'] | length -%}
    {%- for most, encoding in entry['by_digits'] -%}
        {%- do cases.append({
            'if': digits ~ ' <= ' ~ most, 'most': most, 'as': encoding,
            'says': 'up to ' ~ most ~ ' digits' if last > 1 and loop.index < last else (
                'more digits' if last > 1 else none
            ),
        }) -%}
    {%- endfor -%}
    {{- return(cases) -}}
{%- endmacro -%}


{#- One encoding as a struct; `numbers` are the members or literals that hold precision and scale of a decimal. -#}
{%- macro _encoding_struct(column, encoding, numbers, shown) -%}
    {%- set parameters = {} -%}
    {%- if encoding and encoding.get('name') == 'org.apache.kafka.connect.data.Decimal' -%}
        {%- do parameters.update({
            'scale': 'coalesce(' ~ numbers[1] ~ ', 0)', 'connect.decimal.precision': numbers[0],
        }) -%}
    {%- endif -%}
    {%- for name, value in ((encoding or {}).get('parameters') or {}).items() -%}
        {%- do parameters.update({name: value if '{c}' in value else "'" ~ value ~ "'"}) -%}
    {%- endfor -%}
    {%- set pairs = [] -%}
    {%- for name, value in parameters.items() -%}
        {%- do pairs.append("'" ~ name ~ "', cast(" ~ value.replace('{c}', column) ~ ' as string)') -%}
    {%- endfor -%}
    {%- set type_name = column ~ '.typeName' -%}
    {%- set database_type = {
        'precision': 'concat(' ~ type_name ~ ", '(', " ~ column ~ ".length, ',', coalesce(" ~ column ~ ".scale, 0), ')')",
        'length': (
            'concat(' ~ type_name ~ ", coalesce(concat('(', if(" ~ column ~ ".length > 8000, 'max', cast(" ~ column
            ~ ".length as string)), ')'), ''))"
        ),
        'digits': 'concat(' ~ type_name ~ ", coalesce(concat('(', " ~ column ~ ".scale, ')'), ''))",
        'size': (
            'case when ' ~ type_name ~ " like '%(%' then " ~ type_name ~ ' else concat(' ~ type_name ~ ", coalesce(concat('(', "
            ~ "nullif(concat_ws(',', " ~ column ~ '.length, ' ~ column ~ ".scale), ''), ')'), '')) end"
        ),
    }.get(shown, type_name) -%}
named_struct(
                    'type', cast({{ "'" ~ encoding['type'] ~ "'" if encoding else 'null' }} as string),
                    'name', cast({{ "'" ~ encoding['name'] ~ "'" if encoding and encoding.get('name') else 'null' }} as string),
                    'parameters', {{ 'map(' ~ pairs | join(', ') ~ ')' if pairs else 'cast(null as map<string, string>)' }},
                    'database_type', {{ database_type }}
                )
{%- endmacro -%}


{#- The encodings that options of the connector choose, for every relational connector (spec §10.1). -#}
{%- macro _decimal_encoding_of(config) -%}
    {{- return({
        'precise': {'type': 'bytes', 'name': 'org.apache.kafka.connect.data.Decimal'},
        'double': {'type': 'double'},
        'string': {'type': 'string'},
    }[config['decimal_handling_mode']]) -}}
{%- endmacro -%}


{#- A text that stands for bytes is marked: its schema does not tell it from any other text. -#}
{%- macro _binary_encoding_of(config) -%}
    {%- set mode = config['binary_handling_mode'] -%}
    {%- if mode == 'bytes' -%}{{- return({'type': 'bytes'}) -}}{%- endif -%}
    {{- return({'type': 'string', 'parameters': {'binary.handling.mode': mode}}) -}}
{%- endmacro -%}


{%- macro _interval_encoding_of(config) -%}
    {{- return({
        'numeric': {'type': 'int64', 'name': 'io.debezium.time.MicroDuration'},
        'string': {'type': 'string', 'name': 'io.debezium.time.Interval'},
    }[config['interval_handling_mode']]) -}}
{%- endmacro -%}
