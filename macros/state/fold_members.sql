{#-
    What a walk knew at its end, each in a column `_cdc_fold_<name>`: file formats read columns many
    times faster than members of a struct.

    * winner: its delivery, kind, positions, and the last full read up to it;
    * walk: `mark` (docs/semantics.md, words), `highest` (greatest identity), last arrival,
      `last_op` without tombstones, `tombstone_at`, `new_op` and `new_stream_pos` of the last event
      that is no repeat (op NULL below the mark), `was_emptied` by a tombstone, replays.
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
