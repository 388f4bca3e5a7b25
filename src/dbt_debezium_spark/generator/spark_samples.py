"""The first records of what only Spark reads: brokers, tables, and files elsewhere."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from shutil import copyfile
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from dbt_debezium_spark.config import (
    KafkaInput,
    SourceConfig,
    TableInput,
    input_location,
    load_source,
)
from dbt_debezium_spark.generator.file_beginnings import SampledFile
from dbt_debezium_spark.generator.scaffold import is_project, scaffold
from dbt_debezium_spark.generator.topic_prefix import (
    Findings,
    TopicPrefixError,
    look_into_samples,
)
from dbt_debezium_spark.landing.file_problems import short
from dbt_debezium_spark.landing.kafka_origin import KafkaOrigin
from dbt_debezium_spark.landing.listing import File, list_files
from dbt_debezium_spark.landing.table_origin import TableOrigin
from dbt_debezium_spark.notebook import find_profiles, read_settings
from dbt_debezium_spark.spark.kafka_jars import KAFKA_KEY
from dbt_debezium_spark.spark.session import isolated_session, release
from dbt_debezium_spark.text.literals import printable
from dbt_debezium_spark.text.progress import counted, evenly

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

PROJECT_FILE = "dbt_project.yml"
# A larger file is not brought to this machine.
MAX_FILE_BYTES = 32 * 1024 * 1024
MAX_FILES = 12
RECORDS_OF_BROKER = 2_000
ROWS_PER_RELATION = 1_000


def look_with_spark(path: str, folder: Path, source: str, options: Mapping[str, Any]) -> Findings:
    """Look into an input with the Spark of the project's profile, as landing reads it.

    Args:
        path: the input, as the user wrote it.
        folder: folder of the project, or of the one that will be made.
        source: name of the source.
        options: configuration of the source.

    Raises:
        TopicPrefixError: Spark does not start, or cannot read the input.
    """
    try:
        with _session(folder, source, options) as session:
            config = load_source(source, {source: dict(options)})
            return look_into_input(session, path, config, str(folder.resolve()))
    except TopicPrefixError:
        raise
    except Exception as error:  # of dbt, py4j or Spark
        why = printable(short(error)).removeprefix("debezium_spark: ").removesuffix(".")
        raise TopicPrefixError(
            f"debezium_spark: the topic prefix cannot be determined: Spark was to look into"
            f" `{path}`, and this failed: {why}. Add --topic-prefix with the connector's"
            " `topic.prefix`, or correct --input or the project's profile."
        ) from error


def look_into_input(
    session: SparkSession, path: str, config: SourceConfig, project_dir: str
) -> Findings:
    """Look into a source's input with a session.

    Args:
        session: Spark.
        path: the input, as the user wrote it.
        config: the source, with any topic prefix.
        project_dir: absolute folder of the dbt project.
    """
    if isinstance(config.input, KafkaInput):
        origin = KafkaOrigin(config.name, config.input, ".*")
        sample = origin.sample(session, RECORDS_OF_BROKER)
    elif isinstance(config.input, TableInput):
        sample = TableOrigin(config.name, config.input).sample(session, ROWS_PER_RELATION)
    else:
        return _files(session, path, input_location(config.input.path, project_dir), project_dir)
    found = Findings(path, looked=sample.looked)
    for topic, value in sample.records:
        found.add(topic, value)
    found.unread += sample.problems
    return found


def _files(session: SparkSession, path: str, location: str, project_dir: str) -> Findings:
    """Look into files by their content, with what looks into those of this machine."""
    listed = list_files(session, location, project_dir).files.orderBy("name").collect()
    small = [File(*row) for row in listed if row.size <= MAX_FILE_BYTES]
    unread = []
    if len(small) < len(listed):
        unread = [
            f"{counted(len(listed) - len(small), 'file')} of more than {MAX_FILE_BYTES} bytes"
        ]
    chosen = evenly(small, MAX_FILES)
    content = {}
    if chosen:
        reader = session.read.format("binaryFile").option("recursiveFileLookup", "true")
        rows = reader.load([file.readable_path for file in chosen])
        for row in rows.select("_metadata.file_path", "content").toLocalIterator():
            content[row.file_path] = bytes(row.content)
    files = [
        SampledFile(file.name, partial(io.BytesIO, content[file.uri]))
        for file in chosen
        if file.uri in content
    ]
    return look_into_samples(path, files, unread, len(listed))


@contextmanager
def _session(folder: Path, source: str, options: Mapping[str, Any]) -> Iterator[SparkSession]:
    """Open a session with a project's profile: for a new project that of an equal one elsewhere.

    Tables are in the state of the project; nothing else needs it, and looking leaves no traces.
    """
    kind = options["input"]["type"]
    with TemporaryDirectory() as temporary:
        project = Path(temporary) / folder.resolve().name
        profiles = None
        if not is_project(folder):
            scaffold(project, source, options)
        elif kind == "table":
            project = folder
        else:
            project.mkdir()
            copyfile(folder / PROJECT_FILE, project / PROJECT_FILE)
            profiles = find_profiles(folder.resolve())
        settings, _ = read_settings(project, profiles)
        if kind == "kafka":
            settings[KAFKA_KEY] = "true"
        session = isolated_session(settings)
        try:
            yield session
        finally:
            release(session)
