{#-
    Configured replica identities, the earliest first, {is, from, until} as record timestamps: no
    record shows them.
-#}
{%- macro replica_identities(config, table) -%}
    {%- set setting = ((config.get('tables') or {}).get(table) or {}).get('replica_identity') -%}
    {%- if config.connector != 'postgresql' or not setting -%}{{- return([]) -}}{%- endif -%}
    {%- if setting is string -%}{{- return([{'is': setting}]) -}}{%- endif -%}
    {%- set entries = [] -%}
    {%- for entry in setting -%}
        {%- do entries.append(
            dict(entry, **({'until': setting[loop.index]['from']} if not loop.last else {}))
        ) -%}
    {%- endfor -%}
    {{- return(entries) -}}
{%- endmacro -%}


{#- SQL condition over a record's `timestamp`; `true` or `false` if it holds for all or none. -#}
{%- macro replica_identity_is(config, table, words) -%}
    {%- set times = [] -%}
    {%- for entry in debezium_spark.replica_identities(config, table) if entry['is'] in words -%}
        {%- set bounds = [] -%}
        {%- if entry.get('from') -%}
            {%- do bounds.append("timestamp >= timestamp '" ~ entry['from'] ~ "'") -%}
        {%- endif -%}
        {%- if entry.get('until') -%}
            {%- do bounds.append("timestamp < timestamp '" ~ entry['until'] ~ "'") -%}
        {%- endif -%}
        {%- if not bounds %}{{ return('true') }}{% endif -%}
        {%- do times.append('(' ~ bounds | join(' and ') ~ ')') -%}
    {%- endfor -%}
    {{- return('coalesce(' ~ times | join(' or ') ~ ', false)' if times else 'false') -}}
{%- endmacro -%}
