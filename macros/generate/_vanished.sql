{#-
    What the models of a table have and those about to be written have not: told with the record that says so, because a damaged one may.
    Nothing is lost by it: staging and raw keep what was. `models`: those of the project by name.
-#}
{%- macro _vanished_messages(config, table, models) -%}
    {%- set model = models.get(('state_' if table.get('is_collection') else 'stg_') ~ config['name'] ~ '__' ~ table['model']) -%}
    {%- if model is none -%}{{- return([]) -}}{%- endif -%}
    {%- set where = " of table '" ~ table['name'] ~ "' " -%}
    {%- set messages = [] -%}
    {%- if table.get('is_collection') -%}
        {%- for field in model.config.get('fields') or [] if field.name not in table['fields'] | map(attribute='name') -%}
            {%- do messages.append(
                "column '" ~ field.name ~ "'" ~ where ~ 'is not generated any more: ' ~ (
                    'no document of the sample has it.' if table['evidence'] == 'sample' else 'the configuration does not name it.'
                )
            ) -%}
        {%- endfor -%}
    {%- else -%}
        {%- set call = adapter.debezium_staging_call(model.raw_code, var) or {'columns': [], 'key': []} -%}
        {%- set told = (
            'the configuration does not have it' if not table['last_position']
            else 'record ' ~ table['last_position'] ~ " stands furthest in the source's log and does not have it. If it is wrong: debezium_sources."
                ~ config['name'] ~ '.ignore_records'
        ) -%}
        {%- for column in call.columns if column.name not in debezium_spark.names_ever(table['columns']) -%}
            {%- do messages.append("column '" ~ column.name ~ "'" ~ where ~ 'is not generated any more: ' ~ told ~ '.') -%}
        {%- endfor -%}
        {%- if call.key and not table['key'] -%}
            {%- do messages.append(
                'the key (' ~ call.key | map(attribute='name') | join(', ') ~ ')' ~ where ~ 'is not generated any more: ' ~ told ~ '.'
            ) -%}
        {%- endif -%}
    {%- endif -%}
    {%- set told = [] -%}
    {%- for message in messages -%}
        {%- do told.append({'kind': 'warning', 'source': config['name'], 'table': table['name'], 'message': message}) -%}
    {%- endfor -%}
    {{- return(told) -}}
{%- endmacro -%}


{#-
    The models of tables that are refused now and were not before, {source, table, model, nodes}: they stay as they are, so that what one
    record says of its table does not take the table away.
-#}
{%- macro _kept_tables(refused, found) -%}
    {%- set kept = {} -%}
    {%- for node in graph.nodes.values() if node.resource_type == 'model' -%}
        {%- set meta = node.config.get('meta', {}).get('debezium_spark', {}) -%}
        {%- set name = [meta.get('source'), meta.get('table')] -%}
        {%- if name in refused and name not in found -%}
            {%- set table = kept.setdefault(tojson(name), {'source': name[0], 'table': name[1], 'model': meta.get('model'), 'nodes': []}) -%}
            {%- do table.nodes.append(node) -%}
        {%- endif -%}
    {%- endfor -%}
    {{- return(kept.values() | list) -}}
{%- endmacro -%}
