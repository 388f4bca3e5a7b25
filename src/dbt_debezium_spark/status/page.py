"""A report as one static page: no script, nothing from the network. Names are strangers'."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from html import escape
from itertools import groupby
from typing import Any

from dbt_debezium_spark.status.text import NOTHING, cells, duration, headlines, moment
from dbt_debezium_spark.text.literals import printable

_STYLE = """
:root{color-scheme:light dark;--line:#8886;--bad:#c2261c;--mark:#3273c8}
body{font:15px/1.45 system-ui,sans-serif;margin:1.2rem;font-variant-numeric:tabular-nums}
h1{font-size:1.3rem}h2{font-size:1.05rem;margin:1.6rem 0 .4rem;overflow-wrap:anywhere}
p{margin:.2rem 0;overflow-wrap:anywhere;white-space:pre-wrap}
table{border-collapse:collapse;width:100%;margin-top:1rem}
th,td{text-align:left;padding:.3rem .5rem .3rem 0;border-bottom:1px solid var(--line);
vertical-align:top}
td{font-size:.8rem}th{font-size:.7rem}td:nth-child(n+4){white-space:nowrap}
td:nth-child(2),td:nth-child(3){overflow-wrap:anywhere;min-width:8rem}
.bad td:nth-child(3){color:var(--bad);font-weight:600}
.pictures{display:flex;flex-wrap:wrap;gap:1rem 2rem}figure{margin:0;flex:1 1 20rem;min-width:0}
svg{display:block;width:100%;height:110px;border-bottom:1px solid var(--line)}
rect{fill:var(--mark)}path{fill:none;stroke:var(--mark);stroke-width:2;stroke-linecap:round;
vector-effect:non-scaling-stroke}
.ends{display:flex;justify-content:space-between;gap:1rem;font-size:.85rem;opacity:.8}
@media(max-width:1000px){td{font-size:1rem}thead{display:none}tr{display:block;padding:.5rem 0;
border-bottom:1px solid var(--line)}td{display:flex;gap:1rem;border:0;padding:.05rem 0}
td.none{display:none}
td::before{content:attr(data-name);flex:0 0 9rem;opacity:.7;font-weight:400}}
"""


def page(report: Mapping[str, Any]) -> str:
    """Return the page in HTML: what `text.lines` says, and pictures of the landings."""
    heads, *rows = ([*row[:2], row[-1], *row[2:-1]] for row in cells(report))
    title, *others = map(_text, headlines(report))
    names = [_text(head.replace("_", " ")) for head in heads]
    none = " class=none"  # says nothing: left out where there is little room
    body = "".join(
        f"<tr{'' if row[2] == NOTHING else ' class=bad'}>"
        + "".join(
            f'<td data-name="{name}"{none if cell in (NOTHING, "0") else ""}>'
            f"<span>{_text(cell)}</span></td>"
            for name, cell in zip(names, row, strict=True)
        )
        + "</tr>\n"
        for row in rows
    )
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<title>debezium-spark status</title><style>{_STYLE}</style></head>\n"
        f"<body><h1>{title}</h1>{''.join(f'<p>{line}</p>' for line in others)}\n"
        f"<table><thead><tr>{''.join(f'<th>{name}</th>' for name in names)}</tr></thead>\n"
        f"<tbody>{body}</tbody></table>\n"
        + "".join(
            _pictures(source, list(batches))
            for source, batches in groupby(report["batches"], lambda batch: batch["source_name"])
        )
        + "</body></html>\n"
    )


def _pictures(source: str, batches: Sequence[Mapping[str, Any]]) -> str:
    """Return pictures of the last landings of a source: the lag over time, and the events."""
    times = [batch["landed_at"] for batch in batches]
    seconds = [datetime.fromisoformat(time).timestamp() for time in times]
    span = max(1, seconds[-1] - seconds[0])
    ends = f"<span>{_text(moment(times[0]))}</span><span>{_text(moment(times[-1]))}</span>"
    lags = [batch.get("lag_seconds") for batch in batches]
    events = [batch["events"] for batch in batches]
    highest = max([1, *(lag for lag in lags if lag is not None)])
    width = 100 / len(batches)
    # a gap in the path where no event says when it was committed
    path, joined = "", False
    for second, lag in zip(seconds, lags, strict=True):
        if lag is not None:
            point = f"{100 * (second - seconds[0]) / span:.1f},{100 - 100 * lag / highest:.1f}"
            path += f"L{point}" if joined else f"M{point}h.01"
        joined = lag is not None
    bars = "".join(
        f'<rect x="{place * width:.2f}" y="{100 - 100 * count / max(events):.2f}"'
        f' width="{width * 0.8:.2f}" height="{100 * count / max(events):.2f}">'
        f"<title>{_text(moment(time))}: {count}</title></rect>"
        for place, (count, time) in enumerate(zip(events, times, strict=True))
    )
    pictures = (
        (f"Lag of the newest event, up to {duration(highest)}", f'<path d="{path}"/>'),
        (f"Events of each landing, up to {max(events)}", bars),
    )
    return (
        f'<h2>Landings of {_text(source)}</h2><div class="pictures">'
        + "".join(
            f"<figure><figcaption>{caption}</figcaption>"
            f'<svg viewBox="0 0 100 100" preserveAspectRatio="none" role="img"'
            f' aria-label="{caption}">{drawn}</svg><div class="ends">{ends}</div></figure>'
            for caption, drawn in pictures
        )
        + "</div>\n"
    )


def _text(text: str) -> str:
    return escape(printable(text))
