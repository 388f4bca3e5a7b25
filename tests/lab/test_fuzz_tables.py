"""Damaged records of the demo through models: `python -m tests.fuzz --tables` takes many more."""

from __future__ import annotations

import itertools

import pytest
from pyspark.sql import SparkSession

from tests.fuzz.documents import fuzz_documents
from tests.fuzz.landed import Report
from tests.fuzz.mutants import Mutant, mutants
from tests.fuzz.tables import fuzz_tables

SEED = 20261124
MUTANTS = 100


@pytest.mark.full
@pytest.mark.parametrize("connector", ["postgresql", "sqlserver", "oracle", "mysql", "mariadb"])
def test_no_model_fails_and_rows_of_no_mutant_stay(spark: SparkSession, connector: str) -> None:
    _is_harmless(fuzz_tables(spark, connector, _made(connector)))


@pytest.mark.full
def test_documents_of_no_mutant_stay(spark: SparkSession) -> None:
    _is_harmless(fuzz_documents(spark, _made("mongodb")))


def _made(connector: str) -> list[Mutant]:
    made = (one for one in mutants(SEED, 20_000) if one.connector == connector)
    return list(itertools.islice(made, MUTANTS))


def _is_harmless(report: Report) -> None:
    assert not report.wrong, "\n".join(report.wrong[:10])
    assert report.compared >= 5
    assert min(report.became[what] for what in ("quarantined", "folded")) > 3, report.became
