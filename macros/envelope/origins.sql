{#-
    The origin of a record, by its source block: (name, db, schema, table). A topic shows nothing:
    transforms route tables, tenants and databases into one.

    `origins` of a table: a list of {member: text}, its own first, then those that `includes` adds.
    `*` matches any characters, and a member that is not named may be anything.
-#}
{%- macro origin_members(config) -%}
    {{- return({
        'mysql': ['name', 'db', 'table'],
        'mariadb': ['name', 'db', 'table'],
        'mongodb': ['name', 'db', 'collection'],
    }.get(config.connector, ['name', 'db', 'schema', 'table'])) -}}
{%- endmacro -%}


{%- macro _origin_struct(config) -%}
    {%- set members = debezium_spark.origin_members(config) -%}
    {%- set parts = [] -%}
    {%- for member in ['name', 'db', 'schema', 'table'] -%}
        {%- set own = (
            'collection' if member == 'table' and config.connector == 'mongodb' else member
        ) -%}
        {%- do parts.append(
            "'" ~ member ~ "', " ~ ('source.' ~ own if own in members else 'cast(null as string)')
        ) -%}
    {%- endfor -%}
    {{- return('named_struct(' ~ parts | join(', ') ~ ')') -}}
{%- endmacro -%}


{#-
    SQL condition: nothing in the source block names another table. `source` is `source` in records
    and `origin` in the catalog; without `origins`, only the table's name is known.
-#}
{%- macro is_of_table(config, table, origins, source='source') -%}
    {%- if not origins -%}
        {%- set names = [] -%}
        {%- set parts = debezium_spark.origin_members(config)[1:] -%}
        {%- for count in range(2, parts | length + 1) -%}
            {%- set members = [] -%}
            {%- for member in parts[-count:] -%}
                {%- do members.append(debezium_spark._origin_member(source, member)) -%}
            {%- endfor -%}
            {%- do names.append(
                "concat_ws('.', " ~ members | join(', ') ~ ') = '
                ~ debezium_spark.text_literal(table)
            ) -%}
        {%- endfor -%}
        {{- return(
            '(' ~ names | join(' or ') ~ " or coalesce("
            ~ debezium_spark._origin_member(source, parts | last) ~ ", '') = '')"
        ) -}}
    {%- endif -%}
    {%- set alternatives = [] -%}
    {%- for origin in origins -%}
        {%- set conditions = [] -%}
        {%- for member, text in origin.items() -%}
            {%- do conditions.append(
                'coalesce(' ~ debezium_spark._matches_text(
                    'nullif(' ~ debezium_spark._origin_member(source, member) ~ ", '')", text
                ) ~ ', true)'
            ) -%}
        {%- endfor -%}
        {%- do alternatives.append(conditions | join(' and ')) -%}
    {%- endfor -%}
    {{- return('(' ~ alternatives | join(' or ') ~ ')') -}}
{%- endmacro -%}


{#-
    SQL condition: the source block leaves open which of several tables it is of. A table whose name
    is unique without its database need not name one.
-#}
{%- macro has_no_origin(config, table, origins, source='source') -%}
    {%- set members = debezium_spark.origin_members(config)[1:] -%}
    {%- set short_names = [] -%}
    {%- for member in members[-2:] -%}
        {%- do short_names.append((origins[0] if origins else {}).get(member, '')) -%}
    {%- endfor -%}
    {%- set missing = [] -%}
    {%- set is_short = not origins or short_names | join('.') == table -%}
    {%- for member in (members[-2:] if is_short else members) -%}
        {%- do missing.append(
            'coalesce(' ~ debezium_spark._origin_member(source, member) ~ ", '') = ''"
        ) -%}
    {%- endfor -%}
    {{- return('(' ~ missing | join(' or ') ~ ')') -}}
{%- endmacro -%}


{%- macro origin_text(config, source='source') -%}
    {%- set members = [] -%}
    {%- for member in debezium_spark.origin_members(config) -%}
        {%- do members.append(debezium_spark._origin_member(source, member)) -%}
    {%- endfor -%}
    {{- return("concat_ws('.', " ~ members | join(', ') ~ ')') -}}
{%- endmacro -%}


{%- macro _origin_member(source, member) -%}
    {{- return(
        source ~ '.' ~ ('table' if source != 'source' and member == 'collection' else member)
    ) -}}
{%- endmacro -%}


{%- macro _matches_text(value, text) -%}
    {%- if '*' not in text -%}
        {{- return(value ~ ' = ' ~ debezium_spark.text_literal(text)) -}}
    {%- endif -%}
    {%- set like_text = text | replace('\\', '\\\\') | replace('%', '\\%') | replace('_', '\\_') -%}
    {%- set pattern = like_text | replace('*', '%') -%}
    {{- return(value ~ ' like ' ~ debezium_spark.text_literal(pattern)) -}}
{%- endmacro -%}


{#-
    The option `includes` as a list of {table, own, members}: records with `members` are of the
    table whose own source block has `own`.
-#}
{%- macro included_origins(config) -%}
    {%- set inclusions = [] -%}
    {%- for table, settings in (config.get('tables') or {}).items() -%}
        {%- set own = debezium_spark._origin_of_name(config, table) -%}
        {%- for entry in settings.get('includes') or [] -%}
            {%- do inclusions.append({
                'table': table,
                'own': dict(own, name=config.topic_prefix) if 'name' in entry else own,
                'members': dict(own, **entry),
            }) -%}
        {%- endfor -%}
    {%- endfor -%}
    {{- return(inclusions) -}}
{%- endmacro -%}


{#-
    The members in a configured name, read from its end; MongoDB's from the start, as collections
    have dots.
-#}
{%- macro _origin_of_name(config, name) -%}
    {%- set members = debezium_spark.origin_members(config)[1:] -%}
    {%- if config.connector == 'mongodb' -%}
        {%- set database, collection = name.split('.', 1) -%}
        {{- return({'db': database, 'collection': collection}) -}}
    {%- endif -%}
    {%- set parts = name.split('.') -%}
    {%- set own = {} -%}
    {%- for member in members -%}
        {%- set index = members | length - loop.index0 -%}
        {%- if index <= parts | length -%}
            {%- do own.update({member: parts[parts | length - index]}) -%}
        {%- endif -%}
    {%- endfor -%}
    {{- return(own) -}}
{%- endmacro -%}
