{#-
    MySQL and MariaDB: (number of the binlog file, position in it, row of the event), the order of one server's binlog. The number stands
    behind the last dot of the file's name and outgrows its six digits (spec §5.4, trap 17). Snapshot reads have the position at which the
    stream begins.

    Not in it: `server_id` and `gtid`, which order nothing. After a failover files start again on the other server: an epoch.
    Rows of a compressed transaction share the position of the whole; identity tells them apart, not this.
-#}
{%- macro mysql_position() -%}
    {%- set position = (
        "concat(lpad(substring_index(source.file, '.', -1), 20, '0'), '/', lpad(source.pos, 20, '0'), '/', "
        ~ "lpad(coalesce(source.row, '0'), 10, '0'))"
    ) -%}
    {{- return({'position': position, 'stream_position': position}) -}}
{%- endmacro -%}
