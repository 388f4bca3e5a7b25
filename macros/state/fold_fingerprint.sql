{#-
    Short text that changes when the stored walk no longer fits: the fold's own version, the
    configuration it depends on, or what the staged rows were read by. The state is then folded
    again from the staged log (the tables are a function of the records and the configuration).
-#}
{%- macro fold_fingerprint(config, columns, staging) -%}
    {{- return(
        local_md5(
            tojson(
                {
                    'fold': 5,
                    'epochs': config.get('epochs'),
                    'incarnations': config.get('incarnations'),
                    'columns': columns,
                    'staged': debezium_spark._property(
                        staging, debezium_spark._fingerprint_property()
                    ) if debezium_spark.is_running() else none,
                }
            )
        )
    ) -}}
{%- endmacro -%}
