"""The files and streams that a run leaves, read back as a user would read them. One small run for all."""

import csv
import io
import json
import os
import re
import subprocess
from pathlib import Path

import pytest
from program import run_on_a_full_disk
from terminal import seen as on_terminal

SDBENCH = os.environ["SDBENCH_PROGRAM"]
SCHEMA = json.loads((Path(__file__).parents[2] / "configs" / "record.schema.json").read_text())
SMALL = ["--model", "tiny-sd15", "--weights", "synthetic", "--size", "64x64", "--threads", "1", "--steps", "2", "--repeat", "2", "--warmup", "0"]
TYPES = {"object": dict, "string": str, "integer": int, "number": (int, float), "null": type(None)}


def sdbench(*arguments, cwd, program=SDBENCH):
    return subprocess.run([program, *arguments], capture_output=True, timeout=300, cwd=cwd)


def check_against_schema(record):
    assert list(record) == SCHEMA["required"]
    for name, value in record.items():
        rule = SCHEMA["properties"][name]
        if "type" in rule and name != "samples":
            kinds = rule["type"] if isinstance(rule["type"], list) else [rule["type"]]
            assert any(isinstance(value, TYPES[kind]) for kind in kinds), name
        assert value in rule.get("enum", [value])
    run_fields = list(SCHEMA["$defs"]["run"]["properties"])
    for sample in [record["first_image"], *record["samples"]]:
        assert list(sample) == run_fields


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """One run that writes every format, with a label that every format has to quote."""
    folder = tmp_path_factory.mktemp("run")
    result = sdbench(*SMALL, "-o", "r.csv", "-o", "r.json", "-o", "r.jsonl", "-o", "r.md", "--format", "json",
                     "--label", 'a "b", c|d\nE', cwd=folder)
    assert result.returncode == 0, result.stderr.decode()
    return folder, result


def test_json_on_standard_output_and_in_files_is_the_same_and_fits_the_schema(run):
    folder, result = run
    records = json.loads(result.stdout)
    assert len(records) == 1
    check_against_schema(records[0])
    assert json.loads((folder / "r.json").read_text()) == records
    assert [json.loads(line) for line in (folder / "r.jsonl").read_text().splitlines()] == records


def test_csv_holds_the_same_values(run):
    folder, result = run
    record = json.loads(result.stdout)[0]
    with open(folder / "r.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 1
    for name, text in rows[0].items():
        value = record[name]
        assert text == value if isinstance(value, str) else (text == "" if value is None else float(text) == value), name


def test_figures_follow_from_the_raw_samples(run):
    record = json.loads(run[1].stdout)[0]
    unet = sum(sample["unet_s"] for sample in record["samples"])
    total = sum(sample["e2e_s"] for sample in record["samples"])
    assert record["repeat"] == len(record["samples"]) == 2
    assert all(len(sample["step_s"]) == 2 for sample in record["samples"])
    assert record["unet_it_s"] == pytest.approx(4 / unet, rel=1e-12)
    assert record["s_per_it"] == pytest.approx(unet / 4, rel=1e-12)
    assert record["e2e_it_s"] == pytest.approx(4 / total, rel=1e-12)
    assert record["images_per_min"] == pytest.approx(120 / total, rel=1e-12)
    assert record["megapixels_per_s"] == pytest.approx(2 * 64 * 64 / 1e6 / total, rel=1e-12)
    assert record["achieved_tflops"] == pytest.approx(record["unet_tflop"] * record["unet_it_s"], rel=1e-12)
    for sample in record["samples"]:
        assert sample["text_s"] + sample["unet_s"] + sample["vae_s"] <= sample["e2e_s"] * 1.0001


def test_markdown_is_one_table(run):
    first, *lines = (run[0] / "r.md").read_text().splitlines()
    assert re.fullmatch(r"<!-- sdbench run: r[0-9a-f]+ -->", first)
    assert len(lines) == 3 and all(line.startswith("| ") or line.startswith("|-") for line in lines)


def test_rows_are_appended_and_another_header_is_refused(run, tmp_path):
    folder, _ = run
    target = tmp_path / "r.csv"
    target.write_bytes((folder / "r.csv").read_bytes())
    assert sdbench(*SMALL, "-o", str(target), cwd=tmp_path).returncode == 0
    rows = list(csv.DictReader(io.StringIO(target.read_text())))
    assert len(rows) == 2 and rows[0]["run_id"] != rows[1]["run_id"]
    assert rows[0]["cell_id"] == rows[1]["cell_id"] and rows[0]["env_id"] == rows[1]["env_id"]

    target.write_text("some,other,header\n1,2,3\n")
    refused = sdbench(*SMALL, "-o", str(target), cwd=tmp_path)
    assert refused.returncode == 1 and b"name another" in refused.stderr
    assert not refused.stdout
    assert target.read_text() == "some,other,header\n1,2,3\n"


def test_without_an_output_the_rows_go_to_a_file_whose_path_is_said(tmp_path, program):
    result = sdbench(*SMALL, cwd=tmp_path, program=program)
    assert result.returncode == 0
    said = re.findall(r"saved +(\S+)", result.stderr.decode())
    assert sorted(Path(path).suffix for path in said) == [".csv", ".jsonl"]
    assert all((tmp_path / path).stat().st_size > 0 for path in said)
    assert "\x1b" not in result.stdout.decode() + result.stderr.decode()
    assert re.search(r"UNet +[\d.]+ (it/s|s/it)", result.stdout.decode())


def test_a_full_disk_is_exit_code_1_and_the_table_is_shown_all_the_same(tmp_path, program):
    code, out, err = run_on_a_full_disk(tmp_path, *SMALL, "-o", "limit.csv", program=program)
    assert code == 1
    assert "limit.csv" in err
    assert "end to end" in out
    assert (tmp_path / "limit.csv").stat().st_size == 0


def test_a_terminal_gets_bar_and_colour_unless_no_color_is_set(tmp_path, program):
    seen = on_terminal(tmp_path, 200, *SMALL, "--no-save", NO_COLOR="")
    assert "timed run 2/2 100%|" in seen and "\x1b[1;32m" in seen
    of_stub = {"program": program, "SDBENCH_STUB": "steps", "NO_COLOR": "1"}
    plain = on_terminal(tmp_path, 200, *SMALL, "--no-save", **of_stub)
    assert "timed run 1/2 100%|" in plain and not re.search(r"\x1b\[[\d;]*m", plain)
    quiet = on_terminal(tmp_path, 200, *SMALL, "--no-save", "-q", **of_stub)
    assert "100%|" not in quiet and "device" in quiet


def test_the_samples_of_the_sensors_are_appended_and_agree_with_the_record(tmp_path):
    arguments = [*(word if word != "2" else "10" for word in SMALL), "--no-save", "--format", "json", "--telemetry", "t.csv", "--telemetry-interval", "0.02"]
    first = json.loads(sdbench(*arguments, cwd=tmp_path).stdout)[0]
    second = json.loads(sdbench(*arguments, cwd=tmp_path).stdout)[0]
    rows = list(csv.DictReader(io.StringIO((tmp_path / "t.csv").read_text())))
    assert {row["run_id"] for row in rows} == {"", first["run_id"], second["run_id"]}
    for record in (first, second):
        host = [row for row in rows if row["run_id"] == record["run_id"] and row["device"] == "host"]
        assert {row["cell_id"] for row in host} == {record["cell_id"]}
        measured = [row for row in host if row["phase"] == "measure"]
        assert len(measured) == record["telemetry_samples"] > 2
        assert max(int(row["worker_rss_bytes"]) for row in measured) == record["worker_rss_max_bytes"] > 50e6
        phases = [row["phase"] for row in host]
        assert phases == sorted(phases, key=["start", "load", "first_image", "warmup", "measure", "golden", "save", "idle"].index)
        assert 0 < record["cpu_load_percent"] <= 100
        assert record["kernel"] == os.uname().release


def test_sensors_that_are_switched_off_leave_their_fields_empty(tmp_path):
    record = json.loads(sdbench(*SMALL, "--no-save", "--format", "json", "--telemetry-interval", "0", cwd=tmp_path).stdout)[0]
    assert record["telemetry_samples"] is None and record["cpu_load_percent"] is None and record["energy_j"] is None
