{#-
    PostgreSQL: transactions are emitted in commit order, and `lsn` goes up and down over them: the
    order is that of `sequence`, the pair (LSN of the last commit before this transaction, LSN).
    `lsn` alone orders the changes of one life of a row; a plain INSERT of a row that is being
    deleted writes its record before it waits for the delete (spec §5.4). Where the first half is
    missing (old versions, the first transaction of a slot), the LSN stands for it: it lies behind
    all earlier commits. But nothing then shows the order of commits, so that such changes have no
    stream position; reads and truncates, which do not wait for others, begin with zero.

    A change is known by its `lsn`, which is the same in every delivery; the first half of
    `sequence` can be another after a restart (spec §5.2). Padded, because identities are compared
    as texts (`profile_touched_keys`). The plugin wal2json, before 2.0, could give all changes of a
    transaction one. Rows of one COPY may share an LSN: several changes of a run can have one
    identity. Incremental reads carry only `sequence`.
-#}
{%- macro postgresql_position() -%}
    {#-
        The two halves of `["24023119","24023128"]`; either may be null. They are cut at the quotes,
        which costs less than parsing JSON.
    -#}
    {%- set has_commit_lsn = "source.sequence not like '[null%'" -%}
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
    {{- return({
        'position': position,
        'stream_position': stream_position,
        'identity': identity,
        'truncate_identity': "lpad(source.lsn, 20, '0')",
    }) -}}
{%- endmacro -%}
