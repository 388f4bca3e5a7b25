{#-
    Oracle, LogMiner: (SCN, rs_id, ssn). The SCN of one row never falls, because its lock is held to the commit; within one SCN the redo
    record decides, then the statement in it (spec §5.4). The SCN is a number of any length and is padded; rs_id is hexadecimal of fixed
    width and may come with a blank in front. `ssn` −1 says that the number did not fit: such an event has no position, and arrival
    order and identity decide. A read of a snapshot has no rs_id: it saw everything up to its SCN, so it sorts behind it.

    XStream sends `lcr_position` instead, hexadecimal text.

    Stream: transactions come in the order of their commits, which no member tells before 3.2 (`commit_scn` is that of the
    transaction before). A DDL statement waits for the locks of its table, so for truncates the SCN is an order.
-#}
{%- macro oracle_position() -%}
    {%- set scn = "lpad(source.scn, 40, '0')" -%}
    {%- set record = "coalesce(nullif(lower(trim(source.rs_id)), ''), '~')" -%}
    {%- set ordered = "concat(" ~ scn ~ ", '/', " ~ record ~ ", '/', " -%}
    {%- set lcr = "lpad(lower(source.lcr_position), 128, '0')" -%}
    {{- return({
        'position': (
            "case when source.lcr_position is not null then " ~ lcr ~ " when source.ssn like '-%' then cast(null as string) else "
            ~ ordered ~ "lpad(coalesce(source.ssn, '0'), 20, '0')) end"
        ),
        'stream_position': (
            "case when source.lcr_position is not null then " ~ lcr ~ " else "
            ~ ordered ~ "if(source.ssn like '-%', repeat('~', 20), lpad(coalesce(source.ssn, '0'), 20, '0'))) end"
        ),
    }) -}}
{%- endmacro -%}
