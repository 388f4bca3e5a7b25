{#-
    Let raw records go that each table of their topics has staged (docs/operations.md). Of a topic
    that is kept for 30 days, whose table was staged up to batch 7 and whose newest record is of
    31 May:

    | topic | timestamp | batch | goes                                     |
    |-------|-----------|-------|------------------------------------------|
    | a     | 30 April  | 6     | yes                                      |
    | a     | 2 May     | 6     | no: too young                            |
    | a     | 30 April  | 8     | no: not staged                           |
    | a     | 30 April  | 5     | no: a value of it has not been read yet  |

    The highest batch stays, because the next one is numbered after it. What lands again of the
    records that went is refused: their tables have a horizon.
-#}


{#- Shorten one raw table; returns what was done, or why nothing was. -#}
{%- macro retain_raw(config, raw_log, dry_run=false) -%}
    {%- if raw_log.kept_because -%}
        {{- return('keeps its records: ' ~ raw_log.kept_because) -}}
    {%- endif -%}
    {%- set raw = debezium_spark._model_relation(raw_log.raw) -%}
    {%- if raw is none -%}{{- return('has no table yet') -}}{%- endif -%}
    {%- set cuts, unread, waiting = {}, [], [] -%}
    {%- for table in raw_log.tables -%}
        {%- set staging = debezium_spark._model_relation(table.staging) -%}
        {%- set cut = debezium_spark._raw_cut(config, staging, table.raw_us) if staging -%}
        {%- if not cut -%}
            {%- do waiting.append(table.staging) -%}
        {%- elif cut.unread | length > debezium_spark._most_unread() -%}
            {%- do waiting.append(
                table.staging ~ ', which has more than ' ~ debezium_spark._most_unread()
                ~ ' records with values that no column holds'
            ) -%}
        {%- else -%}
            {%- do cuts.update({table.staging: cut}) -%}
            {%- do unread.extend(cut.unread) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- set conditions = debezium_spark._raw_conditions(raw_log.topics, cuts) -%}
    {%- set waits = '; keeps those of ' ~ waiting | join(', ') if waiting else '' -%}
    {%- if not conditions -%}
        {{- return('has no record that is old enough' ~ waits) -}}
    {%- endif -%}
    {%- set highest = run_query('select max(_cdc_batch_id) from ' ~ raw).rows[0][0] -%}
    {%- set goes = '_cdc_batch_id < ' ~ highest ~ ' and (' ~ conditions | join(' or ') ~ ')' -%}
    {%- if unread -%}
        {%- set goes = (
            goes ~ " and concat_ws(':', topic, `partition`, `offset`) not in ("
            ~ debezium_spark.text_literals(unread) ~ ')'
        ) -%}
    {%- endif -%}
    {%- set found = run_query(
        'select count(*), coalesce(sum(octet_length(value)), 0) from ' ~ raw ~ ' where ' ~ goes
    ).rows[0] -%}
    {%- if dry_run -%}
        {{- return(
            'would let ' ~ found[0] ~ ' records go, with values of ' ~ found[1] ~ ' bytes' ~ waits
        ) -}}
    {%- endif -%}
    {%- for name, cut in cuts.items() -%}
        {%- do debezium_spark._set_property(
            cut.staging,
            debezium_spark.horizon_property(),
            debezium_spark.pack(cut.horizon.to_json()),
        ) -%}
    {%- endfor -%}
    {%- do debezium_spark._set_property(raw, debezium_spark.shortened_property(), 'true') -%}
    {%- do run_query('delete from ' ~ raw ~ ' where ' ~ goes) -%}
    {{- return('let ' ~ found[0] ~ ' records go, with values of ' ~ found[1] ~ ' bytes' ~ waits) -}}
{%- endmacro -%}


{#- How many records of a table may wait for a column before all of its records stay. -#}
{%- macro _most_unread() -%}
    {{- return(1000) -}}
{%- endmacro -%}


{#-
    What a table lets go of: up to which batch it was staged, its horizon, and the records, as
    topic:partition:offset, whose values the next change of its columns reads again. None without
    records.
-#}
{%- macro _raw_cut(config, staging, raw_us) -%}
    {%- set retention = adapter.debezium().retention -%}
    {%- set columns = adapter.get_columns_in_relation(staging) | map(attribute='name') | list -%}
    {%- set facts = run_query(
        'select max(_cdc_batch_id), unix_micros(max(_cdc_timestamp)),'
        ~ ' unix_micros(current_timestamp()) from ' ~ staging
    ).rows[0] -%}
    {%- if facts[0] is none -%}{{- return(none) -}}{%- endif -%}
    {%- set asked_us = [facts[1] | int, facts[2] | int] | min - raw_us -%}
    {%- set late_us = run_query(
        debezium_spark.settled_until(config, staging, [asked_us])
    ).rows[0][0] | int -%}
    {%- set is_unread = (
        '(_cdc_errors is not null'
        ~ (' or cardinality(_cdc_unmapped) > 0' if '_cdc_unmapped' in columns else '') ~ ')'
        ~ debezium_spark.is_not_refused()
    ) -%}
    {%- set unread = [] -%}
    {%- for row in run_query(
        'select _cdc_event_id from ' ~ staging ~ ' where ' ~ is_unread
        ~ ' and _cdc_timestamp <= timestamp_micros(' ~ late_us ~ ') limit '
        ~ (debezium_spark._most_unread() + 1)
    ).rows -%}
        {%- do unread.append(row[0]) -%}
    {%- endfor -%}
    {%- set earlier = debezium_spark.horizon_of_table(staging) -%}
    {{- return({
        'staging': staging,
        'batch': facts[0] | int,
        'late_us': late_us,
        'horizon': retention.horizon('{}', late_us, 0, earlier),
        'unread': unread,
    }) -}}
{%- endmacro -%}


{#- SQL conditions of records that all tables of their topic let go of. -#}
{%- macro _raw_conditions(topics, cuts) -%}
    {%- set topics_by_cut, conditions = {}, [] -%}
    {%- for topic, stagings in topics.items() -%}
        {%- set of_topic = [] -%}
        {%- for staging in stagings if staging in cuts -%}
            {%- do of_topic.append(cuts[staging]) -%}
        {%- endfor -%}
        {%- if of_topic | length == stagings | length -%}
            {%- set cut = (
                of_topic | map(attribute='batch') | min, of_topic | map(attribute='late_us') | min
            ) -%}
            {%- do topics_by_cut.setdefault(cut, []).append(topic) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- for cut, names in topics_by_cut.items() -%}
        {%- do conditions.append(
            '(topic in (' ~ debezium_spark.text_literals(names) ~ ') and _cdc_batch_id <= '
            ~ cut[0] ~ ' and `timestamp` <= timestamp_micros(' ~ cut[1] ~ '))'
        ) -%}
    {%- endfor -%}
    {{- return(conditions) -}}
{%- endmacro -%}
