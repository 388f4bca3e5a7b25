{#-
    A table's options of its history, {} for defaults, none without a history. A table's own
    `history` replaces the source's.
-#}
{%- macro history_options(config, table) -%}
    {%- set own = ((config.get('tables') or {}).get(table) or {}).get('history') -%}
    {%- set history = config.get('history') if own is none else own -%}
    {{- return(history if history is not none and history.get('enabled', true) else none) -}}
{%- endmacro -%}


{#- Options on which stored versions depend; the others only change what the view shows. -#}
{%- macro stored_history_options(options) -%}
    {%- set stored = [] -%}
    {%- for name in ['within_transaction', 'track', 'ignore', 'deleted_rows', 'keep'] -%}
        {%- do stored.append(name ~ '=' ~ tojson(options.get(name))) -%}
    {%- endfor -%}
    {{- return(['history'] + stored) -}}
{%- endmacro -%}


{#- Columns whose changes make versions, with their exact texts; none: all. -#}
{%- macro tracked_columns(options, columns) -%}
    {%- if not (options.get('track') or options.get('ignore')) -%}
        {{- return(none) -}}
    {%- endif -%}
    {%- set tracked = [] -%}
    {%- for column in columns -%}
        {%- set is_named = namespace(value=false) -%}
        {%- for name in options.get('track') or options.get('ignore') -%}
            {%- if column in [name, adapter.debezium().decode.exact_text_name(name)] -%}
                {%- set is_named.value = true -%}
            {%- endif -%}
        {%- endfor -%}
        {%- if is_named.value == (options.get('track') is not none) -%}
            {%- do tracked.append(column) -%}
        {%- endif -%}
    {%- endfor -%}
    {{- return(tracked) -}}
{%- endmacro -%}
