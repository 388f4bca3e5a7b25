{#-
    SQL: the number of configured epochs of a record. Positions of a later epoch are above all
    earlier ones: a restored or failed-over database may start lower (design §7.4). Of many topics
    only the record's own is looked at: Spark plans one long sum in the square of its length.
-#}
{%- macro event_epoch(config) -%}
    {%- set terms = [] -%}
    {%- set by_topic = {} -%}
    {%- for epoch in config.get('epochs') or [] -%}
        {%- if epoch.get('from') -%}
            {%- do terms.append(
                "case when _cdc_timestamp >= timestamp '" ~ epoch['from'] ~ "' then 1 else 0 end"
            ) -%}
        {%- else -%}
            {%- set offsets = [] -%}
            {%- for partition, offset in (epoch.offsets or {}).items() -%}
                {%- do offsets.append(
                    '(_cdc_partition = ' ~ partition | int ~ ' and _cdc_offset >= ' ~ offset | int
                    ~ ')'
                ) -%}
            {%- endfor -%}
            {%- do by_topic.setdefault(epoch.topic, []).append(
                'case when ' ~ (offsets | join(' or ') or 'false') ~ ' then 1 else 0 end'
            ) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- set branches = [] -%}
    {%- for topic, of_topic in by_topic.items() -%}
        {%- do branches.append(
            'when ' ~ debezium_spark.text_literal(topic) ~ ' then ' ~ of_topic | join(' + ')
        ) -%}
    {%- endfor -%}
    {%- if branches -%}
        {%- do terms.append('case _cdc_topic ' ~ branches | join(' ') ~ ' else 0 end') -%}
    {%- endif -%}
    {{- return('cast(' ~ (terms | join(' + ') or '0') ~ ' as int)') -}}
{%- endmacro -%}


{#- SQL: a position with its epoch in front, so that those of a later epoch are higher. -#}
{%- macro within_epoch(config, position) -%}
    {{- return(
        "concat(lpad(cast(" ~ debezium_spark.event_epoch(config) ~ " as string), 6, '0'), '/', "
        ~ position ~ ')'
    ) -}}
{%- endmacro -%}
