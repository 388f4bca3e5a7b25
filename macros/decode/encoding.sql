{#-
    How the values of one column are written in JSON, and what they become.

    `column` is a column of a table as the catalog describes it: `name`, `type` (Connect literal type), `semantic` (schema
    name), `parameters`, for arrays `items`, for structs `fields`. Returns a dictionary:

    * `kind`: which decoder reads it (macros/decode/decode.sql),
    * `spark_type`: type of the decoded value,
    * `unit`: digits of the fraction, for numbers of seconds,
    * `exact_text`: `always` or `beyond` where the Spark type cannot hold every value exactly: a companion column keeps the text of
      each value, or only of those that the type does not hold.

    An unknown semantic name never fails: the literal type decides. The rules are those of spec §11.2, in `semantic_types`.

    Two parameters are our own, set where the database type is known (`known_database_type`): `binary.handling.mode` of a text that
    stands for bytes, and `unsigned` of a 64-bit number that wraps.
-#}
{%- macro encoding(source, column) -%}
    {%- set parameters = column.get('parameters') or {} -%}
    {%- set semantic = column.get('semantic') -%}
    {%- set connector = source.get('connector') -%}
    {%- if semantic == 'org.apache.kafka.connect.data.Decimal' -%}
        {{- return(debezium_spark.decimal_encoding(parameters)) -}}
    {%- endif -%}
    {%- set by_semantic = debezium_spark.semantic_types() -%}
    {%- if semantic in by_semantic -%}
        {%- set encoding = by_semantic[semantic] -%}
        {%- if encoding.kind == 'zoned_timestamp' and connector in ('sqlserver', 'oracle') -%}
            {%- do encoding.update({'exact_text': 'always'}) -%}
        {%- elif encoding.spark_type == 'date' and connector == 'postgresql' -%}
            {%- do encoding.update({'exact_text': 'beyond'}) -%}
        {%- elif encoding.kind == 'iso_timestamp' and connector in ('sqlserver', 'oracle') -%}
            {#- only these have more than six digits -#}
            {%- do encoding.update({'exact_text': 'beyond'}) -%}
        {%- elif encoding.kind == 'epoch' and encoding.unit == 9 -%}
            {#- what SQL Server counts in steps of 100 ns can be unwrapped; PostgreSQL's infinities are the ends of 64 bits -#}
            {%- do encoding.update({'wraps': connector == 'sqlserver', 'infinite': connector == 'postgresql'}) -%}
        {%- endif -%}
        {{- return(encoding) -}}
    {%- elif column.type == 'array' -%}
        {%- set items = column.get('items') or {'type': 'string'} -%}
        {{- return({'kind': 'array', 'spark_type': 'array<' ~ debezium_spark.encoding(source, items).spark_type ~ '>'}) -}}
    {%- elif column.type == 'string' and parameters.get('binary.handling.mode') -%}
        {{- return({'kind': parameters['binary.handling.mode'], 'spark_type': 'binary'}) -}}
    {%- elif column.type == 'int64' and parameters.get('unsigned') == 'true' -%}
        {{- return({'kind': 'unsigned', 'spark_type': 'decimal(20,0)'}) -}}
    {%- elif column.type in debezium_spark.literal_types() -%}
        {{- return(debezium_spark.literal_types()[column.type]) -}}
    {%- endif -%}
    {%- do debezium_spark._fail(
        'encoding',
        "column '" ~ column.get('name') ~ "' has the unknown Connect type '" ~ column.get('type') ~ "'",
        'Use one of ' ~ debezium_spark.literal_types().keys() | join(', ') ~ ' (spec of the Connect schema: type).',
    ) -%}
{%- endmacro -%}
