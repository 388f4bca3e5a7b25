{#-
    SQL: what the changes of one transaction share (docs/history.md, transactions), NULL for other
    events. PostgreSQL's id ends in an LSN that differs from change to change; without metadata, all
    changes of its transactions name one commit before them, and SQL Server's their own.
-#}
{%- macro event_transaction(config) -%}
    {%- set name = (
        "substring_index(_cdc_tx_id, ':', 1)" if config.connector == 'postgresql' else '_cdc_tx_id'
    ) -%}
    {%- set commit = {
        'postgresql': "nullif(substring_index(_cdc_stream_pos, '/', 1), repeat('0', 20))",
        'sqlserver': '_cdc_pos',
    }.get(config.connector) -%}
    {%- set epoch = debezium_spark.event_epoch(config) -%}
case
    when _cdc_op not in ('c', 'u', 'd', 't') then null
    when _cdc_tx_id is not null then concat_ws('/', {{ epoch }}, 'id', {{ name }})
    {%- if commit %}
    when {{ commit }} is not null then concat_ws('/', {{ epoch }}, 'commit', {{ commit }})
    {%- endif %}
end
{%- endmacro -%}
