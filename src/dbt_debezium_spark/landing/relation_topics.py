"""The topic of a relation whose rows do not name one."""

from __future__ import annotations

from collections.abc import Sequence

# Redpanda's table of the records of a topic that do not fit its schema; their offsets stay.
DEAD_LETTERS = "~dlq"


def topic_of(name: str, matched: Sequence[str], template: str | None, topic_prefix: str) -> str:
    """Return the topic of a relation.

    Without a template, a name that begins with the topic prefix and a dot is a topic. Writers
    replace dots, which few catalogs allow: a name that begins with the prefix and `_`, each dot of
    the prefix replaced likewise, is that of a topic below the prefix. Other dots cannot be
    restored, because names of tables contain `_` too. Any other name stands below the prefix.

    Args:
        name: the relation's name, without its schema.
        matched: what the `*` of the pattern matched in it.
        template: the configured topic, in which each `*` stands for such a text.
        topic_prefix: topic prefix of the source.
    """
    if name.endswith(DEAD_LETTERS):
        rest = (*matched[:-1], matched[-1].removesuffix(DEAD_LETTERS)) if matched else ()
        return topic_of(name.removesuffix(DEAD_LETTERS), rest, template, topic_prefix)
    if template is not None:
        parts = template.split("*")
        texts = [*matched, ""]
        return "".join(part + text for part, text in zip(parts, texts, strict=True))
    for spelt, separator in ((topic_prefix, "."), (topic_prefix.replace(".", "_"), "_")):
        if name.lower() == spelt.lower():
            return topic_prefix
        if name.lower().startswith(f"{spelt}{separator}".lower()):
            return f"{topic_prefix}.{name[len(spelt) + 1 :]}"
    return f"{topic_prefix}.{name}"
