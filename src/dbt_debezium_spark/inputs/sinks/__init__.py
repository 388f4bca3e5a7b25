"""Landing of files that Kafka Connect's object-store sinks wrote.

Their lines and rows are values, or envelopes of other forms, so topic, partition and offset come
from the names of files, from fields, or from the envelope (docs/inputs.md).

1. `names` reads the name of a file; `file_sets` finds the files that belong together.
2. `line_rows` reads lines: `value_lines`, `header_lines` and `csv_lines` with Spark's expressions,
   `value_line`, `raw_line`, `aiven_line` and `lenses_line` exactly, in plain Python.
3. `avro_container` takes Avro files apart, `avro_blocks` decodes them, and `avro_rows` finds key,
   value and the rest in a record; `parquet_rows` does so for Parquet.
4. `forms` chooses among these; `records` gives each row its place in Kafka and joins keys and
   headers. `sink_reading` does all this for one run; `sink_origin` is what `land` calls.
"""
