{#-
    MongoDB: (cluster time in seconds, ordinal within the second, ordinal within an oplog
    transaction). From 3.4 on `ts_ms` is the clock of a server (`wallTime`) and orders nothing:
    there is no position, and repeats are known by identity alone. The changes that one
    multi-document transaction makes to a document share their position (spec §4.6, §5.4). Snapshot
    reads of change streams have the ordinal −1: theirs is the connector's clock.
-#}
{%- macro mongodb_position() -%}
    {%- set version -%}
cast(regexp_extract(source.version, '^([0-9]+)[.]([0-9]+)', 1) as int) * 1000
            + cast(regexp_extract(source.version, '^([0-9]+)[.]([0-9]+)', 2) as int)
    {%- endset -%}
    {%- set position -%}
case
            when op = 'r' or source.ord is null or source.ord like '-%' then null
            when coalesce({{ version }} >= 3004, source.wallTime is not null) then null
            else concat(lpad(cast(cast(source.ts_ms as bigint) div 1000 as string), 20, '0'), '/',
                lpad(source.ord, 10, '0'), '/', lpad(coalesce(source.tord, '0'), 10, '0'))
        end
    {%- endset -%}
    {{- return({'position': position, 'stream_position': position}) -}}
{%- endmacro -%}
