{#-
    SQL: the place in the source's log of something with this stream position, among commits.
    PostgreSQL's reads know no commit before them, and have zeros there: a read lies before the
    transactions that begin behind a commit at its LSN or later.
-#}
{%- macro log_place(stream_position) -%}
    {{- return(
        'regexp_replace(' ~ stream_position ~ ", '^([0-9]+)/0{20}/([0-9]{20})$', '$1/$2')"
    ) -}}
{%- endmacro -%}
