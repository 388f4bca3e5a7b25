{#-
    Fails with the rows that an observability model reports, or with those that fulfil `condition`.

    Such tests stand on the observability models and not on staging or state: a failing one must be
    seen, but must not keep `dbt build` from bringing the tables up to date.
-#}
{%- test reports_nothing(model, condition='true') -%}
select *
from {{ model }}
where {{ condition }}
{%- endtest -%}
