"""Transfers of real databases: both tables of a bank are read as of one commit."""

from __future__ import annotations

from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from dev.live.bank import MARIADB, POSTGRES, TOTAL, Bank
from dev.live.bank_landing import BankLanding
from dev.live.platform import running
from dev.live.project import ProjectError
from tests.full.live.test_live import skip_without_servers

SOURCES = (POSTGRES, MARIADB)


@pytest.mark.slow
def test_two_tables_as_of_the_cut_hold_what_they_always_held(
    tmp_path: Path, spark: SparkSession
) -> None:
    skip_without_servers()
    with running(tmp_path / "logs") as platform:
        bank = Bank(platform, seed=7)
        bank.register()
        bank.traffic(4)
        landing = BankLanding(tmp_path, "iceberg", platform.broker.address)
        landing.generate()
        landing.land(*SOURCES)
        assert [landing.total(source, "asof") for source in SOURCES] == [TOTAL, TOTAL]

        for source in SOURCES:
            bank.leave_half(source)
            with landing.reading() as reads:
                landing.land(source)
            print(source, {name: len(one.sums) for name, one in reads.items()})
            for one in reads.values():
                assert one.error is None and set(one.sums) == {TOTAL}
            assert landing.total(source, "cur") != TOTAL, "the half of a transfer landed"
            assert [landing.total(name, "asof") for name in SOURCES] == [TOTAL, TOTAL]
            bank.go_on()
        bank.traffic(4)
        bank.close()
        landing.land(*SOURCES)

    landing.project.run_dbt("--quiet", "test", "--select", "debezium_obs__transactions")
    for source in SOURCES:
        assert landing.total(source, "cur") == landing.total(source, "asof") == TOTAL
        cuts = landing.cuts(source)
        print(source, cuts)
        assert len({position for _, position in cuts}) >= 2, "the cut rose with whole transfers"
        assert set(landing.totals_at_cuts(source)) == {TOTAL}
        assert landing.incomplete(source) == set()

    removed = landing.remove_events()

    for source in SOURCES:
        assert landing.incomplete(source) == {removed[source]}
    with pytest.raises(ProjectError, match="debezium_obs__transactions"):
        landing.project.run_dbt("--quiet", "test", "--select", "debezium_obs__transactions")
