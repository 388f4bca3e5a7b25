{#- The records that the option `ignore_records` of a source names. -#}
{%- macro ignored_records(config, topics=none) -%}
    {%- set ignored = [] -%}
    {%- for one in config.get('ignore_records') or [] if topics is none or one.topic in topics -%}
        {%- do ignored.append(one) -%}
    {%- endfor -%}
    {{- return(ignored) -}}
{%- endmacro -%}


{#- SQL condition: a record of raw is to be ignored. -#}
{%- macro is_ignored(config, topics=none) -%}
    {%- set places = [] -%}
    {%- for one in debezium_spark.ignored_records(config, topics) -%}
        {%- do places.append('(' ~ debezium_spark._lies_at(one) ~ ')') -%}
    {%- endfor -%}
    {{- return(places | join(' or ') if places else 'false') -}}
{%- endmacro -%}


{%- macro _lies_at(place) -%}
    {{- return(
        'topic = ' ~ debezium_spark.text_literal(place.topic) ~ ' and partition = '
        ~ place.partition ~ ' and offset = ' ~ place.offset
    ) -}}
{%- endmacro -%}


{#-
    SQL: what the place at which a record lies has in a member, a text; NULL for a record at none of
    them.
-#}
{%- macro _told_of_place(places, member) -%}
    {%- set branches = [] -%}
    {%- for place in places -%}
        {%- do branches.append(
            'when ' ~ debezium_spark._lies_at(place) ~ ' then '
            ~ debezium_spark.text_literal(place[member])
        ) -%}
    {%- endfor -%}
    {{- return('case ' ~ branches | join(' ') ~ ' end') -}}
{%- endmacro -%}


{#-
    SQL: the raw records of some topics; of those to be ignored, where they lie and `_ignored`, the
    reason: their keys and values are not looked at. Without such records just the relation.
-#}
{%- macro kept_records(config, raw, topics) -%}
    {%- set ignored = debezium_spark.ignored_records(config, topics) -%}
    {%- if not ignored -%}{{- return(raw | string) -}}{%- endif -%}
    {%- set sql -%}
(
        select
            * except (key, value),
            if(_ignored is null, key, null) as key,
            if(_ignored is null, value, null) as value
        from (select *,
                {{ debezium_spark._told_of_place(ignored, 'reason') }} as _ignored
            from {{ raw }}) as marked_records
    ) as kept_records
    {%- endset -%}
    {{- return(sql) -}}
{%- endmacro -%}
