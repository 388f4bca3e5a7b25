{#-
    Observability models that dbt skipped because something before them failed: bring their views up
    to date and report what their tests would have found. `on-run-end` is the one place that dbt
    reaches whatever failed.
-#}
{%- macro _observe_skipped(results) -%}
    {%- if not execute or flags.WHICH not in ('run', 'build', 'retry') -%}
        {{- return('') -}}
    {%- endif -%}
    {%- set built_models = results | selectattr('status', 'equalto', 'success') | map(
        attribute='node.unique_id'
    ) | list -%}
    {%- for node in graph.nodes.values()
        if node.resource_type == 'model' and node.name.startswith('debezium_obs__')
        and node.unique_id in selected_resources and node.unique_id not in built_models -%}
        {%- do debezium_spark._observe(node) -%}
    {%- endfor -%}
    {{- return('') -}}
{%- endmacro -%}


{%- macro _observe(node) -%}
    {%- set debezium = adapter.debezium() -%}
    {%- set call = debezium.models.observability_call(node.raw_code, var) -%}
    {%- set has_views = debezium_spark.has_views() -%}
    {%- set relation = debezium_spark._relation_of(node).incorporate(
        type='view' if has_views else 'table'
    ).quote(schema=true, identifier=true) -%}
    {%- set existing = load_relation(relation) -%}
    {%- if call is none
        or node.config.materialized not in ('view', 'debezium_view')
        or (existing is not none and existing.is_view != has_views) -%}
        {%- do exceptions.warn(
            'debezium_spark: ' ~ node.name
            ~ ' was skipped, and is no view that could be brought up to date.'
        ) -%}
        {{- return('') -}}
    {%- endif -%}
    {%- set relations = {} -%}
    {%- for other in graph.nodes.values() if other.unique_id in node.depends_on.nodes -%}
        {%- do relations.update({other.name: debezium_spark._relation_of(other)}) -%}
    {%- endfor -%}
    {%- set arguments = {} -%}
    {%- for argument, entries in call.arguments.items() -%}
        {%- set resolved_entries = [] -%}
        {%- for entry in entries -%}
            {%- if entry is mapping -%}
                {%- set members = {} -%}
                {%- for name, value in entry.items() -%}
                    {%- do members.update(
                        {
                            name: relations[value]
                                if name in (
                                    'relation', 'state', 'columns', 'schemas', 'transactions'
                                ) and value is not none
                                else value
                        }
                    ) -%}
                {%- endfor -%}
                {%- do resolved_entries.append(members) -%}
            {%- else -%}
                {%- do resolved_entries.append((entry[0], relations[entry[1]])) -%}
            {%- endif -%}
        {%- endfor -%}
        {%- do arguments.update({argument: resolved_entries}) -%}
    {%- endfor -%}
    {%- set sql = debezium_spark[call.macro](**arguments) -%}
    {%- set persist_docs = node.config.persist_docs or {} -%}
    {#- one that cannot be made must not keep the others away -#}
    {%- set problem = debezium.run.attempt(
        debezium_spark._create_view_sql(relation, sql, [], {}, none)
            if has_views
            else debezium_spark._create_or_replace_sql(relation, sql)
    ) -%}
    {%- if problem -%}
        {%- do exceptions.warn(
            'debezium_spark: ' ~ node.name ~ ' was skipped, and cannot be brought up to date: '
            ~ problem
        ) -%}
        {{- return('') -}}
    {%- endif -%}
    {%- if has_views and (persist_docs.columns or persist_docs.relation) -%}
        {%- do run_query(
            debezium_spark._create_view_sql(
                relation,
                sql,
                debezium.run.columns(sql) if persist_docs.columns else [],
                node.columns,
                node.description if persist_docs.relation else none
            )
        ) -%}
    {%- endif -%}
    {%- do log(
        'debezium_spark: ' ~ node.name ~ ' was skipped, and brought up to date from what there is.',
        info=true
    ) -%}
    {%- do debezium_spark._warn_of_failures(
        relation, debezium.generate.observability_subject(call.macro.removeprefix('obs_'))
    ) -%}
{%- endmacro -%}


{#- What the test of an observability model would report; dbt has skipped it with the model. -#}
{%- macro _warn_of_failures(relation, subject) -%}
    {%- set condition = ' where ' ~ subject.fails | join(' or ') -%}
    {%- set count = run_query('select count(*) from ' ~ relation ~ condition).rows[0][0] | int -%}
    {%- if count -%}
        {%- do exceptions.warn(
            'debezium_spark: ' ~ relation.identifier ~ ' has ' ~ count ~ ' '
            ~ ('row' if count == 1 else 'rows') ~ ' that its test does not allow: select * from '
            ~ relation ~ condition
        ) -%}
    {%- endif -%}
{%- endmacro -%}
