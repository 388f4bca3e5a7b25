{#-
    What a model passes to its materialization, by whole lines of its SQL, which no name or literal
    can be: neither holds a line end (`unwritable`, `text_literal`).

    * `-- debezium_spark: no new records`: the table is left as it is, not even an empty snapshot is
      written;
    * `-- debezium_spark: built anew`: replace the table by what the model selects;
    * `-- debezium_spark: property <name> = <value>`: a property that the table gets when it is
      created;
    * `-- debezium_spark: keeps <column>`: of rows that the table holds, a MERGE leaves this column
      as it is;
    * `-- debezium_spark: fills <column>`: the same where the model selects NULL;
    * `-- debezium_spark: up to date`, alone: there is nothing to do (`is_up_to_date`);
    * `-- debezium_spark: made of <text>`: what the table is up to date with once this is written.
-#}
{%- macro told(lines) -%}
    {%- set told = [] -%}
    {%- for line in lines %}{% do told.append('-- debezium_spark: ' ~ line ~ '\n') %}{% endfor -%}
    {{- return(told | join) -}}
{%- endmacro -%}


{%- macro _is_up_to_date(sql) -%}
    {{- return('-- debezium_spark: up to date' in debezium_spark._lines(sql)) -}}
{%- endmacro -%}


{%- macro _has_no_new_records(sql) -%}
    {{- return('-- debezium_spark: no new records' in debezium_spark._lines(sql)) -}}
{%- endmacro -%}


{%- macro _is_built_anew(sql) -%}
    {{- return('-- debezium_spark: built anew' in debezium_spark._lines(sql)) -}}
{%- endmacro -%}


{#- Not by `splitlines`, which takes further signs for line ends. -#}
{%- macro _lines(sql) -%}
    {{- return(sql.split('\n') | map('trim') | list) -}}
{%- endmacro -%}


{#- Columns that such lines of the model name: `verb` is `keeps` or `fills`. -#}
{%- macro _told_columns(sql, verb) -%}
    {%- set columns = [] -%}
    {%- for line in debezium_spark._lines(sql)
        if line.startswith('-- debezium_spark: ' ~ verb ~ ' ') -%}
        {%- do columns.append(line[('-- debezium_spark: ' ~ verb ~ ' ') | length:]) -%}
    {%- endfor -%}
    {{- return(columns) -}}
{%- endmacro -%}


{%- macro _told_properties(sql) -%}
    {%- set properties = {} -%}
    {%- for line in debezium_spark._lines(sql)
        if line.startswith('-- debezium_spark: property ') -%}
        {%- set name, value = line[28:].split(' = ', 1) -%}
        {%- do properties.update({name: value}) -%}
    {%- endfor -%}
    {{- return(properties) -}}
{%- endmacro -%}
