"""`debezium-spark init`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from dbt_common.exceptions import DbtRuntimeError

from dbt_debezium_spark.cli.console import EXIT_USAGE, fail, out
from dbt_debezium_spark.config import ConfigError, check_input, load_source
from dbt_debezium_spark.config.inputs import local_path
from dbt_debezium_spark.generator.scaffold import (
    ScaffoldError,
    add_source,
    check_folder,
    input_options,
    is_project,
    scaffold,
)
from dbt_debezium_spark.generator.topic_prefix import (
    Findings,
    TopicPrefixError,
    look_into_files,
)
from dbt_debezium_spark.text.literals import printable

_COMMON = ("type", "path")
# A placeholder for the prefix, while everything else is checked.
UNKNOWN_PREFIX = "unknown"


def run(
    folder: Path,
    source: str,
    connector: str,
    path: str,
    topic_prefix: str | None,
    models: str | None,
) -> None:
    """Create the project or add the source."""
    source_input: dict[str, Any] = dict(input_options(path, folder))
    options: dict[str, Any] = {
        "connector": connector,
        "topic_prefix": topic_prefix or UNKNOWN_PREFIX,
        "input": source_input,
    }
    adds = is_project(folder)
    try:
        check_folder(folder)
        check_input(load_source(source, {source: options}), str(folder.resolve()))
        found = _look_into(path, folder, source, options, topic_prefix)
        options["topic_prefix"] = found.topic_prefix(connector, topic_prefix)
        source_input |= found.layout
        if found.flattened:
            options["flattened"] = True
        files = (add_source if adds else scaffold)(folder, source, options, models)
    except (ConfigError, ScaffoldError, TopicPrefixError, DbtRuntimeError) as error:
        fail(error, EXIT_USAGE)

    verb = "Added to" if adds else "Made"
    out.print(f"{verb} the dbt project in {folder}: {', '.join(files)}", markup=False)
    origin = "" if topic_prefix else " (from the records)"
    out.print(
        # the prefix comes from records
        f"Source {source}: {connector}, topics {printable(str(options['topic_prefix']))}.*{origin},"
        f" {path}",
        markup=False,
    )
    for text in found.report():
        out.print(text, markup=False)
    if "layout" in source_input:
        layout = ", ".join(
            f"{name}: {value}" for name, value in source_input.items() if name not in _COMMON
        )
        out.print(f"The files are those of a sink: {layout}", markup=False)


def _look_into(
    path: str, folder: Path, source: str, options: dict[str, Any], topic_prefix: str | None
) -> Findings:
    """Look into an input as landing would read it.

    Only Spark reads brokers, tables and storage that is not on this machine, and it is started only
    if the topic prefix is not known.
    """
    if options["input"]["type"] == "files" and local_path(path) is not None:
        return look_into_files(str(local_path(path)))
    if topic_prefix is not None:
        return Findings(path)
    from dbt_debezium_spark.generator.spark_samples import look_with_spark

    out.print(f"Starting Spark to look into {path}", markup=False)
    return look_with_spark(path, folder, source, options)
