{#-
    What a model tells its materialization, by lines of its SQL that begin with `-- debezium_spark: `:

    * `no new records`: the table is left as it is, not even an empty snapshot is written;
    * `built anew`: replace the table by what the model selects;
    * `property <name> = <value>`: a property that the table gets when it is created.
-#}
{%- macro _has_no_new_records(sql) -%}
    {{- return('-- debezium_spark: no new records' in sql) -}}
{%- endmacro -%}


{%- macro _is_built_anew(sql) -%}
    {{- return('-- debezium_spark: built anew' in sql) -}}
{%- endmacro -%}


{%- macro _told_properties(sql) -%}
    {%- set properties = {} -%}
    {%- for line in sql.splitlines() if line.startswith('-- debezium_spark: property ') -%}
        {%- set name, value = line[28:].split(' = ', 1) -%}
        {%- do properties.update({name: value}) -%}
    {%- endfor -%}
    {{- return(properties) -}}
{%- endmacro -%}
