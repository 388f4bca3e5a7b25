"""Sphinx builds README.md, CHANGELOG.md and docs/ as a site: `make docs-site`.

The pages stay as GitHub shows them. What the site adds:

1. The navigation: the lists below "Documentation" in README.md, in their order.
2. A page for each file of the repository that a page links to, with an anchor for each line.
3. index.html, a copy of the first page.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util import logging

REPOSITORY = Path(__file__).resolve().parents[2]
PAGES = ("README.md", "CHANGELOG.md", "docs")
_GROUP = re.compile(r"^### (.+)\n((?:(?!^#).*\n)*)", re.MULTILINE)
_PAGE = re.compile(r"\[([^\]]+)\]\(((?:docs/)?[\w-]+)\.md\)")
# a link to a file of the repository that is no page
_FILE = re.compile(r"\]\((?!\w+:|#)((?:\.\./)?[^)#\s]+)(#L\d+)?\)")
_SUFFIXES = {".md", ".svg"}
_logger = logging.getLogger(__name__)

project = "debezium_spark"
html_title = project
root_doc = "README"
extensions = ["myst_parser"]
exclude_patterns = [path.name for path in REPOSITORY.iterdir() if path.name not in PAGES]
# anchors of headings as GitHub makes them
myst_heading_anchors = 4
myst_url_schemes = {"http": None, "https": None, "source": None}
# excerpts that are no complete JSON or SQL
suppress_warnings = ["misc.highlighting_failure"]

html_theme = "furo"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_theme_options = {"top_of_page_buttons": []}
html_copy_source = False
html_show_sphinx = False
html_show_copyright = False
html_use_index = False


def navigation(readme: str) -> dict[str, list[tuple[str, str]]]:
    """Return the groups of pages below "Documentation": name and document of each page."""
    listed = readme.partition("\n## Documentation\n")[2]
    return {group: _PAGE.findall(text) for group, text in _GROUP.findall(listed)}


def add_navigation(app: Sphinx, docname: str, source: list[str]) -> None:
    """Append the navigation to the first page."""
    if docname == root_doc:
        for group, pages in navigation(source[0]).items():
            entries = [f"{name[0].upper()}{name[1:]} <{page}>" for name, page in pages]
            head = ["```{toctree}", ":hidden:", f":caption: {group}", ""]
            source[0] += "\n" + "\n".join([*head, *entries, "```", ""])


def mark_files(app: Sphinx, docname: str, source: list[str]) -> None:
    """Give links to files of the repository a scheme, so that they are no downloads."""

    def marked(link: re.Match[str]) -> str:
        path, line = link.groups()
        if PurePosixPath(path).suffix in _SUFFIXES:
            return link[0]
        return f"](source:{path}{line or ''})"

    source[0] = _FILE.sub(marked, source[0])


def link_files(app: Sphinx, doctree: nodes.document) -> None:
    """Lead the marked links to pages that show the files."""
    docname = app.env.docname
    for link in doctree.findall(nodes.reference):
        scheme, _, target = link.get("refuri", "").partition(":")
        if scheme != "source":
            continue
        path, _, line = target.partition("#L")
        file = (REPOSITORY / docname).parent.joinpath(path).resolve()
        lines = file.read_text(encoding="utf-8").count("\n") if file.is_file() else 0
        if lines < int(line or 1):
            _logger.warning("no such file or line: %s", target, location=link)
            continue
        name = file.relative_to(REPOSITORY).as_posix()
        app.env.linked_files.add(name)  # type: ignore[attr-defined]
        up = "../" * docname.count("/")
        link["refuri"] = f"{up}files/{name}.html" + (f"#L-{line}" if line else "")


def show_files(app: Sphinx) -> Iterator[tuple[str, dict[str, Any], str]]:
    """Yield a page for each linked file."""
    for name in sorted(app.env.linked_files):  # type: ignore[attr-defined]
        text = (REPOSITORY / name).read_text(encoding="utf-8")
        shown = app.builder.highlighter.highlight_block(  # type: ignore[attr-defined]
            text, _language(name), lineanchors="L", linenos="inline", anchorlinenos=True
        )
        yield f"files/{name}", {"title": name, "body": f"<h1>{name}</h1>{shown}"}, "page.html"


def _language(name: str) -> str:
    return {".sql": "sql", ".py": "python", ".yml": "yaml"}.get(PurePosixPath(name).suffix, "text")


def copy_first_page(app: Sphinx, exception: Exception | None) -> None:
    """Give the first page the name that servers look for."""
    if exception is None:
        shutil.copy(Path(app.outdir, f"{root_doc}.html"), Path(app.outdir, "index.html"))


def prepare(app: Sphinx) -> None:
    """Begin without linked files."""
    app.env.linked_files = set()  # type: ignore[attr-defined]


def setup(app: Sphinx) -> dict[str, bool]:
    """Connect the steps to Sphinx."""
    app.connect("builder-inited", prepare)
    app.connect("source-read", mark_files)
    app.connect("source-read", add_navigation)
    app.connect("doctree-read", link_files)
    app.connect("html-collect-pages", show_files)
    app.connect("build-finished", copy_first_page)
    return {"parallel_read_safe": False}
