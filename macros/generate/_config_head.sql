{#-
    First lines of a model's `config:`. The models of this package's own demo exist only where it is the root project: properties
    files are rendered with the name of the root project, `dbt_project.yml` of a package is not. What belongs to one source carries
    its name as a tag, so that a scheduler can select it: `dbt build --select tag:<source>`.
-#}
{%- macro _config_head(source=none) -%}
    {%- set lines = ['    config:'] -%}
    {%- if project_name == 'debezium_spark' -%}
        {%- do lines.append("      enabled: \"{{ project_name == 'debezium_spark' }}\"") -%}
    {%- endif -%}
    {%- if source -%}
        {%- do lines.append('      tags: [' ~ adapter.debezium_yaml_name(source) ~ ']') -%}
    {%- endif -%}
    {{- return(lines) -}}
{%- endmacro -%}
