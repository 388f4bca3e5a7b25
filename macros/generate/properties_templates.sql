{#-
    Templates of properties files (`generator/files.py`): names and texts of strangers arrive as
    YAML scalars.
-#}

{%- macro default__properties_file(file) -%}
# {{ file.first_line }}
models:
{%- for model in file.models %}
{{- '\n' if not loop.first }}
  - name: {{ model.name }}
    description: {{ model.description }}
    {{- debezium_spark._config_text(model) }}
      meta:
        debezium_spark:
          source: {{ model.source }}
          {%- if model.table %}
          table: {{ model.table }}
          model: {{ model.model }}
          {%- endif %}
          {%- if model.ended_by %}
          ended_by: {{ model.ended_by }}
          {%- endif %}
    {{- debezium_spark._tests_text(model.tests, 4) if model.tests }}
    {{- debezium_spark._columns_text(model.columns) if model.columns }}
{%- endfor %}
{%- endmacro -%}


{#- The tag lets a scheduler select a source: `dbt build --select tag:<source>`. -#}
{%- macro _config_text(model) %}
    config:
      tags: [{{ model.tag }}]
{%- endmacro -%}


{%- macro _columns_text(columns) %}
    columns:
    {%- for column in columns %}
      - name: {{ column.name }}
        {%- if column.description %}
        description: {{ column.description }}
        {%- endif %}
        {%- if column.data_type %}
        data_type: {{ column.data_type }}
        {%- endif %}
        {%- if column.is_quoted %}
        quote: true
        {%- endif %}
        {%- if column.database_type %}
        config: {meta: {database_type: {{ column.database_type }}}}
        {%- endif %}
        {{- debezium_spark._tests_text(column.tests, 8) if column.tests }}
    {%- endfor %}
{%- endmacro -%}


{%- macro _tests_text(tests, indent) -%}
{%- set start = '\n' ~ ' ' * indent -%}
{{ start }}data_tests:
{%- for test in tests -%}
    {{ start }}  - {{ test.name }}
    {%- if test.arguments -%}
        :{{ start }}      arguments:
        {%- for argument, value in test.literals.items() -%}
            {{ start }}        {{ argument }}:
            {%- if value is string %} {{ value }}
            {%- else -%}
                {%- for one in value -%}
                    {{ start }}          - {{ one }}
                {%- endfor -%}
            {%- endif -%}
        {%- endfor -%}
    {%- endif -%}
{%- endfor -%}
{%- endmacro -%}


{#- The severity of its tests is the var `debezium_test_severity`. -#}
{%- macro default__observability_properties_file(file) -%}
{%- set model = file.model -%}
# {{ file.first_line }}
models:
  - name: debezium_obs__{{ model.name }}
    description: {{ model.description }}
    data_tests:
      {%- for test, condition in model.tests %}
      - debezium_spark.{{ test }}:
          {%- if condition %}
          arguments:
            condition: {{ condition }}
          {%- endif %}
          config:
            severity: "{{ '{{' }} var('debezium_test_severity', '{{ model.severity }}') {{ '}}' }}"
      {%- endfor %}
    {{- debezium_spark._columns_text(model.columns) }}
{%- endmacro -%}
