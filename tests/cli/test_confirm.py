"""Rows that run again before a verdict stands (--confirm), and rows that were edited by hand."""

import csv

from ids import with_ids
from program import environment, run, run_on_a_full_disk
from stub import csv_rows


def write(file, rows):
    with open(file, "w", newline="", encoding="utf-8") as text:
        writer = csv.DictWriter(text, rows[0], lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def slowed(row, times=2):
    """It took so many times as long, with all figures that go with it."""
    changes = {name: "" for name in row if name.startswith(("e2e_s_", "images_per_min_"))}
    for name, factor in (("images_per_min", 1 / times), ("megapixels_per_s", 1 / times), ("e2e_it_s", 1 / times), ("e2e_s", times)):
        changes[name] = str(float(row[name]) * factor)
    return {**row, **changes}


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
    write(stub.folder / "after.csv", [with_ids({**row, "run_id": f"other{place}", "host": "elsewhere"}) for place, row in enumerate(after)])
    code, _, err = run(stub.folder, *gate, "--confirm", program=stub.program)
    assert code == 2 and "--confirm must have a cell that can run here, but has none: it is of elsewhere" in err, err
    assert stub.run("abort", "--restarts", "1", "--telemetry-interval", "0", "-o", "failed.csv")[0] == 1  # likewise where it failed
    write(stub.folder / "after.csv", [with_ids({**row, "host": "elsewhere"}) for row in csv_rows(stub.folder / "failed.csv")])
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
    assert code == 4 and "failed, although the baseline has a figure: tiny-sd15" in err and ": 1 of 3 rows failed (crash)" in err, err
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
    assert code == 4 and "failed, although the baseline has a figure: tiny-sd15" in err and ": again 3 of 3 starts failed (crash)" in err, err
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
