{#-
    First lines of a model's `config:`. The models of this package's own demo exist only where it is the root project: properties
    files are rendered with the name of the root project, `dbt_project.yml` of a package is not.
-#}
{%- macro _config_head() -%}
    {%- set lines = ['    config:'] -%}
    {%- if project_name == 'debezium_spark' -%}
        {%- do lines.append("      enabled: \"{{ project_name == 'debezium_spark' }}\"") -%}
    {%- endif -%}
    {{- return(lines) -}}
{%- endmacro -%}
