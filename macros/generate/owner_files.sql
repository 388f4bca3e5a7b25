{#-
    The definition of a source's group. A group that nothing defines is a message, and taken out of
    `config`: dbt would read no file of the project.
-#}
{%- macro group_results(config) -%}
    {%- set debezium = adapter.debezium() -%}
    {%- if not config.get('group') -%}{{- return([]) -}}{%- endif -%}
    {%- set known = [] -%}
    {%- for group in (graph.groups or {}).values() -%}
        {%- if '/groups/' not in group.original_file_path -%}
            {%- do known.append(group.name) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- set unknown = debezium.generate.unknown_group(
        config, var('debezium_sources', {}), known
    ) -%}
    {%- if unknown is not none -%}
        {%- do config.update({'group': none}) -%}
        {{- return([unknown]) -}}
    {%- endif -%}
    {%- set group = debezium.generate.defined_group(config) -%}
    {%- if group is none -%}{{- return([]) -}}{%- endif -%}
    {{- return([debezium_spark._generated_file(
        'models/groups/' ~ config['name'] ~ '/group_' ~ config['group']['name'] ~ '.yml',
        debezium_spark._group_text(group),
        config['name']
    )]) -}}
{%- endmacro -%}


{%- macro _group_text(group) -%}
{{ debezium_spark._first_line('#') }}
groups:
  - name: {{ group.name }}
    {{- debezium_spark._owner_text(group.owner) }}
{%- endmacro -%}


{#- What reads the current tables of a source, and messages about tables that it names in vain. -#}
{%- macro exposure_results(config, tables, kept_tables) -%}
    {%- if not config.get('exposures') -%}{{- return([]) -}}{%- endif -%}
    {%- set found = adapter.debezium().generate.exposures(config, tables, kept_tables) -%}
    {%- set results = found['messages'] -%}
    {%- if found['entries'] -%}
        {%- do results.append(debezium_spark._generated_file(
            'models/exposures/' ~ config['name'] ~ '/exposures_' ~ config['name'] ~ '.yml',
            debezium_spark._exposures_text(found['entries']),
            config['name']
        )) -%}
    {%- endif -%}
    {{- return(results) -}}
{%- endmacro -%}


{%- macro _exposures_text(exposures) -%}
{{ debezium_spark._first_line('#') }}
exposures:
{%- for exposure in exposures %}
{{- '\n' if not loop.first }}
  - name: {{ exposure.name }}
    {%- for property in ['label', 'type', 'maturity', 'url', 'description'] %}
    {%- if exposure.get(property) %}
    {{ property }}: {{ exposure[property] }}
    {%- endif %}
    {%- endfor %}
    {{- debezium_spark._owner_text(exposure.owner) }}
    depends_on:
      {%- for model in exposure.models %}
      - ref('{{ model }}')
      {%- endfor %}
{%- endfor %}
{%- endmacro -%}


{%- macro _owner_text(owner) %}
    owner:
      {%- for part, text in owner.items() %}
      {{ part }}: {{ text }}
      {%- endfor %}
{%- endmacro -%}
