{#- SQL by column of the gap behind a life: its end is the begin of the next. -#}
{%- macro gap_values(options) -%}
    {%- if not options.get('deleted_rows') -%}{{- return({}) -}}{%- endif -%}
    {#- a version that had ended before has the next version behind it, others one step farther -#}
    {%- set begin -%}
if(versions.head.valid_to is not null, versions.next_step, versions.later_step)
    {%- endset -%}
    {%- set has_gap -%}
case
            when versions.head.valid_to is not null then true
            else versions.next_step.ends_row and not versions.next_step.makes_version
        end
    {%- endset -%}
    {%- set values = {'_cdc_has_gap': 'coalesce(' ~ has_gap ~ ', false)'} -%}
    {%- for column, member in [
        ('_cdc_gap_to', 'instant'),
        ('_cdc_gap_to_pos', 'log_pos'),
        ('_cdc_gap_to_event_id', 'event_id'),
        ('_cdc_gap_to_tx_id', 'tx_id'),
        ('_cdc_gap_ended_by', 'how'),
    ] -%}
        {%- do values.update({
            column: 'case when ' ~ has_gap ~ ' then ' ~ begin ~ '.' ~ member ~ ' end'
        }) -%}
    {%- endfor -%}
    {{- return(values) -}}
{%- endmacro -%}
