{#- SELECT: of each topic the truncates that no snapshot came after, each as it arrived first: a repeat removes no row that was read since. -#}
{%- macro _keyless_truncates() %}
    select
        told.topic,
        collect_list(told.first_delivery) as list
    from (
        {{ debezium_spark.first_truncates('(select * from staged where op = \'t\') as staged_truncates') | indent(8) }}
    ) as told
    left join topics on told.topic = topics.topic
    where
        not exists(
            coalesce(topics.snapshot.ends, array()),
            r -> case
                when r.`partition` = told.first_delivery.`partition`
                    then r.delivery > struct(told.first_delivery.incarnation, told.first_delivery.`offset`)
                else coalesce(r.`timestamp` > told.first_delivery.`timestamp`, false)
            end
        )
    group by told.topic
{% endmacro -%}


{#- SQL: whether a truncate removed what a row of `staged` said (docs/semantics.md, truncates). -#}
{%- macro _is_keyless_truncated() -%}
exists(
    coalesce(truncates.list, array()),
    t -> case
        {{ debezium_spark.lies_before_truncate('staged', "staged.op != 'r'") | indent(8) }}
    end
)
{%- endmacro -%}
