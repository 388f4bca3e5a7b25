{#-
    SQL: the number of configured epochs of a record. Positions of a later epoch are above all
    earlier ones: a restored or failed-over database may start lower (design §7.4).
-#}
{%- macro event_epoch(config) -%}
    {%- set terms = [] -%}
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
            {%- do terms.append(
                'case when _cdc_topic = ' ~ debezium_spark.text_literal(epoch.topic) ~ ' and ('
                ~ (offsets | join(' or ') or 'false') ~ ') then 1 else 0 end'
            ) -%}
        {%- endif -%}
    {%- endfor -%}
    {{- return('cast(' ~ (terms | join(' + ') or '0') ~ ' as int)') -}}
{%- endmacro -%}
