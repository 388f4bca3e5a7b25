{#-
    Columns that were dropped and added again under their names (docs/schema-changes.md): changes without such a column lie in the source's
    log between changes with it. A connector that leaves a column out for a while (`column.exclude.list`) looks the same.
-#}


{#-
    SQL: the column lists that changes of a table had, over `layouts`: {names, lowest, highest}. None where positions of a source start anew:
    then lists cannot be ordered.
-#}
{%- macro _streamed_layouts(config) -%}
    {%- set is_ordered = not (config.get('epochs') or config.get('incarnations')) -%}
collect_list(
    named_struct(
        'names', transform(nodes, node -> get_json_object(node, '$.field')),
        'lowest', lowest_streamed,
        'highest', highest_streamed
    )
) filter (where {{ 'nodes is not null and highest_streamed is not null and standing.life = 0' if is_ordered else 'false' }})
{%- endmacro -%}


{#- SQL: those of a table's columns with the position of the last change without them, {name, until}, from `streamed`. -#}
{%- macro _columns_gone() -%}
    {%- set has_it = 'array_contains(one.names, name)' -%}
filter(
    transform(
        if(size(streamed) > 1, array_distinct(flatten(transform(streamed, one -> one.names))), array()),
        name -> named_struct(
            'name', name,
            'until', array_max(transform(filter(streamed, one -> not {{ has_it }}), one -> one.highest))
        )
    ),
    gone -> exists(streamed, one -> {{ has_it | replace(' name)', ' gone.name)') }} and one.lowest < gone.until)
    and exists(streamed, one -> {{ has_it | replace(' name)', ' gone.name)') }} and one.highest > gone.until)
)
{%- endmacro -%}
