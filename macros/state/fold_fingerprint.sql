{#-
    Hash of what the state depends on besides staged rows. When it changes, all is folded again. The
    names of its members are hashed and stay.
-#}
{%- macro fold_fingerprint(config, columns, staging) -%}
    {{- return(
        local_md5(
            tojson(
                {
                    'fold': 7,
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
