{#-
    What one application of the fold has to do. The default does everything over all staged events:
    it is what compile, lint and unit tests see, and always right. `choose_fold_plan` leaves out
    what this run's events do not need.

    * `watermark`: events of batches up to it are in the state already; none: fold everything.
    * `highest_batch`: highest batch that is folded; becomes the state's watermark.
    * `refold_keys`: fold the touched keys again from the whole staged log, without their state
      rows.
    * `reads_state`: begin each key's walk with its state row; `state_image`: with the values of
      that row, too.
    * `several_partitions`: keys may have moved between partitions, so arrival order is decided per
      key.
    * `lookup_columns`: columns whose unavailable values are looked up.
    * `follows_origins`: values may lie under another key (key changes).
    * `chains`: table that holds which keys those are; none: that is worked out within the
      statement.
    * `truncates`: there are truncates, staged or remembered; `new_truncates`: in the events to
      apply.
    * `closes`: complete snapshots close the rows that they do not see; `new_reads`: there are reads
      of such in the events to apply.
    * `identities`: some of the events to apply can be repeats; `contents`: some of them have no
      position.
    * `repeat_candidates`: which of them can repeat events of earlier batches (see
      `repeat_condition`), or none.
    * `in_order`: every event goes on from what its key had before, so that the last one of a key is
      its winner (see `fold_in_order`); `tombstones`: there are some; `few_keys`: so few that their
      winners travel to every task.
    * `key_hashes`: `key_hash` of all keys whose rows are written, none where they are not listed.
    * `marks`: text that the state remembers for the next run's plan.
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
        'new_reads': true,
        'checks_repeats': true,
        'has_contents': true,
        'repeat_candidates': none,
        'in_order': false,
        'tombstones': true,
        'few_keys': false,
        'key_hashes': none,
        'checkpoint': none,
    }) -}}
{%- endmacro -%}
