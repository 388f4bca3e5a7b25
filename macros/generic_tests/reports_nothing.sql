{#-
    Rows that an observability model reports. A failing test must be seen, but on staging or state
    it would keep `dbt build` from bringing tables up to date.
-#}
{%- test reports_nothing(model, condition='true') -%}
select *
from {{ model }}
where {{ condition }}
{%- endtest -%}
