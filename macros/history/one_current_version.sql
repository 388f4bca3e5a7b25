{#- Keys with several current versions. -#}
{%- test one_current_version(model) -%}
select
    _cdc_key,
    count(*) as row_count
from {{ model }}
where _cdc_is_current
group by _cdc_key
having count(*) > 1
{%- endtest -%}
