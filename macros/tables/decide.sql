{#-
    Decisions of a model's macro for the materialization that follows it. They travel beside the
    SQL, so that no text of a model can be mistaken for one.

    * `up_to_date`: there is nothing to do (`is_up_to_date`);
    * `nothing_new`: the table stays as it is, without even an empty snapshot;
    * `replaces_table`: replace the table by what the model selects;
    * `properties`: properties that the table gets when it is created, by name;
    * `preserved_columns`: columns that a MERGE leaves as they are in rows that the table holds;
    * `filled_columns`: columns that it leaves where the model selects NULL;
    * `keys_are_set`: no key of a MERGE is NULL;
    * `key_hashes`: `key_hash` of all keys that it writes;
    * `input_hashes`: what the table is up to date with once this is written.
-#}
{%- macro decide(decisions) -%}
    {%- do adapter.debezium_decide(model.unique_id, decisions) -%}
{%- endmacro -%}


{#- What the model's macro decided, by name; each execution takes it once. -#}
{%- macro _decisions() -%}
    {{- return(adapter.debezium_decisions(model.unique_id)) -}}
{%- endmacro -%}
