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
    {%- set names = ["concat('id/', " ~ name ~ ')'] -%}
    {%- if commit -%}
        {%- do names.append("concat('commit/', " ~ commit ~ ')') -%}
    {%- endif -%}
case
    when _cdc_op in ('c', 'u', 'd', 't')
        then concat(
            {{ debezium_spark.event_epoch(config) }}, '/',
            coalesce({{ names | join(', ') }})
        )
end
{%- endmacro -%}
