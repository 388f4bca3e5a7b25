"""Generate a project's models from the tables in its records, and make projects.

* `generate` is the command: land, build the catalog, render and write; `dbt_project` runs dbt;
* `tables` has the types: a table in records, its description, and one whose models stay;
* `recorded_schemas`: what topics carried; `recorded_tables`, `recorded_collections`: which tables
  these are, and their names; `catalog_tables`, `evidence_messages`: which become models, and what
  there is to say;
* `described_tables`: what the models of a table are made of; `existing_models`: what a project has;
* `files` with `properties`, `data_tests`, `model_columns`, `transaction_models`, `observability`:
  the values of each file, for the templates in `macros/generate`;
* `project_files`, `table_changes`: where files lie, and what changes in a project;
* `scaffold`, `team_profile`: a new project, or a source for a team's; `topic_prefix` with
  `file_beginnings`, `file_records`, `recognised_layout`, `spark_samples`: what its input tells.

Macros reach the parts through the door (`door.generate`, `door.catalog`).
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

__all__ = [
    "Change",
    "DbtError",
    "DbtProject",
    "FileChange",
    "GeneratedFile",
    "Generation",
    "Message",
    "Rendering",
    "TableChange",
    "apply_changes",
    "generate",
    "plan_changes",
    "table_changes",
]
