{#-
    A table made again, by one atomic statement, whenever the text of its SELECT changed, which
    contains its rows.

    The model reports by a line `-- debezium_spark: no new records` (see `_merged_rows_digest`) that
    it did not: then the table is not touched.
-#}
{%- materialization debezium_table, adapter='spark', supported_languages=['sql'] -%}
    {%- set existing = load_cached_relation(this) -%}
    {%- set relation = debezium_spark._table(this) -%}
    {%- if debezium_spark._is_up_to_date(compiled_code) -%}
        {%- do debezium_spark._leave_up_to_date(relation) -%}
        {{- return({'relations': [relation]}) -}}
    {%- endif -%}
    {%- set holds = (
        debezium_spark.loads_incrementally() and debezium_spark._has_no_new_records(compiled_code)
    ) -%}

    {{- run_hooks(pre_hooks) -}}

    {%- if holds -%}
        {%- call noop_statement('main', 'no new records', 'OK', 0) -%}
            -- no new records: {{ relation }} is left as it is
        {%- endcall -%}
    {%- else -%}
        {%- do debezium_spark._make_way(existing) -%}
        {%- call statement('main') -%}
            {{ debezium_spark._create_or_replace_sql(relation, compiled_code) }}
        {%- endcall -%}
    {%- endif -%}

    {%- do apply_grants(relation, config.get('grants'), should_revoke(existing, not holds)) -%}
    {%- do debezium_spark._persist_docs(relation) -%}
    {%- do debezium_spark._note_up_to_date(relation, compiled_code) -%}

    {{- run_hooks(post_hooks) -}}

    {{- return({'relations': [relation]}) -}}
{%- endmaterialization -%}
