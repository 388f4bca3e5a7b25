{#- Columns that a fold of the whole log may have to look up. -#}
{%- macro columns_ever_unavailable(staging) -%}
    {%- set query -%}
        select distinct explode(_cdc_unavailable) as name
        from {{ staging }}
        where _cdc_unavailable is not null
    {%- endset -%}
    {{- return(run_query(query).rows | map(attribute=0) | sort) -}}
{%- endmacro -%}
