{#-
    Topics with records of other tables, and since when. The catalog knows it at every run, whatever
    was known when a model was written: a tenant that begins today goes to nobody else's model. Rows
    of the signal table are quarantined instead.
-#}
{%- macro shared_topics(config, schemas, topics, table, origins) -%}
    {%- set staging = adapter.debezium().staging -%}
    {%- set query -%}
select
    to_json(
        named_struct('topic', topic, 'since', coalesce(unix_micros(min(first_timestamp)), 0))
    ) as shared_topic
from {{ schemas }}
where
    {{ staging.topic_condition(topics) }}
    and origin is not null
    and not {{ staging.is_of_table(config, table, origins, 'origin') }}
    {%- if config.get('signal_data_collection') %}
    and not {{ staging.is_of_table(config, config.signal_data_collection, [], 'origin') }}
    {%- endif %}
group by topic
    {%- endset -%}
    {%- set sharing = {} -%}
    {%- for row in run_query(query).rows -%}
        {%- set topic = fromjson(row[0]) -%}
        {%- do sharing.update({topic.topic: topic.since}) -%}
    {%- endfor -%}
    {{- return(sharing) -}}
{%- endmacro -%}


{#-
    Whether stored rows would not have been staged with today's knowledge of who shares the topics:
    tombstones since the first record of another table, or records of others.
-#}
{%- macro sharing_changed(relation, sharing) -%}
    {%- set relation = debezium_spark._table(relation) -%}
    {%- set stored_topics = (
        debezium_spark.unpack(
            debezium_spark._property(relation, debezium_spark._sharing_property())
        )
        or {}
    ) -%}
    {%- if stored_topics == sharing -%}{{- return(false) -}}{%- endif -%}
    {%- set conditions = ["coalesce(_cdc_errors[0], '') like 'record: of another table%'"] -%}
    {%- for topic, since in stored_topics.items()
        if topic not in sharing or sharing[topic] > since -%}
        {#- tombstones that were left out come back -#}
        {%- do conditions.append('true') -%}
    {%- endfor -%}
    {%- for topic, since in sharing.items() -%}
        {%- do conditions.append(
            "(_cdc_op = 'tombstone' and _cdc_topic = " ~ debezium_spark.text_literal(topic)
            ~ ' and unix_micros(_cdc_timestamp) >= ' ~ since ~ ')'
        ) -%}
    {%- endfor -%}
    {%- set affected_rows = run_query(
        'select count(*) from ' ~ relation ~ ' where ' ~ conditions | join(' or ')
    ).rows[0][0] | int -%}
    {%- if affected_rows -%}
        {%- do log(
            this.identifier
            ~ ': built anew from the raw records: '
            ~ 'other tables share its topics otherwise than was known',
            info=true
        ) -%}
        {{- return(true) -}}
    {%- endif -%}
    {%- do debezium_spark._set_property(
        relation, debezium_spark._sharing_property(), debezium_spark.pack(sharing)
    ) -%}
    {{- return(false) -}}
{%- endmacro -%}


{%- macro _sharing_property() -%}
    {{- return('debezium_spark.shared_topics') -}}
{%- endmacro -%}


{%- macro modelled_tables(config) -%}
    {%- set names = [] -%}
    {%- for node in graph.nodes.values() if node.resource_type == 'model' -%}
        {%- set meta = (node.config.get('meta') or {}).get('debezium_spark') or {} -%}
        {%- if meta.get('source') == config.name
            and meta.get('table')
            and meta.get('table') not in names -%}
            {%- do names.append(meta.get('table')) -%}
        {%- endif -%}
    {%- endfor -%}
    {{- return(names | sort) -}}
{%- endmacro -%}


{%- macro is_modelled(config) -%}
    {%- set names = debezium_spark.modelled_tables(config) -%}
    {%- if not names -%}{{- return('false') -}}{%- endif -%}
    {%- set known = ' in (' ~ debezium_spark.text_literals(names) ~ ')' -%}
    {{- return(
        '(' ~ adapter.debezium().staging.routed_table(config) ~ known ~ ' or '
        ~ adapter.debezium().staging.origin_text(config) ~ known ~ ')'
    ) -}}
{%- endmacro -%}
