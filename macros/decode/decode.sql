{#-
    SQL that turns the prepared text of a column's value into its Spark type; NULL when there is none or it cannot be read.

    `prepared` is a SQL expression: what `prepare` makes of the member of the row image, as `from_json(…, 'map<string,string>')`
    gives it: numbers and booleans as text, nested values as compact JSON. Callers compare "text is not null" with
    "value is null" to find what could not be read, so no decoder may guess. Only expressions, no UDF.
-#}
{%- macro decode(source, column, prepared) -%}
    {%- set encoding = debezium_spark.encoding(source, column) -%}
    {%- set kind = encoding.kind -%}
    {%- if kind == 'string' -%}
        {{- return(prepared) -}}
    {%- elif kind == 'number' and column.type == 'int16' -%}
        {#- MySQL's tinyint(1): the snapshot sends numbers, a table created while streaming booleans -#}
        {{- return(
            'coalesce(try_cast(' ~ prepared ~ ' as ' ~ encoding.spark_type ~ '), case ' ~ prepared
            ~ " when 'true' then 1 when 'false' then 0 end)"
        ) -}}
    {%- elif kind == 'number' and encoding.spark_type in ('float', 'double') -%}
        {{- return(debezium_spark.decode_float(encoding.spark_type, prepared)) -}}
    {%- elif kind == 'number' -%}
        {{- return('try_cast(' ~ prepared ~ ' as ' ~ encoding.spark_type ~ ')') -}}
    {%- elif kind == 'unsigned' -%}
        {#- 64 bits without a sign, sent as 64 bits with one -#}
        {{- return(
            'try_cast(case when ' ~ prepared ~ ' < 0 then cast(' ~ prepared
            ~ ' as decimal(20, 0)) + 18446744073709551616BD else ' ~ prepared ~ ' end as ' ~ encoding.spark_type ~ ')'
        ) -}}
    {%- elif kind == 'boolean' -%}
        {{- return(
            'case ' ~ prepared ~ " when 'true' then true when 'false' then false when '1' then true when '0' then false end"
        ) -}}
    {%- elif kind == 'base64' -%}
        {{- return('try_to_binary(' ~ prepared ~ ", 'base64')") -}}
    {%- elif kind == 'base64-url-safe' -%}
        {{- return('try_to_binary(translate(' ~ prepared ~ ", '-_', '+/'), 'base64')") -}}
    {%- elif kind == 'hex' -%}
        {{- return('case when length(' ~ prepared ~ ') % 2 = 0 then unhex(' ~ prepared ~ ') end') -}}
    {%- elif kind == 'decimal' -%}
        {{- return(debezium_spark.decode_decimal(encoding, prepared)) -}}
    {%- elif kind == 'variable_scale_decimal' -%}
        {{- return(debezium_spark.decode_variable_scale_decimal(prepared)) -}}
    {%- elif kind == 'bits' -%}
        {{- return(debezium_spark.decode_bits(column, prepared)) -}}
    {%- elif kind == 'days' -%}
        {{- return(debezium_spark.decode_days(prepared)) -}}
    {%- elif kind == 'iso_date' -%}
        {{- return('try_cast(regexp_replace(' ~ prepared ~ ", 'Z$', '') as date)") -}}
    {%- elif kind == 'time_of_day' -%}
        {{- return(debezium_spark.decode_time_of_day(column, encoding, prepared)) -}}
    {%- elif kind == 'iso_time' -%}
        {{- return('regexp_replace(' ~ prepared ~ ", 'Z$', '')") -}}
    {%- elif kind == 'epoch' -%}
        {{- return(debezium_spark.decode_epoch(encoding, prepared)) -}}
    {%- elif kind == 'iso_timestamp' -%}
        {{- return('try_cast(regexp_replace(' ~ prepared ~ ", 'Z$', '') as timestamp_ntz)") -}}
    {%- elif kind == 'zoned_timestamp' -%}
        {{- return(debezium_spark.decode_zoned_timestamp(prepared)) -}}
    {%- elif kind == 'struct' -%}
        {{- return(debezium_spark.decode_struct(encoding.spark_type, prepared)) -}}
    {%- elif kind == 'map' -%}
        {{- return(debezium_spark.decode_map(prepared)) -}}
    {%- elif kind == 'sparse_vector' -%}
        {{- return(debezium_spark.decode_sparse_vector(prepared)) -}}
    {%- elif kind == 'vector' -%}
        {%- set items = {'type': encoding.spark_type[6:-1]} -%}
        {{- return(debezium_spark.decode_array(source, {'items': items}, prepared)) -}}
    {%- elif kind == 'array' -%}
        {{- return(debezium_spark.decode_array(source, column, prepared)) -}}
    {%- endif -%}
    {%- do debezium_spark._fail('decode', "no decoder for kind '" ~ kind ~ "'", 'This is a defect of the package.') -%}
{%- endmacro -%}
