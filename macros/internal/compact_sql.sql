{#-
    SQL without indentation and comments, for the views that are longest.

    A metastore on Derby (target `delta` of the bundled profile) holds at most 32,700 characters of a view, of which these would take a third.
    Only lines that begin with a comment are taken out: `--` further in can stand in a literal.
-#}
{%- macro compact_sql(sql) -%}
    {%- set lines = [] -%}
    {%- for line in sql.split('\n') -%}
        {%- set text = line.strip() -%}
        {%- if text and not text.startswith('--') -%}{%- do lines.append(text) -%}{%- endif -%}
    {%- endfor -%}
    {{- return(lines | join('\n')) -}}
{%- endmacro -%}
