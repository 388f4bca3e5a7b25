{#-
    What `generate` says of a table without a key: that its records have keys which name none of its columns, and that values which `before`
    lacks keep rows from being found. Neither shows in the rows.
-#}
{%- macro _keyless_messages(config, table, key, described) -%}
    {%- if key %}{{ return([]) }}{% endif -%}
    {%- set told = [] -%}
    {%- set is_multiset = debezium_spark.has_complete_before(config, table['name']) -%}
    {%- set where = 'debezium_sources.' ~ config['name'] ~ '.tables.' ~ table['name'] ~ '.key' -%}
    {%- if table.get('has_keys') -%}
        {%- do told.append(
            "the records of table '" ~ table['name'] ~ "' have keys that name none of its columns, as bare values do and what a transform makes. "
            ~ ('Its rows are counted as a multiset' if is_multiset else 'It is append-only: updates and deletes take no row away')
            ~ '. Name its key columns: ' ~ where ~ ': [<column>].'
        ) -%}
    {%- endif -%}
    {%- if is_multiset and config['connector'] in ('sqlserver', 'oracle') -%}
        {%- set large = [] -%}
        {%- for name, row in described.items() if debezium_spark._may_lie_outside(row) %}{% do large.append(name) %}{% endfor -%}
        {%- if large -%}
            {%- do told.append(
                "table '" ~ table['name'] ~ "' has no key, and `before` lacks values of " ~ large | join(', ')
                ~ (' that an update leaves alone, where they are of a (max) type' if config['connector'] == 'sqlserver' else ', where they are LOBs')
                ~ ': rows that have some are not found when they are updated or deleted, and stay. Exclude these columns in Debezium, or name a key: '
                ~ where ~ ': [<column>].'
            ) -%}
        {%- endif -%}
    {%- endif -%}
    {%- set messages = [] -%}
    {%- for message in told -%}
        {%- do messages.append({'kind': 'warning', 'source': config['name'], 'table': table['name'], 'message': message}) -%}
    {%- endfor -%}
    {{- return(messages) -}}
{%- endmacro -%}


{#- Whether the database may store values of a column outside of its row, by its type, or, where that is not known, by how it is sent. -#}
{%- macro _may_lie_outside(row) -%}
    {%- set database_type = (row.get('database_type') or '') | lower -%}
    {%- if not database_type -%}{{- return(row.get('connect_type') in ['string', 'bytes'] and not row.get('semantic_type')) -}}{%- endif -%}
    {{- return(modules.re.search('\\(max\\)|lob|long|xml|^n?text|image|json', database_type) is not none) -}}
{%- endmacro -%}
