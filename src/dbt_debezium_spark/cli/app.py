"""Commands and options; `generator` does the work."""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path
from typing import Annotated

import typer

from dbt_debezium_spark.cli import (
    explain_command,
    generate_command,
    maintain_command,
    profile_check,
    status_command,
    verify_command,
)

HELP = """\
Debezium change events to exact, typed and tested tables, with dbt on Spark.

[bold]init[/] makes a dbt project for your records, [bold]generate[/] writes its models from what
the records show about your tables. Then dbt itself runs them. [bold]explain[/] says why a row is as
it is, [bold]verify[/] whether a table is what its source holds, [bold]status[/] whether everything
is well. [bold]maintain[/] keeps logs and tables small.

  debezium-spark init shop --source inventory --connector postgresql --input records/
  cd shop
  debezium-spark generate
  dbt build
"""
EXIT_CODES = (
    "Exit codes: 0 done, 1 drift, a refused table, a row that differs, a failed dbt run, or"
    " something wrong (status), 2 wrong use or configuration."
)

# options that several commands have
ProjectDir = Annotated[Path, typer.Option(metavar="DIR", help="Folder with dbt_project.yml.")]
ProfilesDir = Annotated[
    Path | None,
    typer.Option(metavar="DIR", help="Folder with profiles.yml; by default the project's."),
]
Target = Annotated[str | None, typer.Option(help="Target of the profile, like iceberg or delta.")]
Table = Annotated[
    str, typer.Argument(help="The source table, like public.orders, or one of its models.")
]
SourceOfTable = Annotated[
    str | None, typer.Option(help="The table's source, if several have such a table.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]

app = typer.Typer(
    name="debezium-spark",
    help=HELP,
    epilog=EXIT_CODES,
    no_args_is_help=True,
    rich_markup_mode="rich",
    add_completion=False,
    pretty_exceptions_enable=False,
)


def _show_version(value: bool) -> None:
    if value:
        typer.echo(f"debezium-spark {version('dbt-debezium-spark')}")
        raise typer.Exit


@app.callback()
def _common(
    show_version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    pass


@app.command(epilog=EXIT_CODES)
def init(
    folder: Annotated[
        Path, typer.Argument(metavar="DIR", help="New or empty folder, or a dbt project.")
    ],
    source: Annotated[
        str,
        typer.Option(help="Name of the source: lower case; it becomes part of every model name."),
    ],
    connector: Annotated[
        str,
        typer.Option(
            metavar="KIND",
            help="sqlserver, postgresql, oracle, mysql, mariadb or mongodb.",
        ),
    ],
    input_path: Annotated[
        str,
        typer.Option(
            "--input",
            metavar="PATH",
            help="Folder or glob of record files, here or on storage that Spark reads: JSON lines,"
            " also compressed, Parquet, or files of Kafka Connect's sinks;"
            " or kafka://BROKER:PORT,… or table:SCHEMA.NAME, with * in NAME for many tables.",
        ),
    ],
    topic_prefix: Annotated[
        str | None,
        typer.Option(help="The connector's topic.prefix; by default taken from the records."),
    ] = None,
    models: Annotated[
        str | None,
        typer.Option(
            metavar="FOLDER",
            help="Folder of everything that is generated, below the project; by default"
            " `models/debezium` in a dbt project that exists, and a folder for each layer in a new"
            " one.",
        ),
    ] = None,
    add_target: Annotated[
        bool | None,
        typer.Option(
            "--add-target/--no-add-target",
            help="Add a target `debezium` to the profile of a dbt project whose own cannot write"
            " the tables; asked by default.",
        ),
    ] = None,
    profiles_dir: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Folder with profiles.yml of a dbt project that exists."),
    ] = None,
    target: Annotated[
        str | None, typer.Option(help="Target of the profile, for a dbt project that exists.")
    ] = None,
) -> None:
    """Make a dbt project for a Debezium source, or add a source to one."""
    # it looks into files: no other command needs these modules
    from dbt_debezium_spark.cli import init_command

    init_command.run(folder, source, connector, input_path, topic_prefix, models)
    profile_check.run(folder, profiles_dir, target, add_target)


@app.command(epilog=EXIT_CODES)
def generate(
    source: Annotated[
        str | None, typer.Option(help="Only this source; by default all of the project.")
    ] = None,
    check: Annotated[
        bool,
        typer.Option("--check", help="Write no file; exit 1 when one would change. For CI."),
    ] = False,
    select: Annotated[
        list[str] | None,
        typer.Option(
            metavar="TABLE",
            help="Only tables with this name; `*` and `?` match. May be given more than once.",
        ),
    ] = None,
    build: Annotated[
        bool,
        typer.Option(
            "--build/--no-build",
            help="Land new records and build the catalog first, or use the catalog as it is.",
        ),
    ] = True,
    project_dir: ProjectDir = Path("."),
    profiles_dir: ProfilesDir = None,
    target: Target = None,
) -> None:
    """Write the models of every table in the records.

    Lands new records and builds the catalog, then writes staging, state, current and observability
    models with their properties. Files you wrote or took over (no `generated by` line) are kept.
    """
    generate_command.run(
        source=source,
        check=check,
        select=select or [],
        build=build,
        project_dir=project_dir,
        profiles_dir=profiles_dir,
        target=target,
    )


@app.command(epilog=EXIT_CODES)
def explain(
    table: Table,
    key: Annotated[
        list[str],
        typer.Argument(
            help="Value of the key, or a=1 b=x for several columns; of a document: _id."
        ),
    ],
    source: SourceOfTable = None,
    as_of: Annotated[
        str | None,
        typer.Option(metavar="INSTANT", help="The row at an instant, like '2026-03-01 12:00:00'."),
    ] = None,
    as_json: AsJson = False,
    project_dir: ProjectDir = Path("."),
    profiles_dir: ProfilesDir = None,
    target: Target = None,
) -> None:
    """Say why a row is as it is, or where it went.

    Shows every record of its key in the order of arrival, the rule by which each counts, and what
    it changed. Reads tables and writes none.
    """
    explain_command.run(
        table,
        key,
        source=source,
        as_of=as_of,
        as_json=as_json,
        project_dir=project_dir,
        profiles_dir=profiles_dir,
        target=target,
    )


@app.command(epilog=EXIT_CODES)
def verify(
    table: Table,
    against: Annotated[
        str, typer.Option(metavar="ROWS", help="jdbc:URL, a path of files, or a relation.")
    ],
    source: SourceOfTable = None,
    there: Annotated[str | None, typer.Option(help="The table's name in the database.")] = None,
    build: Annotated[
        bool, typer.Option("--build", help="Land and fold what came during the reading.")
    ] = False,
    read_at: Annotated[
        str | None, typer.Option(metavar="INSTANT", help="When the reading of the rows began.")
    ] = None,
    as_of: Annotated[
        str | None,
        typer.Option(metavar="WHAT", help="The table at `cut`, a position or an instant."),
    ] = None,
    ranges: Annotated[int | None, typer.Option(min=1, help="Number of ranges of keys.")] = None,
    limit: Annotated[int, typer.Option(min=1, help="Most rows that are explained.")] = 10,
    as_json: AsJson = False,
    project_dir: ProjectDir = Path("."),
    profiles_dir: ProfilesDir = None,
    target: Target = None,
) -> None:
    """Compare a table with rows read from its source, and explain those that differ."""
    options = {"source": source, "there": there, "read_at": read_at, "as_of": as_of}
    place = {"project_dir": project_dir, "profiles_dir": profiles_dir, "target": target}
    numbers = {"ranges": ranges, "limit": limit}
    verify_command.run(table, against, as_json, build=build, **options, **numbers, **place)


@app.command(epilog=EXIT_CODES)
def status(
    as_json: AsJson = False,
    html: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Also write a page with pictures of the landings."),
    ] = None,
    project_dir: ProjectDir = Path("."),
    profiles_dir: ProfilesDir = None,
    target: Target = None,
) -> None:
    """Say whether everything is well: every table on one screen, what is wrong first.

    Exits with 1 if anything is wrong. Reads tables and writes none.
    """
    status_command.run(
        as_json=as_json,
        html=html,
        project_dir=project_dir,
        profiles_dir=profiles_dir,
        target=target,
    )


@app.command(epilog=EXIT_CODES)
def maintain(
    source: Annotated[str | None, typer.Option(help="One source; all by default.")] = None,
    older_than_days: Annotated[
        float, typer.Option(min=0, help="Older states of the tables go; for Delta at least 7.")
    ] = 7,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only tell what there is to do, with bytes.")
    ] = False,
    project_dir: ProjectDir = Path("."),
    profiles_dir: ProfilesDir = None,
    target: Target = None,
) -> None:
    """Let records go whose retention has ended, then compact tables and expire older states.

    No row changes. Run it when no dbt command runs.
    """
    maintain_command.run(
        source=source,
        older_than_days=older_than_days,
        dry_run=dry_run,
        project_dir=project_dir,
        profiles_dir=profiles_dir,
        target=target,
    )
