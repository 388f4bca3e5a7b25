{#-
    PostgreSQL: `lsn` only grows for one row, but goes up and down over transactions, which are emitted in commit order: the stream is
    ordered by `sequence`, the pair (LSN of the last commit before this transaction, LSN). The pair's first half can differ in a
    repeat, so a row's repeats are recognised by `lsn` alone. Incremental reads carry only `sequence` (spec §5.4).
-#}
{%- macro postgresql_position() -%}
    {%- set pair = "translate(source.sequence, '[]\" ', '')" -%}
    {%- set commit = "coalesce(nullif(substring_index(" ~ pair ~ ", ',', 1), 'null'), '0')" -%}
    {%- set change = "coalesce(nullif(substring_index(" ~ pair ~ ", ',', -1), 'null'), source.lsn)" -%}
    {{- return({
        'position': "lpad(source.lsn, 20, '0')",
        'stream_position': (
            "case when source.sequence is null then concat('00000000000000000000/', lpad(source.lsn, 20, '0')) "
            ~ "else concat(lpad(" ~ commit ~ ", 20, '0'), '/', lpad(" ~ change ~ ", 20, '0')) end"
        ),
    }) -}}
{%- endmacro -%}
