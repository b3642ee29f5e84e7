"""sdbench reproduce: someone's record, run here."""

import json

import pytest
from ids import with_ids
from made_up_cards import slower
from program import run

WORK = ("-m", "tiny-sd15", "--weights", "synthetic", "--device", "cpu", "--threads", "1", "--size", "64x64", "--steps", "2")


@pytest.fixture(scope="module")
def measured(tmp_path_factory):
    """A record of this machine, which the tests edit into another's."""
    folder = tmp_path_factory.mktemp("measured")
    code, out, err = run(folder, *WORK, "--dtype", "bf16", "--attention", "math", "--karras", "--batch", 2,
                         "--clip-skip", 1, "--seed", 9, "--repeat", 4, "--format", "json", "--no-save")
    assert code == 0, err
    return json.loads(out)[0]


def reproduce(folder, record, *arguments):
    (folder / "record.json").write_text(json.dumps([record]))
    return run(folder, "reproduce", "record.json", *arguments)


def test_a_record_of_this_machine_is_run_again_in_the_same_way(tmp_path, measured):
    code, out, err = reproduce(tmp_path, measured, "-o", "again.jsonl")
    assert code == 0, err
    again = json.loads((tmp_path / "again.jsonl").read_text())
    same = ("workload_id", "env_id", "device_kind", "dtype_unet", "attention", "attention_used", "threads", "seed",
            "prompt_sha256", "weights", "repeat", "batch", "scheduler", "clip_skip")
    assert {name: again[name] for name in same} == {name: measured[name] for name in same}
    assert again["note"] == f"reproduces {measured['run_id']}"
    assert out.count("\n") == 1
    assert out.split(":")[0] in ("the same within 5 %", "faster", "slower", "unclear")
    assert "images/min against" in out
    assert "record     " not in err  # nothing that cannot be had


@pytest.mark.parametrize("factor, word", [(1000, "slower: -1"), (0.001, "faster: +")])
def test_a_record_of_another_speed_gets_a_verdict_and_what_differs(tmp_path, measured, factor, word):
    other = with_ids({**slower(measured, 1 / factor), "runtime_version": "1.0.0", "device_name": "Abacus", "host": "elsewhere"})
    for name, part in (("images_per_min_ci95_low", 0.99), ("images_per_min_ci95_high", 1.01)):
        other[name] = other["images_per_min"] * part  # on a busy machine the measured row may have no interval
    other["ci95_covers"] = "between-runs"  # one within the run is what the raw times give
    code, out, _ = reproduce(tmp_path, other, "--no-save")
    assert code == 0
    assert out.startswith(word.rstrip("1") if factor > 1 else word)
    assert "device_name (here " in out and "there Abacus" in out
    assert "runtime_version (here " in out and "there 1.0.0" in out
    assert list(tmp_path.iterdir()) == [tmp_path / "record.json"]


def test_a_gpus_record_runs_on_the_cpu_where_there_is_no_gpu(tmp_path, measured):
    other = {**measured, "device_kind": "cuda", "device": "cuda:1", "device_name": "A card", "attention": "cudnn"}
    code, out, err = reproduce(tmp_path, other, "--no-save", "--repeat", 2, "--device", "cpu")
    assert code == 0, err
    assert "device_kind (here cpu, there cuda)" in out
    assert "attention cudnn exists only on a GPU" in err


def test_prompts_and_weights_that_are_not_in_the_record_are_asked_for(tmp_path, measured):
    code, _, err = reproduce(tmp_path, {**measured, "prompt_sha256": "0" * 64, "weights": "meta:0"}, "--no-save",
                             "--repeat", 2)
    assert code == 0
    assert "give the record's prompts with --prompt and --negative-prompt" in err
    assert "the record's weights (meta:0) are not found here" in err


def test_the_given_prompt_is_the_records_if_the_hash_agrees(tmp_path):
    code, out, _ = run(tmp_path, *WORK, "--prompt", "a cat", "--negative-prompt", "ugly", "--repeat", 1, "--format", "json",
                       "--no-save")
    assert code == 0
    code, out, err = reproduce(tmp_path, json.loads(out)[0], "--prompt", "a cat", "--negative-prompt", "ugly", "--no-save")
    assert code == 0, err
    assert "other prompts" not in err and "prompt_sha256" not in out


def test_a_row_of_a_csv_file_is_named_by_its_id(tmp_path):
    code, _, err = run(tmp_path, *WORK, "--repeat", 2, "--batch", "1,2", "-o", "two.csv")
    assert code == 0, err
    code, _, err = run(tmp_path, "reproduce", "two.csv")
    assert code == 2 and "must hold one record, but holds 2; name one with --run-id: " in err
    run_id = err.strip().rsplit(" ", 1)[1]
    code, out, err = run(tmp_path, "reproduce", "two.csv", "--run-id", run_id, "--no-save")
    assert code == 0, err
    assert out.count("\n") == 1


def test_a_row_that_stands_alone_in_its_file_is_a_record(tmp_path, measured):
    (tmp_path / "row.json").write_text(json.dumps(measured))
    code, out, err = run(tmp_path, "reproduce", "row.json", "--no-save", "--repeat", 1)
    assert code == 0, err
    assert out.count("\n") == 1


def test_rows_that_cannot_be_read_are_named_and_the_one_that_is_asked_for_runs(tmp_path, measured):
    rows = (measured, {**measured, "status": "fine"})
    (tmp_path / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    code, out, err = run(tmp_path, "reproduce", "rows.jsonl", "--run-id", measured["run_id"], "--no-save", "--repeat", 1)
    assert code == 0 and out.count("\n") == 1, err
    assert "left out   rows.jsonl, line 2, column status: must be ok or the name of a failure" in err


@pytest.mark.parametrize("change, code, words", [
    ({"model": "unheard-of"}, 2, "the record's cell (unheard-of) cannot be run here"),
    ({"width": 63}, 2, "--width must be a multiple of 8"),
    ({"steps": 0}, 2, "--steps must be between"),
    ({"quality_reference": "fp32"}, 2, "must be of a benchmark"),
    ({"parallel_id": "x", "device": "cpu:0+cpu:1"}, 2, "must be of one device"),
    ({"schema_version": 99}, 1, "schema_version: must be 4"),
    ({"dtype_unet": "fp4"}, 2, "--dtype must be"),
])
def test_a_record_that_cannot_be_run_is_refused_with_the_reason(tmp_path, measured, change, code, words):
    got, out, err = reproduce(tmp_path, {**measured, **change}, "--no-save")
    assert got == code, err
    assert words in err and out == ""


@pytest.mark.parametrize("arguments", [(), ("none.json",), ("a.txt",), ("record.json", "record.json"),
                                       ("record.json", "--run-id", "x"), ("record.json", "--steps", "3"),
                                       ("record.json", "--device", "all"), ("record.json", "--repeat", "1,2")])
def test_a_wrong_command_is_refused(tmp_path, measured, arguments):
    (tmp_path / "a.txt").write_text("")
    (tmp_path / "record.json").write_text(json.dumps([measured]))
    code, out, err = run(tmp_path, "reproduce", *arguments)
    assert code == 2 and out == ""
    assert err.startswith("sdbench: ") and err.count("\n") == 1
