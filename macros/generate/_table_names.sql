{#-
    Give every table its name (as configuration writes it) and the table part of its model names.

    Names: `schema.table`; with the database in front where two databases of the source have the same one.
    Model parts: `tables.<name>.model`, else the table in lower case with `_` for every other character; where
    two would be equal each gets its schema in front, then its database. What is still equal after that is
    left to `names.py`, which says why a table cannot become models.
-#}
{%- macro _name_tables(config, tables) -%}
    {%- set short_names = {} -%}
    {%- for table in tables -%}
        {%- set short = table['full_name'][1] ~ '.' ~ table['full_name'][2] -%}
        {%- do short_names.update({short: short_names.get(short, 0) + 1}) -%}
    {%- endfor -%}
    {%- for table in tables -%}
        {%- set short = table['full_name'][1] ~ '.' ~ table['full_name'][2] -%}
        {%- set long = table['full_name'] | join('.') -%}
        {%- set configured = config.get('tables') or {} -%}
        {%- do table.update({'name': short}) -%}
        {%- if short_names[short] > 1 or (long in configured and short not in configured) -%}
            {%- do table.update({'name': long}) -%}
        {%- endif -%}
        {%- set chosen = (configured.get(table['name']) or {}).get('model') -%}
        {%- do table.update({
            'chosen': chosen, 'parts': 3 if chosen else 1, 'model': chosen or debezium_spark._model_part(table, 1),
        }) -%}
    {%- endfor -%}
    {#- of tables that clash, those with the shortest names grow: once for the schema, once for the database -#}
    {%- for attempt in range(4) -%}
        {%- set owners = debezium_spark._owners(tables) -%}
        {%- set growing = [] -%}
        {%- for table in tables if owners[table['model']] | length > 1 and not table['chosen'] -%}
            {%- set rivals = tables | selectattr('model', 'equalto', table['model']) -%}
            {%- set longest = 3 if table['full_name'][0] else 2 -%}
            {%- if table['parts'] == rivals | map(attribute='parts') | min and table['parts'] < longest -%}
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
    {%- set name = table['full_name'][3 - parts:] | join('_') -%}
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
