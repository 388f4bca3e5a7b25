"""Create a dbt project that uses the package, or add a source to a project."""

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Mapping
from io import StringIO
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap
from ruamel.yaml.error import YAMLError

from dbt_debezium_spark import package_path
from dbt_debezium_spark.config import load_source, load_sources
from dbt_debezium_spark.generator.project_files import DEFAULT_NAME, FOLDER_VAR, folder_problem
from dbt_debezium_spark.spark.private_files import make_private
from dbt_debezium_spark.spark.versions import FORMATS, available_format

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


class ScaffoldError(ValueError):
    """The folder cannot be used as a project for the source."""


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
        "dbt_project.yml": DBT_PROJECT.format(
            name=name,
            folder=f"{dump_yaml({FOLDER_VAR: models})}  " if models else "",
            sources=_source_block(source, options),
        ),
        ".gitignore": GITIGNORE,
        "README.md": README.format(name=name, source=source),
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
        is_same_input = _place(other) == _place(options)
        if is_same_input and other.get("topic_prefix") == options["topic_prefix"]:
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


# -- YAML files of a project, changed without the loss of comments and quotes ----------------------


def _yaml() -> YAML:
    yaml = YAML()
    yaml.preserve_quotes = True
    yaml.width = 4096
    yaml.indent(mapping=2, sequence=4, offset=2)
    return yaml


def load_yaml(path: Path) -> CommentedMap:
    """Return the content of a file, with its comments.

    Raises:
        ScaffoldError: it is no YAML, or no mapping.
    """
    try:
        loaded = _yaml().load(path.read_text(encoding="utf-8"))
    except (YAMLError, UnicodeDecodeError) as error:
        raise ScaffoldError(f"debezium_spark: {path} cannot be read: {error}") from error
    if loaded is None:
        return CommentedMap()
    if not isinstance(loaded, CommentedMap):
        raise ScaffoldError(f"debezium_spark: {path} is no mapping. Correct the file.")
    return loaded


def dump_yaml(value: Any) -> str:
    """Return YAML text."""
    stream = StringIO()
    _yaml().dump(value, stream)
    return stream.getvalue()


# -- texts of the files of a new project -----------------------------------------------------------


DBT_PROJECT = """\
name: {name}
version: "1.0.0"
config-version: 2
profile: debezium_spark

model-paths: ["models", "python_models"]
macro-paths: ["macros"]
test-paths: ["tests"]
clean-targets: ["target", "dbt_packages"]

flags:
  send_anonymous_usage_stats: false

models:
  {name}:
    # Both table formats give the same rows; the target of profiles.yml chooses.
    +file_format: "{{{{ 'delta' if target.name == 'delta' else 'iceberg' }}}}"
    +persist_docs: {{relation: true, columns: true}}

vars:
  # Severity of the tests that look for records nobody could explain: error or warn.
  # debezium_test_severity: error

  # One block per connector. Everything not set is Debezium's default; names are Debezium's
  # option names with `_` for `.`.
  #
  #   inventory:                      # lower case; part of every model name
  #     connector: postgresql         # sqlserver | oracle | mysql | mariadb | mongodb
  #     topic_prefix: dbserver1
  #     input: {{type: files, path: "data/*.jsonl"}}   # folder or glob, relative to this file
  #       # or {{type: kafka, brokers: "broker1:9092"}}, {{type: table, relation: bronze.records}};
  #       # files of Kafka Connect's sinks have a `layout`: connect | aiven | lenses
  #     unavailable_value_placeholder: "__debezium_unavailable_value"
  #     decimal_handling_mode: precise             # precise | double | string
  #     time_precision_mode: adaptive              # as Debezium's time.precision.mode
  #     binary_handling_mode: bytes                # bytes | base64 | base64-url-safe | hex
  #     interval_handling_mode: numeric            # numeric | string
  #     hstore_handling_mode: json                 # json | map
  #     bigint_unsigned_handling_mode: long        # long | precise
  #     decimal_format: base64                     # of the JSON converter: base64 | numeric
  #     binlog_transaction_compression: false      # true: MySQL, where a session may have it on
  #     flattened: true                            # records of ExtractNewRecordState
  #     signal_data_collection: public.debezium_signal   # no models are made for it
  #     epochs:                                    # positions that started again without a snapshot
  #       - {{from: "2026-01-31T12:00:00Z"}}
  #     incarnations: ["2026-02-01T00:00:00Z"]     # topics that were deleted and created again
  #     ignore_records:                            # records that no run reads
  #       - {{topic: dbserver1.public.orders, partition: 0, offset: 17, reason: "cut by a proxy"}}
  #     tables:                                    # only what records cannot tell
  #       public.customers:
  #         replica_identity: full                 # postgresql: `before` is complete; or index, …
  #         key: [id]
  #         model: other_name                      # table part of the model names
  #         close_unseen: true                     # a complete snapshot ends keys it does not show
  #         columns:                               # for records without schemas
  #           - {{name: id, type: int32, optional: false}}
  {folder}debezium_sources:
{sources}
"""

GITIGNORE = """\
# dbt
target/
dbt_packages/
logs/
# Spark: tables, catalog and logs of the local targets
.lakehouse/
spark-warehouse/
metastore_db/
derby.log
# Python
.venv/
__pycache__/
.user.yml
"""

README = """\
# {name}

Tables of Debezium change events, kept by dbt on Spark.

```
pip install dbt-debezium-spark
debezium-spark generate     # land records, find their tables, write the models
dbt build                   # load, fold and test everything
dbt docs generate && dbt docs serve
```

Run `generate` again when tables or columns change: it rewrites only files that begin with
`generated by debezium-spark`, and prints what changed. For CI: `debezium-spark generate --check`
prints the same, writes nothing and ends with 1. `sqlfluff lint models` works after
`pip install sqlfluff sqlfluff-templater-dbt`.
To change a generated model by hand, delete that first line: the file is yours from then on.

| folder | contents |
|---|---|
| `python_models/raw` | `raw_{source}`: every record as Kafka carried it |
| `models/catalog` | `catalog_{source}__columns`: what the tables look like, and how that is known |
| `models/staging` | `stg_{source}__<table>`: every change event, flattened and typed |
| `models/state` | `state_{source}__<table>`: private, one row per key ever seen |
| `models/current` | `cur_{source}__<table>`: the table as it is at the source |
| `models/observability` | `debezium_obs__*`: how each table is, quarantine, changes |

Sources are configured in `dbt_project.yml`, Spark in `profiles.yml`. Another connector:
`debezium-spark init . --source NAME --connector KIND --input PATH`.
"""
