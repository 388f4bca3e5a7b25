"""Writing a project's models from what its records say about the tables.

The text of every file is rendered by the dbt package (`macros/generate`); this package runs dbt,
compares the files with those in the project and writes them.
"""

from __future__ import annotations

from dbt_debezium_spark.generator.changes import Change, FileChange, apply_changes, plan_changes
from dbt_debezium_spark.generator.dbt_project import DbtError, DbtProject
from dbt_debezium_spark.generator.generate import Generation, generate
from dbt_debezium_spark.generator.rendering import GeneratedFile, Message, Rendering
from dbt_debezium_spark.generator.scaffold import ScaffoldError, add_source, scaffold
from dbt_debezium_spark.generator.topic_prefix import TopicPrefixError, infer_topic_prefix

__all__ = [
    "Change",
    "DbtError",
    "DbtProject",
    "FileChange",
    "GeneratedFile",
    "Generation",
    "Message",
    "Rendering",
    "ScaffoldError",
    "TopicPrefixError",
    "add_source",
    "apply_changes",
    "generate",
    "infer_topic_prefix",
    "plan_changes",
    "scaffold",
]
