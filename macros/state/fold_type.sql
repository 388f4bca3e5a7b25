{#- The members as one value that travels through a walk. -#}
{%- macro fold_type() -%}
    {%- set members = [] -%}
    {%- for name, type in debezium_spark.fold_members().items() -%}
        {%- do members.append('`' ~ name ~ '`:' ~ type) -%}
    {%- endfor -%}
    {{- return('struct<' ~ members | join(',') ~ '>') -}}
{%- endmacro -%}


{#-
    SQL: the members as columns of a state row, from `fold`, or from `members`, which names SQL for
    some.
-#}
{%- macro fold_columns(fold=none, members={}) -%}
    {%- for name, type in debezium_spark.fold_members().items() %}
    {%- if fold %}
    {{- fold ~ '.`' ~ name ~ '`' }} as _cdc_fold_{{ name }}
    {%- elif name in members %}
    {{- members[name] }} as _cdc_fold_{{ name }}
    {%- else %}
    {{- 'cast(null as ' ~ type ~ ')' }} as _cdc_fold_{{ name }}
    {%- endif %}
    {{- ',\n' if not loop.last }}
    {%- endfor -%}
{%- endmacro -%}


{%- macro fold_of_state() -%}
named_struct(
    {%- for name, type in debezium_spark.fold_members().items() %}
    '{{ name }}', state._cdc_fold_{{ name }}
    {{- ',' if not loop.last }}
    {%- endfor %}
)
{%- endmacro -%}


{%- macro delivery_struct() -%}
named_struct('topic', topic, 'incarnation', incarnation,
    'partition', `partition`, 'offset', `offset`, 'timestamp', `timestamp`)
{%- endmacro -%}
