{#-
    PostgreSQL: `lsn` only grows for one row, but goes up and down over transactions, which are emitted in commit order: the stream is
    ordered by `sequence`, the pair (LSN of the last commit before this transaction, LSN). The pair's first half can differ in a
    repeat, so a row's repeats are recognised by `lsn` alone. Incremental reads carry only `sequence` (spec §5.4).
-#}
{%- macro postgresql_position() -%}
    {#- the two halves of `["24023119","24023128"]`, either of which may be null; cut by quotes, which costs less than JSON -#}
    {%- set commit = (
        "case when source.sequence like '[null%' then '0' else substring_index(substring_index(source.sequence, '\"', 2), '\"', -1) end"
    ) -%}
    {%- set change = (
        "case when source.sequence like '%null]' then source.lsn "
        ~ "else substring_index(substring_index(source.sequence, '\"', -2), '\"', 1) end"
    ) -%}
    {{- return({
        'position': "lpad(source.lsn, 20, '0')",
        'stream_position': (
            "case when source.sequence is null then concat('00000000000000000000/', lpad(source.lsn, 20, '0')) "
            ~ "else concat(lpad(" ~ commit ~ ", 20, '0'), '/', lpad(" ~ change ~ ", 20, '0')) end"
        ),
    }) -}}
{%- endmacro -%}
