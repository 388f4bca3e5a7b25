{#- The records that the option `ignore_records` of a source names. -#}
{%- macro ignored_records(config, topics=none) -%}
    {%- set ignored = [] -%}
    {%- for one in config.get('ignore_records') or [] if topics is none or one.topic in topics -%}
        {%- do ignored.append(one) -%}
    {%- endfor -%}
    {{- return(ignored) -}}
{%- endmacro -%}


{#- SQL condition: a record of raw is to be ignored. -#}
{%- macro is_ignored(config, topics=none) -%}
    {%- set places = [] -%}
    {%- for one in debezium_spark.ignored_records(config, topics) -%}
        {%- do places.append('(' ~ debezium_spark.text_literal(one.topic) ~ ', ' ~ one.partition ~ ', ' ~ one.offset ~ ')') -%}
    {%- endfor -%}
    {{- return('(topic, partition, offset) in (' ~ places | join(', ') ~ ')' if places else 'false') -}}
{%- endmacro -%}
