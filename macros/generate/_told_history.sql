{#-
    What configuration tells of a table's past, which its records cannot (spec §6.6): `renames` and `added_defaults`.

    Returns {columns: {name: {formerly, added_default}}, messages}.
-#}
{%- macro _told_history(config, table) -%}
    {%- set settings = (config.get('tables') or {}).get(table['name']) or {} -%}
    {%- set names = table['rows'] | map(attribute='column_name') | list -%}
    {%- set columns = {} -%}
    {%- set messages = [] -%}
    {%- for option in ['renames', 'added_defaults'] -%}
        {%- for name, told in (settings.get(option) or {}).items() -%}
            {%- set where = 'debezium_sources.' ~ config['name'] ~ '.tables.' ~ table['name'] ~ '.' ~ option ~ '.' ~ name -%}
            {%- if name not in names -%}
                {%- do messages.append({
                    'kind': 'note', 'source': config['name'], 'table': table['name'],
                    'message': where ~ ' is of no effect: the table has no column of this name (it has ' ~ names | join(', ') ~ ').',
                }) -%}
            {%- elif option == 'renames' and told | select('in', names) | list -%}
                {%- do messages.append({
                    'kind': 'warning', 'source': config['name'], 'table': table['name'],
                    'message': where ~ ' is left out: ' ~ told | select('in', names) | join(', ')
                        ~ ' is a column of the table again, and which of the two an earlier event means cannot be told.',
                }) -%}
            {%- else -%}
                {%- do columns.setdefault(name, {}).update(
                    {'formerly': told} if option == 'renames' else {'added_default': told}
                ) -%}
            {%- endif -%}
        {%- endfor -%}
    {%- endfor -%}
    {{- return({'columns': columns, 'messages': messages}) -}}
{%- endmacro -%}


{#-
    The column lists that were the key of a table before, by the keys of its records; none where configuration names the key, which then
    holds for all of them.
-#}
{%- macro _former_keys(config, table, key) -%}
    {%- set settings = (config.get('tables') or {}).get(table['name']) or {} -%}
    {%- if not key or settings.get('key') -%}{{- return([]) -}}{%- endif -%}
    {%- set former = [] -%}
    {%- set in_force = debezium_spark.names_ever(key) -%}
    {%- for names in table['record_keys'] if names | reject('in', in_force) | list or names | length != key | length -%}
        {%- do former.append(names) -%}
    {%- endfor -%}
    {{- return(former) -}}
{%- endmacro -%}
