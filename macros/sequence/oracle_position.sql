{#-
    Oracle, LogMiner: (SCN, rs_id, ssn). The SCN of one row never falls, because its lock is held to
    the commit; within one SCN the redo record decides, then the statement in it (spec §5.4). The
    SCN is a number of any length and is padded; rs_id is hexadecimal and may come with a blank in
    front. A read of a full snapshot has no rs_id: it saw everything up to its SCN, so it sorts
    behind it.

    Without a position are: changes whose `ssn` is −1 (before 2.2: the number did not fit) or that
    lack an rs_id, because two of one SCN could not be distinguished: identity and arrival order
    decide; and incremental reads, which carry the members of the event that closed their window,
    ahead of changes that were written before it and commit after it. A truncate needs neither: it
    shares its SCN with no row.

    Not in it: `commit_scn`, which before 3.2 is that of the transaction before (spec trap 16), and
    `redo_thread`: rs_ids are comparable within one thread of a cluster, and only changes of one
    transaction can share row and SCN, as another waits for the commit, which takes an SCN of its
    own; one transaction writes to one thread.

    XStream sends `lcr_position` instead, hexadecimal text. Its reads have only an SCN, which no LCR
    position compares with: all reads sort first, and where they lie in one partition with a
    truncate or came later, arrival decides (docs/semantics.md, truncates).

    Stream: transactions come in the order of their commits, which no member shows before 3.2: a
    change with a position has none in the stream. A DDL statement waits for the locks of its table,
    so for truncates the SCN is an order (`log_position`, of every event).
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
    {%- set log_position -%}
case when source.lcr_position is not null then {{ lcr }} else {{ redo_position }} end
    {%- endset -%}
    {%- set identity = debezium_spark.change_content(['txId', 'scn', 'rs_id', 'ssn']) -%}
    {{- return({
        'position': position,
        'stream_position': stream_position,
        'log_position': log_position,
        'identity': 'case when ' ~ is_unordered ~ ' then ' ~ identity ~ ' end',
    }) -}}
{%- endmacro -%}
