"""`python -m dev.demo.server`: a Spark server of its own process, from pyspark's installation.

It has the settings of a target of profiles/profiles.yml, and the tables of that target's state
folder. A Spark Connect server is used with `SPARK_REMOTE=sc://127.0.0.1:PORT dbt build`, a thrift
server with dbt-spark's method `thrift`: see docs/clusters.md.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from dbt_debezium_spark.notebook import read_settings
from dbt_debezium_spark.spark.kafka_jars import resolved_jar
from dbt_debezium_spark.spark.private_files import make_private
from dbt_debezium_spark.spark.settings import spark_options, state_dir

REPOSITORY = Path(__file__).resolve().parents[2]
HOST = "127.0.0.1"


class Kind(StrEnum):
    """What clients speak to the server."""

    CONNECT = "connect"
    THRIFT = "thrift"


def server_command(kind: Kind, settings: Mapping[str, str], port: int) -> list[str]:
    """Return the command line of a server.

    Args:
        kind: Spark Connect or thrift.
        settings: result of `settings.resolve_settings`.
        port: on 127.0.0.1.
    """
    from pyspark.find_spark_home import _find_spark_home

    options = spark_options(settings)
    if kind is Kind.CONNECT:
        main_class = "org.apache.spark.sql.connect.service.SparkConnectServer"
        options["spark.connect.grpc.binding.address"] = HOST
        options["spark.connect.grpc.binding.port"] = str(port)
        arguments = []
    else:
        main_class = "org.apache.spark.sql.hive.thriftserver.HiveThriftServer2"
        # its main class wants a Hive metastore, also where all tables are in another catalog
        options["spark.sql.catalogImplementation"] = "hive"
        options.setdefault(
            "spark.hadoop.javax.jdo.option.ConnectionURL",
            f"jdbc:derby:;databaseName={state_dir(settings)}/metastore;create=true",
        )
        options["spark.driver.extraClassPath"] = ":".join(str(jar) for jar in _jars(settings))
        wanted = {"port": str(port), "bind.host": HOST}
        arguments = [
            one
            for name, value in wanted.items()
            for one in ("--hiveconf", f"hive.server2.thrift.{name}={value}")
        ]
    command = [str(Path(_find_spark_home()) / "bin" / "spark-submit"), "--class", main_class]
    for name, value in options.items():
        command += ["--conf", f"{name}={value}"]
    return [*command, "spark-internal", *arguments]


def _jars(settings: Mapping[str, str]) -> list[Path]:
    """Return the jars of the packages, as Spark's resolver left them.

    On the class path of the JVM, because a thrift session closes at its end the class loader that
    Spark made for `spark.jars.packages`: the next one finds no class that was not yet loaded.

    Raises:
        FileNotFoundError: Spark was never started with these settings.
    """
    cache = Path(settings["spark.jars.ivy"])
    packages = settings["spark.jars.packages"].split(",")
    jars = [resolved_jar(cache, *package.strip().split(":")) for package in packages]
    missing = [str(jar) for jar in jars if not jar.is_file()]
    if missing:
        raise FileNotFoundError(f"not there yet: {missing}. `make demo` fetches them.")
    return jars


def server_environment() -> dict[str, str]:
    """Return the environment of a server: this Python for its workers, and no server above it."""
    kept = {name: value for name, value in os.environ.items() if name != "SPARK_REMOTE"}
    return {"PYSPARK_PYTHON": sys.executable} | kept


def main(
    kind: Annotated[Kind, typer.Argument(help="What clients speak to it.")] = Kind.CONNECT,
    port: Annotated[int, typer.Option(help="Port on 127.0.0.1.")] = 15002,
    target: Annotated[str, typer.Option(help="Target of the profile.")] = "iceberg",
    project_dir: Annotated[Path, typer.Option(help="Project whose state folder it serves.")] = (
        REPOSITORY
    ),
    profiles_dir: Annotated[Path, typer.Option(help="Folder of profiles.yml.")] = (
        REPOSITORY / "profiles"
    ),
) -> None:
    """Start a Spark server here; Ctrl-C ends it."""
    # the settings of a Spark that starts here, also in the shell of a client
    os.environ.pop("SPARK_REMOTE", None)
    settings, _ = read_settings(project_dir, profiles_dir, target)
    make_private(state_dir(settings))
    try:
        command = server_command(kind, settings, port)
    except FileNotFoundError as error:
        raise typer.BadParameter(str(error)) from error
    os.execve(command[0], command, server_environment())


if __name__ == "__main__":
    typer.run(main)
