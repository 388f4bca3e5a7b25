{#-
    Give every table its name (as configuration writes it) and the table part of its model names.

    Names: `schema.table`; with the database in front where two databases of the source have the same one, and the connector's name in
    front of that where two connectors write of databases of one name.
    Model parts: `tables.<name>.model`, else the table in lower case with `_` for every other character; where
    two would be equal each gets its schema in front, then its database. What is still equal after that is
    left to `names.py`, which says why a table cannot become models.
-#}
{%- macro _name_tables(config, tables) -%}
    {%- set has_schemas = 'schema' in debezium_spark.origin_members(config) -%}
    {%- set counts = {} -%}
    {%- for table in tables -%}
        {%- set short = table['full_name'][1] ~ '.' ~ table['full_name'][2] -%}
        {%- set long = table['full_name'] | join('.') if has_schemas and table['full_name'][0] else short -%}
        {%- do table.update({'names': [short, long, (table.get('topic_prefix') or '') ~ '.' ~ long]}) -%}
        {%- for name in table['names'] | unique %}{% do counts.update({name: counts.get(name, 0) + 1}) %}{% endfor -%}
    {%- endfor -%}
    {%- for table in tables -%}
        {%- set short, long, longest = table['names'] -%}
        {%- set configured = config.get('tables') or {} -%}
        {%- do table.update({'name': short}) -%}
        {%- if counts[short] > 1 or (long in configured and short not in configured) -%}
            {%- do table.update({'name': long if counts[long] == 1 else longest}) -%}
        {%- endif -%}
        {%- set chosen = (configured.get(table['name']) or {}).get('model') -%}
        {%- set database = table['full_name'][:1] if has_schemas and table['full_name'][0] else [] -%}
        {%- set connector = [table['topic_prefix']] if table['name'] == longest and longest != long else [] -%}
        {%- do table.update({'name_parts': connector + database + table['full_name'][1:]}) -%}
        {%- do table.update({'chosen': chosen, 'parts': 1, 'model': chosen or debezium_spark._model_part(table, 1)}) -%}
    {%- endfor -%}
    {#- of tables that clash, those with the shortest names grow: once for the schema, the database, the connector -#}
    {%- for attempt in range(5) -%}
        {%- set owners = debezium_spark._owners(tables) -%}
        {%- set growing = [] -%}
        {%- for table in tables if owners[table['model']] | length > 1 and not table['chosen'] -%}
            {%- set rivals = tables | selectattr('model', 'equalto', table['model']) -%}
            {%- set fewest = rivals | rejectattr('chosen') | map(attribute='parts') | min -%}
            {%- if table['parts'] == fewest and table['parts'] < table['name_parts'] | length -%}
                {%- do growing.append(table) -%}
            {%- endif -%}
        {%- endfor -%}
        {%- for table in growing -%}
            {%- do table.update({
                'parts': table['parts'] + 1,
                'model': debezium_spark._model_part(table, table['parts'] + 1),
            }) -%}
        {%- endfor -%}
    {%- endfor -%}
    {%- set owners = debezium_spark._owners(tables) -%}
    {%- for table in tables -%}
        {%- do table.update({'rivals': owners[table['model']] | reject('equalto', table['name']) | list}) -%}
    {%- endfor -%}
{%- endmacro -%}


{%- macro _model_part(table, parts) -%}
    {%- set name = table['name_parts'][-parts:] | join('_') -%}
    {{- return(modules.re.sub('[^a-z0-9_]', '_', name | lower)) -}}
{%- endmacro -%}


{#- Model part → names of the tables that have it. -#}
{%- macro _owners(tables) -%}
    {%- set owners = {} -%}
    {%- for table in tables -%}
        {%- do owners.update({table['model']: owners.get(table['model'], []) + [table['name']]}) -%}
    {%- endfor -%}
    {{- return(owners) -}}
{%- endmacro -%}
