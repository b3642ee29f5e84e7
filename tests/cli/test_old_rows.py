"""Rows that were written before ids had a letter (tests/data/ids) count as today's: nothing is run twice, and all are pooled."""

import csv
import json
import pathlib

import pytest
from program import environment, run, run_on_a_full_disk
from stub import csv_rows, json_lines

OLD = pathlib.Path(__file__).parents[1] / "data/ids/before-letters.csv"
# As they were made, by the program of before over the stub worker.
SWEEP = ("--steps", 2, "--repeat", 2, "--batch", "1,2", "--dtype", "auto,bf16", "--engine", "tuned,plain")


def of_this_machine(row, here):
    """A row as that program would have written it here: an env_id has the same digits."""
    assert here["env_id"][0] == "e" and len(here["env_id"]) == 17
    same = ("host", "cpu", "os", "kernel", "core_count", "core_list", "host_memory_bytes", "device_name", "engine_revision", "governor", "container")
    return {**row, **{name: here[name] for name in same}, "env_id": here["env_id"][1:]}


def write(file, rows):
    with open(file, "w", newline="", encoding="utf-8") as text:
        writer = csv.DictWriter(text, rows[0], lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


@pytest.fixture
def swept(stub):
    """The sweep's rows of today, and those of before, as they would be of this machine."""
    code, _, err = stub.run("", *SWEEP, "-o", "new.csv", "-o", "new.jsonl")
    assert code == 0, err
    new = csv_rows(stub.folder / "new.csv")
    return [of_this_machine(*pair) for pair in zip(csv_rows(OLD)[:8], new, strict=True)], new


def test_a_file_of_before_that_was_merged_is_resumed_and_nothing_runs(stub, swept):
    old, new = swept
    assert len(old) == len(new) == 8 and not {row["cell_id"] for row in old} & {row["cell_id"] for row in new}
    write(stub.folder / "old.csv", old)
    code, _, err = stub.run("", *SWEEP, "-o", "old.csv", "--resume")
    assert code == 1 and "sdbench merge" in err and "request" not in err, err
    assert csv_rows(stub.folder / "old.csv") == old
    assert run(stub.folder, "merge", "old.csv", "-o", "merged.csv", program=stub.program)[0] == 0
    merged = csv_rows(stub.folder / "merged.csv")
    code, _, err = stub.run("", *SWEEP, "-o", "merged.csv", "--resume")
    assert code == 0, err
    assert err.count("ok in the outputs already") == 8
    assert csv_rows(stub.folder / "merged.csv") == merged


def test_a_row_of_before_and_one_of_today_are_one_measurement(stub, swept):
    old, new = swept
    write(stub.folder / "old.csv", old)
    code, out, err = run(stub.folder, "compare", "old.csv", "new.csv", "--format", "json", program=stub.program)
    assert code == 0, err
    assert [place["rows"] for place in json.loads(out)["places"]] == [2] * 8


def test_a_merger_of_rows_of_before_has_ids_of_today(stub, swept):
    old, new = swept
    write(stub.folder / "old.csv", old)
    code, _, err = run(stub.folder, "merge", "old.csv", "-o", "merged.jsonl", program=stub.program)
    assert code == 0, err
    names = ("workload_id", "variant_id", "env_id", "cell_id")
    merged = [tuple(row[name] for name in names) for row in json_lines(stub.folder / "merged.jsonl")]
    assert merged == [tuple(row[name] for name in names) for row in new]
    assert ["".join(one[0] for one in ids) for ids in merged] == ["wvec"] * 8


def slowed(row, times=2):
    """It took so many times as long, with all figures that go with it."""
    changes = {name: "" for name in row if name.startswith(("e2e_s_", "images_per_min_"))}
    for name, factor in (("images_per_min", 1 / times), ("megapixels_per_s", 1 / times), ("e2e_it_s", 1 / times), ("e2e_s", times)):
        changes[name] = str(float(row[name]) * factor)
    return {**row, **changes}


def test_rows_of_before_are_a_baseline_as_those_of_today_are(stub, swept):
    old, new = ([{**row, "flags": ""} for row in rows] for rows in swept)  # other tests may run beside this one
    write(stub.folder / "a.csv", old)
    write(stub.folder / "b.csv", [{**row, "run_id": before["run_id"]} for row, before in zip(new, old)])
    write(stub.folder / "slower.csv", [slowed(row) for row in new])
    said = [run(stub.folder, "compare", base, "slower.csv", "--baseline", base, "--metric", "images_per_min", "--fail-if-slower", "5%",
                program=stub.program) for base in ("a.csv", "b.csv")]
    assert said[0][1].replace("a.csv", "b.csv") == said[1][1]
    assert (said[0][0], said[0][2].replace("a.csv", "b.csv")) == (said[1][0], said[1][2])


def test_what_is_slower_runs_again_before_it_fails(stub):
    code, _, err = stub.run("", "--restarts", "3", "--repeat", "2", "--warmup", "0", "--telemetry-interval", "0", "-o", "before.csv")
    assert code == 0, err
    before = [{**row, "flags": ""} for row in csv_rows(stub.folder / "before.csv")]
    write(stub.folder / "before.csv", before)
    write(stub.folder / "after.csv", [{**slowed(slowed(slowed(row))), "run_id": f"after{place}", "sweep_id": "after"} for place, row in enumerate(before)])
    gate = ("compare", "after.csv", "--baseline", "before.csv", "--fail-if-slower", "100%", "--metric", "images_per_min")
    code, _, err = run(stub.folder, *gate, program=stub.program)
    assert code == 4 and "slower by 100 % or more: tiny-sd15" in err, err
    code, _, err = run(stub.folder, *gate, "--confirm", program=stub.program)
    assert code == 0 and "not confirmed, so no failure: tiny-sd15" in err, err
    again = [row for file in (stub.folder / "sdbench-results").glob("*.csv") for row in csv_rows(file)]
    assert [row["cell_id"] for row in again] == [row["cell_id"] for row in before] and len({row["sweep_id"] for row in again}) == 1
    after = csv_rows(stub.folder / "after.csv")
    write(stub.folder / "after.csv", [{**row, "run_id": f"other{place}", "host": "elsewhere", "env_id": 16 * "1"} for place, row in enumerate(after)])
    code, _, err = run(stub.folder, *gate, "--confirm", program=stub.program)
    assert code == 2 and "--confirm must have a cell that can run here, but has none: it is of elsewhere" in err, err
    assert stub.run("abort", "--restarts", "1", "--telemetry-interval", "0", "-o", "failed.csv")[0] == 1  # likewise where it failed
    write(stub.folder / "after.csv", [{**row, "host": "elsewhere", "env_id": 16 * "1"} for row in csv_rows(stub.folder / "failed.csv")])
    code, _, err = run(stub.folder, *gate, "--confirm", program=stub.program)
    assert code == 2 and err.count("\n") == 1 and "--confirm must have a cell that can run here, but has none: it is of elsewhere" in err, err


def test_what_failed_runs_again_before_it_fails(stub):
    code, _, err = stub.run("", "--restarts", "3", "--repeat", "2", "--warmup", "0", "--telemetry-interval", "0", "-o", "before.csv")
    assert code == 0, err
    before = [{**row, "flags": ""} for row in csv_rows(stub.folder / "before.csv")]
    write(stub.folder / "before.csv", before)
    assert stub.run("abort", "--restarts", "1", "--telemetry-interval", "0", "-o", "failed.csv")[0] == 1
    good = [{**row, "run_id": f"after{place}", "sweep_id": "after"} for place, row in enumerate(before[:2])]
    write(stub.folder / "after.csv", good + csv_rows(stub.folder / "failed.csv"))
    gate = ("compare", "after.csv", "--baseline", "before.csv", "--fail-if-slower", "100%", "--metric", "images_per_min,e2e_s")
    code, _, err = run(stub.folder, *gate, program=stub.program)
    assert code == 4 and "failed, and the baseline has a figure: tiny-sd15" in err and ": 1 of 3 rows failed (crash)" in err, err
    code, _, err = run(stub.folder, *gate, "--confirm", program=stub.program)
    assert code == 0 and "not confirmed, so no failure: tiny-sd15" in err and ": 1 of 3 rows failed (crash)" in err, err
    assert err.count("not confirmed, so no failure:") == 1, err  # not once for each metric
    no_parts = dict.fromkeys(("text_s", "unet_s", "vae_s"), "")
    write(stub.folder / "before.csv", [{**slowed(row, 1 / 8), **no_parts, "run_id": f"before{place}"} for place, row in enumerate(before)])
    code, _, err = run(stub.folder, *gate, "--confirm", program=stub.program)
    assert code == 4 and "so no failure" not in err and err.count("not found again: ") == 1 and "; again: tiny-sd15" in err, err
    write(stub.folder / "after.csv", csv_rows(stub.folder / "failed.csv"))
    code, _, err = run(stub.folder, *gate, "--confirm", program=stub.program)
    assert code == 4 and "so no failure" not in err and err.count("not found again: ") == 1 and ", when it ran again" in err, err
    write(stub.folder / "after.csv", good + csv_rows(stub.folder / "failed.csv"))
    write(stub.folder / "before.csv", before)
    code, _, err = run(stub.folder, *gate, "--confirm", program=stub.program, env=environment(SDBENCH_STUB="abort"))
    assert code == 4 and "failed, and the baseline has a figure: tiny-sd15" in err and ": again 3 of 3 starts failed (crash)" in err, err
    code, _, err = run(stub.folder, *gate, "--confirm", "--timeout", "1", program=stub.program, env=environment(SDBENCH_STUB="hang"))
    assert code == 4 and ": again 3 of 3 starts failed (timeout)" in err, err
    code, _, err = run_on_a_full_disk(stub.folder, *gate, "--confirm", program=stub.program)
    assert code == 1 and "not confirmed, so no failure: tiny-sd15" in err, err


def test_a_row_under_another_cards_name_contradicts_itself(stub):
    assert stub.run("", "--restarts", "2", "--telemetry-interval", "0", "-o", "a.csv", "-q")[0] == 0
    whole, edited = csv_rows(stub.folder / "a.csv")
    write(stub.folder / "a.csv", [whole, {**edited, "device_name": "RTX 4090"}])
    code, out, err = run(stub.folder, "compare", "a.csv", program=stub.program)
    assert code == 0 and f"line 3: contradicts itself: env_id is {edited['env_id']}, but its columns give e" in err, err
    assert "measured by Stub processor alone" in out and "contradicts itself" in out, out
    assert run(stub.folder, "merge", "a.csv", "-o", "shared.csv", "--redact", program=stub.program)[0] == 0
    code, out, err = run(stub.folder, "compare", "shared.csv", program=stub.program)
    assert code == 0 and "line 3: contradicts itself: its flag says so" in err and "line 2" not in err, out + err


@pytest.mark.parametrize("columns", ["libtorch_version", "dtype_unet"])
def test_rows_of_before_and_of_today_are_one_line_under_columns_of_ones_own(stub, swept, columns):
    old, new = swept
    write(stub.folder / "old.csv", old)
    both, alone = [json.loads(run(stub.folder, "compare", *files, "--columns", columns, "--format", "json", program=stub.program)[1])
                   for files in (["old.csv", "new.csv"], ["new.csv"])]
    assert [2 * place["rows"] for place in alone["places"]] == [place["rows"] for place in both["places"]]


def test_an_axis_that_is_gone_and_was_not_used_explains_no_difference(stub, swept):
    old, new = swept
    write(stub.folder / "old.csv", [{**row, "note": "of before"} for row in old])
    _, out, err = run(stub.folder, "compare", "old.csv", "new.csv", "--explain", old[0]["run_id"], new[0]["run_id"], program=stub.program)
    assert "of before" in out and "fused" not in out, out + err
    code, out, err = run(stub.folder, "reproduce", "old.csv", "--run-id", old[0]["run_id"], "--no-save", program=stub.program)
    assert "fused" not in out + err


def test_an_axis_that_is_gone_and_was_used_is_said(stub, swept):
    old, _ = swept
    write(stub.folder / "old.csv", [{**old[0], "fused": "on", "fused_used": "on"}])
    _, out, err = run(stub.folder, "reproduce", "old.csv", "--no-save", program=stub.program)
    assert 'the record\'s fused "on" is an option that is gone' in out + err
