{#-
    SQL: how many of the source's configured incarnation boundaries lie at or before the record's
    timestamp (design §4): a topic that was deleted and created again starts its offsets again.
-#}
{%- macro event_incarnation(config) -%}
    {%- set terms = [] -%}
    {%- for boundary in config.get('incarnations') or [] -%}
        {%- do terms.append(
            "case when _cdc_timestamp >= timestamp '" ~ boundary ~ "' then 1 else 0 end"
        ) -%}
    {%- endfor -%}
    {{- return('cast(' ~ (terms | join(' + ') or '0') ~ ' as int)') -}}
{%- endmacro -%}
