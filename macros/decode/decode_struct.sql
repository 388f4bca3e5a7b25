{#-
    STRUCT from its members as texts (`map<string,string>`), numbers quoted or not. Unread as a whole when a member that is there
    cannot be read: a NULL inside would look like one of the source. `spark_type` lists the members: `struct<x:double,wkb:binary>`.
-#}
{%- macro decode_struct(spark_type, members) -%}
    {%- set fields = [] -%}
    {%- set unread = [] -%}
    {%- set present = [] -%}
    {%- for field in spark_type[7:-1].split(',') -%}
        {%- set name, kind = field.split(':') -%}
        {%- set text = members ~ "['" ~ name ~ "']" -%}
        {%- set value = (
            'try_to_binary(' ~ text ~ ", 'base64')" if kind == 'binary' else 'try_cast(' ~ text ~ ' as ' ~ kind ~ ')'
        ) -%}
        {%- do fields.append("'" ~ name ~ "', " ~ value) -%}
        {%- do unread.append('(' ~ text ~ ' is not null and ' ~ value ~ ' is null)') -%}
        {%- do present.append(text ~ ' is not null') -%}
    {%- endfor -%}
    {{- return(
        'case when (' ~ present | join(' or ') ~ ') and not (' ~ unread | join(' or ') ~ ') then named_struct(' ~ fields | join(', ') ~ ') end'
    ) -}}
{%- endmacro -%}
