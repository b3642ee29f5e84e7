"""A worker that tells the least gives a row with what it told, and with empty cells for the rest."""

import json
import pathlib
import sys

import pytest
from program import environment, run
from stub import CELL, csv_rows, install

WORKER = pathlib.Path(__file__).parent / "least_worker.py"
# What a worker alone can know, and this one does not tell.
UNTOLD = ("engine", "driver_version", "weights_dtype", "dtype_unet", "dtype_vae", "dtype_text", "attention_used", "threads", "unet_calls",
          "memory_format_used", "packed_weights_used", "host_allocator_used", "kv_cache_used", "time_cache_used", "shared_prefix_used",
          "graphs_used", "kernels_used", "tf32_used", "vae_tiles", "warmup", "warmup_reason", "stop_reason", "load_s", "prepare_s",
          "first_image_s", "text_s", "unet_s", "vae_s", "text_s_median", "unet_s_sd", "vae_s_max", "step_s_mean", "step_count", "unet_it_s",
          "s_per_it", "e2e_it_s", "achieved_tflops", "peak_host_bytes", "golden_check", "output_check")


@pytest.fixture(scope="session")
def least_program(tmp_path_factory):
    """An installed sdbench whose worker is least_worker.py, in a folder that has its name."""
    folder = tmp_path_factory.mktemp("least")
    script = folder / "worker.sh"
    script.write_text(f"#!/bin/sh\nexec '{sys.executable}' -S -E '{WORKER}'\n")
    script.chmod(0o755)
    return install(folder / "tree", script)


@pytest.fixture
def measure(least_program, tmp_path):
    """Runs a cell; its row, and what stood on stderr."""
    def measure(name, **told):
        code, _, err = run(tmp_path, *CELL, "--repeat", 3, "-o", name, program=least_program,
                           env=environment(LEAST_WORKER_TELLS=json.dumps(told), TMPDIR=str(tmp_path)))
        assert code == 0, err
        return csv_rows(tmp_path / name)[-1]

    return measure


def test_a_row_has_what_the_worker_told_and_empty_cells_elsewhere(measure):
    row = measure("least.csv")
    assert (row["status"], row["device_kind"], row["device_name"], row["repeat"]) == ("ok", "cpu", "A processor", "3")
    assert 0.01 <= float(row["e2e_s"]) < 1 and float(row["images_per_min"]) > 60
    assert {name: row[name] for name in UNTOLD if row[name]} == {}


def test_what_a_worker_tells_beside_the_least_stands_in_its_row(measure):
    row = measure("more.csv", engine="abacus", engine_revision=7, runtime_version="1.2", dtype_unet={"dtype": "bf16"}, threads=2,
                  unet_calls=20)
    told = ("engine", "engine_revision", "runtime_version", "dtype_unet", "threads", "unet_calls")
    assert [row[name] for name in told] == ["abacus", "7", "1.2", "bf16", "2", "20"]


def test_compare_and_report_read_such_rows(measure, least_program, tmp_path):
    measure("least.csv")
    measure("abacus.csv", engine="abacus", runtime_version="1.2")
    files = ("least.csv", "abacus.csv")
    code, out, err = run(tmp_path, "compare", *files, "--metric", "images_per_min", "--columns", "engine", program=least_program)
    assert code == 0 and "A processor" in out and "runtime 1.2" in out and "libtorch" not in out, out + err
    code, _, err = run(tmp_path, "report", *files, "-o", "page.html")  # ours has the library of the page's charts
    assert code == 0 and "abacus" in (tmp_path / "page.html").read_text(), err


def test_a_member_of_a_wrong_type_is_an_error_that_names_it(least_program, tmp_path):
    code, _, err = run(tmp_path, *CELL, "--no-save", program=least_program,
                       env=environment(LEAST_WORKER_TELLS=json.dumps({"threads": "two"}), TMPDIR=str(tmp_path)))
    assert code != 0 and "outcome.result.threads must be a whole number" in err


def test_a_timed_run_without_its_time_is_an_error_that_names_it(least_program, tmp_path):
    code, _, err = run(tmp_path, *CELL, "--no-save", program=least_program,
                       env=environment(LEAST_WORKER_TELLS=json.dumps({"samples": [{}]}), TMPDIR=str(tmp_path)))
    assert code != 0 and "outcome.result.samples[0].e2e_s must be given" in err


def test_ok_without_a_result_is_an_error(least_program, tmp_path):
    code, _, err = run(tmp_path, *CELL, "-o", "a.csv", program=least_program,
                       env=environment(LEAST_WORKER_TELLS="null", TMPDIR=str(tmp_path)))
    assert code != 0 and "the worker must give a result with the status ok, but gave none" in err
    assert csv_rows(tmp_path / "a.csv")[0]["status"] == "error"


def test_a_file_of_such_rows_is_resumed(measure, least_program, tmp_path):
    measure("least.csv")
    code, _, err = run(tmp_path, *CELL, "--repeat", 3, "-o", "least.csv", "--resume", program=least_program)
    assert code == 0 and len(csv_rows(tmp_path / "least.csv")) == 1, err
    assert "loaded  " not in err and "attention " not in err
