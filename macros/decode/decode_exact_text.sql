{#-
    SQL: text of the companion column, in a form a person reads; only for encodings with `exact_text`.

    `always`: the value in full: nanoseconds, whose last three digits TIMESTAMP cannot hold, and texts that carry an offset.
    `beyond`: the value as sent where the type does not hold it, else NULL: infinite dates, more than six digits.
-#}
{%- macro decode_exact_text(source, column, prepared) -%}
    {%- set encoding = debezium_spark.encoding(source, column) -%}
    {%- if encoding.kind == 'epoch' -%}
        {%- set moment = debezium_spark.decode_epoch(encoding, prepared) -%}
        {%- set digits = 'pmod(' ~ prepared ~ ', 1000)' -%}
        {%- if encoding.get('wraps') -%}
            {%- set digits = (
                'case when ' ~ prepared ~ ' % 100 = 0 then ' ~ digits ~ ' else cast(pmod('
                ~ debezium_spark.unwrapped_nanoseconds(prepared) ~ ', 1000) as bigint) end'
            ) -%}
        {%- endif -%}
        {%- set text = (
            'concat(date_format(' ~ moment ~ ", \"yyyy-MM-dd'T'HH:mm:ss.SSSSSS\"), lpad(cast(" ~ digits ~ " as string), 3, '0'))"
        ) -%}
        {%- if encoding.get('infinite') -%}
            {%- set text = (
                'case ' ~ prepared ~ " when 9223372036854775807L then 'infinity' when -9223372036854775808L then '-infinity' else "
                ~ text ~ ' end'
            ) -%}
        {%- endif -%}
        {{- return(text) -}}
    {%- elif encoding.exact_text == 'beyond' -%}
        {%- set fits = debezium_spark.decode(source, column, prepared) ~ ' is not null' -%}
        {%- if encoding.kind == 'iso_timestamp' -%}
            {%- set fits = 'length(substring_index(' ~ prepared ~ ", '.', -1)) <= 7 or instr(" ~ prepared ~ ", '.') = 0" -%}
        {%- endif -%}
        {{- return('case when (' ~ fits ~ ') is not true then cast(' ~ prepared ~ ' as string) end') -}}
    {%- endif -%}
    {{- return(prepared) -}}
{%- endmacro -%}
