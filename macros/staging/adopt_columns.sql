{#-
    Give staged events the columns that the model has learned since they were staged (design §8: after regenerating, old events show what
    they held).

    A column the model did not know was kept in `_cdc_unmapped`, as JSON text. When the regenerated model names it, the column is added
    to the table and the kept values are decoded into it, by the rules of every other value: a placeholder is listed in
    `_cdc_unavailable`, what does not decode in `_cdc_errors`. Touches only rows that kept such a value; a full refresh gives the same rows.

    The columns are noted in a table property before the table is altered, so an interrupted run is made up for by the next.
-#}
{%- macro adopt_columns(config, columns) -%}
    {%- if not debezium_spark.loads_incrementally()
        or ('on_schema_change' in model.unrendered_config and model.config.get('on_schema_change') != 'append_new_columns') -%}
        {{- return(none) -}}
    {%- endif -%}
    {%- set relation = debezium_spark._table(this) -%}
    {%- set held = [] -%}
    {%- for column in adapter.get_columns_in_relation(relation) -%}
        {%- do held.append(column.name | lower) -%}
    {%- endfor -%}
    {%- set pending = debezium_spark._columns_to_adopt(relation) -%}
    {%- set adopted = [] -%}
    {%- for column in columns if column.name | lower not in held or column.name in pending -%}
        {%- do adopted.append(column) -%}
    {%- endfor -%}
    {%- if not adopted -%}{{- return(none) -}}{%- endif -%}

    {%- set names = adopted | map(attribute='name') | list -%}
    {%- do run_query(
        'alter table ' ~ relation ~ " set tblproperties ('debezium_spark.adopting' = "
        ~ debezium_spark.text_literal(tojson(names)) ~ ')'
    ) -%}
    {%- set added = [] -%}
    {%- for column in debezium_spark.decoded_columns(config, adopted) if column.name | lower not in held -%}
        {%- do added.append(column) -%}
    {%- endfor -%}
    {%- do debezium_spark._add_columns(relation, added) -%}
    {%- do run_query(debezium_spark.adopt_columns_sql(config, relation, adopted)) -%}
    {%- do run_query('alter table ' ~ relation ~ " unset tblproperties ('debezium_spark.adopting')") -%}
    {%- do log(this.identifier ~ ': staged events now show ' ~ names | join(', '), info=true) -%}
{%- endmacro -%}


{#- Names of the columns that an interrupted run had begun to adopt. -#}
{%- macro _columns_to_adopt(relation) -%}
    {%- for row in run_query('show tblproperties ' ~ relation).rows if row[0] == 'debezium_spark.adopting' -%}
        {{- return(fromjson(row[1])) -}}
    {%- endfor -%}
    {{- return([]) -}}
{%- endmacro -%}


{#- UPDATE that moves the values of these columns from `_cdc_unmapped` into columns of their own. -#}
{%- macro adopt_columns_sql(config, relation, columns) -%}
{%- set names = [] -%}
{%- set unavailable = [] -%}
{%- set errors = [] -%}
{%- for column in columns -%}
    {%- do names.append(debezium_spark.text_literal(column.name)) -%}
    {%- set text = debezium_spark.kept_text(column) -%}
    {%- set placeholder = debezium_spark.unavailable_condition(config, column, text) -%}
    {%- if placeholder is not none -%}
        {%- do unavailable.append('case when ' ~ placeholder ~ ' then ' ~ debezium_spark.text_literal(column.name) ~ ' end') -%}
    {%- endif -%}
    {%- if debezium_spark.encoding(config, column).kind != 'string' -%}
        {%- do errors.append(
            'case when ' ~ debezium_spark.unread_condition(
                config, column, text, '(' ~ debezium_spark.kept_value(config, column) ~ ')',
                '(' ~ debezium_spark.prepare_known(config, column, text) ~ ')'
            )
            ~ (' and (' ~ placeholder ~ ') is distinct from true' if placeholder is not none else '')
            ~ ' then ' ~ debezium_spark.decoding_reason(column, text) ~ ' end'
        ) -%}
    {%- endif -%}
{%- endfor -%}
{%- set known = 'array(' ~ names | join(', ') ~ ')' -%}
update {{ relation }} set
    {%- for column in columns %}
    {{ debezium_spark.quoted(column.name) }} = {{ debezium_spark.kept_value(config, column) }},
    {%- if debezium_spark.encoding(config, column).get('exact_text') %}
    {{ debezium_spark.quoted(debezium_spark.exact_text_name(column.name)) }} = {{ debezium_spark.decode_exact_text(config, column, debezium_spark.prepare_known(config, column, debezium_spark.kept_text(column))) }},
    {%- endif %}
    {%- endfor %}
    _cdc_unavailable = {{ debezium_spark.list_with('_cdc_unavailable', unavailable) }},
    _cdc_errors = {{ debezium_spark.list_with('_cdc_errors', errors) }},
    _cdc_unmapped = case
        when size(array_except(map_keys(_cdc_unmapped), {{ known }})) > 0
            then map_filter(_cdc_unmapped, (name, text) -> not array_contains({{ known }}, name))
    end
where arrays_overlap(map_keys(_cdc_unmapped), {{ known }})
{%- endmacro -%}


{#- SQL: the text that was kept of a column, and the value it decodes to. -#}
{%- macro kept_text(column) -%}
    {{- return('try_element_at(_cdc_unmapped, ' ~ debezium_spark.text_literal(column.name) ~ ')') -}}
{%- endmacro -%}


{%- macro kept_value(config, column) -%}
    {{- return(debezium_spark.decode(
        config, column, debezium_spark.prepare_known(config, column, debezium_spark.kept_text(column))
    )) -}}
{%- endmacro -%}


{#- SQL: an array of texts or NULL, with the texts that apply added. -#}
{%- macro list_with(list, texts) -%}
    {%- if not texts -%}{{- return(list) -}}{%- endif -%}
    {{- return('nullif(array_compact(concat(coalesce(' ~ list ~ ', array()), array(' ~ texts | join(', ') ~ '))), array())') -}}
{%- endmacro -%}


{#- SQL: the reason by which quarantine shows a value that did not decode. -#}
{%- macro decoding_reason(column, text) -%}
    {{- return(
        'concat(' ~ debezium_spark.text_literal(column.name ~ ': not a ' ~ (column.get('semantic') or column.type) ~ ': ')
        ~ ', left(' ~ text ~ ', 1000))'
    ) -}}
{%- endmacro -%}
