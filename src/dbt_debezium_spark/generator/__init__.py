"""Generate a project's models from the tables in its records.

This package decides what to write, runs dbt, compares the files with those in the project, and
writes them. Templates of the dbt package (`macros/generate`) render the text; they get the content
through the door (`door.generate`).
"""

from __future__ import annotations

from dbt_debezium_spark.generator.dbt_project import DbtError, DbtProject
from dbt_debezium_spark.generator.generate import Generation, generate
from dbt_debezium_spark.generator.project_files import (
    Change,
    FileChange,
    GeneratedFile,
    Message,
    Rendering,
    apply_changes,
    plan_changes,
)
from dbt_debezium_spark.generator.table_changes import TableChange, table_changes
from dbt_debezium_spark.generator.topic_prefix import Findings, TopicPrefixError

__all__ = [
    "Change",
    "DbtError",
    "DbtProject",
    "FileChange",
    "Findings",
    "GeneratedFile",
    "Generation",
    "Message",
    "Rendering",
    "TableChange",
    "TopicPrefixError",
    "apply_changes",
    "generate",
    "plan_changes",
    "table_changes",
]
