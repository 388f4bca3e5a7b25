{#-
    A cut promises that what is up to it is in every history of its source. Models that were chosen
    by hand can bring transactions up to date and leave a history behind: then there is no new cut.
    `histories`: {table, relation} of the models made with `versions`.
-#}
{%- macro check_histories(config, transactions, histories) -%}
    {%- if not histories -%}{{- return(none) -}}{%- endif -%}
    {%- set marks = run_query(
        'select _cdc_marks from ' ~ transactions ~ " where _cdc_key = '!watermark'"
    ).rows -%}
    {%- if not marks -%}{{- return(none) -}}{%- endif -%}
    {%- set counted = fromjson(marks[0][0]).batches -%}
    {%- set parts = [] -%}
    {%- for entry in histories -%}
        {%- do parts.append(
            'select ' ~ debezium_spark.text_literal(entry.table) ~ ' as table_name,'
            ~ ' max(_cdc_batch_id) as batch_id from ' ~ entry.relation
            ~ " where _cdc_scd_id = '!watermark'"
        ) -%}
    {%- endfor -%}
    {%- set behind = [] -%}
    {%- for row in run_query(parts | join(' union all ')).rows -%}
        {%- if (row[1] | int if row[1] is not none else -1) < counted.get(row[0], -1) -%}
            {%- do behind.append(row[0]) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- if behind -%}
        {%- do debezium_spark._fail(
            'cut',
            'transactions of source ' ~ config.name ~ ' are counted that the history of '
            ~ behind | sort | join(', ') ~ ' does not have yet.',
            'Run the models of histories with it: dbt run --select +' ~ this.identifier ~ '.',
        ) -%}
    {%- endif -%}
{%- endmacro -%}
