{#-
    Compare the columns of a model's SELECT with its contract, before anything is written. dbt's own
    macro writes names into SQL as they are, and these are the source's.
-#}
{%- macro _check_contract(sql) -%}
    {%- set contract = config.get('contract') -%}
    {%- if not contract or not contract.enforced -%}{{- return(none) -}}{%- endif -%}

    {%- set untyped, casts = [], [] -%}
    {%- for column in model.columns.values() -%}
        {%- if not column.data_type -%}
            {%- do untyped.append(adapter.debezium().text.printable(column.name)) -%}
        {%- else -%}
            {%- do casts.append(
                'cast(null as ' ~ column.data_type ~ ') as ' ~ debezium_spark.quote(column.name)
            ) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- if untyped -%}{%- do exceptions.column_type_missing(untyped) -%}{%- endif -%}

    {%- set declared = debezium_spark._contract_columns('select ' ~ casts | join(', ')) -%}
    {%- set selected = debezium_spark._contract_columns(sql) -%}
    {%- if declared | sort(attribute='name') != selected | sort(attribute='name') -%}
        {%- do exceptions.raise_contract_error(declared, selected) -%}
    {%- endif -%}
{%- endmacro -%}


{#- In the form of dbt's message. -#}
{%- macro _contract_columns(sql) -%}
    {%- set debezium = adapter.debezium() -%}
    {%- set columns = [] -%}
    {%- for name, data_type in debezium.run.column_types(sql) -%}
        {%- do columns.append({
            'name': debezium.text.printable(name),
            'data_type': data_type,
            'formatted': debezium.text.printable(name) ~ ' ' ~ data_type,
        }) -%}
    {%- endfor -%}
    {{- return(columns) -}}
{%- endmacro -%}
