{#- A properties file of `generator/properties.py`: names of strangers arrive as YAML scalars. -#}
{%- macro _properties_text(models) -%}
{{ debezium_spark._first_line('#') }}
models:
{%- for model in models %}
{{- '\n' if not loop.first }}
  - name: {{ model.name }}
    description: {{ model.description }}
    {{- debezium_spark._config_text(model.source, model.group, model.has_contract) }}
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
{%- macro _config_text(source=none, group=none, has_contract=false) %}
    config:
      {%- if source %}
      tags: [{{ adapter.debezium().text.yaml_name(source) }}]
      {%- endif %}
      {%- if group %}
      group: {{ group }}
      {%- endif %}
      {%- if has_contract %}
      contract: {enforced: true}
      {%- endif %}
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
{%- set debezium = adapter.debezium() -%}
{%- set start = '\n' ~ ' ' * indent -%}
{{ start }}data_tests:
{%- for test in tests -%}
    {{ start }}  - {{ test.name }}
    {%- if test.arguments -%}
        :{{ start }}      arguments:
        {%- for argument, value in test.arguments.items() -%}
            {{ start }}        {{ argument }}:
            {%- if value is string %} {{ debezium.text.yaml_argument(value) }}
            {%- else -%}
                {%- for one in value -%}
                    {{ start }}          - {{ debezium.text.yaml_argument(one) }}
                {%- endfor -%}
            {%- endif -%}
        {%- endfor -%}
    {%- endif -%}
{%- endfor -%}
{%- endmacro -%}
