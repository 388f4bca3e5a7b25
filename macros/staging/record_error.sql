{#- SQL: why a record is no event of the table, NULL when it is one. Such records stay in staging, are shown in quarantine and not folded. -#}
{%- macro record_error(config, key) -%}
    {%- set signals = config.get('signal_data_collection') -%}
    {%- set cases = [
        'when is_tombstone then null',
        "when op is null then 'record: not a Debezium change event'",
        "when op not in ('c', 'u', 'd', 'r', 't', 'm') then concat('record: unknown op ', op)",
        "when op in ('c', 'r', 'u') and after is null then concat('record: op ', op, ' without a row image')",
    ] -%}
    {%- if signals -%}
        {#- SQL Server and Oracle name it with its database in front; a transform may route signals into a table's topic; shards routed on purpose name other tables, too -#}
        {%- do cases.append(
            'when ' ~ debezium_spark.text_literal(signals) ~ ' in (' ~ debezium_spark.routed_table(config) ~ ", concat(source.db, '.', "
            ~ debezium_spark.routed_table(config) ~ ")) then 'record: row of the signal table'"
        ) -%}
    {%- endif -%}
    {%- if key -%}
        {%- do cases.append("when op in ('c', 'u', 'd', 'r') and _cdc_key is null then 'record: no key'") -%}
    {%- endif -%}
    {{- return('case ' ~ cases | join(' ') ~ ' end') -}}
{%- endmacro -%}
