{#-
    Bring the rows staged so far in line with the present model (design §8: after regenerating, old
    events show what they held). Returns true when the table must be built again from the raw
    records, which the model then does in this run.

    What the rows were read by is a property of the table (`staging_reading`). When it no longer
    agrees with the model:

    * columns were added or widened: the table is altered, and the events that kept something unread
      (`_cdc_unmapped`, `_cdc_errors`) are read again from their raw records, by one MERGE; likewise
      the records that are ignored now, or no longer;
    * types or the key no longer fit: the var `debezium_incompatible_changes` decides, see
      `_check_incompatible`;
    * anything else (an option of the source, a former name, how a value is written): the table is
      built again.

    Either way the rows are those of a full refresh. The property is written last, so an interrupted
    run is made up for by the next.
-#}
{%- macro renew_staging(config, reading, given, watermark) -%}
    {%- if debezium_spark._schema_change_mode() == 'ignore' -%}{{- return(false) -}}{%- endif -%}
    {%- set relation = debezium_spark._table(this) -%}
    {%- set held = debezium_spark._held_reading(relation) -%}
    {%- if held and 'shared' in held %}{% do reading.update({'shared': held.shared}) %}{% endif -%}
    {%- if held == reading -%}
        {#- earlier batches show which row a late record under a former key belongs to -#}
        {{- return(
            given.schemas is not none
            and watermark is not none
            and debezium_spark.former_keys_seen(
                given.schemas, given.topics, watermark, given.former_keys
            ) | length > 0
        ) -}}
    {%- endif -%}

    {%- set read_otherwise = [] -%}
    {%- for column in given.columns
        if not held or held.columns.get(column.name) != reading.columns[column.name] -%}
        {%- do read_otherwise.append(column) -%}
    {%- endfor -%}
    {%- set changed = debezium_spark._changed_columns(
        relation, debezium_spark.decoded_columns(config, read_otherwise)
    ) -%}
    {%- if debezium_spark._schema_change_mode() == 'fail'
        and (changed.added or changed.widened or changed.differing) -%}
        {#- the materialization reports it -#}
        {{- return(false) -}}
    {%- endif -%}
    {%- set incompatible = [] -%}
    {%- for column in changed.differing -%}
        {%- do incompatible.append(
            'column ' ~ column.name ~ ' is ' ~ column.held ~ ' and becomes ' ~ column.data_type
        ) -%}
    {%- endfor -%}
    {%- if held and held.key != reading.key -%}
        {%- do incompatible.append(
            'the key becomes (' ~ given.key | map(attribute='name') | join(', ') ~ ')'
        ) -%}
    {%- endif -%}
    {%- if incompatible -%}{%- do debezium_spark._check_incompatible(incompatible) -%}{%- endif -%}

    {%- set reasons = (
        incompatible
        + debezium_spark._reasons_to_build_anew(held, reading, changed, read_otherwise, given)
    ) -%}
    {%- if reasons -%}
        {%- do log(
            this.identifier ~ ': built anew from the raw records: ' ~ reasons | join('; '),
            info=true
        ) -%}
        {{- return(true) -}}
    {%- endif -%}
    {%- for column in changed.widened -%}
        {%- do debezium_spark._alter_type(relation, column.name, column.data_type) -%}
    {%- endfor -%}
    {%- do debezium_spark._add_columns(relation, changed.added) -%}
    {%- do debezium_spark.read_again(
        config,
        relation,
        given,
        debezium_spark._otherwise_ignored(held.get('ignored') or {}, reading.get('ignored') or {})
    ) -%}
    {%- do debezium_spark._set_property(
        relation, debezium_spark._reading_property(), debezium_spark.packed(reading)
    ) -%}
    {{- return(false) -}}
{%- endmacro -%}


{#-
    The records, as topic:partition:offset, that were ignored and are not, or are and were not, or
    for another reason.
-#}
{%- macro _otherwise_ignored(held, ignored) -%}
    {%- set places = [] -%}
    {%- for place in (held | list + ignored | list) | unique
        if held.get(place) != ignored.get(place) -%}
        {%- do places.append(place) -%}
    {%- endfor -%}
    {{- return(places) -}}
{%- endmacro -%}


{#- What the table's rows were read by, none for a table without the property. -#}
{%- macro _held_reading(relation) -%}
    {{- return(
        debezium_spark.unpacked(
            debezium_spark._property(relation, debezium_spark._reading_property())
        )
    ) -}}
{%- endmacro -%}


{#-
    Why the rows staged so far cannot be kept, apart from what is incompatible.

    A column that looks the same but is written in another way (`decimal.handling.mode`) concerns
    records without schemas, which nothing distinguishes: they are read by the present
    configuration.
-#}
{%- macro _reasons_to_build_anew(held, reading, changed, read_otherwise, given) -%}
    {%- if not held -%}{{- return(['it does not say how it was read']) -}}{%- endif -%}
    {%- if held.version != reading.version -%}
        {{- return(['this release reads records otherwise']) -}}
    {%- endif -%}
    {%- set reasons = [] -%}
    {%- if held.options != reading.options -%}
        {%- do reasons.append('the configuration of its source changed') -%}
    {%- endif -%}
    {%- if given.former_keys -%}{%- do reasons.append('its key changed before') -%}{%- endif -%}
    {%- set taken_in = (
        changed.added + changed.widened + changed.fitting
    ) | map(attribute='name') | list -%}
    {%- for column in read_otherwise -%}
        {%- if column.get('formerly') or column.get('added_default') is not none -%}
            {%- do reasons.append(column.name ~ ' reaches back to earlier events') -%}
        {%- elif column.get('gone_until') -%}
            {%- do reasons.append(column.name ~ ' was dropped and added again') -%}
        {%- elif not given.key -%}
            {#- its rows are known by their content, and `_cdc_before` has the columns too -#}
            {%- do reasons.append('a table without a key gets the column ' ~ column.name) -%}
        {%- elif column.name not in taken_in and column.name in held.columns -%}
            {#-
                not among those held: an interrupted run added it, and did not read the events again
            -#}
            {%- do reasons.append(column.name ~ ' is written otherwise') -%}
        {%- endif -%}
    {%- endfor -%}
    {{- return(reasons) -}}
{%- endmacro -%}


{#-
    Stop, or let the table be built again, by the var `debezium_incompatible_changes`: `fail`
    (default), because those who read the tables must know first, or `rebuild`.
-#}
{%- macro _check_incompatible(changes) -%}
    {%- set policy = var('debezium_incompatible_changes', 'fail') -%}
    {%- if policy not in ['fail', 'rebuild'] -%}
        {%- do debezium_spark._fail(
            'staging',
            'the var debezium_incompatible_changes is `' ~ policy ~ '`.',
            'Set it to `fail` or `rebuild`.'
        ) -%}
    {%- endif -%}
    {%- if policy == 'fail' -%}
        {%- do debezium_spark._fail(
            'staging',
            'the change of ' ~ this.identifier ~ ' is incompatible with the rows it holds: '
            ~ changes | join('; ') ~ '.',
            'When those who read the tables are ready for it, build it anew from the raw records: '
            ~ "dbt build --select " ~ model.name
            ~ "+ --vars 'debezium_incompatible_changes: rebuild'"
            ~ ' (or set the var in dbt_project.yml).',
        ) -%}
    {%- endif -%}
{%- endmacro -%}
