{#-
    Connect encodings of zoneless dates, times and timestamps under a `time.precision.mode`, for every
    relational connector. Times and timestamps are lists of [largest number of fraction digits, encoding].
-#}
{%- macro _temporal_encoding(mode) -%}
    {%- set debezium = 'io.debezium.time.' -%}
    {%- set connect = 'org.apache.kafka.connect.data.' -%}
    {%- set date = {'type': 'int32', 'name': debezium ~ 'Date'} -%}
    {%- set millis = {'type': 'int32', 'name': debezium ~ 'Time'} -%}
    {%- set micros = {'type': 'int64', 'name': debezium ~ 'MicroTime'} -%}
    {%- set nanos = {'type': 'int64', 'name': debezium ~ 'NanoTime'} -%}
    {%- set timestamps = [
        [3, {'type': 'int64', 'name': debezium ~ 'Timestamp'}],
        [6, {'type': 'int64', 'name': debezium ~ 'MicroTimestamp'}],
        [9, {'type': 'int64', 'name': debezium ~ 'NanoTimestamp'}],
    ] -%}
    {%- set modes = {
        'adaptive': {
            'date': date,
            'time': [[3, millis], [6, micros], [9, nanos]],
            'timestamp': timestamps,
        },
        'adaptive_time_microseconds': {
            'date': date, 'time': [[9, micros]], 'timestamp': timestamps,
        },
        'connect': {
            'date': {'type': 'int32', 'name': connect ~ 'Date'},
            'time': [[9, {'type': 'int32', 'name': connect ~ 'Time'}]],
            'timestamp': [[9, {'type': 'int64', 'name': connect ~ 'Timestamp'}]],
        },
        'microseconds': {
            'date': date, 'time': [[9, micros]], 'timestamp': [[9, timestamps[1][1]]],
        },
        'nanoseconds': {
            'date': date, 'time': [[9, nanos]], 'timestamp': [[9, timestamps[2][1]]],
        },
        'isostring': {
            'date': {'type': 'string', 'name': debezium ~ 'IsoDate'},
            'time': [[9, {'type': 'string', 'name': debezium ~ 'IsoTime'}]],
            'timestamp': [[9, {'type': 'string', 'name': debezium ~ 'IsoTimestamp'}]],
        },
    } -%}
    {{- return(modes[mode]) -}}
{%- endmacro -%}
