"""The canonical text of an `_id` is the same in SQL and in Python, whichever dialect it came in."""

from __future__ import annotations

from dbt_debezium_spark.mongodb import ejson
from dev.simulator.mongodb import LINES, document_history
from tests.support.macros import Macros

# texts of one `_id` each, as connectors of several versions write it
SAME = [
    ["1004", '{ "$numberLong" : "1004"}', '{"$numberLong": "1004"}', " 1004 "],
    ["-7", '{"$numberInt":"-7"}'],
    ["12.34", '{"$numberDouble": "12.34"}'],
    ['"1234"', ' "1234"'],
    ['"a \\" {\\"$numberLong\\": \\"1\\"}  b"'],
    ['"\\u00e9 \\/ x"', '"é / x"'],
    ['{ "$oid" : "596e275826f08b2730779e1f"}', '{"$oid": "596e275826f08b2730779e1f"}'],
    [
        '{ "hi" : "kafka", "nums" : [10.0, 100.0]}',
        '{"hi": "kafka", "nums": [10.0, 100.0]}',
    ],
    ['{"nums":[10.0,100.0],"hi":"kafka"}'],
    [
        '{ "$binary" : "a2Fma2E=", "$type" : "00"}',
        '{"$binary": {"base64": "a2Fma2E=", "subType": "00"}}',
    ],
    ['{"$date": 1558965508123}', '{"$date": "2019-05-27T13:58:28.123Z"}'],
    [
        '{"d": {"$date": 0}, "s": "x  {\\"$date\\": 0}", "e": {"$date": -1}}',
        '{"d": {"$date": "1970-01-01T00:00:00Z"}, "s": "x  {\\"$date\\": 0}",'
        ' "e": {"$date": {"$numberLong": "-1"}}}',
    ],
    [
        '{"r": {"$regex": "a\\\\\\"b", "$options": "i"}}',
        '{"r": {"$regularExpression": {"pattern": "a\\\\\\"b", "options": "i"}}}',
    ],
    ["null"],
    ["true"],
    ['{"a": "ends with {"}'],
]


def canonical(spark, texts: list[str]) -> list[str]:
    frame = spark.createDataFrame([(text,) for text in texts], "id_text string")
    return [row[0] for row in frame.selectExpr(Macros().canonical_id("id_text")).collect()]


def test_every_dialect_gives_one_text(spark) -> None:
    texts = [text for same in SAME for text in same]
    found = dict(zip(texts, canonical(spark, texts), strict=True))
    assert found == {text: ejson.key_text(text) for text in texts}
    assert len({found[same[0]] for same in SAME}) == len(SAME)
    for same in SAME:
        assert {found[text] for text in same} == {found[same[0]]}


def test_simulated_ids_are_read_alike(spark) -> None:
    assert LINES
    texts = sorted(
        {
            text
            for seed in range(1, 60)
            for text in document_history(seed, topic="t", key_base=seed * 10).truth
        }
    )
    assert canonical(spark, texts) == texts
