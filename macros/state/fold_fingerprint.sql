{#-
    Short text that changes when the stored walk no longer fits: the fold's own version, or the configuration it depends on. The state is
    then folded anew from the staged log (the tables are a function of the records and the configuration).
-#}
{%- macro fold_fingerprint(config, columns) -%}
    {{- return(local_md5(tojson({
        'fold': 2,
        'epochs': config.get('epochs'),
        'incarnations': config.get('incarnations'),
        'columns': columns,
    }))) -}}
{%- endmacro -%}
