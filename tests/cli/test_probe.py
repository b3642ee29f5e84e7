"""What a device can do, whatever runs on it."""

import json

import pytest
from program import environment, run
from stub import Stub, install


@pytest.fixture
def stub(tmp_path):
    return Stub(install(tmp_path / "prefix"), tmp_path)


def probed(stub, how, *arguments):
    """(exit code, stdout, stderr)"""
    return run(stub.folder, "probe", *arguments, program=stub.program, env=environment(SDBENCH_STUB=how, TMPDIR=str(stub.folder)))


def test_a_processor_is_probed_within_seconds_and_each_figure_has_its_unit(tmp_path):
    code, out, err = run(tmp_path, "probe", "--format", "json")
    assert (code, err) == (0, "")
    [device] = json.loads(out)
    assert device["device"] == "cpu" and device["device_name"]
    assert {"product_fp32", "convolution_fp32", "attention_fp32", "copy", "triad"} <= set(device["figures"])
    assert all(value > 0 for value in device["figures"].values())


def test_figures_stand_in_one_table_and_a_lacking_one_is_told(stub):
    code, out, err = probed(stub, "", "--device", "cpu")
    assert code == 0
    assert [line.split() for line in out.splitlines()[1:]] == [["matrix", "product,", "fp32", "TFLOP/s", "0.500"], ["memory,", "copy", "GB/s", "12.3"]]
    assert "cpu: memory, triad could not be measured: too little memory" in err


FIELDS = ("probe_product_tflops", "probe_copy_gb_s", "probe_drift_percent", "of_measured_peak_percent")


def swept(folder, use, *more):
    """The rows of short cells of the real program on the processor."""
    code, _, err = run(folder, "--model", "tiny-sd15", "--repeat", "1", "--warmup", "0", "--probe", use, "-o", "rows.jsonl", *more)
    assert code == 0, err
    return [json.loads(line) for line in (folder / "rows.jsonl").read_text().splitlines()]


def test_a_sweep_probes_behind_each_cell_and_its_rows_have_the_device_s_own_rates(tmp_path):
    first, second = swept(tmp_path, "on", "--device", "cpu", "--steps", "2,3")
    for row in (first, second):
        assert row["probe_product_tflops"] > 0 and row["probe_copy_gb_s"] > 0 and row["probe_h2d_gb_s"] is None
        assert row["of_measured_peak_percent"] == pytest.approx(100 * row["achieved_tflops"] / row["probe_product_tflops"])
    assert first["probe_drift_percent"] == 0
    assert "machine_changed" not in second["flags"].split() or abs(second["probe_drift_percent"]) > 3


def test_devices_of_a_parallel_execution_are_probed_where_they_run_alone(tmp_path):
    rows = swept(tmp_path, "on", "--device", "cpu:0,cpu:1", "--parallel", "--steps", "2")
    assert [(bool(row["parallel_id"]), row["probe_product_tflops"] is None) for row in rows] == [(False, False)] * 2 + [(True, True)] * 3


def test_a_short_sweep_on_a_processor_has_no_probe(tmp_path):
    assert all(row[field] is None for row in swept(tmp_path, "auto", "--device", "cpu", "--steps", "2") for field in FIELDS)


@pytest.mark.parametrize("device, words", [("cuda", "there is no cuda"), ("intel:0", "intel"), ("cpu:1", "cpu:0")])
def test_a_device_that_cannot_be_probed_is_one_line(tmp_path, device, words):
    code, out, err = run(tmp_path, "probe", "--device", device)
    assert code != 0 and out == "" and words in err and err.count("\n") == 1, err


@pytest.mark.parametrize("option, value, must", [("--device", "gpu", "--device must be auto"), ("--format", "csv", "--format must be table or json")])
def test_bad_input_is_refused_with_what_is_meant(tmp_path, option, value, must):
    code, out, err = run(tmp_path, "probe", option, value)
    assert code == 2 and out == "" and must in err


def test_a_sweep_refuses_another_word_for_its_probes(tmp_path):
    code, out, err = run(tmp_path, "--model", "tiny-sd15", "--probe", "maybe")
    assert code == 2 and out == "" and "auto, on or off" in err and "maybe" in err


def test_a_worker_that_dies_ends_the_probe_with_its_reason(stub):
    code, out, err = probed(stub, "crash")
    assert code != 0 and out == "" and err.startswith("sdbench: auto: ")
