{#- Columns of a table that differ from its models, with the commands or options for each. -#}
{%- macro _column_changes(config, table, call, model) -%}
    {%- set debezium = adapter.debezium() -%}
    {%- set changes = [] -%}
    {%- set model_columns = {} -%}
    {%- set source_columns = {} -%}
    {%- for column in call.columns -%}
        {%- do model_columns.update({column.name: column}) -%}
    {%- endfor -%}
    {%- for column in table.columns -%}
        {%- do source_columns.update({column.name: column}) -%}
    {%- endfor -%}
    {%- set renames = debezium_spark._renamed_columns(model_columns, source_columns) -%}

    {%- for name, column in source_columns.items() if name not in model_columns -%}
        {%- set remedy = debezium_spark._rebuild_command(model) -%}
        {%- if name in renames and renames[name] not in (column.get('formerly') or []) -%}
            {%- set remedy = (
                'if ' ~ name ~ ' is ' ~ renames[name] ~ ' renamed, first declare renames: {'
                ~ debezium.text.yaml_name(name) ~ ': ' ~ debezium.text.yaml_name(renames[name])
                ~ '} in debezium_sources.' ~ config.name ~ '.tables.' ~ table.name ~ '; ' ~ remedy
            ) -%}
        {%- endif -%}
        {%- do changes.append(
            debezium_spark._change(
                'column_added',
                name,
                recorded=debezium_spark._source_type(table, column),
                remedy=remedy,
            )
        ) -%}
    {%- endfor -%}

    {%- for name, column in model_columns.items() if column != source_columns.get(name) -%}
        {%- if name not in source_columns -%}
            {%- do changes.append(debezium_spark._change(
                'column_dropped', name, modelled=debezium_spark.column_type_text(column),
                remedy=debezium_spark._rebuild_command(model),
            )) -%}
        {%- else -%}
            {%- set other = source_columns[name] -%}
            {%- if debezium_spark.column_type_text(column)
                != debezium_spark.column_type_text(other) -%}
                {%- do changes.append(debezium_spark._type_change(
                    config, column, other, debezium_spark._source_type(table, other), call, model
                )) -%}
            {%- endif -%}
            {%- if other.get('gone_until') != column.get('gone_until') -%}
                {%- do changes.append(
                    debezium_spark._change(
                        'column_added_again',
                        name,
                        modelled=debezium_spark._gone_until_text(column),
                        recorded=debezium_spark._gone_until_text(other),
                        remedy=debezium_spark._rebuild_command(model),
                    )
                ) -%}
            {%- endif -%}
            {#- where null was allowed and no longer is, no model depends on it -#}
            {%- if column.get('optional') is false and other.get('optional') is not false -%}
                {%- do changes.append(
                    debezium_spark._change(
                        'column_nullability_changed',
                        name,
                        modelled='not null',
                        recorded='null allowed',
                        remedy=debezium_spark._rebuild_command(model),
                    )
                ) -%}
            {%- endif -%}
        {%- endif -%}
    {%- endfor -%}
    {{- return(changes) -}}
{%- endmacro -%}


{%- macro _gone_until_text(column) -%}
    {{- return('gone until ' ~ column.gone_until if column.get('gone_until') else none) -}}
{%- endmacro -%}


{#- The table accepts types that go together and, in the key, are printed alike. -#}
{%- macro _type_change(config, column, other, source_type, call, model) -%}
    {%- set debezium = adapter.debezium() -%}
    {%- set is_compatible = debezium.catalog.type_change(
        debezium.decode.spark_type_of(config, column), debezium.decode.spark_type_of(config, other)
    ) != 'differs' -%}
    {%- if column.name in call.key | map(attribute='name')
        and debezium_spark._key_text_form(config, column)
        != debezium_spark._key_text_form(config, other) -%}
        {%- set is_compatible = false -%}
    {%- endif -%}
    {{- return(
        debezium_spark._change(
            'column_type_changed',
            column.name,
            modelled=debezium_spark.column_type_text(column),
            recorded=source_type,
            is_compatible=is_compatible,
            remedy=debezium_spark._rebuild_command(model, is_compatible),
        )
    ) -}}
{%- endmacro -%}


{#-
    Columns that may be renamed, {new: old}: of the same type, at the same ordinal or behind the
    same column. Records do not distinguish a rename from a drop and an addition.
-#}
{%- macro _renamed_columns(model_columns, source_columns) -%}
    {%- set new_places = debezium_spark._column_ordinals(source_columns, model_columns) -%}
    {%- set old_places = debezium_spark._column_ordinals(model_columns, source_columns) -%}
    {%- set renames = {} -%}
    {%- for new, place in new_places.items() -%}
        {%- for old, old_place in old_places.items()
            if new not in renames and old not in renames.values() -%}
            {%- if (place.number == old_place.number or place.gap == old_place.gap)
                and debezium_spark.column_type_text(source_columns[new])
                == debezium_spark.column_type_text(model_columns[old]) -%}
                {%- do renames.update({new: old}) -%}
            {%- endif -%}
        {%- endfor -%}
    {%- endfor -%}
    {{- return(renames) -}}
{%- endmacro -%}


{#-
    Ordinals of the columns that `others` lacks, and how far they stand behind one that both have.
-#}
{%- macro _column_ordinals(columns, others) -%}
    {%- set places = {} -%}
    {%- set before = {'name': none, 'number': -1} -%}
    {%- for name in columns -%}
        {%- if name in others -%}
            {%- do before.update({'name': name, 'number': loop.index0}) -%}
        {%- else -%}
            {%- do places.update({
                name: {'number': loop.index0, 'gap': [before.name, loop.index0 - before.number]},
            }) -%}
        {%- endif -%}
    {%- endfor -%}
    {{- return(places) -}}
{%- endmacro -%}
