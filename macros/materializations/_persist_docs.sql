{#-
    Write descriptions as comments only where they changed: dbt-spark writes all at every run, each
    a commit and a new version of a Delta table. A table that is new was created with its own.
-#}
{%- macro _persist_docs(relation, is_new=false) -%}
    {%- if not (config.persist_column_docs() and model.columns)
        and (is_new or not config.persist_relation_docs()) -%}
        {{- return(none) -}}
    {%- endif -%}

    {%- set comments = {} -%}
    {%- set current = namespace(description='', in_columns=true) -%}
    {%- for name, data, comment in run_query('describe table extended ' ~ relation).rows -%}
        {%- if not name or name.startswith('#') -%}
            {%- set current.in_columns = false -%}
        {%- elif current.in_columns -%}
            {%- do comments.update({name | lower: comment or ''}) -%}
        {%- elif name == 'Comment' -%}
            {%- set current.description = data -%}
        {%- endif -%}
    {%- endfor -%}

    {%- set description = (model.description or '') | trim -%}
    {%- if config.persist_relation_docs() and description != current.description | trim -%}
        {%- do run_query(
            'comment on table ' ~ relation ~ ' is ' ~ debezium_spark.text_literal(description)
        ) -%}
    {%- endif -%}

    {%- if config.persist_column_docs() -%}
        {%- set changes = [] -%}
        {%- for column in model.columns.values() -%}
            {%- set name = column.name | lower -%}
            {%- set description = (column.description or '') | trim -%}
            {%- if name in comments and description != comments[name] | trim -%}
                {%- do changes.append(
                    debezium_spark.quote(column.name) ~ ' comment '
                    ~ debezium_spark.text_literal(description)
                ) -%}
            {%- endif -%}
        {%- endfor -%}
        {%- if changes -%}
            {%- do run_query(
                'alter table ' ~ relation ~ ' alter column ' ~ changes | join(', ')
            ) -%}
        {%- endif -%}
    {%- endif -%}
{%- endmacro -%}
