"""`python -m tests.property --histories 10000`: random histories against the reference fold."""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from pathlib import Path
from typing import Annotated

import typer


def main(
    histories: Annotated[int, typer.Option(help="Histories over all connectors.")] = 200,
    seed: Annotated[int, typer.Option(help="Seed of the first history.")] = 1,
    group: Annotated[int, typer.Option(help="Histories that share a table and a run.")] = 50,
    connector: Annotated[
        str, typer.Option(help="Connectors, separated by commas.")
    ] = "postgresql,sqlserver,oracle,mysql,mariadb",
    target: Annotated[str, typer.Option(help="Table format: iceberg or delta.")] = "iceberg",
    keep_going: Annotated[bool, typer.Option(help="Go on after a difference.")] = True,
) -> None:
    """Fold random histories with dbt and count the rows unlike the reference fold."""
    folder = Path(tempfile.mkdtemp(prefix="debezium-spark-histories-"))
    os.environ["DEBEZIUM_SPARK_STATE"] = str(folder / "state")
    os.environ.setdefault("DEBEZIUM_SPARK_SHUFFLE_PARTITIONS", "2")

    from dbt_debezium_spark.notebook import read_settings
    from dbt_debezium_spark.session import session_for
    from tests.property.documents import run_document_trial
    from tests.property.trial import run_trial
    from tests.support.jvm_options import set_java_options
    from tests.support.paths import PROFILES, REPOSITORY

    set_java_options()
    spark = session_for(read_settings(REPOSITORY, PROFILES, target)[0])
    connectors = connector.split(",")
    wrong = done = number = 0
    started = time.monotonic()
    while done < histories:
        seeds = list(range(seed + done, seed + min(done + group, histories)))
        # every tenth trial is a single history, which may use what binds a whole source
        seeds = seeds[:1] if number % 10 == 9 else seeds
        name = connectors[number % len(connectors)]
        place = {"schema": f"trial_{number}", "target": target}
        if name == "mongodb":
            differences = run_document_trial(folder / f"trial_{number}", spark, seeds, **place)
        else:
            differences = run_trial(folder / f"trial_{number}", spark, seeds, name, **place)
        wrong += len(differences)
        for difference in differences[:20]:
            typer.echo(f"{name} {difference}")
        done += len(seeds)
        number += 1
        typer.echo(
            f"{done} of {histories} histories, seeds {seed} to {seeds[-1]},"
            f" {wrong} wrong rows, {time.monotonic() - started:.0f} s"
        )
        spark.sql(f"drop view if exists trial_{number - 1}.raw_sim")
        if differences and not keep_going:
            break
        shutil.rmtree(folder / f"trial_{number - 1}", ignore_errors=True)
    typer.echo(f"{done} histories, {wrong} wrong rows")
    if wrong:
        typer.echo(f"kept: {folder}")
        raise typer.Exit(1)
    shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    typer.run(main)
