{#-
    Check every source before any SQL runs: dbt renders hooks while it parses. The input of a source
    whose raw model is not selected may be absent: a scheduler can run sources one at a time. So may
    all inputs with `--empty`, which lands nothing. Then check that Spark has the table formats of
    the selected models.
-#}
{%- macro _check_sources() -%}
    {%- do debezium_spark._require_distribution() -%}
    {%- set debezium = adapter.debezium() -%}
    {%- set sources = var('debezium_sources', {}) or {} -%}
    {%- for name in sources -%}
        {%- do debezium.config.load_source(name, sources) -%}
    {%- endfor -%}
    {%- if execute and debezium_spark.is_sample() -%}
        {%- do debezium_spark._check_sample() -%}
    {%- endif -%}
    {%- if execute -%}
        {%- set models = graph.nodes.values() | selectattr('unique_id', 'in', selected_resources)
            | selectattr('resource_type', 'equalto', 'model') | list -%}
        {%- set formats = [] -%}
        {%- for model in models if model.config.materialized.startswith('debezium_') -%}
            {%- do formats.append(
                model.config.file_format or debezium.run.format_of_target()
            ) -%}
        {%- endfor -%}
        {%- do debezium.run.check_formats(formats | unique | list) -%}
        {%- set models = models | map(attribute='name') | list -%}
        {%- for name in sources if 'raw_' ~ name in models and not flags.EMPTY -%}
            {%- do debezium.run.check_input(name, sources) -%}
        {%- endfor -%}
    {%- endif -%}
{%- endmacro -%}


{#- What a sample leaves out would count as folded. -#}
{%- macro _check_sample() -%}
    {%- for node in graph.nodes.values()
        if node.unique_id in selected_resources
        and node.config.materialized.startswith('debezium_')
        and node.config.materialized != 'debezium_view' -%}
        {%- for other in graph.nodes.values() | selectattr('config.event_time')
            if other.unique_id in node.depends_on.nodes -%}
            {%- do debezium_spark._fail(
                '--sample',
                other.name ~ ' has event_time: ' ~ other.config.event_time ~ ', and ' ~ node.name
                    ~ ' would lose the rows outside of the sample for good.',
                'Set event_time on cur_ tables and on models of your own, and not on ' ~ other.name
                    ~ '.',
            ) -%}
        {%- endfor -%}
    {%- endfor -%}
{%- endmacro -%}
