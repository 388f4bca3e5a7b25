{#- A table whose rows stand in the text of its SELECT: made again when that text changed. -#}
{%- materialization debezium_table, adapter='spark', supported_languages=['sql'] -%}
    {{- return(debezium_spark._materialize_table()) -}}
{%- endmaterialization -%}


{#- Also what debezium_view does in a catalog without views. -#}
{%- macro _materialize_table() -%}
    {%- set existing = load_cached_relation(this) -%}
    {%- set relation = debezium_spark._table(this) -%}
    {%- set decisions = debezium_spark._decisions() -%}
    {%- if decisions.up_to_date or debezium_spark.keeps_its_rows() -%}
        {%- do debezium_spark._skip_model(relation) -%}
        {{- return({'relations': [relation]}) -}}
    {%- endif -%}
    {%- set is_unchanged = debezium_spark.loads_incrementally() and decisions.nothing_new -%}

    {{- run_hooks(pre_hooks) -}}

    {%- if is_unchanged -%}
        {%- call noop_statement('main', 'no new records', 'OK', 0) -%}
            -- no new records: {{ relation }} is left as it is
        {%- endcall -%}
    {%- else -%}
        {%- do debezium_spark._check_contract(compiled_code) -%}
        {%- do debezium_spark._drop_incompatible(existing) -%}
        {%- call statement('main') -%}
            {{ debezium_spark._create_or_replace_sql(
                relation, compiled_code, decisions.properties or {}, decisions.input_hashes
            ) }}
        {%- endcall -%}
    {%- endif -%}

    {%- do apply_grants(
        relation, config.get('grants'), should_revoke(existing, not is_unchanged)
    ) -%}
    {%- do debezium_spark._persist_docs(relation, is_new=existing is none) -%}
    {%- do debezium_spark._note_up_to_date(relation, decisions.input_hashes) -%}

    {{- run_hooks(post_hooks) -}}

    {{- return({'relations': [relation]}) -}}
{%- endmacro -%}
