{#-
    What one fold has to do. The default does everything over all events: always right, and what
    compile, lint and unit tests see.

    * `watermark`: highest batch in the state, none: fold everything; `highest_batch`: the next
      watermark;
    * `refold_keys`: fold touched keys again from the log; `reads_state`: begin walks with state
      rows; `state_image`: with their values;
    * `several_partitions`: keys may have moved, so arrival is decided per key;
    * `lookup_columns`: columns whose unavailable values are looked up; `follows_origins`: also
      under other keys; `chains`: table of these keys, none: found within the statement;
    * `truncates`: there are some; `new_truncates`: in this batch;
    * `closes`: complete snapshots close rows; `new_reads`: the batch has full reads;
    * `feed`: rows show when they were deleted, and the landing that changed them last; deleted ones
      keep their last values, which deletes hold if `has_before`;
    * `checks_repeats`: the batch may repeat events; `has_contents`: events lack positions;
      `repeat_candidates`: see `repeat_condition`;
    * `in_order`: see `fold_in_order`; `few_keys`: so few that their winners are broadcast;
    * `key_hashes`: of all keys to write, none if not listed;
    * `heads`: the table is a history, in which a key's walk goes on from its last version;
      `is_ahead`: see `profile_batch`; `has_origins`: values may come from other keys;
    * `checkpoint`: text that the state keeps for the next run's plan.
-#}
{%- macro fold_plan(columns) -%}
    {{- return({
        'nothing_new': false,
        'watermark': none,
        'highest_batch': none,
        'refold_keys': false,
        'reads_state': false,
        'state_image': false,
        'several_partitions': true,
        'lookup_columns': columns,
        'follows_origins': true,
        'chains': none,
        'truncates': true,
        'new_truncates': true,
        'closes': false,
        'feed': false,
        'has_before': true,
        'new_reads': true,
        'checks_repeats': true,
        'has_contents': true,
        'repeat_candidates': none,
        'in_order': false,
        'tombstones': true,
        'few_keys': false,
        'key_hashes': none,
        'heads': false,
        'is_ahead': false,
        'has_origins': true,
        'checkpoint': none,
    }) -}}
{%- endmacro -%}
