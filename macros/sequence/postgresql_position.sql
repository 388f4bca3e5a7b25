{#-
    PostgreSQL: `sequence` has (LSN of the last commit before the transaction, LSN). Transactions
    come in commit order, in which `lsn` alone goes up and down (spec §5.4). Without the first half
    (old versions, the first transaction of a slot) the LSN stands for it; nothing then shows the
    order of commits, so such changes have no stream position.

    The identity is the `lsn`, padded because identities compare as text: the first half can change
    in a redelivery (spec §5.2). Rows of one COPY can share an LSN (`~`), and wal2json, before 2.0,
    gave one to all changes of a transaction.
-#}
{%- macro postgresql_position() -%}
    {#- cutting `["24023119","24023128"]` at the quotes costs less than parsing JSON -#}
    {%- set has_commit_lsn = "source.sequence like '[\"%'" -%}
    {%- set commit_lsn = "substring_index(substring_index(source.sequence, '\"', 2), '\"', -1)" -%}
    {%- set change_lsn -%}
case
                when source.sequence like '%null]' then source.lsn
                else substring_index(substring_index(source.sequence, '"', -2), '"', 1)
            end
    {%- endset -%}
    {%- set position -%}
concat(lpad(if({{ has_commit_lsn }}, {{ commit_lsn }}, source.lsn), 20, '0'), '/',
            lpad(source.lsn, 20, '0'))
    {%- endset -%}
    {%- set stream_position -%}
case
            when op in ('c', 'u', 'd') and not coalesce({{ has_commit_lsn }}, false) then null
            when source.sequence is null
                then concat('00000000000000000000/', lpad(source.lsn, 20, '0'))
            else concat(lpad(if({{ has_commit_lsn }}, {{ commit_lsn }}, '0'), 20, '0'), '/',
                lpad({{ change_lsn }}, 20, '0'))
        end
    {%- endset -%}
    {%- set identity -%}
concat('~', lpad(source.lsn, 20, '0'), if(source.version rlike '^[01][.]',
            concat('/', xxhash64(map_keys(after), map_values(after))), ''))
    {%- endset -%}
    {#- an incremental read stands where the stream stood -#}
    {%- set layout -%}
coalesce(lpad(source.lsn, 20, '0'), nullif(substring_index(
            {{- stream_position }}, '/', -1), ''))
    {%- endset -%}
    {{- return({
        'is_told': debezium_spark.is_above_zero('lsn')
            ~ " or op = 'r' and source.sequence is not null",
        'position': position,
        'stream_position': stream_position,
        'identity': identity,
        'truncate_identity': "lpad(source.lsn, 20, '0')",
        'layout': layout,
        'transaction': "substring_index(_cdc_tx_id, ':', 1)",
        'commit': "nullif(substring_index(_cdc_stream_pos, '/', 1), repeat('0', 20))",
    }) -}}
{%- endmacro -%}
