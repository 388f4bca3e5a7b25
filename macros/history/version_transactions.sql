{#-
    CTE `changes`: what each transaction did to a row (docs/history.md, transactions), one row for
    each. Steps of no transaction, and with `within_transaction: all` every step, stand alone.

    * `live_before`: the key had a row; `ending`: the step that ended it first;
    * `birth`: what began the life that is there at the end, if it began here;
    * the columns of the last step; `changed_at`: its time.
-#}
{%- macro version_transactions(options) -%}
{%- set order = 'partition by key_hash, row_key order by arrival, number' -%}
{%- set every = options.get('within_transaction') == 'all' -%}
{%- set within = (
    'partition by key_hash, row_key, unit_number order by arrival, number'
    ~ ' rows between unbounded preceding and unbounded following'
) -%}
steps_with_past as (

    select
        *,
        coalesce(lag(is_upsert) over ({{ order }}), false) as was_live,
        lag(tx) over ({{ order }}) as tx_before
    from steps

),

numbered_steps as (

    select
        *,
        is_upsert and (begins_life or not was_live) as is_birth,
        count_if(tx is null or tx is distinct from tx_before) over (
            {{ order }}
            rows between unbounded preceding and current row
        ) as unit_number
    from steps_with_past

),

changes as (

    select
        * except (is_last_step)
    from (
        select
            key_hash,
            row_key,
            arrival,
            number,
            `row`,
            still_unknown,
            is_upsert,
            how,
            other_key,
            source_at,
            log_pos,
            event_id,
            incarnation,
            tx,
            tx_id,
            last_value(step_at) over ({{ within }}) as changed_at,
            {%- if every %}
            was_live as live_before,
            case
                when not is_upsert then {{ debezium_spark._ending() }}
            end as ending,
            case when is_birth then struct(how, other_key) end as birth,
            true as is_last_step
            {%- else %}
            first_value(was_live) over ({{ within }}) as live_before,
            first_value(
                case when not is_upsert then {{ debezium_spark._ending() }} end
            ) ignore nulls over ({{ within }}) as ending,
            last_value(case when is_birth then struct(how, other_key) end) ignore nulls
                over ({{ within }}) as birth,
            lead(1) over (
                partition by key_hash, row_key, unit_number order by arrival, number
            ) is null as is_last_step
            {%- endif %}
        from numbered_steps
    ) as steps_of_transactions
    where is_last_step

)
{%- endmacro -%}


{%- macro _ending() -%}
struct(how, other_key, log_pos, event_id, tx_id)
{%- endmacro -%}
