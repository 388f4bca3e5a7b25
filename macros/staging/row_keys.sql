{#-
    SQL: the row's key from the message key, or from the row image of a record without one (spec §3)
    or with a text key that cannot be split for certain. Any other unreadable key names no row
    (`record_error`). `images`: the maps in which its columns may be.
-#}
{%- macro key_or_image(members, images, key) -%}
{%- if not key -%}{{- return(members) -}}{%- endif -%}
{%- set staging = adapter.debezium().staging -%}
case
    when has_key
        and not ({{ members }} is null
            and {{ staging.is_struct_text('_record_key', key) }}) then {{ members }}
    else {{ staging.complete_key(images, key) }}
end
{%- endmacro -%}


{#- SQL: why a record has no key. `names`: the key columns of its table. -#}
{%- macro no_key_error(config, names) -%}
    {%- if not adapter.debezium().staging.may_lack_keys(config) -%}
        {{- return("'record: no key'") -}}
    {%- endif -%}
    {{- return(debezium_spark.text_literal(
        'record: no key: it has none, and its images do not have (' ~ names
        ~ '). Let the sink write keys: ' ~ config.key_switch
    )) -}}
{%- endmacro -%}


{#-
    Rows of a table whose key columns changed (docs/semantics.md, keys of an earlier layout). A
    record under a former key is of the row whose new key its image shows; a delete or tombstone of
    PostgreSQL has no image and is of the row that the last image under its key showed.
-#}


{#- SQL: the members of a former key as text, NULL for a record of the key in force. -#}
{%- macro former_key(members, former_keys) -%}
    {%- set conditions = [] -%}
    {%- for names in former_keys -%}
        {%- do conditions.append(
            'array_sort(map_keys(' ~ members ~ ')) = array('
            ~ debezium_spark.text_literals(names | sort) ~ ')'
        ) -%}
    {%- endfor -%}
    {{- return(
        'case when ' ~ conditions | join(' or ')
        ~ ' then to_json(map_from_entries(array_sort(map_entries(' ~ members ~ ')))) end'
    ) -}}
{%- endmacro -%}


{#-
    The catalog of embedded schemas has every landed record; without it, all former keys may occur.
-#}
{%- macro former_keys_in_batch(schemas, topics, watermark, former_keys) -%}
    {%- if not former_keys or schemas is none -%}{{- return(former_keys) -}}{%- endif -%}
    {%- set query -%}
select to_json(collect_set(array_sort(key_fields))) as names_in_batch
from {{ schemas }}
where
    {{ adapter.debezium().staging.topic_condition(topics) }}
    {%- if watermark is not none and watermark is defined %}
    and _cdc_batch_id > {{ watermark }}
    {%- endif %}
    {%- endset -%}
    {%- set names_in_batch = fromjson(run_query(query).rows[0][0] or '[]') -%}
    {%- set batch_keys = [] -%}
    {%- for names in former_keys if names | sort in names_in_batch -%}
        {%- do batch_keys.append(names) -%}
    {%- endfor -%}
    {{- return(batch_keys) -}}
{%- endmacro -%}


{#- CTE `keyed_images`: the images with the members of the key in force. -#}
{%- macro keyed_images(key, former_keys) -%}
images_with_former_keys as (

    select
        *,
        {{ debezium_spark.former_key('key_members', former_keys) }} as _former_key,
        {{ adapter.debezium().staging.complete_key(['key_members', 'image'], key) }}
            as _key_in_force
    from images

),

keyed_images as (

    select
        * except (key_members),
        case
            when _former_key is null then key_members
            else coalesce(
                _key_in_force,
                last_value(_key_in_force, true) over (
                    {# a record of the key in force is alone #}
                    partition by topic, partition, coalesce(_former_key, cast(offset as string))
                    order by timestamp, offset
                    rows between unbounded preceding and 1 preceding
                ),
                key_members
            )
        end as key_members
    from images_with_former_keys

)
{%- endmacro -%}
