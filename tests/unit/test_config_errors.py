"""What is wrong with a configuration is told, with its value and a remedy."""

from __future__ import annotations

import re
from typing import Any

import pytest
import yaml

from dbt_debezium_spark.avro import read_avro
from dbt_debezium_spark.config import ConfigError, describe_source, load_source, load_sources
from tests.support.said import is_said

FILES = {"type": "files", "path": "data/*.jsonl"}
USUAL = {"connector": "postgresql", "topic_prefix": "p", "input": FILES}
DASHBOARD = {"name": "sales", "type": "dashboard", "owner": {"email": "bi@example.com"}}

# What a source has beside the usual options => what is said of it, behind the name of the source.
# `…` stands for any words.
WRONG = r"""
# a source
topic_prefx: x => has the unknown option `topic_prefx` … `topic_prefix`? …
decimal.handling.mode: string
    => has the unknown option `decimal.handling.mode` … Did you mean `decimal_handling_mode`? …
connector: postgres => .connector is 'postgres' … mean `postgresql`? …
connector: null => .connector is None … `oracle` …
topic_prefix: null => .topic_prefix is missing. Write for example `dbserver1`.
topic_prefix: 1 => .topic_prefix is 1, not text. Write for example `dbserver1`.
topic_prefix: a b => .topic_prefix is 'a b' … Use letters …
input: null => .input is missing. Write `input: {type: files, path: "data/*.jsonl"}`.
input: data => .input is 'data'. Write it as a mapping of names to values.
input: {type: kafka} => .input.brokers is missing. Write for example `broker1:9092,broker2:9092`.
input: {type: table} => .input.relation is missing … bronze. …
input: {type: file}
    => .input.type is 'file'. Did you mean `files`? Allowed: `files`, `kafka`, `table`.
input: {type: files} => .input.path is missing. Write for example `data/inventory/*.jsonl`.
input: {type: files, path: data/*.jsonl, pth: x}
    => .input has the unknown option `pth` … `path`? …
decimal_handling_mode: presise => .decimal_handling_mode is 'presise' … mean `precise`? …
time_precision_mode: structured => .time_precision_mode is 'structured' … `isostring` …
decimal_format: number
    => .decimal_format is 'number'. Did you mean `numeric`? Allowed: `base64`, `numeric`.
unavailable_value_placeholder: '' => .unavailable_value_placeholder is '' … Write …
signal_data_collection: sig
    => .signal_data_collection is `sig`. Write it with its schema, like `public.debezium_signal`.
epochs: [{}] => .epochs[0] is {} … offsets …
epochs: [{from: '2026-01-01T00:00:00Z', topic: t, offsets: {'0': 1}}]
    => .epochs[0] is … offsets …
epochs: [{topic: t, offsets: {'0': x}}] => .epochs[0].offsets.0 is 'x'. Write an offset from 0 up.
epochs: [{topic: t, offsets: {'0': -1}}] => .epochs[0].offsets.0 is -1. Write an offset from 0 up.
epochs: [{topic: t, offsets: {a: 1}}]
    => .epochs[0].offsets has the partition 'a'. Write a number from 0 up.
epochs: {from: x} => .epochs is {'from': 'x'}. Write it as a list.
incarnations: ['2026-02-01T00:00:00']
    => .incarnations[0] is '2026-02-01T00:00:00', which has no time zone … Z …
incarnations: [2026-02-01 00:00:00]
    => .incarnations[0] is datetime.datetime(2026, 2, 1, 0, 0), which has no time zone … Z …
incarnations: [soon] => .incarnations[0] is 'soon', not a timestamp … ISO 8601 …
incarnations: ['2026-02-01T00:00:00Z', '2026-02-01T01:00:00+01:00']
    => .incarnations names 2026-02-01T00:00:00Z twice. Remove one of them.
incarnations: '2026-02-01T00:00:00Z' => .incarnations is '2026-02-01T00:00:00Z'. Write it as a list.
tables: {t: {}} => .tables names the table `t`. Write it as `<schema>.<table>`.
tables: {a.t: {keys: []}} => .tables.a.t has the unknown option `keys` … `key`? …
tables: {a.t: {replica_identity: FULL}}
    => .tables.a.t.replica_identity is 'FULL' … mean `full`? …
tables: {a.t: {replica_identity: [{is: index}, {is: full}]}}
    => .tables.a.t.replica_identity[1].from is missing … the record timestamp from which …
tables: {a.t: {replica_identity: 
        [{is: index, from: '2026-02-01T00:00:00Z'}, {is: full, from: '2026-01-01T00:00:00Z'}]}}
    => … not after the entry before it … Order the entries …
tables: {a.t: {replica_identity: []}}
    => .tables.a.t.replica_identity is an empty list … or remove it …
tables: {a.t: {replica_identity: [{is: full, from: '2026-01-01T00:00:00'}]}}
    => … no time zone … Add one …
tables: {a.t: {replica_identity: [{is: full, since: '2026-01-01'}]}}
    => .tables.a.t.replica_identity[0] has the unknown option `since`. Known: `is`, `from`.
connector: mysql, tables: {a.t: {replica_identity: full}}
    => .tables.a.t.replica_identity is set for the connector `mysql` … only PostgreSQL …
connector: mariadb, binlog_transaction_compression: true
    => .binlog_transaction_compression is set for the connector `mariadb` … only MySQL …
connector: mysql, binlog_transaction_compression: 'on'
    => .binlog_transaction_compression is 'on' … Write true …
tables: {a.t: {key: id}} => .tables.a.t.key is 'id'. Write it as a list.
tables: {a.t: {key: [id, id]}}
    => .tables.a.t.key is ['id', 'id'], with a column twice. Name each once.
tables: {a.t: {key: [x], columns: [{name: id, type: int32}]}}
    => .tables.a.t.key names `x` … declare the column …
tables: {a.t: {renames: [x]}}
    => .tables.a.t.renames is ['x']. Write it as a mapping of names to values.
tables: {a.t: {renames: {b: 1}}} => .tables.a.t.renames.b is 1. Write it as a list.
tables: {a.t: {renames: {b: a, c: a}}}
    => .tables.a.t.renames makes `a` the former name of `b` and of `c`. Give it to one of them.
tables: {a.t: {renames: {b: a, c: b}}} => … makes it the former name of `c` … c: [b, ...] …
tables: {a.t: {close_unseen: 'yes'}} => .tables.a.t.close_unseen is 'yes'. Use true or false.
tables: {a.t: {added_defaults: {b: null}}}
    => .tables.a.t.added_defaults.b is None … Write the value …
tables: {a.t: {model: A}} => .tables.a.t.model is 'A'. Use lower-case letters, digits and `_` only.
tables: {a.t: {model: m}, b.t: {model: m}}
    => .tables gives `b.t` and `a.t` the model `m`. Give each table its own.
tables: {a.t: {columns: [{name: id, type: integer}]}}
    => .tables.a.t.columns[0] (`id`).type is 'integer' … `int32` …
tables: {a.t: {columns: [{name: i, type: int8, database_type: int}]}}
    => .tables.a.t.columns[0] (`i`) has `database_type` and `type` … Give one …
tables: {a.t: {columns: [{name: i, database_type: ''}]}}
    => .tables.a.t.columns[0] (`i`).database_type is '' … numeric(10,2) …
connector: mysql, tables: {a.t: {columns: [{name: i, database_type: int}]}}
    => .tables.a.t.columns gives `i` by its `database_type` … its Connect type …
tables: {a.t: {columns: [&c {name: i, type: int8}, *c]}}
    => .tables.a.t.columns names the column `i` twice. Remove one of them.
tables: {a.t: {columns: [{type: int8}]}}
    => .tables.a.t.columns[0].name is missing. Write for example `id`.
tables: {a.t: {columns: [{name: i, type: array}]}}
    => .tables.a.t.columns[0] (`i`) has type `array` and no `items` … items …
tables: {a.t: {columns: [{name: i, type: struct}]}}
    => .tables.a.t.columns[0] (`i`) has type `struct` and no `fields` … fields …
tables: {a.t: {columns: [{name: i, type: bytes, semantic: org.apache.kafka.connect.data.Decimal}]}}
    => … without a scale … scale …
# heartbeats and lateness
max_lag: 0 minutes => .max_lag is … like `15 minutes` …
max_lag: '15' => .max_lag is … like `15 minutes` …
max_lag: 15 m => .max_lag is … like `15 minutes` …
max_lag: -1 day => .max_lag is … like `15 minutes` …
max_lag: 1.5 hours => .max_lag is … like `15 minutes` …
max_lag: '' => .max_lag is … like `15 minutes` …
max_lag: true => .max_lag is … like `15 minutes` …
max_lag: [] => .max_lag is … like `15 minutes` …
max_lag: 5000 days => .max_lag is … like `15 minutes` …
max_lag: 0 => .max_lag is … like `15 minutes` …
topic_heartbeat_prefix: a, heartbeat_topics_prefix: a => … Remove `heartbeat_topics_prefix` …
topic_heartbeat_prefix: a b => .topic_heartbeat_prefix is 'a b' …
# inputs that are Kafka's topics or a table
input: {type: kafka, brokers: b:9092, options: {startingOffsets: latest}}
    => .input.options.startingOffsets selects records …
input: {type: kafka, brokers: b:9092, options: {kafka.bootstrap.servers: b}}
    => … use `brokers` …
input: {type: kafka, brokers: b:9092, options: {minPartitions: [1]}}
    => .input.options.minPartitions is [1]. Write a text, a number, true or false.
input: {type: kafka, brokers: b:9092, options_from_env: {assign: X}}
    => .input.options_from_env.assign selects records …
input: {type: kafka, brokers: b:9092, max_records_per_run: 0}
    => .input.max_records_per_run is 0. Write a number above 0, or leave it out.
input: {type: kafka, brokers: b:9092, max_records_per_run: true}
    => .input.max_records_per_run is True. Write a number above 0, or leave it out.
input: {type: kafka, brokers: b:9092, topic_pattern: ' '}
    => .input.topic_pattern is ' ', not text. Write for example `dbserver1[.].*`.
input: {type: kafka, brokers: b:9092, topics: x} => .input has the unknown option `topics` …
input: {type: kafka, brokers: b:9092, options_from_env: {kafka.ssl.key.password: hunter2 x}}
    => .input.options_from_env.kafka.ssl.key.password is not the name of an environment variable …
input: {type: table, relation: b.r, columns: {payload: value}}
    => .input.columns has the unknown option `payload` …
# schema registries
avro: x => .avro is 'x'. Write it as a mapping of names to values.
avro: {registry: '127.0.0.1:8081'}
    => .avro.registry is `127.0.0.1:8081`, not an http or https address …
avro: {registry: 'ftp://127.0.0.1'}
    => .avro.registry is `ftp://127.0.0.1`, not an http or https address …
avro: {registry: 'http://h?a=b'}
    => .avro.registry is `http://h?a=b`, an address with a query. Write it without.
avro: {registry: 'http://h', registy: 'http://h'}
    => .avro has the unknown option `registy` …
avro: {registry: 'http://h', key: json}
    => .avro.key is 'json'. Allowed: `avro`, `text`.
avro: {registry: 'http://h', options_from_env: {password: A}}
    => .avro.options_from_env has the unknown option `password`. Known: `basic_auth`.
avro: {registry: 'http://h', options_from_env: {basic_auth: 1}}
    => .avro.options_from_env.basic_auth is 1, not text. Write for example `REGISTRY_AUTH`.
avro: {registry: 'https://me:hunter2@registry:8081'} => … environment variable …
avro: {registry: 'https://hunter2@registry:8081'} => … environment variable …
# fields of documents
connector: mongodb, tables: {a.t: {fields: {n: integer}}}
    => .tables.a.t.fields.n.type is `integer` … `bigint` …
connector: mongodb, tables: {a.t: {fields: {n: {name: n}}}}
    => .tables.a.t.fields.n.type is missing. Write for example `string`.
connector: mongodb, tables: {a.t: {fields: {n: {type: int, kind: x}}}}
    => .tables.a.t.fields.n has the unknown option `kind`. Known: `type`, `name`.
connector: mongodb, tables: {a.t: {fields: {a..b: int}}}
    => .tables.a.t.fields.a..b is no path … address.city …
connector: mongodb, tables: {a.t: {fields: {a.b: int, a_b: int}}}
    => .tables.a.t.fields gives `a.b` and `a_b` the column `a_b` … name: <column> …
connector: mongodb, tables: {a.t: {fields: {A: int, a: int}}}
    => .tables.a.t.fields gives `A` and `a` the column `a` … name: <column> …
connector: mongodb, tables: {a.t: {fields: {a: int, A: int}}}
    => .tables.a.t.fields gives `a` and `A` the column `A` … name: <column> …
connector: mongodb, tables: {a.t: {fields: {document: json}}}
    => … `document`, which is one of ours … another name …
connector: mongodb, tables: {a.t: {fields: {Document: json}}}
    => … `Document`, which is one of ours … another name …
connector: mongodb, tables: {a.t: {fields: {_cdc_x: json}}}
    => … `_cdc_x`, which is one of ours … another name …
connector: mongodb, tables: {a.t: {columns: [{name: n, type: int32}]}}
    => .tables.a.t.columns is set … `fields` …
connector: mongodb, tables: {a.t: {key: [id]}}
    => .tables.a.t.key is set for the connector `mongodb` … Remove it …
tables: {a.t: {fields: {n: int}}} => … only MongoDB's documents have fields …
# histories
history: 'yes' => .history is 'yes'. Write true, false, or a mapping of options.
history: {keeps: 1} => .history has the unknown option `keeps` …
history: {keep: a while}
    => .history.keep is 'a while', not a duration. Write for example `400 days`.
history: {keep: 0} => .history.keep is 0, not a duration. Write for example `400 days`.
history: {track: [a], ignore: [b]}
    => .history has `track` and `ignore`. Give one: each says what the other leaves.
history: {track: []} => .history.track is empty. Name columns, or remove the option.
history: {first_from: then}
    => .history.first_from is 'then', not a time. Write for example '1900-01-01', in UTC.
history: {names: scd} => .history.names is 'scd'. Did you mean `cdc`? Allowed: `cdc`, `dbt`.
history: {within_transaction: first}
    => .history.within_transaction is 'first'. Allowed: `last`, `all`.
history: {deleted_rows: 'yes'} => .history.deleted_rows is 'yes'. Use true or false.
# records to ignore
ignore_records: [&e {topic: t, partition: 0, offset: 17, reason: cut}, *e]
    => .ignore_records names the record ('t', 0, 17) twice. Remove one of them.
ignore_records: [{topic: t, partition: 0, offset: -1, reason: cut}]
    => .ignore_records[0].offset is -1 …
ignore_records: [{topic: t, partition: true, offset: 17, reason: cut}]
    => .ignore_records[0].partition is True …
ignore_records: [{topic: t, partition: 0, offset: '17', reason: cut}]
    => .ignore_records[0].offset is '17' …
ignore_records: [{topic: t, partition: 0, offset: 17}]
    => .ignore_records[0].reason is missing. Write for example `cut by a proxy`.
ignore_records: [{topic: t, partition: 0, offset: 17, reason: cut, topics: x}]
    => .ignore_records[0] has the unknown option `topics` …
ignore_records: {topic: x} => .ignore_records is {'topic': 'x'}. Write it as a list.
# tables that a table includes
tables: {a.t: {includes: t_p1}} => .tables.a.t.includes is 't_p1'. Write it as a list.
tables: {a.t: {includes: [t_p1]}}
    => .tables.a.t.includes[0] is 't_p1'. Write it as a mapping of names to values.
tables: {a.t: {includes: [{}]}} => .tables.a.t.includes[0] is empty …
tables: {a.t: {includes: [{table: 5}]}}
    => .tables.a.t.includes[0].table is 5, not text. Write for example `orders_p*`.
tables: {a.t: {includes: [{tabel: x}]}}
    => .tables.a.t.includes[0] has the unknown option `tabel`. Did you mean `table`? …
tables: {a.t: {includes: [{table: x}, {table: x}]}}
    => .tables.a.t.includes names {'table': 'x'} twice. Remove one of them.
tables: {a.t: {includes: [{db: x}]}}
    => … Write the table with its database in front: `<database>.a.t` …
tables: {a.a: {includes: [{table: x}]}, a.b: {includes: [{table: x}]}}
    => .tables includes {'table': 'x'} in `a.a` and in `a.b`. Leave it to one of them.
connector: mysql, tables: {all.t: {includes: [{schema: x}]}}
    => .tables.all.t.includes[0] has the unknown option `schema`. Known: `name`, `db`, `table`.
# contracts, groups and exposures
contract: 'yes' => .contract is 'yes'. Use true or false.
tables: {a.b: {contract: 1}} => .tables.a.b.contract is 1. Use true or false.
group: the finance team => .group.name is 'the finance team'. Use letters, digits and `_`.
group: {owner: {email: x@y.z}}
    => .group.name is missing. Write for example `finance`.
group: {name: a, owner: {}}
    => .group.owner names nobody. Write a name, an address or both: `{email: finance@example.com}`.
group: {name: a, owner: {mail: x}}
    => .group.owner has the unknown option `mail`. Did you mean `email`? Known: `name`, `email`.
group: [a] => .group is ['a']. Write it as a mapping of names to values.
exposures: {name: sales, type: dashboard, owner: {email: x@y.z}} => … Write it as a list.
exposures: [{name: sales, type: dash, owner: {email: x@y.z}}]
    => .exposures[0].type is 'dash'. …
exposures: [{name: ../x, type: dashboard, owner: {email: x@y.z}}]
    => .exposures[0].name is '../x'. Use letters, digits and `_`.
exposures: [{name: sales, type: dashboard, owner: {email: x@y.z}, maturity: hi}]
    => .exposures[0].maturity is 'hi'. Did you mean `high`? Allowed: `high`, `medium`, `low`.
exposures: [{name: sales, type: dashboard, owner: {email: x@y.z}, tables: []}]
    => .exposures[0].tables is empty. Name tables, or leave it out to mean all of the source.
exposures: [{name: sales, type: dashboard, owner: {email: x@y.z}, tables: [1]}]
    => .exposures[0].tables[0] is 1, not text. Write for example `public.orders`.
exposures: [&e {name: sales, type: dashboard, owner: {email: x@y.z}}, *e]
    => .exposures has the exposure `sales` twice. Give each its own name.
exposures: [{name: sales, type: dashboard, owner: null}]
    => .exposures[0].owner is None. Write it as a mapping of names to values.
# change feeds and transactions
feed: 'yes' => .feed is 'yes'. Use true or false.
tables: {a.t: {feed: 1}} => .tables.a.t.feed is 1. Use true or false.
provide_transaction_metadata: 'true' => .provide_transaction_metadata is 'true'. Use true or false.
topic_transaction: p.transaction/x => … follows the topic prefix and a dot …
topic_transaction: '' => .topic_transaction is '', not text. Write for example `transaction`.
transaction_max_age_seconds: -1
    => .transaction_max_age_seconds is -1. Write whole seconds, like 3600.
transaction_max_age_seconds: true
    => .transaction_max_age_seconds is True. Write whole seconds, like 3600.
"""


def rows() -> list[Any]:
    table = "\n".join(line for line in WRONG.splitlines() if not line.startswith("#"))
    entries = [one.partition("=>") for one in re.split(r"\n(?=\S)", table.strip())]
    return [
        pytest.param(" ".join(options.split()), " ".join(said.split()), id=options.strip())
        for options, _, said in entries
    ]


@pytest.mark.parametrize(("options", "said"), rows())
def test_what_is_wrong_is_told_with_its_value_and_a_remedy(options: str, said: str) -> None:
    with pytest.raises(ConfigError) as raised:
        load_source("s", {"s": USUAL | yaml.safe_load(f"{{{options}}}")})

    message = str(raised.value)
    space = "" if said.startswith(".") else " "
    assert is_said(f"debezium_spark: debezium_sources.s{space}{said}", message), message
    assert message.endswith(".")
    # the password of the rows above
    assert "hunter2" not in message


@pytest.mark.parametrize(
    "option",
    [
        "kafka.sasl.jaas.config",
        "kafka.ssl.keystore.password",
        "kafka.ssl.truststore.password",
        "kafka.ssl.key.password",
        "kafka.ssl.keystore.key",
        "kafka.sasl.oauthbearer.client.credentials.client.secret",
    ],
)
def test_a_secret_in_plain_sight_is_refused_without_repeating_it(option: str) -> None:
    kafka = {"type": "kafka", "brokers": "b:9092", "options": {option: "hunter2"}}
    with pytest.raises(ConfigError) as raised:
        load_source("s", {"s": {**USUAL, "input": kafka}})
    assert f"options.{option} contains a secret in plain text" in str(raised.value)
    assert f"options_from_env: {{{option}: NAME}}" in str(raised.value)
    assert "hunter2" not in str(raised.value)


def test_a_block_avro_needs_a_registry() -> None:
    with pytest.raises(ConfigError, match="avro.registry is missing"):
        read_avro({}, "avro")


# -- names of sources, and what two of them say ---------------------------------------------------


@pytest.mark.parametrize("name", ["Inventory", "2x", "a__b", "_a", "a_", "a-b", "", "a.b"])
def test_names_that_break_model_names_are_refused(name: str) -> None:
    with pytest.raises(ConfigError, match="has a source named"):
        load_sources({name: USUAL})


def test_a_source_that_is_not_configured_is_told_with_the_nearest() -> None:
    with pytest.raises(ConfigError, match="no source 'inventry'. Did you mean `inventory`?"):
        load_source("inventry", {"inventory": USUAL})


def test_a_group_and_an_exposure_belong_to_one_source() -> None:
    group = {"group": {"name": "finance", "owner": {"email": "x@y.z"}}}
    sources = {"a": USUAL | group, "b": USUAL | group, "c": {**USUAL, "group": "finance"}}
    for name in ("a", "b"):
        with pytest.raises(ConfigError, match="group `finance` is defined in .* write `group: fin"):
            describe_source(name, sources)
    assert describe_source("c", sources)["group"] == {"name": "finance"}
    sources = {name: {**USUAL, "exposures": [DASHBOARD]} for name in "ab"}
    with pytest.raises(ConfigError, match="exposure `sales` is defined in debezium_sources.a and"):
        load_source("a", sources)


def test_what_is_wrong_in_another_source_does_not_hide_it() -> None:
    own = {**USUAL, "exposures": [DASHBOARD]}
    sources = {"a": own, "b": None, "c": {"group": 7, "exposures": "x"}}
    assert load_source("a", sources).exposures[0].name == "sales"
