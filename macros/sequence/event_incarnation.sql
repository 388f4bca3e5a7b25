{#-
    SQL: the number of configured incarnation boundaries up to a record: a topic that was created
    again starts its offsets again (design §4).
-#}
{%- macro event_incarnation(config, timestamp='_cdc_timestamp') -%}
    {%- set terms = [] -%}
    {%- for boundary in config.get('incarnations') or [] -%}
        {%- do terms.append(
            "case when " ~ timestamp ~ " >= timestamp '" ~ boundary ~ "' then 1 else 0 end"
        ) -%}
    {%- endfor -%}
    {{- return('cast(' ~ (terms | join(' + ') or '0') ~ ' as int)') -}}
{%- endmacro -%}
