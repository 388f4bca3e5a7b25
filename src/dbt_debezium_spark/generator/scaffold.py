"""Create a dbt project that uses the package, or add a source to a project."""

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ruamel.yaml.comments import CommentedMap

from dbt_debezium_spark import package_path
from dbt_debezium_spark.config import load_source, load_sources
from dbt_debezium_spark.generator import scaffold_texts
from dbt_debezium_spark.generator.project_files import DEFAULT_NAME, FOLDER_VAR, folder_problem
from dbt_debezium_spark.generator.project_yaml import ScaffoldError, dump_yaml, load_yaml
from dbt_debezium_spark.private_files import make_private
from dbt_debezium_spark.spark_versions import FORMATS, available_format

# dbt writes data into these folders.
PRIVATE_FOLDERS = ("logs", "target")
MODEL_FOLDERS = (
    "models/catalog",
    "models/staging",
    "models/state",
    "models/current",
    "models/observability",
    "python_models/raw",
)
PACKAGE_NAME = "debezium_spark"
# Since dbt 1.12, the vars of a project may be in a file of their own; dbt refuses vars in both.
VARS_FILE = "vars.yml"
SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:")
KAFKA_SCHEME = "kafka://"
TABLE_SCHEME = "table:"


def is_project(folder: Path) -> bool:
    """Return whether a folder contains a dbt project."""
    return (folder / "dbt_project.yml").is_file()


def check_folder(folder: Path) -> None:
    """Check that a folder can become a project, or is one.

    Raises:
        ScaffoldError: it is a file, or a folder with other files.
    """
    if folder.exists() and not folder.is_dir():
        raise ScaffoldError(f"debezium_spark: {folder} is a file. Choose a folder.")
    if folder.is_dir() and any(folder.iterdir()) and not is_project(folder):
        raise ScaffoldError(
            f"debezium_spark: {folder} is not empty and contains no dbt project."
            " Choose a new folder, or a dbt project to which the source is added."
        )


def input_options(value: str, folder: Path) -> dict[str, str]:
    """Return the options of the input in `--input`, for the project in `folder`.

    Args:
        value: `kafka://broker1:9092,broker2:9092`, `table:bronze.records`, a pattern like
            `table:bronze.dbserver1_*` for a table per topic, or a path. A relative path is relative
            to the working directory, and the result to the project. An absolute path or one with a
            scheme (`s3a://…`) stays as it is.
        folder: folder of the project.
    """
    if value.startswith(KAFKA_SCHEME):
        return {"type": "kafka", "brokers": value.removeprefix(KAFKA_SCHEME).rstrip("/")}
    if value.startswith(TABLE_SCHEME):
        relation = value.removeprefix(TABLE_SCHEME)
        return {"type": "table", "relations" if "*" in relation else "relation": relation}
    if not SCHEME.match(value) and not os.path.isabs(value):
        value = Path(os.path.relpath(Path.cwd() / value, folder.resolve())).as_posix()
    return {"type": "files", "path": value}


def scaffold(
    folder: Path, source: str, options: Mapping[str, Any], models: str | None = None
) -> list[str]:
    """Create a project with one source.

    Args:
        folder: new or empty folder.
        source: name of the source.
        options: configuration of the source.
        models: folder of generated models; by default one folder for each layer.

    Returns:
        Paths of the files written, relative to `folder`.

    Raises:
        ConfigError: the name or the options of the source are invalid.
        ScaffoldError: the folder is in use, or dbt reads no models in `models`.
    """
    load_source(source, {source: options})
    check_folder(folder)
    if models and (problem := folder_problem(models, ["models", "python_models"])):
        raise ScaffoldError(problem)
    package = package_path()
    name = project_name(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for subfolder in MODEL_FOLDERS:
        (folder / subfolder).mkdir(parents=True, exist_ok=True)
    for subfolder in PRIVATE_FOLDERS:
        make_private(folder / subfolder)
    texts = {
        "dbt_project.yml": scaffold_texts.DBT_PROJECT.format(
            name=name,
            folder=f"{dump_yaml({FOLDER_VAR: models})}  " if models else "",
            sources=_source_block(source, options),
        ),
        ".gitignore": scaffold_texts.GITIGNORE,
        "README.md": scaffold_texts.README.format(name=name, source=source),
    }
    lint = package / ".sqlfluff"
    if lint.is_file():
        texts[".sqlfluff"] = re.sub(
            r"(?m)^profiles_dir = .*$", "profiles_dir = .", lint.read_text(encoding="utf-8")
        )
    profile = (package / "profiles" / "profiles.yml").read_text(encoding="utf-8")
    # the target is the first format that the installed PySpark can have
    texts["profiles.yml"] = profile.replace(f"'{FORMATS[0]}')", f"'{available_format()}')")
    for path, text in texts.items():
        (folder / path).write_text(text, encoding="utf-8")
    return sorted(texts)


def add_source(
    folder: Path, source: str, options: Mapping[str, Any], models: str | None = None
) -> list[str]:
    """Add a source to a project; the other content of its files stays.

    Args:
        folder: folder of the project.
        source: name of the source.
        options: configuration of the source.
        models: folder of generated models, relative to the project; by default its var
            `debezium_folder`, or `debezium` in its first model path.

    Returns:
        Paths of the files changed, relative to `folder`.

    Raises:
        ConfigError: the name or the options of the source, or existing sources, are invalid.
        ScaffoldError: the project has a source of that name, its files cannot be read, or dbt reads
            no models in the folder.
    """
    load_source(source, {source: options})
    path = folder / "dbt_project.yml"
    project = holder = load_yaml(path)
    if not project.get("vars") and (folder / VARS_FILE).is_file():
        path = folder / VARS_FILE
        holder = load_yaml(path)
    variables = holder.setdefault("vars", CommentedMap())
    if variables is None:
        variables = holder["vars"] = CommentedMap()
    sources = variables.get("debezium_sources")
    if sources is None:
        sources = variables["debezium_sources"] = CommentedMap()
    load_sources(sources)
    if source in sources:
        raise ScaffoldError(
            f"debezium_spark: {path} already has a source `{source}`."
            " Choose another --source, or edit the source in the file."
        )
    for name, other in sources.items():
        if other.get("topic_prefix") == options["topic_prefix"] and _same_input(other, options):
            raise ScaffoldError(
                f"debezium_spark: source `{name}` in {path} already reads the topics"
                f" `{options['topic_prefix']}` from {_place(options)}."
                " Run `debezium-spark generate` to bring its models up to date."
            )
    if not sources or models:
        paths = list(project.get("model-paths") or ["models"])
        other = variables.get(FOLDER_VAR)
        models = models or other or posixpath.join(paths[0], DEFAULT_NAME)
        if problem := folder_problem(models, paths):
            raise ScaffoldError(problem)
        if sources and other != models:
            raise ScaffoldError(
                f"debezium_spark: the other sources of {path} are generated into"
                f" {f'`{other}`' if other else 'a folder for each layer'}, and a project has one"
                " place for all. Omit --models."
            )
        variables[FOLDER_VAR] = models
    sources[source] = _block_style(options)
    path.write_text(dump_yaml(holder), encoding="utf-8")
    return [path.name]


def project_name(folder: Path) -> str:
    """Return a dbt project name derived from a folder's name."""
    name = re.sub(r"[^a-z0-9_]+", "_", folder.resolve().name.lower()).strip("_")
    if not re.match(r"[a-z]", name):
        name = f"project_{name}".rstrip("_")
    # Two projects with the same name cannot be installed together.
    return f"{name}_project" if name == PACKAGE_NAME else name


def _same_input(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    return _place(one) == _place(other)


def _place(options: Mapping[str, Any]) -> Any:
    block = options.get("input") or {}
    places = ("path", "brokers", "relation", "relations")
    return next((block[key] for key in places if key in block), "")


def _source_block(source: str, options: Mapping[str, Any]) -> str:
    text = dump_yaml({source: _block_style(options)})
    return "".join(f"    {line}\n" if line else "\n" for line in text.splitlines()).rstrip("\n")


def _block_style(options: Mapping[str, Any]) -> CommentedMap:
    """Return the options in the usual style, with the input on one line."""
    block = CommentedMap(options)
    block["input"] = CommentedMap(options["input"])
    block["input"].fa.set_flow_style()
    return block
