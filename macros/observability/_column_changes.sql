{%- macro _column_changes(config, table, call, model) -%}
    {%- set changes = [] -%}
    {%- set modelled = {} -%}
    {%- set recorded = {} -%}
    {%- for column in call.columns %}{% do modelled.update({column.name: column}) %}{% endfor -%}
    {%- for column in table.columns %}{% do recorded.update({column.name: column}) %}{% endfor -%}
    {%- set renamed = debezium_spark._renamed_columns(modelled, recorded) -%}

    {%- for name, column in recorded.items() if name not in modelled -%}
        {%- set remedy = debezium_spark._generate_and_build(model) -%}
        {%- if name in renamed and renamed[name] not in (column.get('formerly') or []) -%}
            {%- set remedy = (
                'if ' ~ name ~ ' is ' ~ renamed[name] ~ ' renamed, first declare renames: {'
                ~ debezium_spark._yaml_name(name) ~ ': ' ~ debezium_spark._yaml_name(renamed[name])
                ~ '} in debezium_sources.' ~ config.name ~ '.tables.' ~ table.name ~ '; ' ~ remedy
            ) -%}
        {%- endif -%}
        {%- do changes.append(
            debezium_spark._change(
                'column_added',
                name,
                recorded=debezium_spark._recorded_type(table, column),
                remedy=remedy,
            )
        ) -%}
    {%- endfor -%}

    {%- for name, column in modelled.items() if column != recorded.get(name) -%}
        {%- if name not in recorded -%}
            {%- do changes.append(debezium_spark._change(
                'column_dropped', name, modelled=debezium_spark.column_type_text(column),
                remedy=debezium_spark._generate_and_build(model),
            )) -%}
        {%- else -%}
            {%- set other = recorded[name] -%}
            {%- if debezium_spark.column_type_text(column)
                != debezium_spark.column_type_text(other) -%}
                {%- do changes.append(debezium_spark._type_change(
                    config, column, other, debezium_spark._recorded_type(table, other), call, model
                )) -%}
            {%- endif -%}
            {%- if other.get('gone_until') != column.get('gone_until') -%}
                {%- do changes.append(
                    debezium_spark._change(
                        'column_added_again',
                        name,
                        modelled=debezium_spark._gone_text(column),
                        recorded=debezium_spark._gone_text(other),
                        remedy=debezium_spark._generate_and_build(model),
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
                        remedy=debezium_spark._generate_and_build(model),
                    )
                ) -%}
            {%- endif -%}
        {%- endif -%}
    {%- endfor -%}
    {{- return(changes) -}}
{%- endmacro -%}


{#- Since when a column is there, of one that was gone for a while. -#}
{%- macro _gone_text(column) -%}
    {{- return('gone until ' ~ column.gone_until if column.get('gone_until') else none) -}}
{%- endmacro -%}


{#-
    A column of another type. The table takes it in when the types go together and, in the key, are
    printed alike.
-#}
{%- macro _type_change(config, column, other, recorded, call, model) -%}
    {%- set is_compatible = adapter.debezium_type_change(
        debezium_spark.spark_type(config, column), debezium_spark.spark_type(config, other)
    ) != 'differs' -%}
    {%- if column.name in call.key | map(attribute='name')
        and debezium_spark._key_text_of(config, column)
        != debezium_spark._key_text_of(config, other) -%}
        {%- set is_compatible = false -%}
    {%- endif -%}
    {{- return(
        debezium_spark._change(
            'column_type_changed',
            column.name,
            modelled=debezium_spark.column_type_text(column),
            recorded=recorded,
            is_compatible=is_compatible,
            remedy=debezium_spark._generate_and_build(model, is_compatible),
        )
    ) -}}
{%- endmacro -%}


{#-
    Columns that may be others renamed, {new: old}: of the same type, and at the same place in the
    table or behind the same column. Nothing in the records distinguishes a rename from a drop and
    an addition.
-#}
{%- macro _renamed_columns(modelled, recorded) -%}
    {%- set added = debezium_spark._places(recorded, modelled) -%}
    {%- set dropped = debezium_spark._places(modelled, recorded) -%}
    {%- set renamed = {} -%}
    {%- for new, place in added.items() -%}
        {%- for old, former in dropped.items()
            if new not in renamed and old not in renamed.values() -%}
            {%- if (place.number == former.number or place.gap == former.gap)
                and debezium_spark.column_type_text(recorded[new])
                == debezium_spark.column_type_text(modelled[old]) -%}
                {%- do renamed.update({new: old}) -%}
            {%- endif -%}
        {%- endfor -%}
    {%- endfor -%}
    {{- return(renamed) -}}
{%- endmacro -%}


{#-
    Where the columns that `others` lacks stand: their number, and the column before them that both
    have with the distance to it.
-#}
{%- macro _places(columns, others) -%}
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
