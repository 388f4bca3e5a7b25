{#-
    SQL condition: a value came and did not decode. A companion column keeps what the Spark type
    cannot hold: only a text that is not even that counts.
-#}
{%- macro undecodable_condition(config, column, text, value, prepared) -%}
    {%- set condition = text ~ ' is not null and ' ~ value ~ ' is null' -%}
    {%- set encoding = debezium_spark.encoding(config, column) -%}
    {%- if encoding.get('exact_text') == 'beyond' and encoding.kind == 'days' -%}
        {%- set condition = condition ~ ' and ' ~ prepared ~ ' is null' -%}
    {%- elif encoding.get('exact_text') == 'beyond' and encoding.kind == 'iso_date' -%}
        {%- set condition = (
            condition ~ ' and not ' ~ prepared ~ " rlike '^[-+]?[0-9]{4,}-[0-9]{2}-[0-9]{2}Z?$'"
        ) -%}
    {%- endif -%}
    {{- return('(' ~ condition ~ ')') -}}
{%- endmacro -%}
