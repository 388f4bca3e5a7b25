{#-
    Versions of a key that overlap, that end before they begin, or, within a life, do not end where
    the next one begins.
-#}
{%- test versions_follow_each_other(model) -%}
{%- set columns = debezium_spark._columns_of_history(model) -%}
{%- set style = 'dbt_' if 'dbt_valid_from' in columns else '_cdc_' -%}
{%- set deleted = debezium_spark._deleted_column(model) -%}
select *
from (
    select
        _cdc_key,
        _cdc_version,
        _cdc_life,
        _cdc_ended_by,
        {{ style }}valid_from as valid_from,
        {{ style }}valid_to as valid_to,
        lead(_cdc_life) over (partition by _cdc_key order by _cdc_version) as next_life,
        lead({{ style }}valid_from) over (
            partition by _cdc_key order by _cdc_version
        ) as next_valid_from
    from {{ model }}
    {%- if deleted %}
    where not {{ deleted }}
    {%- endif %}
) as versions
where
    valid_to < valid_from
    or next_valid_from < valid_to
    or (next_life is not null and (_cdc_ended_by is null or valid_to is null))
    or (next_life = _cdc_life and next_valid_from != valid_to)
{%- endtest -%}
