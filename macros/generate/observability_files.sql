{#-
    One observability model for all sources each (`generator/observability_models.py`). `tables` are
    generated now, the models of `kept_tables` stay, `models` are the project's.
-#}
{%- macro observability_files(sources, tables, kept_tables, models) -%}
    {%- set files = [] -%}
    {%- for model in adapter.debezium().generate.observability_models(
        sources, tables, kept_tables, models, var('debezium_sources', {})
    ) -%}
        {%- set path = 'models/observability/debezium_obs__' ~ model.name -%}
        {%- do files.extend([
            debezium_spark._generated_file(
                path ~ '.sql', debezium_spark._observability_text(model)
            ),
            debezium_spark._generated_file(
                path ~ '.yml', debezium_spark._observability_properties_text(model)
            ),
        ]) -%}
    {%- endfor -%}
    {{- return(files) -}}
{%- endmacro -%}


{%- macro _observability_text(model) -%}
{{ debezium_spark._first_line('--') }}
{{ '{{' }}
    config(materialized='debezium_view')
{{ '}}' }}

{{ '{{' }}
    debezium_spark.obs_{{ model.name }}(
        {%- for argument, entries in model.arguments %}
        {{ argument }}=[
            {%- for entry in entries %}
            {{ entry }}
            {%- endfor %}
        ],
        {%- endfor %}
    )
{{ '}}' }}
{%- endmacro -%}


{#- The severity of its test is the var `debezium_test_severity`. -#}
{%- macro _observability_properties_text(model) -%}
{{ debezium_spark._first_line('#') }}
models:
  - name: debezium_obs__{{ model.name }}
    description: {{ model.description }}
    {%- if model.is_tested %}
    data_tests:
      - debezium_spark.{{ model.test }}:
          {%- if model.condition %}
          arguments:
            condition: {{ model.condition }}
          {%- endif %}
          config:
            severity: "{{ '{{' }} var('debezium_test_severity', 'error') {{ '}}' }}"
    {%- endif %}
    {{- debezium_spark._columns_text(model.columns) }}
{%- endmacro -%}


{%- macro _observability_subject(name) -%}
    {{- return(adapter.debezium().generate.observability_subject(name)) -}}
{%- endmacro -%}


{%- macro _subject_columns(subject) -%}
    {{- return(subject['columns']) -}}
{%- endmacro -%}
