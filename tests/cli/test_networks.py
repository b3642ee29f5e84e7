"""Classic networks, inference and training, as a second kind of work beside images of prompts."""

import csv
import itertools
import json
import pathlib
import re
import resource
import signal
import time

import pytest
from program import environment, finish, record_of, run, start

QUICK = ("--device", "cpu", "--iterations", 2, "--repeat", 2, "--warmup", 1)
TINY = ["tiny-vgg", "tiny-resnet", "tiny-densenet", "tiny-cnn", "tiny-wrn"]


def rows_of(folder):
    with open(folder / "x.csv") as file:
        return list(csv.DictReader(file))


def swept(folder, *options, code=0):
    got, out, err = run(folder, *options, *QUICK, "-o", "x.csv")
    assert got == code, err
    return rows_of(folder), out + err


def test_every_network_infers_and_trains(tmp_path):
    rows, _ = swept(tmp_path, "-m", ",".join(TINY), "--task", "infer,train", "--dtype", "fp32", "-b", 4)
    assert [(row["model"], row["task"]) for row in rows] == [(model, task) for model in TINY for task in ("infer", "train")]
    for row in rows:
        assert row["status"] == "ok" and row["golden_check"] == "pass", row["error"]
        assert (row["batch"], row["images"], row["steps"]) == ("4", "8", "1")
        assert float(row["images_per_s"]) == pytest.approx(8 / float(row["e2e_s"]), rel=0.5)
        assert float(row["achieved_tflops"]) > 0
        assert not [name for name in row if name.startswith("unet_") and row[name]]
        assert (row["weight_update"] == "off") == (row["task"] == "train")
        assert bool(row["loss_first"]) == (row["task"] == "train")


def test_an_exported_folder_is_a_model_with_its_weights(tmp_path):
    code, _, err = run(tmp_path, "export-weights", "-m", "tiny-resnet", "-o", "net")
    assert code == 0, err
    for options in (("-m", "net"), ("--weights", "net")):
        row = swept(tmp_path, *options, "--dtype", "fp32")[0][-1]  # the file grows
        assert (row["status"], row["task"], row["model"], row["weights_dtype"]) == ("ok", "infer", "tiny-resnet", "fp32")
        assert row["weights"].startswith("meta:")


def test_the_times_of_a_run_are_those_of_its_parts(tmp_path):
    code, out, err = run(tmp_path, "-m", "tiny-resnet", "--task", "train", "-b", 4, "--update", "on", *QUICK, "--format", "json",
                         "--no-save")
    assert code == 0, err
    record = record_of(out)
    for sample in record["samples"]:
        parts = sample["forward_s"] + sample["backward_s"] + sample["update_s"]
        assert parts == pytest.approx(sum(sample["step_s"]), rel=0.01)
        assert parts <= sample["e2e_s"] * 1.01
        assert len(sample["step_s"]) == 2


def test_training_with_the_step_learns_its_batch_and_without_stays(tmp_path):
    options = ("-m", "tiny-resnet", "--task", "train", "-b", 8, "--update", "on,off", "--iterations", 20, "--repeat", 2, "--warmup", 0,
               "--device", "cpu", "--dtype", "fp32", "-o", "x.csv")
    code, _, err = run(tmp_path, *options)
    assert code == 0, err
    on, off = rows_of(tmp_path)
    assert float(on["loss_last"]) < 0.9 * float(on["loss_first"])
    assert float(off["loss_last"]) == pytest.approx(float(off["loss_first"]), rel=1e-4)
    assert on["workload_id"] != off["workload_id"]


def test_dropout_is_by_the_seed_so_an_accuracy_comes_back(tmp_path):
    options = ("-m", "tiny-vgg", "--task", "train", "--epochs", 2, "--data", "synthetic:64", "-b", 8, "--device", "cpu", "--dtype", "fp32", "--threads", 2)
    code, out, err = run(tmp_path, *options, "--seed", "5,6", "--rounds", 2, "-o", "x.csv")
    assert code == 0, err
    results = {}
    for row in rows_of(tmp_path):
        results.setdefault(row["seed"], set()).add((row["loss_first"], row["loss_last"], row["accuracy"]))
    assert [len(ends) for ends in results.values()] == [1, 1] and results["5"] != results["6"], results
    code, out, err = run(tmp_path, "reproduce", "x.csv", "--run-id", rows_of(tmp_path)[0]["run_id"], "-o", "y.csv")
    assert code == 0, out + err
    with open(tmp_path / "y.csv") as file:
        row = list(csv.DictReader(file))[-1]
    assert {(row["loss_first"], row["loss_last"], row["accuracy"])} == results["5"]


def test_equal_commands_have_equal_losses_however_many_warm_ups_time_allows(tmp_path):
    options = ("-m", "tiny-vgg", "--task", "train", "--device", "cpu", "--dtype", "fp32", "--threads", 2, "-b", 4, "--iterations", 3, "-o", "x.csv")
    for more in (("--warmup", "auto,0,1,3"), ("--repeat", 1), ("--update", "on", "--rounds", 2)):
        code, _, err = run(tmp_path, *options, *more)
        assert code == 0, err
    rows = rows_of(tmp_path)
    assert len({row["warmup"] for row in rows}) > 2 and len({row["repeat"] for row in rows}) == 2
    for update, count in (("off", 5), ("on", 2)):
        losses = [(row["loss_first"], row["loss_last"]) for row in rows if row["weight_update"] == update]
        assert len(losses) == count and len(set(losses)) == 1, losses
    assert [(row["warmup"], row["warmup_reason"]) for row in rows[-2:]] == [("2", "asked")] * 2


def test_another_loss_is_another_work_and_comes_back_by_its_row(tmp_path):
    rows, text = swept(tmp_path, "-m", "tiny-resnet", "--task", "train", "-b", 2, "--loss", "cross-entropy,logit-sum")
    assert [(row["status"], row["loss"]) for row in rows] == [("ok", ""), ("ok", "logit-sum")]
    assert rows[0]["workload_id"] != rows[1]["workload_id"] and rows[0]["loss_first"] != rows[1]["loss_first"]
    assert "logit-sum" in text
    code, out, err = run(tmp_path, "reproduce", "x.csv", "--run-id", rows[1]["run_id"], "-o", "y.csv")
    assert code == 0, out + err
    with open(tmp_path / "y.csv") as file:
        assert list(csv.DictReader(file))[-1]["workload_id"] == rows[1]["workload_id"]


def test_a_network_computes_in_each_format_of_a_cpu(tmp_path):
    tasks, dtypes = ("infer", "train"), ("fp32", "bf16", "autocast-bf16")
    rows, _ = swept(tmp_path, "-m", "tiny-resnet", "--task", ",".join(tasks), "--dtype", ",".join(dtypes), "-b", 2)
    assert [row["status"] for row in rows] == ["ok"] * 6, [row["error"] for row in rows]
    assert sorted((row["task"], row["dtype_unet"]) for row in rows) == sorted(itertools.product(tasks, dtypes))
    packed = {(row["task"], row["dtype_unet"]): row["packed_weights_used"] for row in rows}
    assert packed.pop(("infer", "bf16")) in ("onednn", "off")  # off without AVX-512
    assert packed.pop(("infer", "fp32")) == ("winograd" if "avx2" in pathlib.Path("/proc/cpuinfo").read_text() else "onednn")
    assert set(packed.values()) == {"off"}  # gradients and autocast need the plain weights
    contiguous = swept(tmp_path, "-m", "tiny-resnet", "--dtype", "fp32", "--memory-format", "contiguous")[0][-1]
    assert contiguous["packed_weights_used"] == "off"


def test_the_forms_of_a_networks_weights_are_an_axis(tmp_path):
    rows, _ = swept(tmp_path, "-m", "tiny-resnet", "--dtype", "fp32", "--packed-weights", "auto,winograd,onednn,off", "-b", 2)
    assert [row["status"] for row in rows] == ["ok"] * 4 and [row["packed_weights"] for row in rows] == ["auto", "winograd", "onednn", "off"]
    used = [row["packed_weights_used"] for row in rows]
    assert used[0] == used[1] and used[1:] == ["winograd" if "avx2" in pathlib.Path("/proc/cpuinfo").read_text() else "onednn", "onednn", "off"]
    assert len({row["variant_id"] for row in rows}) == 4
    _, _, err = run(tmp_path, "-m", "tiny-resnet", "--task", "train", "--packed-weights", "onednn", "--dry-run")
    assert "--packed-weights" in err


def test_pure_fp16_computes_on_a_cpu_and_is_said_to_be_slow(tmp_path):
    rows, text = swept(tmp_path, "-m", "tiny-resnet", "--task", "infer,train", "--dtype", "fp16", "-b", 2)
    assert [(row["status"], row["dtype_unet"]) for row in rows] == [("ok", "fp16")] * 2, rows[0]["error"]
    assert "fp16 on a CPU is slower than fp32" in text and "--dtype auto" not in text


def test_fp16_training_with_loss_scaling_is_refused_on_a_cpu(tmp_path):
    options = ("-m", "tiny-resnet", "--task", "train", "-b", 2)
    (scaled, other), _ = swept(tmp_path, *options, "--dtype", "autocast-fp16,autocast-bf16", code=3)
    assert other["status"] == "ok" and scaled["status"] == "skipped"
    assert "must be another format for training on a CPU, but is autocast-fp16" in scaled["error"]
    assert scaled["error"].endswith("; take autocast-bf16, bf16 or fp32")
    code, out, err = run(tmp_path, *options, "--dtype", "autocast-fp16", "--device", "cpu", "--no-save")
    assert code == 2 and not out and err.startswith("sdbench: --dtype must be another format for training on a CPU"), err


def test_switches_that_a_cpu_has_not_change_nothing_and_it_is_said(tmp_path):
    _, text = swept(tmp_path, "-m", "tiny-resnet", "-b", 2, "--tf32", "on", "--cudnn-benchmark", "on")
    assert "--tf32 on changes nothing here: this device has no TF32" in text
    assert "--cudnn-benchmark on changes nothing here: a CPU has no cuDNN" in text


def test_tables_name_columns_by_the_task(tmp_path):
    _, text = swept(tmp_path, "-m", "tiny-resnet,tiny-vgg", "--task", "infer,train", "-b", 2)
    assert "images/s" in text and "UNet it/s" not in text and "TFLOP/s" in text
    _, out, _ = run(tmp_path, "compare", "x.csv")
    assert "tiny-resnet train 32x32, batch 2, 2 iterations" in out
    assert "images/s" in out and "UNet" not in out


def test_images_and_networks_are_compared_by_what_both_have(tmp_path):
    code, out, err = run(tmp_path, "-m", "tiny-sd15,tiny-resnet", "--steps", 1, "--iterations", 2, "--repeat", 1, "--warmup", 0, "--device",
                         "cpu", "-o", "x.csv")
    assert code == 0, err
    assert "UNet it/s" in out and "images/s" in out
    _, compared, _ = run(tmp_path, "compare", "x.csv", "--format", "json")
    assert json.loads(compared)["metric"] == "images_per_min"


def little_memory():
    resource.setrlimit(resource.RLIMIT_AS, (3 << 30, 3 << 30))


def test_a_batch_that_training_has_no_memory_for_costs_one_row_and_inference_has_it(tmp_path):
    """Where in an iteration it ends: tests/unit/engine/worker/test_network_work.cpp."""
    code, _, err = run(tmp_path, "-m", "tiny-wrn", "--task", "infer,train", "--dtype", "fp32", "-b", "4096,2", "--device", "cpu", "--iterations", 1,
                       "--repeat", 1, "--warmup", 0, "-o", "x.csv", preexec_fn=little_memory)
    assert code == 3, err
    rows = {(row["task"], row["batch"]): row for row in rows_of(tmp_path)}
    assert {key: row["status"] for key, row in rows.items()} == {
        ("infer", "4096"): "ok", ("infer", "2"): "ok", ("train", "4096"): "oom_host", ("train", "2"): "ok"}
    assert "use a smaller model or --batch, or --dtype" in rows["train", "4096"]["error"]  # there is no --size of a network


def test_a_batch_that_the_host_cannot_hold_is_refused_in_one_line_before_anything_is_loaded(tmp_path):
    code, _, err = run(tmp_path, "-m", "vgg16", "--task", "train", "--dtype", "fp32", "-b", 512, *QUICK, "-o", "x.csv", preexec_fn=little_memory)
    row = rows_of(tmp_path)[0]
    assert (code, row["status"], row["stage"]) == (1, "oom_host", "load"), err
    assert re.search(r"the host must have about [\d.]+ GiB of free memory .*; use a smaller model or --batch, or --dtype", row["error"]), row["error"]


def test_a_row_of_training_is_reproduced(tmp_path):
    swept(tmp_path, "-m", "tiny-resnet", "--task", "train", "-b", 2, "--update", "on")
    code, out, err = run(tmp_path, "reproduce", "x.csv", "-o", "y.csv")
    assert code == 0, out + err
    with open(tmp_path / "y.csv") as file:
        row = list(csv.DictReader(file))[-1]
    assert (row["task"], row["weight_update"], row["images"]) == ("train", "on", "4")
    assert row["workload_id"] == rows_of(tmp_path)[0]["workload_id"]


def test_resume_runs_no_network_twice(tmp_path):
    options = ("-m", "tiny-resnet", "--task", "infer,train", "-b", 2)
    swept(tmp_path, *options)
    _, text = swept(tmp_path, *options, "--resume")
    assert len(rows_of(tmp_path)) == 2 and text.count("ok in the outputs already") == 2


def test_what_a_network_has_not_is_refused_in_words(tmp_path):
    code, _, err = run(tmp_path, "-m", "tiny-resnet", "--steps", 3)
    assert code == 2 and '--steps must be given with a task that has it, but --task infer of "tiny-resnet" has no such option' in err
    code, _, err = run(tmp_path, "quality", "-m", "tiny-resnet", "-o", "q")
    assert code == 2 and "network" in err


def epochs(folder, *options, code=0):
    got, out, err = run(folder, "-m", "tiny-resnet", "--task", "train", "--device", "cpu", "--dtype", "fp32", "-b", 16, "-o", "x.csv", *options)
    assert got == code, err
    return out + err


def test_epochs_are_runs_of_all_data_and_end_with_a_test(tmp_path):
    epochs(tmp_path, "--epochs", 3, "--data", "synthetic:100", "--data-place", "host,device")
    assert len(rows_of(tmp_path)) == 2
    for row, place in zip(rows_of(tmp_path), ("host", "device"), strict=True):
        assert row["status"] == "ok", row["error"]
        assert (row["epochs"], row["images"], row["repeat"], row["warmup"], row["weight_update"]) == ("3", "100", "2", "0", "on")
        assert row["data_place"] == place and row["data"].startswith("synthetic:100")
        assert float(row["step_count"]) == 2 * 7
        assert float(row["train_s"]) == pytest.approx(float(row["epoch_s_first"]) + 2 * float(row["e2e_s"]), rel=1e-6)
        assert float(row["epoch_s_median"]) > 0 and float(row["test_s"]) > 0
        assert 0 <= float(row["accuracy"]) <= 1
    host, device = rows_of(tmp_path)
    assert host["loss_last"] == device["loss_last"]  # the same batches in the same order
    assert host["cell_id"] != device["cell_id"] and host["workload_id"] == device["workload_id"]
    epochs(tmp_path, "--epochs", 3, "--data", "synthetic:100", "--data-place", "host,device", "--resume")
    assert len(rows_of(tmp_path)) == 2


def test_a_last_batch_that_is_not_whole_is_no_more_arithmetic_than_it_has(tmp_path):
    epochs(tmp_path, "--epochs", 2, "--data", "synthetic:17")
    row = rows_of(tmp_path)[0]
    per_image = float(row["achieved_tflops"]) / float(row["images_per_s"])
    epochs(tmp_path, "--epochs", 2, "--data", "synthetic:32")
    whole = rows_of(tmp_path)[1]
    assert per_image == pytest.approx(float(whole["achieved_tflops"]) / float(whole["images_per_s"]))


def test_an_epoch_that_max_time_has_cut_is_told_and_not_tested(tmp_path):
    epochs(tmp_path, "--epochs", 1, "--data", "synthetic:50000", "--max-time", 0.5)
    row = rows_of(tmp_path)[0]
    assert (row["status"], row["stop_reason"], row["accuracy"], row["test_s"]) == ("ok", "max_time", "", "")


def test_the_environment_names_the_data_where_no_option_does(tmp_path):
    options = ("-m", "tiny-resnet", "--task", "train", "--device", "cpu", "-b", 16, "--epochs", 1, "-o", "x.csv")
    code, out, err = run(tmp_path, *options, env=environment(SDBENCH_DATA="synthetic:20"))
    assert code == 0 and "SYNTHETIC DATA" not in out + err, err
    code, _, err = run(tmp_path, *options, "--data", "synthetic:30", env=environment(SDBENCH_DATA="synthetic:20"))
    assert code == 0, err
    assert [row["data"] for row in rows_of(tmp_path)] == ["synthetic:20", "synthetic:30"]


def test_cnn10_learns_the_synthetic_images_within_half_a_minute_and_without_the_step_it_does_not(tmp_path):
    """Half a minute of this machine's cores, whoever else computes on them. A learning rate of zero itself: tests/unit/engine/training/test_learning.cpp."""
    options = ("-m", "cnn10", "--task", "train", "--device", "cpu", "--dtype", "fp32", "-b", 16, "--epochs", 1, "-o", "x.csv")
    seconds = []
    for images, update in ((1024, "on"), (128, "off")):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        code, _, err = run(tmp_path, *options, "--data", f"synthetic:{images}", "--update", update, timeout=400)
        assert code == 0, err
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        seconds.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    learnt, still = rows_of(tmp_path)
    assert float(learnt["accuracy"]) > 0.9 and float(learnt["loss_last"]) < float(learnt["loss_first"])
    assert float(still["accuracy"]) < 0.5
    assert 0 < seconds[0] / int(learnt["threads"]) < 30, seconds


def test_a_single_epoch_is_the_timed_run_with_all_its_figures_and_is_told_to_be_cold(tmp_path):
    text = epochs(tmp_path, "--epochs", 1, "--data", "synthetic:1000", "--telemetry-interval", 0.02)
    row = rows_of(tmp_path)[0]
    assert row["status"] == "ok" and row["repeat"] == "1" and row["epoch_s_median"] == row["first_image_s"] == ""
    assert row["epoch_s_first"] == row["train_s"] == row["e2e_s"] and row["accuracy"] != ""
    assert float(row["images_per_s"]) == pytest.approx(1000 / float(row["e2e_s"])) and "cold" in row["flags"].split()
    assert int(row["telemetry_samples"]) > 3 and "the epoch itself" in text
    code, out, err = run(tmp_path, "reproduce", "x.csv", "-o", "y.csv")  # by its rate
    assert code == 0 and "images/s against" in out, out + err


def test_batches_are_searched_for_by_single_epochs_too(tmp_path):
    code, out, err = run(tmp_path, "-m", "tiny-resnet", "--task", "train", "--device", "cpu", "--epochs", 1, "--data", "synthetic:16", "-b", "auto",
                         "-o", "x.csv")
    assert code == 0, err
    assert {row["status"] for row in rows_of(tmp_path)} == {"ok"} and len(rows_of(tmp_path)) > 1


def test_without_data_the_user_is_told_loudly(tmp_path):
    text = epochs(tmp_path, "--epochs", 1, "--max-time", 1)
    assert "SYNTHETIC DATA" in text
    assert "dtype      fp32\n" in text


def test_presets_of_published_tables_are_planned(tmp_path):
    for preset, count in (("egpu-2022", 18), ("cifar-2019", 10)):
        code, out, err = run(tmp_path, "--preset", preset, "--device", "cpu", "--dry-run", "--format", "json")
        assert code == 0, err
        assert len(json.loads(out)["cells"]) == count


PLAN = ("--device", "cpu", "--no-save", "--dry-run")


def test_a_plan_says_once_that_its_epochs_would_be_over_made_up_images(tmp_path):
    def planned(*options):
        code, out, err = run(tmp_path, "-m", "tiny-resnet", "--task", "train", "-b", "1,2", *PLAN, *options)
        assert code == 0, err
        return out

    assert planned("--epochs", 1).count("SYNTHETIC DATA (synthetic:50000)") == 1
    assert "SYNTHETIC DATA" not in planned("--epochs", 1, "--data", "synthetic:20") + planned()


def test_a_plan_says_what_a_networks_work_is(tmp_path):
    def columns(*options):
        code, out, err = run(tmp_path, "-m", "tiny-resnet", *PLAN, *options)
        assert code == 0, err
        return out.splitlines()[0].split()

    assert {"TASK", "ITERATIONS"} <= set(columns()) and "EPOCHS" not in columns()
    assert {"TASK", "EPOCHS", "UPDATE"} <= set(columns("--task", "train", "--epochs", 3, "--data", "synthetic:100"))
    trained = columns("--task", "train", "--update", "off,on", "--loss", "cross-entropy,logit-sum")
    assert trained[trained.index("TASK") :][:4] == ["TASK", "ITERATIONS", "UPDATE", "LOSS"]
    assert not {"TASK", "ITERATIONS", "EPOCHS"} & set(run(tmp_path, "-m", "tiny-sd15", *PLAN)[1].splitlines()[0].split())


def planned_memory(folder, *cells):
    code, out, err = run(folder, *cells, *PLAN, "--format", "json")
    assert code == 0, err
    planned = json.loads(out)["cells"]
    assert [cell["memory_fp32_bytes"] for cell in planned] == [None] * len(planned)  # a network's auto is always fp32
    return [cell["memory_bytes"] for cell in planned]


def test_the_memory_that_a_plan_tells_grows_with_the_batch_as_the_workers_does(tmp_path):
    """libtorch itself, and what its convolutions take besides, is in no plan."""
    cells = ("-m", "cnn10", "--task", "train", "-b", "32,160")
    one, many = planned_memory(tmp_path, *cells)
    code, out, err = run(tmp_path, *cells, "--device", "cpu", "--engine", "plain", "--iterations", 1, "--repeat", 1, "--warmup", 0, "--restarts", 1,
                         "--no-save", "--format", "json")
    assert code == 0, err
    peak_of_one, peak_of_many = [row["peak_host_bytes"] for row in json.loads(out)]
    assert many - one == pytest.approx(peak_of_many - peak_of_one, rel=0.25)
    inferring = planned_memory(tmp_path, "-m", "cnn10", "--task", "infer", "-b", "1,160")
    assert one > inferring[0] and many - one > 2 * (inferring[1] - inferring[0]) > 0


def test_a_run_is_named_by_its_task(tmp_path):
    text = epochs(tmp_path, "--epochs", 2, "--data", "synthetic:40")
    assert "for the iterations of 2 epochs" in text and "--repeat" not in text
    assert "all epochs but the first" in text and "--warmup" not in text
    assert text.count("3 iterations, 2 epochs, with the optimiser's step") == 2  # in the head, and in the table


def test_ctrl_c_in_an_epoch_leaves_its_row_with_the_epochs_that_were_whole(tmp_path):
    process = start(tmp_path, "-m", "tiny-resnet", "--task", "train", "--device", "cpu", "-b", 16, "--epochs", 100000, "--data", "synthetic:100",
                    "-o", "x.jsonl", "-v")
    while "measure" not in (line := process.stderr.readline()):
        assert line, "the run ended too early"
    time.sleep(1)
    process.send_signal(signal.SIGINT)
    code, _, err = finish(process, 60)
    assert code == 130, err
    row = json.loads((tmp_path / "x.jsonl").read_text())
    assert (row["status"], row["stage"], row["accuracy"], row["test_s"]) == ("interrupted", "measure", None, None)
    assert row["repeat"] == len(row["samples"]) > 0 and row["train_s"] > row["epoch_s_first"] > 0


def test_a_preset_s_training_is_left_out_where_the_user_asks_for_inference_alone(tmp_path):
    code, out, err = run(tmp_path, "--preset", "egpu-2022", "--task", "infer", "--device", "cpu", "--dry-run", "--format", "json")
    assert code == 0, err
    cells = json.loads(out)["cells"]
    assert len(cells) == 9 and {cell["task"] for cell in cells} == {"infer"}
    code, _, err = run(tmp_path, "--preset", "egpu-2022", "--task", "infer", "--loss", "logit-sum", "--device", "cpu", "--dry-run")
    assert code == 2 and "--loss must be given with a task that has it" in err
