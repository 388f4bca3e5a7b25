{#- Records that the option `ignore_records` names: their keys and values are never parsed. -#}
{%- macro ignored_records(config, topics=none) -%}
    {%- set records = [] -%}
    {%- for record in config.get('ignore_records') or []
        if topics is none or record.topic in topics -%}
        {%- do records.append(record) -%}
    {%- endfor -%}
    {{- return(records) -}}
{%- endmacro -%}


{%- macro is_ignored(config, topics=none) -%}
    {%- set conditions = [] -%}
    {%- for record in debezium_spark.ignored_records(config, topics) -%}
        {%- do conditions.append('(' ~ debezium_spark._is_record(record) ~ ')') -%}
    {%- endfor -%}
    {{- return(conditions | join(' or ') if conditions else 'false') -}}
{%- endmacro -%}


{%- macro _is_record(record) -%}
    {{- return(
        'topic = ' ~ debezium_spark.text_literal(record.topic) ~ ' and partition = '
        ~ record.partition ~ ' and offset = ' ~ record.offset
    ) -}}
{%- endmacro -%}


{#-
    SQL: a member of the entry for a record (topic, partition and offset), NULL without an entry.
-#}
{%- macro _member_of_record(records, member) -%}
    {%- set branches = [] -%}
    {%- for record in records -%}
        {%- do branches.append(
            'when ' ~ debezium_spark._is_record(record) ~ ' then '
            ~ debezium_spark.text_literal(record[member])
        ) -%}
    {%- endfor -%}
    {{- return('case ' ~ branches | join(' ') ~ ' end') -}}
{%- endmacro -%}


{#-
    SQL: the raw records of some topics, with `_ignored`, the reason, where some are to be ignored.
-#}
{%- macro readable_records(config, raw, topics) -%}
    {%- set records = debezium_spark.ignored_records(config, topics) -%}
    {%- if not records -%}{{- return(debezium_spark.as_envelopes(config, raw)) -}}{%- endif -%}
    {%- set sql -%}
(
        select
            * except (key, value),
            if(_ignored is null, key, null) as key,
            if(_ignored is null, value, null) as value
        from (select *,
                {{ debezium_spark._member_of_record(records, 'reason') }} as _ignored
            from {{ raw }}) as records_with_reasons
    ) as readable_records
    {%- endset -%}
    {{- return(debezium_spark.as_envelopes(config, sql)) -}}
{%- endmacro -%}
