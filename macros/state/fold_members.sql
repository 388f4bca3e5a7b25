{#-
    What the walk of a key knew at its end, so that the next batch can go on from there; the state
    holds each in a column of its own, `_cdc_fold_<name>`: file formats read single columns many
    times faster than members of a struct.

    * of the winner: where it came from (topic, incarnation, partition, offset, timestamp), its
      kind, its position and stream position with the epoch in front, the delivery of the last full
      read at or before it;
    * of the walk: `mark` (highest position since the last reset), `highest` (greatest identity of
      all streaming events), the last arrival, the op of the last event that is no tombstone, the
      record timestamp of the last tombstone, op and stream position of the last that is no repeat
      either (op NULL when it was set aside), whether a tombstone deleted the row, whether the key
      was seen in several partitions, counts of replays and of unexplained ones, and the first of
      those;
-#}
{%- macro fold_members() -%}
    {{- return({
        'topic': 'string',
        'incarnation': 'int',
        'partition': 'int',
        'offset': 'bigint',
        'timestamp': 'timestamp',
        'kind': 'string',
        'epoch_pos': 'string',
        'epoch_stream_pos': 'string',
        'full_read_topic': 'string',
        'full_read_incarnation': 'int',
        'full_read_partition': 'int',
        'full_read_offset': 'bigint',
        'full_read_timestamp': 'timestamp',
        'mark': 'string',
        'highest': 'string',
        'last_incarnation': 'int',
        'last_topic': 'string',
        'last_partition': 'int',
        'last_offset': 'bigint',
        'last_timestamp': 'timestamp',
        'last_op': 'string',
        'tombstone_at': 'timestamp',
        'new_op': 'string',
        'new_stream_pos': 'string',
        'was_emptied': 'boolean',
        'is_moved': 'boolean',
        'replays': 'bigint',
        'unexplained': 'bigint',
        'first_unexplained': 'string',
    }) -}}
{%- endmacro -%}
