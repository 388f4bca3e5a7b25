{#-
    Decisions of a model's macro for its materialization. They travel beside the SQL, so that no
    text of a model can be mistaken for one.

    * `up_to_date`: there is nothing to do;
    * `nothing_new`: the table stays as it is, without even an empty snapshot;
    * `replaces_table`: the model selects all rows;
    * `watermark`: the batch up to which this run found the table (`concurrent_runs.sql`);
    * `properties`: of a table that is created, by name;
    * `carried`: which of its rows a table keeps that is built anew (`carried_rows.sql`);
    * `marked_rows`: SELECT of rows that get other marks first (`mark_rows`);
    * `merge_values`, `keys_are_set`, `key_hashes`: see `_merge_sql`;
    * `work_tables`: tables of this run, to drop behind it;
    * `statements`, each with a condition (`when`): run behind it; `temporary_views`: to drop;
    * `columns_of`: names of the columns of a SELECT, if it is the whole model;
    * `input_hashes`: what the table is up to date with once this is written.
-#}
{%- macro decide(decisions) -%}
    {%- do adapter.debezium().decisions.add(model.unique_id, decisions) -%}
{%- endmacro -%}


{#- Each execution takes the decisions once. -#}
{%- macro _decisions() -%}
    {{- return(adapter.debezium().decisions.take(model.unique_id)) -}}
{%- endmacro -%}
