{#-
    SQL: what the changes of one transaction share (docs/history.md, transactions), NULL for other
    events. PostgreSQL's id ends in an LSN that differs from change to change; without metadata, all
    changes of its transactions name one commit before them, and SQL Server's their own.
-#}
{%- macro event_transaction(config) -%}
    {%- set position = debezium_spark._connector_position(config) -%}
    {%- set commit = position.get('commit') -%}
    {%- set names = ["concat('id/', " ~ position.get('transaction', '_cdc_tx_id') ~ ')'] -%}
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
