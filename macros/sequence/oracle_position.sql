{#-
    Oracle, LogMiner: (SCN, rs_id, ssn). A row's SCN never falls, because its lock lasts until the
    commit; within an SCN the redo record decides, then the statement (spec §5.4). A full read has
    no rs_id and sorts behind its SCN.

    No position: changes with `ssn` −1 (before 2.2) or without rs_id, which one SCN cannot
    distinguish; incremental reads, which carry members of the event that closed their window. Not
    used: `commit_scn` (spec trap 16), and `redo_thread`, because changes of one row with one SCN
    are of one transaction, hence of one thread.

    XStream sends `lcr_position`, which compares with no SCN: its reads sort first.

    Before 3.2 no member shows the order of commits, so a change with a position has none in the
    stream. A DDL statement waits for its table's locks: for truncates the SCN is an order
    (`layout`).
-#}
{%- macro oracle_position() -%}
    {%- set is_unordered -%}
op in ('c', 'u', 'd') and source.lcr_position is null
            and (source.rs_id is null or trim(source.rs_id) = '' or source.ssn like '-%')
    {%- endset -%}
    {%- set record = "coalesce(lpad(nullif(lower(trim(source.rs_id)), ''), 32, '0'), '~')" -%}
    {%- set statement -%}
if(source.ssn like '-%', repeat('~', 20), lpad(coalesce(source.ssn, '0'), 20, '0'))
    {%- endset -%}
    {%- set redo_position -%}
concat(lpad(source.scn, 40, '0'), '/', {{ record }}, '/', {{ statement }})
    {%- endset -%}
    {%- set lcr = "concat('x', lpad(lower(source.lcr_position), 128, '0'))" -%}
    {%- set position -%}
case
            when source.snapshot = 'incremental' then null
            when source.lcr_position is not null then {{ lcr }}
            when {{ is_unordered }} then null
            else {{ redo_position }}
        end
    {%- endset -%}
    {%- set stream_position -%}
case
            when source.lcr_position is not null then {{ lcr }}
            when op in ('c', 'u', 'd') and not ({{ is_unordered }}) then null
            else {{ redo_position }}
        end
    {%- endset -%}
    {%- set layout -%}
case when source.lcr_position is not null then {{ lcr }} else {{ redo_position }} end
    {%- endset -%}
    {%- set identity = debezium_spark.change_content(['txId', 'scn', 'rs_id', 'ssn']) -%}
    {{- return({
        'is_told': 'source.lcr_position is not null or ' ~ debezium_spark.is_above_zero('scn'),
        'position': position,
        'stream_position': stream_position,
        'layout': layout,
        'identity': 'case when ' ~ is_unordered ~ ' then ' ~ identity ~ ' end',
    }) -}}
{%- endmacro -%}
