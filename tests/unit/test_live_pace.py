from __future__ import annotations

import threading

import pytest

from dev.live.pace import Pace, Stopped


def test_acts_and_runs_begin_while_the_other_side_works() -> None:
    pace = Pace()
    said: list[str] = []
    lock = threading.Lock()

    def note(text: str) -> None:
        with lock:
            said.append(text)

    def act() -> None:
        for number in (1, 2, 3):
            pace.before_act(number)
            note(f"act {number}")
            pace.act_is_over()

    player = threading.Thread(target=act)
    player.start()
    for number in (1, 2, 3):
        pace.run_begins(number)
        note(f"run {number}")
    player.join(10)

    for number in (1, 2, 3):
        assert said.index(f"act {number}") < said.index(f"run {number}")
    # act 3 cannot begin before run 2 does, which is before run 2 says so
    assert said.index("run 1") < said.index("act 3")


def test_an_act_waits_for_the_run_before_it() -> None:
    pace = Pace()
    pace.before_act(1)
    pace.act_is_over()
    began = threading.Event()

    def second() -> None:
        pace.before_act(2)
        began.set()

    player = threading.Thread(target=second)
    player.start()
    assert not began.wait(0.2)
    pace.run_begins(1)
    assert began.wait(10)
    player.join(10)


def test_without_runs_acts_follow_each_other() -> None:
    pace = Pace(waits_for_runs=False)
    for number in (1, 2, 3):
        pace.before_act(number)
        pace.act_is_over()


def test_a_failure_of_one_side_ends_the_waiting_of_the_other() -> None:
    pace = Pace()
    failed: list[BaseException] = []

    def wait() -> None:
        try:
            pace.run_begins(1)
        except Stopped as stopped:
            failed.append(stopped)

    runner = threading.Thread(target=wait)
    runner.start()
    pace.fail(ValueError("the database is gone"))
    runner.join(10)

    assert [str(one.__cause__) for one in failed] == ["the database is gone"]
    with pytest.raises(Stopped):
        pace.check()
