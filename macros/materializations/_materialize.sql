{#- What debezium_append and debezium_merge share; `strategy` is how new rows are written. -#}
{%- macro _materialize(strategy) -%}
    {%- set existing = load_cached_relation(this) -%}
    {%- set relation = debezium_spark._table(this) -%}
    {%- if debezium_spark._is_up_to_date(compiled_code) -%}
        {%- do debezium_spark._leave_up_to_date(relation) -%}
        {{- return({'relations': [relation]}) -}}
    {%- endif -%}
    {%- set replaces = (
        not debezium_spark.loads_incrementally() or debezium_spark._is_built_anew(compiled_code)
    ) -%}

    {#- hooks are the user's, who knows one session -#}
    {%- set is_few = adapter.debezium_works_on_few_rows() -%}
    {%- do adapter.debezium_work_on_few_rows(false) -%}
    {{- run_hooks(pre_hooks) -}}
    {%- do adapter.debezium_work_on_few_rows(is_few) -%}

    {%- if replaces -%}
        {%- do debezium_spark._make_way(existing) -%}
        {%- call statement('main') -%}
            {{ debezium_spark._create_or_replace_sql(relation, compiled_code) }}
        {%- endcall -%}
    {%- else -%}
        {%- set source = debezium_spark._source_view(compiled_code) -%}
        {%- set columns = adapter.get_columns_in_relation(source) -%}
        {%- do debezium_spark._align_columns(columns, relation) -%}
        {%- if debezium_spark._has_no_new_records(compiled_code) -%}
            {%- call noop_statement('main', 'no new records', 'OK', 0) -%}
                -- no new records: {{ relation }} is left as it is
            {%- endcall -%}
        {%- else -%}
            {%- call statement('main') -%}
                {%- if strategy == 'merge' -%}
                    {{ debezium_spark._merge_sql(
                        relation, source, columns,
                        kept=debezium_spark._told_columns(compiled_code, 'keeps'),
                        filled=debezium_spark._told_columns(compiled_code, 'fills'),
                    ) }}
                {%- else -%}
                    {{ debezium_spark._insert_sql(relation, source, columns) }}
                {%- endif -%}
            {%- endcall -%}
        {%- endif -%}
        {%- do run_query('drop view if exists ' ~ source) -%}
    {%- endif -%}

    {%- do adapter.debezium_work_on_few_rows(false) -%}
    {%- do apply_grants(relation, config.get('grants'), should_revoke(existing, replaces)) -%}
    {%- do debezium_spark._persist_docs(relation) -%}
    {%- do debezium_spark._note_up_to_date(relation, compiled_code) -%}

    {{- run_hooks(post_hooks) -}}

    {{- return({'relations': [relation]}) -}}
{%- endmacro -%}
