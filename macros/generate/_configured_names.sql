{#-
    What `generate` says of names under `tables` that have become those of several tables: since a second database has one of the name, each
    has its database in front (`_name_tables`), and what is configured under the short name holds for none of them.
-#}
{%- macro _configured_names(config, tables) -%}
    {%- set names = tables | map(attribute='name') | list -%}
    {%- set messages = [] -%}
    {%- for configured in config.get('tables') or {} if configured not in names -%}
        {%- set longer = [] -%}
        {%- for table in tables if configured in table['names'] -%}{%- do longer.append(table['name']) -%}{%- endfor -%}
        {%- if longer -%}
            {%- do messages.append({
                'kind': 'warning', 'source': config['name'], 'table': configured,
                'message': 'debezium_sources.' ~ config['name'] ~ '.tables.' ~ configured ~ ' holds for no table: there are now '
                    ~ longer | sort | join(', ') ~ '. Write it under each of these names that it is meant for.',
            }) -%}
        {%- endif -%}
    {%- endfor -%}
    {{- return(messages) -}}
{%- endmacro -%}
