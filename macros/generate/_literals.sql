{#- A text as a Jinja literal. Jinja reads Python's escapes, so quotes and line ends are safe. -#}
{%- macro _jinja_text(text) -%}
    {%- if modules.re.fullmatch('[A-Za-z0-9_. ]*', text) %}{{ return("'" ~ text ~ "'") }}{% endif -%}
    {{- return("'" ~ debezium_spark._escaped(text, "'") ~ "'") -}}
{%- endmacro -%}


{#-
    A text as a YAML double-quoted scalar. dbt renders Jinja in most properties, descriptions too:
    a comment from a database must not become code.
-#}
{%- macro _yaml_text(text) -%}
    {%- if modules.re.fullmatch('[A-Za-z0-9_. `,;:()<>-]*', text) %}{{ return('"' ~ text ~ '"') }}{% endif -%}
    {%- set state = {'text': text | string} -%}
    {#- `{{` first: what replaces it holds neither of the others -#}
    {%- for mark in ['{{', '{%', '{#'] -%}
        {%- do state.update({
            'text': state['text'] | replace(mark, '{{ ' ~ "'" ~ mark ~ "'" ~ ' }}')
        }) -%}
    {%- endfor -%}
    {{- return('"' ~ debezium_spark._escaped(state['text'], '"') ~ '"') -}}
{%- endmacro -%}


{#- A name or a type in YAML: bare where that is safe, so that ordinary files read well. -#}
{%- macro _yaml_name(text) -%}
    {%- set is_plain = modules.re.fullmatch('[A-Za-z_][A-Za-z0-9_]*', text) is not none
        and text | lower not in ['y', 'n', 'yes', 'no', 'on', 'off', 'true', 'false', 'null'] -%}
    {{- return(text if is_plain else debezium_spark._yaml_text(text)) -}}
{%- endmacro -%}


{#- Backslash, the quote and every character that is not printable, escaped as Python and YAML both read. -#}
{%- macro _escaped(text, quote) -%}
    {%- set state = {'text': text | string | replace('\\', '\\\\') | replace(quote, '\\' ~ quote)} -%}
    {%- set unprintable = modules.re.findall(
        '[\\x00-\\x1f\\x7f-\\xa0\\u00ad\\u200b-\\u200f\\u2028-\\u202e\\ufeff\\ufffe\\uffff]', state['text']
    ) -%}
    {%- for character in unprintable | unique -%}
        {%- do state.update({
            'text': state['text'] | replace(character, character.encode('unicode_escape').decode())
        }) -%}
    {%- endfor -%}
    {{- return(state['text']) -}}
{%- endmacro -%}


{#- Any value (text, number, truth, none, list, mapping) as a Jinja literal on one line. -#}
{%- macro _jinja_literal(value) -%}
    {%- if value is none -%}{{- return('none') -}}
    {%- elif value is boolean -%}{{- return('true' if value else 'false') -}}
    {%- elif value is number -%}{{- return(value | string) -}}
    {%- elif value is mapping -%}
        {%- set members = [] -%}
        {%- for name, member in value.items() -%}
            {%- do members.append(
                debezium_spark._jinja_text(name) ~ ': ' ~ debezium_spark._jinja_literal(member)
            ) -%}
        {%- endfor -%}
        {{- return('{' ~ members | join(', ') ~ '}') -}}
    {%- elif value is string -%}{{- return(debezium_spark._jinja_text(value)) -}}
    {%- else -%}
        {%- set members = [] -%}
        {%- for member in value %}{% do members.append(debezium_spark._jinja_literal(member)) %}{% endfor -%}
        {{- return('[' ~ members | join(', ') ~ ']') -}}
    {%- endif -%}
{%- endmacro -%}


{#- The same, over several lines where one would pass column 100; `indent` is where it starts. -#}
{%- macro _jinja_block(value, indent) -%}
    {%- set line = debezium_spark._jinja_literal(value) -%}
    {%- if line | length + indent <= 98 or value is string or value is number or value is none or not value -%}
        {{- return(line) -}}
    {%- endif -%}
    {%- set inner = ' ' * (indent + 4) -%}
    {%- set members = [] -%}
    {%- if value is mapping -%}
        {%- for name, member in value.items() -%}
            {%- set label = debezium_spark._jinja_text(name) ~ ': ' -%}
            {%- do members.append(
                inner ~ label ~ debezium_spark._jinja_block(member, indent + 4) ~ ','
            ) -%}
        {%- endfor -%}
        {{- return('{\n' ~ members | join('\n') ~ '\n' ~ ' ' * indent ~ '}') -}}
    {%- endif -%}
    {%- for member in value -%}
        {%- do members.append(inner ~ debezium_spark._jinja_block(member, indent + 4) ~ ',') -%}
    {%- endfor -%}
    {{- return('[\n' ~ members | join('\n') ~ '\n' ~ ' ' * indent ~ ']') -}}
{%- endmacro -%}


{#- A list with one member per line, whatever its length: a changed column is then a changed line. -#}
{%- macro _jinja_lines(values, indent) -%}
    {%- if not values -%}{{- return('[]') -}}{%- endif -%}
    {%- set lines = [] -%}
    {%- for value in values -%}
        {%- do lines.append(' ' * (indent + 4) ~ debezium_spark._jinja_block(value, indent + 4) ~ ',') -%}
    {%- endfor -%}
    {{- return('[\n' ~ lines | join('\n') ~ '\n' ~ ' ' * indent ~ ']') -}}
{%- endmacro -%}
