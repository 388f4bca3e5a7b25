"""Flattened records: what Debezium's ExtractNewRecordState leaves of an envelope.

* `fields`: under which names a record has the members of its envelope;
* `positions`: which members make a position, and the line of `add.fields` that adds them;
* `messages`: why `generate` refuses a table.

`macros/envelope/flattened_records.sql` reads such a record as an envelope.
"""
