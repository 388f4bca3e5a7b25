{#-
    Whose row is it? The source block always shows it: (name, db, schema, table), with the names
    that the connector gives these members. A topic's name shows nothing, because transforms route
    tables, tenants and databases into one.

    `origins` of a table: a list of {member: text}, what source blocks of its records hold; the
    first is the table's own, the others are those that configuration includes. `*` in a text stands
    for any signs. A member that is not named may hold anything.
-#}
{%- macro origin_members(config) -%}
    {{- return({
        'mysql': ['name', 'db', 'table'],
        'mariadb': ['name', 'db', 'table'],
        'mongodb': ['name', 'db', 'collection'],
    }.get(config.connector, ['name', 'db', 'schema', 'table'])) -}}
{%- endmacro -%}


{#- SQL: the origin of a record as the catalog keeps it, from the struct `source`. -#}
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
    SQL condition: a record may be of the table, because nothing in its source block names another.
    `source` is the struct with the members: `source` in records, `origin` in the catalog. Without
    `origins` the table's name is all that is known.
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
    SQL condition: a source block leaves open which of several tables it is of. Of a table whose
    name needs no database, because no other has the same, it need not name any.
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


{#- SQL: the origin of a record as people read it. -#}
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


{#- SQL condition: a value is the text, in which `*` stands for any signs. -#}
{%- macro _matches_text(value, text) -%}
    {%- if '*' not in text -%}
        {{- return(value ~ ' = ' ~ debezium_spark.text_literal(text)) -}}
    {%- endif -%}
    {%- set escaped = text | replace('\\', '\\\\') | replace('%', '\\%') | replace('_', '\\_') -%}
    {%- set pattern = escaped | replace('*', '%') -%}
    {{- return(value ~ ' like ' ~ debezium_spark.text_literal(pattern)) -}}
{%- endmacro -%}


{#-
    What the option `includes` of the source's tables contains: a list of {table, own, members}.
    Records whose source block holds `members` are of the table `table`, whose own source block
    holds `own`; what its name leaves open (name, and db where it is not in front) stays as it is.
-#}
{%- macro included_origins(config) -%}
    {%- set included = [] -%}
    {%- for table, settings in (config.get('tables') or {}).items() -%}
        {%- set own = debezium_spark._origin_of_name(config, table) -%}
        {%- for entry in settings.get('includes') or [] -%}
            {%- do included.append({
                'table': table,
                'own': dict(own, name=config.topic_prefix) if 'name' in entry else own,
                'members': dict(own, **entry),
            }) -%}
        {%- endfor -%}
    {%- endfor -%}
    {{- return(included) -}}
{%- endmacro -%}


{#-
    The members that a configured name contains, read from its end; of MongoDB from its start, as
    collections have dots.
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
