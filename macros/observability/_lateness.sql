{#- Lateness: how long there has been no sign of a source, and how long records have waited. -#}

{#- SQL: the time by which lateness is shown: that of the query, or the var `debezium_as_of`. -#}
{%- macro _as_of() -%}
    {%- set moment = var('debezium_as_of', none) -%}
    {{- return(debezium_spark.moment_literal(moment) if moment else 'current_timestamp()') -}}
{%- endmacro -%}


{%- macro moment_literal(moment) -%}
    {%- set debezium = adapter.debezium() -%}
    {{- return(
        'cast(' ~ debezium_spark.text_literal(debezium.config.utc_text(moment)) ~ ' as timestamp)'
    ) -}}
{%- endmacro -%}


{#-
    What the text of such a view depends on besides the tables that it reads; none if they do not
    record what they are up to date with. In place of a view, a table also depends on raw records
    and on what is left in Kafka, because both change without a word of a staging model.
-#}
{%- macro _lateness_inputs(raws, stagings, limits) -%}
    {%- set sides = [] -%}
    {%- for source, raw in raws if source in limits -%}
        {%- do sides.extend([raw, debezium_spark._ledger_of(raw)]) -%}
    {%- endfor -%}
    {%- set inputs = debezium_spark.view_inputs(
        stagings | map(attribute='relation') | list, sides=sides
    ) -%}
    {%- if inputs is not none -%}
        {%- do inputs.update({'limits': limits, 'as_of': var('debezium_as_of', none) | string}) -%}
    {%- endif -%}
    {{- return(inputs) -}}
{%- endmacro -%}


{#- {source: seconds} of the sources with `max_lag`; other sources are never late. -#}
{%- macro _lag_limits(names) -%}
    {%- set limits = {} -%}
    {%- for name in names | unique -%}
        {%- set limit = debezium_spark.source_config(name).get('max_lag') -%}
        {%- if limit -%}{%- do limits.update({name: limit}) -%}{%- endif -%}
    {%- endfor -%}
    {{- return(limits) -}}
{%- endmacro -%}


{#- SQL: a time of the source's clock, which a damaged record may set to any, on our clock. -#}
{%- macro _no_later_than_landed(time) -%}
    {{- return('least(' ~ time ~ ', _cdc_landed_at)') -}}
{%- endmacro -%}


{#- The table beside a raw table that has what landing found and left. -#}
{%- macro _ledger_of(raw) -%}
    {{- return(api.Relation.create(
        database=raw.database, schema=raw.schema, identifier=raw.identifier ~ '__files'
    )) -}}
{%- endmacro -%}
