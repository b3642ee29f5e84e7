"""Several devices at the same time, truly: shares of this machine's cores with the real worker."""

import json
import pathlib
import signal
import time

import pytest
from program import children, finish, is_alive, record_of, run, start, wait_until

CELL = ("-m", "tiny-sd15", "--weights", "synthetic", "--size", "64x64", "--dtype", "fp32", "--warmup", 1)
PAIR = (*CELL, "--device", "cpu:0,cpu:1", "--parallel")


def rows_by_role(out):
    """The rows of each device alone, those of the devices together, and the sum."""
    *parts, whole = json.loads(out)
    alone, devices = parts[:len(parts) // 2], parts[len(parts) // 2:]
    assert [(row["device"], row["parallel_role"]) for row in alone] == [(row["device"], "") for row in devices]
    assert [row["parallel_role"] for row in devices] == ["device"] * len(devices)
    assert whole["parallel_role"] == "sum"
    assert {row["parallel_id"] for row in devices} == {whole["run_id"]} and {row["parallel_id"] for row in alone} == {""}
    return alone, devices, whole


def pixels(folder, pattern):
    """PNG files without the texts that name device and share."""
    import numpy
    from PIL import Image
    return [numpy.asarray(Image.open(path)) for path in sorted(folder.glob(pattern))]


def test_shared_images_are_the_ones_of_one_device_and_sums_are_of_all(tmp_path):
    prompts = [argument for number in range(5) for argument in ("--prompt", f"a house with {number} windows")]
    code, out, err = run(tmp_path, *PAIR, "--steps", 3, "--repeat", 3, *prompts, "--seed", 7, "--save-images", "out",
                         "--no-save", "--format", "json")
    assert code == 0, err
    alone, devices, whole = rows_by_role(out)
    assert [row["status"] for row in (*alone, *devices, whole)] == ["ok"] * 5
    assert (alone[0]["images"], [row["images"] for row in devices], whole["images"]) == (5, [3, 2], 5)
    assert [row["seed"] for row in devices] == [7, 10] and whole["seed"] == 7
    assert [row["threads"] for row in devices] == [1, 1] and [row["cpu_share"] for row in devices] == ["0/2", "1/2"]

    import numpy
    first, together = pixels(tmp_path / "out", "cell-1/*.png"), pixels(tmp_path / "out", "cell-3/*.png")
    assert len(first) == len(together) == 5
    assert all(numpy.array_equal(one, other) for one, other in zip(first, together))
    names = sorted(path.name for path in (tmp_path / "out/cell-3").iterdir())
    assert [name.split("-seed")[1] for name in names] == [
        "10-cpu1.png", "11-cpu1.png", "7-cpu0.png", "8-cpu0.png", "9-cpu0.png"]

    # the whole's run lasts from the first start to the last end, and none begins before all have ended the one before
    ended = 0
    for number, sample in enumerate(whole["samples"]):
        parts = [row["samples"][number] for row in devices]
        begin = min(part["start_s"] for part in parts)
        assert begin >= ended
        ended = max(part["start_s"] + part["e2e_s"] for part in parts)
        assert sample["e2e_s"] == pytest.approx(ended - begin)
    seconds = sum(sample["e2e_s"] for sample in whole["samples"])
    assert whole["repeat"] == 3 and whole["images_per_min"] == pytest.approx(60 * 3 * 5 / seconds)
    assert whole["scaling_efficiency"] == pytest.approx(whole["images_per_min"] / sum(row["images_per_min"] for row in alone))
    assert whole["device"] == "cpu:0+cpu:1" and whole["device_name"] == "2 x " + alone[0]["device_name"]
    assert whole["unet_it_s"] is None and whole["workload_id"] == alone[0]["workload_id"]
    assert len({row["cell_id"] for row in (*alone, *devices, whole)}) == 5


def test_each_makes_all_its_images_where_it_is_told_to(tmp_path):
    code, out, err = run(tmp_path, *PAIR, "--share", "each", "--steps", 2, "--images", 2, "--repeat", 2,
                         "--save-images", "out", "--no-save", "--format", "json")
    assert code == 0, err
    alone, devices, whole = rows_by_role(out)
    assert ([row["images"] for row in alone], [row["images"] for row in devices], whole["images"]) == ([2, 2], [2, 2], 4)
    assert {row["share"] for row in devices} == {"each"}
    images = pixels(tmp_path / "out", "cell-3/*.png")
    assert len(images) == 4 and (images[0] == images[1]).all() and (images[2] == images[3]).all()


def allowed_cores(pid):
    status = pathlib.Path(f"/proc/{pid}/status").read_text()
    return next(line.split()[1] for line in status.splitlines() if line.startswith("Cpus_allowed_list"))


def test_each_worker_has_its_own_cores_and_ctrl_c_ends_all_with_their_rows(tmp_path):
    process = start(tmp_path, *PAIR, "--steps", 20, "--images", 2, "--repeat", 100000, "-o", "r.jsonl", "-v",
                    "--max-time", 600)
    # the first device's row alone would never end: it is interrupted, resumed later
    workers = wait_until(lambda: children(process.pid))
    process.send_signal(signal.SIGINT)
    code, _, err = finish(process)
    assert code == 130, err
    wait_until(lambda: not any(map(is_alive, workers)), 5)

    # each device's row alone is of one run, which takes a fortieth of what the execution to be interrupted would measure first
    code, _, err = run(tmp_path, *PAIR, "--steps", 20, "--images", 2, "--repeat", 1, "-o", "s.jsonl")
    assert code == 0, err
    (tmp_path / "s.jsonl").write_text("".join((tmp_path / "s.jsonl").read_text().splitlines(keepends=True)[:2]))
    process = start(tmp_path, *PAIR, "--steps", 20, "--images", 2, "--repeat", 40, "-o", "s.jsonl", "--resume", "-v")
    while "cpu:1: measure" not in (line := process.stderr.readline()):
        assert line, "the run ended too early"
    workers = children(process.pid)
    assert len(workers) == 2
    cores = [allowed_cores(worker) for worker in workers]
    assert len(set(cores)) == 2 and all(core.isdigit() for core in cores), cores
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    code, _, err = finish(process)
    assert code == 130, err
    wait_until(lambda: not any(map(is_alive, workers)), 5)
    rows = [json.loads(line) for line in (tmp_path / "s.jsonl").read_text().splitlines()]
    assert [(row["parallel_role"], row["status"]) for row in rows] == [
        ("", "ok"), ("", "ok"), ("device", "interrupted"), ("device", "interrupted"), ("sum", "interrupted")]

    code, _, err = run(tmp_path, *PAIR, "--steps", 20, "--images", 2, "--repeat", 2, "-o", "s.jsonl", "--resume")
    assert code == 0, err
    assert err.count("ok in the outputs already") == 2  # each device alone
    rows = [json.loads(line) for line in (tmp_path / "s.jsonl").read_text().splitlines()][5:]
    assert [(row["parallel_role"], row["status"]) for row in rows] == [("device", "ok"), ("device", "ok"), ("sum", "ok")]
    assert rows[2]["scaling_efficiency"] > 0

    code, _, err = run(tmp_path, *PAIR, "--steps", 20, "--images", 2, "--repeat", 2, "-o", "s.jsonl", "--resume")
    assert code == 0, err
    assert err.count("ok in the outputs already") == 3
    assert len((tmp_path / "s.jsonl").read_text().splitlines()) == 8


def test_one_after_the_other_devices_are_a_row_each(tmp_path):
    code, out, err = run(tmp_path, *CELL, "--device", "cpu:1,cpu:0", "--steps", 2, "--repeat", 1, "--no-save", "--format",
                         "json")
    assert code == 0, err
    rows = json.loads(out)
    assert [(row["device"], row["threads"], row["parallel_role"]) for row in rows] == [("cpu:1", 1, ""), ("cpu:0", 1, "")]
    assert rows[0]["cell_id"] != rows[1]["cell_id"]


def test_telemetry_is_each_cells_own_and_the_hosts_is_the_sums(tmp_path):
    import csv
    code, out, err = run(tmp_path, *PAIR, "--steps", 20, "--images", 2, "--repeat", 2, "--telemetry", "t.csv",
                         "--telemetry-interval", 0.02, "--no-save", "--format", "json")
    assert code == 0, err
    alone, devices, whole = rows_by_role(out)
    assert all(row["telemetry_samples"] >= 2 for row in devices)
    assert all(row["worker_rss_max_bytes"] > 50e6 and row["energy_j"] is None for row in devices)
    assert whole["worker_rss_max_bytes"] == sum(row["worker_rss_max_bytes"] for row in devices)
    with open(tmp_path / "t.csv", newline="") as file:
        phases = {row["phase"] for row in csv.DictReader(file) if row["run_id"] == whole["run_id"]}
    assert "wait" in phases or "mixed" in phases
    with open(tmp_path / "t.csv", newline="") as file:
        tags = {row["run_id"] for row in csv.DictReader(file) if row["device"] == "host"}
    assert {*(row["run_id"] for row in alone), whole["run_id"]} <= tags
    assert not {row["run_id"] for row in devices} & tags


@pytest.mark.parametrize("arguments, message", [
    (("--device", "cpu:0,cpu:2"), "without a gap"),
    (("--device", "cpu:1"), "one of several shares"),
    (("--device", ",".join(f"cpu:{number}" for number in range(1000))), "no more shares than there are cores"),
    (("--device", "cpu:0,cpu:0"), "twice"),
    (("--parallel",), "two devices or more"),
    (("--device", "cpu", "--parallel"), "two devices or more"),
    (("--device", "all", "--parallel"), "two devices or more"),
    (("--share", "each"), "with --parallel"),
    (("--device", "cpu:0,cpu:1", "--parallel", "--batch", "auto"), "--batch must be a number"),
    (("--device", "cpu:0,cpu:1", "--parallel", "--max-noise", "1%"), "--max-noise must be given without --parallel"),
    (("--device", "cpu:0,cpu:1", "--parallel", "--images", "1"), "a batch for each of the 2 devices"),
    (("--device", "cpu:0,cpu:1", "--parallel", "--share", "all"), "prompts, batch or each"),
    (("--device", "cpu:0,cpu:1", "--parallel", "--share", "batch"), "prompts or each with --task generate"),
    (("--device", "cpu:0,cpu:1", "--parallel", "--dump-latents", "l.safetensors"), "without --parallel"),
    (("--device", "cpu:x"), "cpu:K"),
])
def test_lists_that_cannot_be_are_refused(tmp_path, arguments, message):
    code, out, err = run(tmp_path, *CELL, *arguments)
    assert code == 2 and not out, err
    assert message in err
    assert not list(tmp_path.iterdir())


def test_all_devices_are_the_cpu_where_there_is_no_gpu(tmp_path):
    code, out, err = run(tmp_path, *CELL, "--device", "all", "--steps", 1, "--repeat", 1, "--no-save", "--format", "json",
                         env=None)
    assert code == 0, err
    row = record_of(out)
    if row["device_kind"] == "cpu":
        assert row["device"] == "auto" and "because there is no GPU" in err
