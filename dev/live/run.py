"""One live run, from empty databases to compared tables."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from dev.demo.truth import Comparison
from dev.live import platform as servers
from dev.live.landing import APPEND_ONLY, Landed, Landing
from dev.live.pace import Pace, Stopped
from dev.live.play import SIZES, Delivered, Play
from dev.live.verified import Verified, verify_databases

JOIN_SECONDS = 120


@dataclass(frozen=True)
class Report:
    """What a live run did and found."""

    delivered: dict[str, Delivered]
    landed: dict[str, Landed]
    truth_rows: dict[str, int]
    runs: int
    comparisons: list[Comparison]
    verified: list[Verified]

    @property
    def rows_compared(self) -> int:
        """Rows of all current tables."""
        return sum(one.rows for one in self.comparisons)

    @property
    def rows_different(self) -> int:
        """Rows that only a current table or only its database has."""
        return sum(one.different for one in self.comparisons)


def live(
    folder: Path,
    *,
    seed: int,
    size: str,
    target: str,
    say: Callable[[str], None],
    flattened: bool = False,
) -> Report:
    """Play on both databases, land meanwhile, compare in the end.

    Args:
        folder: new or empty; gets the dbt project, the truth, and the servers' logs when
            something fails.
        seed: decides the statements.
        size: one of `play.SIZES`.
        target: table format, `iceberg` or `delta`.
        say: is told what happens.
        flattened: the connectors flatten their records. Tables without a key are not compared.

    Raises:
        ServerError: something is missing, failed or took too long; the message says what to do.
    """
    pace = Pace()
    with (
        servers.running(folder / "logs") as platform,
        closing(Play(platform, seed, SIZES[size], pace, say, flattened=flattened)) as play,
    ):
        say(f"Kafka: {platform.broker.address}; Kafka Connect: {platform.worker.address}")
        say(f"what the topics get is followed in {platform.tail.spool}")
        failures: list[BaseException] = []

        def perform() -> None:
            try:
                play.perform()
            except BaseException as error:
                failures.append(error)

        player = threading.Thread(target=perform, name="play")
        player.start()
        try:
            landing = Landing(folder, target, platform.broker.address, say, flattened=flattened)
            runs = landing.run(pace, len(play.acts))
        except Stopped:
            player.join(JOIN_SECONDS)
            raise failures[0] from None
        except BaseException as error:
            pace.fail(error)
            raise
        finally:
            player.join(JOIN_SECONDS)
        truth_rows = {
            name: work.save_truth(folder / "truth" / name / "truth")
            for name, work in play.works.items()
        }
        comparisons = landing.compare(folder / "truth")
        delivered, landed = play.delivered(), landing.landed()
        verified = [] if flattened else verify_databases(platform, play, landing, say)
        return Report(
            delivered,
            landed,
            {
                table: rows
                for of in truth_rows.values()
                for table, rows in of.items()
                if not (flattened and table in APPEND_ONLY)
            },
            runs,
            comparisons,
            verified,
        )
