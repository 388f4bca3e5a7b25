{#-
    Type of `_cdc_fold`: what the walk of a key knew at its end, so that the next batch can go on from there.

    * of the winner: where it came from (topic, incarnation, partition, offset, timestamp), its kind, its position and stream position
      with the epoch in front, the last full read at or before it;
    * of the walk: `mark` (highest position since the last reset), the last arrival, the op of the last event that is no
      tombstone, whether the key was seen in several partitions, counts of replays and of unexplained ones, and the first of those;
    * of the row's life: the keys that its unavailable values were looked up under.
-#}
{%- macro fold_type() -%}
    {%- set delivery = 'incarnation:int,`partition`:int,`offset`:bigint,`timestamp`:timestamp' -%}
    {{- return(
        'struct<topic:string,' ~ delivery ~ ',kind:string,epoch_pos:string,epoch_stream_pos:string,full_read:struct<' ~ delivery ~ '>,'
        ~ 'mark:string,last:struct<' ~ delivery ~ '>,last_op:string,is_moved:boolean,replays:bigint,unexplained:bigint,'
        ~ 'first_unexplained:string,origins:array<string>>'
    ) -}}
{%- endmacro -%}


{#- SQL: the delivery of the current event, as one of the structs of `fold_type`. -#}
{%- macro delivery_struct() -%}
    {{- return(
        "named_struct('incarnation', incarnation, 'partition', `partition`, 'offset', `offset`, 'timestamp', `timestamp`)"
    ) -}}
{%- endmacro -%}
