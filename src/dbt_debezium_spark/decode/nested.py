"""SQL that decodes structs, maps and sparse vectors; `decoder` decodes arrays of any column.

An undecodable part makes the whole value NULL, because a NULL part would look like one of the
source.
"""

from __future__ import annotations

from dbt_debezium_spark.decode.let import let


def decode_struct(spark_type: str, members: str) -> str:
    """Return SQL: STRUCT from its members, with quoted or unquoted numbers.

    Args:
        spark_type: type with the members: `struct<x:double,wkb:binary>`.
        members: SQL: their texts, as MAP<STRING,STRING>.
    """
    fields, unread, present = [], [], []
    for field in spark_type[len("struct<") : -1].split(","):
        name, kind = field.split(":")
        text = f"{members}['{name}']"
        is_binary = kind == "binary"
        value = f"try_to_binary({text}, 'base64')" if is_binary else f"try_cast({text} as {kind})"
        fields.append(f"'{name}', {value}")
        unread.append(f"({text} is not null and {value} is null)")
        present.append(f"{text} is not null")
    return (
        f"case when ({' or '.join(present)}) and not ({' or '.join(unread)})"
        f" then named_struct({', '.join(fields)}) end"
    )


def decode_map(text: str) -> str:
    """Return SQL: MAP<STRING,STRING> from a JSON object, or from a list of pairs.

    Connect writes pairs if the keys are not text. The result is NULL if a key is null or occurs
    twice, because the right value is unknown, and comparisons of such a map raise an error.
    """
    keys = "transform(pairs, pair -> pair[0])"
    map_of_pairs = (
        "case when not exists(pairs, pair -> size(pair) <> 2 or pair[0] is null)"
        f" and size(array_distinct({keys})) = size(pairs)"
        f" then map_from_arrays({keys}, transform(pairs, pair -> pair[1])) end"
    )
    pairs = f"from_json({text}, 'array<array<string>>')"
    return (
        f"case when {text} like '[%' then {let('pairs', pairs, map_of_pairs)}"
        f" else {distinct_members(text)} end"
    )


def distinct_members(text: str) -> str:
    """Return SQL: a JSON object as MAP<STRING,STRING>, NULL if a member occurs twice."""
    as_map = "case when size(array_distinct(map_keys(members))) = size(members) then members end"
    return let("members", f"from_json({text}, 'map<string,string>')", as_map)


def decode_sparse_vector(parsed: str) -> str:
    """Return SQL: a sparse vector, whose map with integer keys is a list of pairs in JSON.

    The result is NULL if a number is invalid, or if an index occurs twice, which would stop the
    run.

    Args:
        parsed: SQL: a struct of `dimensions`, a text, and `vector`, pairs of texts.
    """
    dimensions = f"try_cast({parsed}.dimensions as int)"
    pairs = f"{parsed}.vector"
    index, value = "try_cast(pair[0] as int)", "try_cast(pair[1] as double)"
    indexes = f"transform({pairs}, pair -> {index})"
    return (
        f"case when {dimensions} is not null"
        f" and not exists({pairs},"
        f" pair -> size(pair) <> 2 or {index} is null or {value} is null)"
        f" and size(array_distinct({indexes})) = size({pairs})"
        f" then named_struct('dimensions', {dimensions}, 'vector',"
        f" map_from_arrays({indexes}, transform({pairs}, pair -> {value}))) end"
    )
