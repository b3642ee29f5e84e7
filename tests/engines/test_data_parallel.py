"""Two workers of another engine that train one network, without sdbench between them. tests/cli/test_data_parallel_engines.py has it, too."""
import pathlib
import time

import pytest
from front import Worker

PATCHED = pathlib.Path(__file__).parent / "patched.py"
DEVICES = ["cpu:0", "cpu:1"]


@pytest.fixture
def part(network, tmp_path):
    """part(0): the first device's cell, with 3 of 5 images of a batch."""
    def cell(number, **more):
        batch = (3, 2)[number]
        return network("tiny-wrn", **{"task": "train", "update": True, "parallel_devices": DEVICES, "share": "batch", "device": DEVICES[number],
                                      "device_in_worker": "cpu", "shared_batch": 5, "batch": batch, "images": 4 * batch, "meeting": str(tmp_path),
                                      "threads": 1, **more})
    return cell


def outcomes(workers, cells):
    """Both, while each run of both begins at the same time."""
    for worker, cell in zip(workers, cells):
        worker.send("run", cell=cell)
    for _ in range(2):
        for worker in workers:
            worker.wait_for("ready")
        for worker in workers:
            worker.send("go")
    return [worker.wait_for("outcome")["outcome"] for worker in workers]


def test_what_is_compiled_is_the_replica_itself_and_trains_as_the_eager_one(part, tmp_path):
    losses = []
    for engine, program in (("pytorch", None), ("pytorch-compile", PATCHED)):
        meeting = tmp_path / engine
        meeting.mkdir()
        with Worker(engine, *filter(None, [program])) as first, Worker(engine, *filter(None, [program])) as second:
            both = outcomes((first, second), [part(number, meeting=str(meeting)) for number in (0, 1)])
            begun = first.stages()[:3]
            assert begun == (["load", "wait", "prepare"] if program else ["load", "wait", "first_image"]), "nobody's waiting is a preparing"
        assert [outcome["status"] for outcome in both] == ["ok", "ok"], both
        assert [part["name"] for part in both[0]["result"]["samples"][0]["parts"]] == ["forward", "backward", "all_reduce", "update"]
        assert both[0]["result"]["loss_last"] == both[1]["result"]["loss_last"]
        losses.append(both[0]["result"]["loss_last"])
    assert losses[1] == pytest.approx(losses[0], rel=1e-3)


def test_a_device_that_ended_before_it_came_is_not_waited_for(part, tmp_path):
    (tmp_path / "ended-1").touch()
    with Worker("pytorch") as worker:
        begin = time.monotonic()
        outcome = worker.run(part(0))
        assert (outcome["status"], outcome["stage"]) == ("error", "wait") and time.monotonic() - begin < 60
        assert outcome["message"] == "all devices must train together, but cpu:1 has ended; its row says why"
        assert worker.run(part(0, parallel_devices=[], shared_batch=0))["status"] == "ok", "it must go on alone"


def test_a_device_whose_cell_has_ended_ends_the_other_s_though_its_worker_lives(part, tmp_path):
    with Worker("pytorch") as first, Worker("pytorch") as second:
        first.send("run", cell=part(0, images=3 * 100_000))
        second.send("run", cell=part(1, images=2 * 100_000, max_time_s=3))
        second.wait_for("ready")
        second.send("go")
        assert second.wait_for("outcome")["outcome"]["result"]["stop_reason"] == "max_time"
        (tmp_path / "ended-1").touch()
        begin = time.monotonic()
        outcome = first.wait_for("outcome")["outcome"]
        assert outcome["status"] == "error" and "cpu:1 has ended; its row says why" in outcome["message"], outcome
        assert time.monotonic() - begin < 30
        assert second.row(part(1, parallel_devices=[], shared_batch=0))["samples"], "it must go on alone"
