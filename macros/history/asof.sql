{#-
    SQL for FROM: the rows of a table as all transactions up to a position of the source's log left
    them, at most one for each key. `cut`: SQL of such a position, in the form of `_cdc_from_pos`.
-#}
{%- macro asof(history, cut) -%}
(
    select versions.*
    from {{ debezium_spark.versions_at(history, cut) | indent(4) }}
)
{%- endmacro -%}


{#-
    SQL behind FROM: `versions`, those that hold at a position. The last change of a key in the
    order of its history counts, among those up to the position: a snapshot taken before the log is
    read from an earlier place lets positions fall, so intervals of positions can overlap.

    An end without a position, that of a tombstone, lies where its version began; or, if the time of
    the position is known (`instant`), it is an end if it came by then. `beside`: tables that `cut`
    and `instant` name, joined before the history, so that Spark opens them first.
-#}
{%- macro versions_at(history, cut, instant=none, beside='') -%}
{%- set is_gap = debezium_spark._deleted_column(history, 'versions.') -%}
{%- set valid_to = 'versions.' ~ debezium_spark._column_of_time(history, 'valid_to') -%}
{{ beside }}{{ history }} as versions
inner join (
    select
        versions._cdc_key,
        max(
            case
                when
                    coalesce(versions._cdc_ended_by, 'update') != 'update'
                    {%- if instant is none %}
                    and coalesce(versions._cdc_to_pos, versions._cdc_from_pos) <= {{ cut }}
                    {%- else %}
                    and (
                        versions._cdc_to_pos <= {{ cut }}
                        or (versions._cdc_to_pos is null and {{ valid_to }} <= {{ instant }})
                    )
                    {%- endif %}
                    then 2 * versions._cdc_version + 1
                when versions._cdc_from_pos <= {{ cut }} then 2 * versions._cdc_version
            end
        ) as last_change
    from {{ beside }}{{ history }} as versions
    {%- if is_gap %}
    where not {{ is_gap }}
    {%- endif %}
    group by versions._cdc_key
) as last_changes
    on
        versions._cdc_key = last_changes._cdc_key
        and 2 * versions._cdc_version = last_changes.last_change
where
    versions._cdc_from_pos <= {{ cut }}
    and ({{ cut }} < versions._cdc_to_pos or versions._cdc_to_pos is null)
    {%- if is_gap %}
    and not {{ is_gap }}
    {%- endif %}
{%- endmacro -%}
