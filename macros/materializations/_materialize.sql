{#-
    What debezium_append, debezium_merge and debezium_versions share; `strategy` is how new rows are
    written.
-#}
{%- macro _materialize(strategy) -%}
    {%- set debezium = adapter.debezium() -%}
    {%- set existing = load_cached_relation(this) -%}
    {%- set relation = debezium_spark._table(this) -%}
    {%- set decisions = debezium_spark._decisions() -%}
    {%- if decisions.up_to_date or debezium_spark.keeps_its_rows() -%}
        {%- do debezium_spark._skip_model(relation) -%}
        {{- return({'relations': [relation]}) -}}
    {%- endif -%}
    {%- set replaces = (
        not debezium_spark.loads_incrementally() or decisions.replaces_table
    ) -%}

    {%- set has_comments = (
        not replaces and debezium_spark._has_current_comments(relation, decisions.input_hashes)
    ) -%}

    {#- hooks are the user's and expect one session -#}
    {%- set is_few = debezium.run.works_on_few_rows() -%}
    {%- do debezium.run.work_on_few_rows(false) -%}
    {{- run_hooks(pre_hooks) -}}
    {%- do debezium.run.work_on_few_rows(is_few) -%}
    {%- set rows_of_table = compiled_code -%}
    {%- if strategy == 'versions' -%}
        {%- set rows_of_table = debezium_spark._without_column(compiled_code, '_cdc_write') -%}
    {%- elif decisions.merge_values -%}
        {%- set rows_of_table = debezium_spark._without_column(compiled_code, '_cdc_goes_on') -%}
    {%- endif -%}
    {%- if decisions.carried -%}
        {%- set rows_of_table = debezium_spark.with_carried_rows(
            compiled_code, relation, decisions.carried
        ) -%}
    {%- endif -%}
    {%- do debezium_spark._check_contract(rows_of_table) -%}

    {%- if replaces -%}
        {%- do debezium_spark._drop_incompatible(existing) -%}
        {%- call statement('main') -%}
            {{ debezium_spark._create_or_replace_sql(
                relation, rows_of_table, decisions.properties or {}, decisions.input_hashes
            ) }}
        {%- endcall -%}
    {%- else -%}
        {%- set view = debezium_spark._source_view(compiled_code) -%}
        {%- set source = view.relation -%}
        {%- set columns = debezium_spark._written_columns(view.columns) -%}
        {%- do debezium_spark._align_columns(columns, relation) -%}
        {%- if decisions.nothing_new -%}
            {%- call noop_statement('main', 'no new records', 'OK', 0) -%}
                -- no new records: {{ relation }} is left as it is
            {%- endcall -%}
        {%- else -%}
            {%- if decisions.marked_rows -%}
                {#- rows of the whole table -#}
                {%- do debezium.run.work_on_few_rows(false) -%}
                {%- do debezium_spark._mark_rows(relation, decisions.marked_rows) -%}
                {%- do debezium.run.work_on_few_rows(is_few) -%}
            {%- endif -%}
            {%- set appends = strategy == 'append' and 'watermark' in decisions -%}
            {%- set is_told = appends and debezium_spark.file_format() == 'delta' -%}
            {%- call statement('main', fetch_result=is_told) -%}
                {%- if strategy == 'merge' -%}
                    {{ debezium_spark._merge_sql(
                        relation, source, columns,
                        values=decisions.merge_values or {},
                        watermark=decisions.get('watermark'),
                        keys_are_set=decisions.get('keys_are_set', false),
                        key_hashes=decisions.get('key_hashes'),
                    ) }}
                {%- elif strategy == 'versions' -%}
                    {{ debezium_spark._merge_versions_sql(
                        relation, source, columns,
                        watermark=decisions.get('watermark'),
                        key_hashes=decisions.get('key_hashes')
                    ) }}
                {%- elif appends -%}
                    {{ debezium_spark._append_sql(
                        relation, source, columns, decisions.watermark
                    ) }}
                {%- else -%}
                    {{ debezium_spark._insert_sql(relation, source, columns) }}
                {%- endif -%}
            {%- endcall -%}
            {%- if is_told -%}
                {%- do debezium_spark._check_appended(relation, decisions.watermark) -%}
            {%- endif -%}
        {%- endif -%}
        {%- do run_query('drop view if exists ' ~ source) -%}
    {%- endif -%}
    {%- for statement in decisions.statements or [] -%}
        {%- set found = run_query(
            'select 1 from ' ~ relation ~ ' where ' ~ statement.when ~ ' limit 1'
        ).rows -%}
        {%- if found -%}{%- do run_query(statement.sql) -%}{%- endif -%}
    {%- endfor -%}
    {%- for view in decisions.temporary_views or [] -%}
        {%- do run_query('drop view if exists ' ~ view) -%}
    {%- endfor -%}

    {%- do debezium.run.work_on_few_rows(false) -%}
    {%- do apply_grants(relation, config.get('grants'), should_revoke(existing, replaces)) -%}
    {%- if not has_comments -%}
        {%- do debezium_spark._persist_docs(relation, is_new=existing is none) -%}
    {%- endif -%}
    {%- do debezium_spark._note_up_to_date(relation, decisions.input_hashes) -%}
    {%- for table in decisions.work_tables or [] -%}
        {%- do run_query(
            'drop table if exists ' ~ table
            ~ (' purge' if debezium_spark.file_format() == 'iceberg' else '')
        ) -%}
    {%- endfor -%}

    {{- run_hooks(post_hooks) -}}

    {{- return({'relations': [relation]}) -}}
{%- endmacro -%}
