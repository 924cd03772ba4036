"""Tasks run in processes of their own, which end with them."""

import os
import time
from functools import partial

import pytest

from tests.mutation.forks import Ended, Task, TaskFailedError, run_all


def test_values_come_back_by_key() -> None:
    tasks = [Task(number, partial(pow, number, 2)) for number in range(4)]
    assert {ended.key: ended.value for ended in run_all(tasks, jobs=2, limit=30)} == {0: 0, 1: 1, 2: 4, 3: 9}


def test_each_task_has_a_process_of_its_own() -> None:
    ids = {ended.value for ended in run_all([Task(number, os.getpid) for number in range(2)], jobs=1, limit=30)}
    assert len(ids) == 2
    assert os.getpid() not in ids


@pytest.mark.parametrize("call", [partial(time.sleep, 60), partial(os._exit, 1)], ids=["takes too long", "dies"])
def test_a_task_that_does_not_come_to_an_end_gives_none(call: "partial[None]") -> None:
    (ended,) = run_all([Task("key", call)], jobs=1, limit=0.3)
    assert isinstance(ended, Ended)
    assert ended.value is None


def test_what_a_task_raises_is_told() -> None:
    with pytest.raises(TaskFailedError, match="ValueError"):
        list(run_all([Task("key", partial(int, "x"))], jobs=1, limit=30))
