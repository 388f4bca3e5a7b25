{#-
    A view with comments. dbt-spark's own escapes no backslashes: a comment at the source that ends
    in one would end the view's text. Where the var `debezium_views` is false, a table.
-#}
{%- materialization debezium_view, adapter='spark', supported_languages=['sql'] -%}
    {%- set debezium = adapter.debezium() -%}
    {%- if not debezium_spark.has_views() -%}
        {{- return(debezium_spark._materialize_table()) -}}
    {%- endif -%}
    {%- set existing = load_cached_relation(this) -%}
    {%- set relation = this.incorporate(type='view').quote(schema=true, identifier=true) -%}

    {%- set decisions = debezium_spark._decisions() -%}
    {%- if decisions.up_to_date -%}
        {%- do debezium_spark._skip_model(relation) -%}
        {{- return({'relations': [relation]}) -}}
    {%- endif -%}

    {{- run_hooks(pre_hooks) -}}
    {%- do debezium_spark._check_contract(compiled_code) -%}

    {%- if existing is not none and not existing.is_view -%}
        {%- do adapter.drop_relation(existing.quote(schema=true, identifier=true)) -%}
    {%- endif -%}
    {%- set select = modules.re.sub('\\A(\\s*--.*\n)*', '', compiled_code) | trim -%}
    {%- set columns = (decisions.columns_of or {}).get(select) -%}
    {%- if not config.persist_column_docs() -%}
        {%- set columns = [] -%}
    {%- elif columns is none -%}
        {%- set columns = debezium.run.columns(compiled_code) -%}
    {%- endif -%}
    {#- a view that replaces one keeps its properties, so one without inputs says so -#}
    {%- call statement('main') -%}
        {{ debezium_spark._create_view_sql(
            relation,
            compiled_code,
            columns,
            model.columns,
            model.description if config.persist_relation_docs() else none,
            {
                debezium_spark._up_to_date_property():
                debezium_spark._up_to_date_text(decisions.input_hashes, {})
                if decisions.input_hashes
                else ''
            }
        ) }}
    {%- endcall -%}
    {%- do debezium.tables.forget(relation) -%}

    {%- do apply_grants(relation, config.get('grants'), should_revoke(existing, true)) -%}

    {{- run_hooks(post_hooks) -}}

    {{- return({'relations': [relation]}) -}}
{%- endmaterialization -%}
