{#-
    SELECT of the rows that a run writes, from the steps (docs/history.md, columns): versions, of
    keys without any a row that only the walk needs, and control rows.
-#}
{%- macro version_rows(columns, options, plan) -%}
{{ debezium_spark.fold_winners(dict(plan, truncates=false)) }},

heads as (

    select
        row_key,
        winner.op,
        winner.pos,
        winner.tx as last_tx,
        fold
    from winners

),

versions as (

    select
        *,
        lead(1) over (partition by key_hash, row_key order by version) is null as is_head
    from boundaries
    where makes_version or (kind = 'state' and head.version > 0)

),

rows as (

    {# the last version of a key also holds its head; of a key without versions it is a row alone #}
    select
        {{ debezium_spark.version_select(
            columns,
            options,
            debezium_spark.version_values(columns, options, plan),
            debezium_spark._how_to_write(plan)
        ) | indent(8) }}
    from versions
    full outer join heads
        on
            versions.row_key = heads.row_key
            and versions.is_head
    {%- if plan.reads_state %}
    {# the first version of a key takes the place of the row without one #}
    lateral view explode(
        if(versions.makes_version and versions.version = 1, array(false, true), array(false))
    ) each_row as is_gone
    {%- endif %}
    {{- debezium_spark.version_control_rows(columns, options, plan) | indent(4) }}

)
{%- endmacro -%}


{#- A version that the walk goes on from keeps what began it: `_merge_versions_sql`. -#}
{%- macro _how_to_write(plan) -%}
    {%- if not plan.reads_state -%}{{- return("'row'") -}}{%- endif -%}
case
            when is_gone then 'gone'
            when versions.row_key is null then 'row'
            when versions.kind != 'state' then 'row'
            when versions.left_row is not null then 'amend'
            else 'close'
        end
{%- endmacro -%}


{#- SQL by column of the rows of `versions`. -#}
{%- macro version_values(columns, options, plan) -%}
    {%- set values = {} -%}
    {%- for column in columns -%}
        {%- set name = debezium_spark.quote(column) -%}
        {%- do values.update({column: 'versions.left_row.`row`.' ~ name}) -%}
    {%- endfor -%}
    {%- set next = 'versions.next_step' -%}
    {%- set how = 'coalesce(versions.birth.how, versions.how)' -%}
    {%- set birth_key = 'coalesce(versions.birth.other_key, versions.other_key)' -%}
    {%- do values.update({
        '_cdc_key': 'versions.row_key',
        '_cdc_life': 'versions.life',
        '_cdc_version': 'versions.version',
        '_cdc_scd_id': debezium_spark._scd_id(plan),
        '_cdc_valid_from': 'coalesce(versions.head.valid_from, versions.instant)',
        '_cdc_source_at': 'versions.source_at',
        '_cdc_from_pos': 'versions.log_pos',
        '_cdc_from_event_id': 'versions.event_id',
        '_cdc_tx_id': 'versions.tx_id',
        '_cdc_began_by': how,
        '_cdc_from_is_exact': how ~ " != 'read'",
        '_cdc_previous_key': "if(" ~ how ~ " = 'key_change', " ~ birth_key ~ ", null)",
        '_cdc_unavailable': 'versions.left_row.still_unknown',
        '_cdc_is_current': 'versions.is_upsert and versions.next_step is null',
        '_cdc_valid_to': debezium_spark._at_end('instant', 'instant', 'valid_to'),
        '_cdc_to_pos': debezium_spark._at_end('ending.log_pos', 'log_pos', 'to_pos'),
        '_cdc_to_event_id': debezium_spark._at_end('ending.event_id', 'event_id', 'to_event_id'),
        '_cdc_to_tx_id': debezium_spark._at_end('ending.tx_id', 'tx_id', 'to_tx_id'),
        '_cdc_ended_by': debezium_spark._at_end('ending.how', none, 'ended_by', "'update'"),
        '_cdc_next_key': debezium_spark._at_end('ending.other_key', none, 'next_key'),
    }) -%}
    {%- do values.update(debezium_spark.gap_values(options)) -%}
    {%- do values.update(debezium_spark._head_values()) -%}
    {%- do values.update({'_cdc_batch_id': 'cast(' ~ (plan.highest_batch or 0) ~ ' as bigint)'}) -%}
    {%- for column, value in {
        '_cdc_key': 'heads.row_key',
        '_cdc_life': '0',
        '_cdc_version': '0',
        '_cdc_is_current': 'false',
        '_cdc_last_tx': "if(heads.op in ('c', 'u', 'r'), '*', heads.last_tx)",
    }.items() -%}
        {%- do values.update({
            column: 'if(versions.row_key is null, ' ~ value ~ ', ' ~ values[column] ~ ')'
        }) -%}
    {%- endfor -%}
    {{- return(values) -}}
{%- endmacro -%}


{#- SQL: the id of a version, or of the row of a key without one. -#}
{%- macro _scd_id(plan) -%}
case
            when versions.row_key is null then concat('!', heads.row_key)
            {%- if plan.reads_state %}
            when is_gone then concat('!', versions.row_key)
            {%- endif %}
            else coalesce(versions.head.scd_id, md5(concat_ws('|', versions.row_key,
                versions.incarnation, versions.event_id)))
        end
{%- endmacro -%}


{#- SQL: what ended a version: a step that ended its row, the next version, or what is known. -#}
{%- macro _at_end(of_ending, of_version, of_head, else_value='null') -%}
    {%- set next = 'versions.next_step.' -%}
case
            when versions.next_step is null or versions.head.valid_to is not null
                then versions.head.{{ of_head }}
            when versions.next_step.ends_row then {{ next ~ of_ending }}
            else {{ next ~ of_version if of_version else else_value }}
        end
{%- endmacro -%}


{#- SQL: `_cdc_last_tx` of a version (`head_columns`). -#}
{%- macro _last_tx_of_head() -%}
case
            when not versions.is_head then null
            when versions.key_end.is_mixed and heads.op in ('c', 'u', 'r') then '*'
            else versions.key_end.last_tx
        end
{%- endmacro -%}


{%- macro _head_values() -%}
    {%- set values = {
        '_cdc_op': 'heads.op',
        '_cdc_pos': 'heads.pos',
        '_cdc_last_tx': debezium_spark._last_tx_of_head(),
    } -%}
    {%- for name in debezium_spark.fold_members() -%}
        {%- do values.update({'_cdc_fold_' ~ name: 'heads.fold.`' ~ name ~ '`'}) -%}
    {%- endfor -%}
    {{- return(values) -}}
{%- endmacro -%}
