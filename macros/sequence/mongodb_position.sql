{#-
    MongoDB: (cluster time in seconds, ordinal, ordinal within an oplog transaction). From 3.4 on
    `ts_ms` is a server's clock and orders nothing: there is no position, and identities show
    repeats. Changes of one transaction share a position (spec §4.6, §5.4).
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
    {{- return({
        'is_told': 'source.ord is not null', 'position': position, 'stream_position': position
    }) -}}
{%- endmacro -%}
