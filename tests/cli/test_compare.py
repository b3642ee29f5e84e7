"""`sdbench compare` from outside: its figures against numpy and mpmath on the same rows, its answers, and what it does with bad input.

The machines are invented (tests/data/compare).
"""

import csv
import html
import io
import json
import math
import re
import shlex
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import mpmath
import numpy as np
import pytest
from ids import with_ids
from made_up_cards import made_up_cards, write_rows
from program import PROGRAM, environment
from terminal import seen

ROWS = Path(__file__).parent.parent / "data" / "compare"
MACHINES = sorted(ROWS.glob("invented-*.csv"))


def compare(*arguments, cwd=None, env=None):
    return subprocess.run([PROGRAM, "compare", *map(str, arguments)], capture_output=True, cwd=cwd, timeout=60, text=True,
                          env=env or environment())


def places(*arguments):
    metric = [] if "--metric" in arguments else ["--metric", "unet_it_s"]
    result = compare(*MACHINES, "--format", "json", *metric, *arguments)
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout)["places"]


def rows_of(name):
    with open(ROWS / f"invented-{name}.csv", newline="") as file:
        return list(csv.DictReader(file))


def measured(name, model, batch=1, dtype="fp16"):
    return [row for row in rows_of(name) if row["model"] == model and int(row["batch"]) == batch and row["dtype_unet"] == dtype
            and row["status"] == "ok" and "partial" not in row["flags"]]


def place_of(all_places, machine, model, batch=1):
    found = [place for place in all_places if machine in place["machine"] and place["workload"].startswith(model)
             and place["workload"].endswith(f"batch {batch}")]
    assert len(found) == 1
    return found[0]


def t_quantile(degrees):
    """Two-sided 95 %, from the regularised incomplete beta function."""
    inside = lambda t: mpmath.betainc(degrees / 2, 0.5, degrees / (degrees + t * t), 1, regularized=True)
    return float(mpmath.findroot(lambda t: inside(t) - 0.95, (1.9, 14), solver="anderson", tol=1e-20))


def close(value):
    return pytest.approx(float(value), rel=1e-9)


class Pooled:
    """What the documentation says of rows of one measurement, with numpy."""

    def __init__(self, rows):
        times = np.array([1 / float(row["unet_it_s"]) for row in rows])
        runs = np.array([int(row["repeat"]) for row in rows])
        sds = np.array([float(row["unet_s_sd"]) / float(row["unet_s"]) for row in rows]) * times
        self.mean = times.mean()
        self.within = math.sqrt(((runs - 1) * sds**2).sum() / (runs - 1).sum())
        ways = [(self.within * math.sqrt((1 / runs).sum()) / len(rows), (runs - 1).sum())]
        self.between = times.std(ddof=1) if len(rows) > 1 else None
        if self.between is not None:
            ways.append((self.between / math.sqrt(len(rows)), len(rows) - 1))
        self.half, self.error, self.degrees = max((t_quantile(int(degrees)) * error, error, degrees) for error, degrees in ways)


CASES = [("alpha", "RTX 9000 on alpha, fp16", "sd15", 1), ("alpha", "RTX 9000 on alpha, fp16", "sd15", 8),
         ("bravo", "RTX 9000 on bravo, libtorch 2.11.0", "sd15", 1), ("charlie", "GTX 500", "sd15", 1), ("echo", "Card", "sdxl", 1)]


@pytest.mark.parametrize("name, machine, model, batch", CASES)
def test_means_and_intervals_are_numpys(name, machine, model, batch):
    expected = Pooled(measured(name, model, batch))
    place = place_of(places(), machine, model, batch)
    assert place["value"] == close(1 / expected.mean)
    assert place["ci95_low"] == close(1 / (expected.mean + expected.half))
    assert place["ci95_high"] == close(1 / (expected.mean - expected.half))
    assert place["sd_within"] == close(expected.within / expected.mean)
    assert place["rows"] == len(measured(name, model, batch))
    if expected.between is None:
        assert place["sd_between"] is None
    else:
        assert place["sd_between"] == close(expected.between / expected.mean)
    assert place["ci95_covers"] == ("between-runs" if place["rows"] >= 2 else "within-run")


def test_ratios_and_their_intervals_are_those_of_the_documented_method():
    best, other = Pooled(measured("alpha", "sd15")), Pooled(measured("echo", "sd15"))
    place = place_of(places(), "Card", "sd15")
    variances = (best.error / best.mean) ** 2, (other.error / other.mean) ** 2
    degrees = int(sum(variances) ** 2 / (variances[0] ** 2 / best.degrees + variances[1] ** 2 / other.degrees))
    reach = math.exp(t_quantile(degrees) * math.sqrt(sum(variances)))
    ratio = best.mean / other.mean
    assert place["relative"] == close(ratio)
    assert place["relative_ci95_low"] == close(ratio / reach)
    assert place["relative_ci95_high"] == close(ratio * reach)


def test_figures_beside_the_metric_are_those_of_the_rows():
    place = place_of(places(), "RTX 9000 on alpha, fp16", "sd15")
    rows = measured("alpha", "sd15")
    images = [float(row["images_per_min"]) for row in rows]
    assert place["images_per_min"] == close(len(images) / np.sum(1 / np.array(images)))
    assert place["peak_bytes"] == max(float(row["peak_device_allocated_bytes"]) for row in rows)
    assert place["j_per_image"] == close(np.mean([float(row["j_per_image"]) for row in rows]))


def test_nothing_is_dropped_silently():
    every = places()
    counted = sum(place["rows"] + place["failed"] + place["left_out"] for place in every)
    assert counted == sum(len(rows_of(name)) for name in ("alpha", "bravo", "charlie", "delta", "echo"))
    assert {place["status"] for place in every} == {"ok", "oom_device"}
    assert place_of(every, "Processor", "sd15")["left_out"] == 1


def test_metrics_filters_and_folders():
    result = compare(ROWS, "--metric", "e2e_s", "--filter", "host=alpha", "--filter", "model=sdxl", "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(result.stdout)))
    assert len(rows) == 1 and rows[0]["metric"] == "e2e_s" and rows[0]["unit"] == "s"
    assert float(rows[0]["value"]) == close(measured("alpha", "sdxl")[0]["e2e_s"])


def test_the_answer_stands_above_the_table():
    out = compare(*MACHINES, "--filter", "model=sdxl").stdout
    answer = next(line for line in out.splitlines() if line.startswith("fastest: "))
    fastest, other = (float(measured(name, "sdxl")[0]["images_per_min"]) for name in ("echo", "alpha"))
    assert f"{fastest / other:.3g} times as fast as Invented RTX 9000 on alpha" in answer


def written(file, rows):
    with open(file, "w", newline="") as out:
        writer = csv.DictWriter(out, rows[0].keys())
        writer.writeheader()
        writer.writerows(rows)
    return file


def starts_of(name, count, session, factor=1.0, **more):
    """Each row of a machine as so many starts of one session, whose denoising takes `factor` times as long."""
    rows = []
    for start in range(count):
        for row in rows_of(name):
            row |= {"run_id": f"{session}-{start}-{row['run_id']}", "sweep_id": session, "restart": str(start + 1), **more}
            for field, change in (("unet_it_s", 1 / factor), ("unet_s", factor), ("unet_s_sd", factor), ("s_per_it", factor)):
                row[field] = repr(float(row[field]) * change) if row.get(field) else ""
            hold_parts(row)
            rows.append(row)
    return rows


def hold_parts(row):
    """A whole is no shorter than its parts, else the row contradicts itself."""
    parts = sum(float(row.get(part) or 0) for part in ("text_s", "unet_s", "vae_s"))
    longer = parts / float(row["e2e_s"]) if row.get("e2e_s") else 1
    for field, change in (("e2e_s", longer), ("images_per_min", 1 / longer), ("e2e_it_s", 1 / longer), ("megapixels_per_s", 1 / longer)):
        if longer > 1 and row.get(field):
            row[field] = repr(float(row[field]) * change)


def gate(tmp_path, before, after, *arguments):
    return compare(written(tmp_path / "after.csv", after), "--baseline", written(tmp_path / "before.csv", before), *arguments)


def test_an_upgrade_that_slows_down_is_exit_code_4(tmp_path):
    before, after = starts_of("alpha", 3, "b"), starts_of("alpha", 3, "a", 1 / 0.9)
    result = gate(tmp_path, before, after, "--fail-if-slower", "5%")
    assert result.returncode == 4
    assert result.stderr.count("sdbench: slower by 5 % or more: ") == 4
    assert "unet_it_s: " in result.stderr and "0.900 times as fast" in result.stderr
    assert "judged by unet_it_s, e2e_s and peak_device_allocated_bytes" in result.stderr
    assert gate(tmp_path, before, after, "--fail-if-slower", "12%").returncode == 0  # more than it lost
    assert gate(tmp_path, before, after, "--fail-if-slower", "5%", "--metric", "e2e_s").returncode == 0
    assert gate(tmp_path, after, before, "--fail-if-slower", "5%").returncode == 0
    missing = compare(tmp_path / "before.csv", "--baseline", tmp_path / "before.csv", "--fail-if-slower", "5%")
    assert missing.returncode == 1 and "there is none of the same work" in missing.stderr


def test_a_decoder_that_is_forty_times_slower_is_exit_code_4(tmp_path):
    result = gate(tmp_path, starts_of("alpha", 3, "b", vae_s="0.1"), starts_of("alpha", 3, "a", vae_s="4"), "--fail-if-slower", "5%")
    assert result.returncode == 4 and ": vae_s: " in result.stderr and ": unet_it_s: " not in result.stderr
    result = gate(tmp_path, starts_of("alpha", 3, "b"), starts_of("alpha", 3, "a", peak_device_allocated_bytes="9000000000"), "--fail-if-slower", "5%")
    assert result.returncode == 4 and "worse by 5 % or more: " in result.stderr and ": peak_device_allocated_bytes: " in result.stderr


def without(rows, name):
    return [{key: "" if key.startswith(name) else value for key, value in row.items()} for row in rows]


def test_a_figure_that_vanished_is_not_decided(tmp_path):
    result = gate(tmp_path, starts_of("alpha", 3, "b", vae_s="0.1"), without(starts_of("alpha", 3, "a"), "vae_s"), "--fail-if-slower", "5%")
    assert result.returncode == 5, result.stderr
    assert [line for line in result.stderr.splitlines() if line.endswith(": no vae_s")], result.stderr


def test_a_metric_that_nothing_is_compared_by_is_named_and_not_decided(tmp_path):
    result = gate(tmp_path, starts_of("alpha", 3, "b"), starts_of("alpha", 3, "a"), "--fail-if-slower", "5%", "--metric", "unet_it_s,epoch_s_first")
    assert result.returncode == 5 and "not decided: nothing is compared by epoch_s_first" in result.stderr, result.stderr


def test_a_baseline_without_a_figure_is_said_with_the_reason(tmp_path):
    result = gate(tmp_path, starts_of("alpha", 3, "b", flags="suspended"), starts_of("alpha", 3, "a"), "--fail-if-slower", "5%")
    assert result.returncode == 1 and "has none (its rows: suspended)" in result.stderr, result.stderr


def test_confirm_without_a_folder_for_its_rows_is_refused_before_the_table(tmp_path):
    here = {"host": socket.gethostname()}
    before = written(tmp_path / "before.csv", starts_of("alpha", 3, "b", **here))
    after = written(tmp_path / "after.csv", starts_of("alpha", 3, "a", 1.5, **here))
    (tmp_path / "sdbench-results").write_text("no folder")
    result = compare(after, "--baseline", before, "--fail-if-slower", "5%", "--confirm", cwd=tmp_path)
    assert (result.returncode, result.stdout) == (1, ""), result.stderr
    assert "--confirm must save its rows" in result.stderr and "--no-save" not in result.stderr


def test_a_shared_file_may_have_made_up_tags_as_rows(tmp_path):
    result = gate(tmp_path, starts_of("alpha", 1, "b", tags="cooler=air"), starts_of("alpha", 1, "a", tags="cooler=water"),
                  "--rows", "device_name,tag:cooler", "-o", tmp_path / "x.md")
    assert result.returncode == 0, result.stderr
    text = (tmp_path / "x.md").read_text()
    assert "cooler" not in text and text.count("tags=") >= 2, text


def test_one_start_decides_nothing_and_has_an_exit_code_of_its_own(tmp_path):
    one = ["model=sdxl", "batch=1", "dtype_unet=fp16"]
    filters = [word for field in one for word in ("--filter", field)]
    for factor in (1, 1 / 0.74, 0.5):
        result = gate(tmp_path, starts_of("alpha", 1, "b"), starts_of("alpha", 1, "a", factor), "--fail-if-slower", "5%", *filters)
        assert result.returncode == 5, result.stderr
        assert "not decided: only one start of the program; use --restarts 3: sdxl" in result.stderr


def test_rounds_of_one_start_are_one_start(tmp_path):
    rounds = [{**row, "round": row["restart"], "restart": "1"} for row in starts_of("alpha", 3, "a", 2)]
    result = gate(tmp_path, starts_of("alpha", 3, "b"), rounds, "--fail-if-slower", "5%")
    assert result.returncode == 5 and "not decided: only one start of the program; use --restarts 3: sdxl" in result.stderr, result.stderr


def test_a_list_of_metrics_has_the_tables_of_each():
    out = compare(*MACHINES, "--metric", "unet_it_s,e2e_s,unet_it_s").stdout
    assert out.count("more is better") == 1 and out.count("less is better") == 1
    metrics = [place["metric"] for place in places("--metric", "unet_it_s,e2e_s")]
    assert set(metrics) == {"unet_it_s", "e2e_s"} and metrics.count("unet_it_s") == metrics.count("e2e_s")


def test_an_edited_row_contradicts_itself_and_is_in_no_verdict(tmp_path):
    rows = rows_of("alpha")
    rows[0]["unet_it_s"] = "999"
    edited = written(tmp_path / "edited.csv", rows)
    result = compare(edited, "--filter", "model=sd15")
    assert "edited.csv, line 2: contradicts itself: unet_it_s is 999, but s_per_it gives 40.20" in result.stderr
    assert "999" not in result.stdout and "contradicts itself" in result.stdout
    for field, value, words in (("workload_id", "x", '"x"'), ("cell_id", "", "empty"), ("env_id", "hello world", '"hello world"'), ("variant_id", "e1", '"e1"')):
        rows = rows_of("alpha")
        rows[0][field] = value
        found = compare(written(tmp_path / "named.csv", rows), "--filter", "model=sd15")
        assert f"named.csv, line 2: contradicts itself: {field} is {words}, which is not an id" in found.stderr, found.stderr
        rows[0]["unet_it_s"] = "999"
        found = compare(written(tmp_path / "named.csv", rows), "--filter", "model=sd15")
        assert "line 2: contradicts itself: unet_it_s is 999" in found.stderr and "999" not in found.stdout
    merged = tmp_path / "merged.csv"
    assert subprocess.run([PROGRAM, "merge", str(edited), "-o", str(merged)], capture_output=True, env=environment()).returncode == 0
    with open(merged, newline="") as file:
        assert [row["flags"] for row in csv.DictReader(file)][0] == "contradicts_itself"


def test_a_row_under_another_cards_name_is_not_pooled_by_its_stale_id(tmp_path):
    rows = [row for row in rows_of("alpha") if row["model"] == "sd15" and row["status"] == "ok"]
    rows[0]["device_name"] = "RTX 4090"
    out = compare(written(tmp_path / "renamed.csv", rows), "--format", "json").stdout
    assert any("RTX 4090" in place["machine"] and place["rows"] == 1 for place in json.loads(out)["places"])


H100 = Path(__file__).parents[2] / "benchmarks/records"


def test_the_h100_that_ran_out_of_memory_is_no_second_machine():
    rows = [json.loads(line) for line in (H100 / "2026-11-26-h100-steps.jsonl").read_text().splitlines()]
    assert sum(row["status"] == "oom_device" and row["pcie_generation_used"] is None for row in rows) == 2
    out = compare(H100 / "2026-11-26-h100-steps.jsonl", "--format", "json").stdout
    machines = {place["machine"] for place in json.loads(out)["places"]}
    assert not any("PCIe" in machine or "clocks" in machine for machine in machines), machines


def test_markdown_that_is_too_long_for_a_comment_is_said(tmp_path):
    row = measured("alpha", "sd15")[0]
    rows = [with_ids({**row, "run_id": f"r{i}", "steps": str(10 + i)}) for i in range(400)]
    result = compare(written(tmp_path / "many.csv", rows), "--format", "md")
    assert result.returncode == 0 and len(result.stdout) > 65536
    assert "characters, and a comment on GitHub takes 65536; --filter" in result.stderr
    assert "GitHub" not in compare(*MACHINES, "--format", "md").stderr


def test_cells_and_quotes_that_other_readers_stumble_on_are_read(tmp_path):
    row = measured("alpha", "sd15")[0]
    rows = [{**row, "run_id": f"r{i}", "note": 'a, "quoted"\nnote' if i == 20480 else ""} for i in range(20490)]
    rows[0]["note"] = '"' + "x" * 131072
    result = compare(written(tmp_path / "late.csv", rows), "--format", "json")
    assert result.stderr == "" and [place["rows"] for place in json.loads(result.stdout)["places"]] == [20490]


def test_explain_names_the_likeliest_cause_first():
    out = compare(*MACHINES, "--explain", "Invented RTX 9000 on alpha, fp16", "Invented RTX 9000 on alpha, fp32").stdout
    lines = out.splitlines()
    first = lines[lines.index("Likely causes, the likeliest first (A, B, why)") + 1]
    assert first.split()[:3] == ["dtype_unet", "fp16", "fp32"]


def test_hostile_names_stay_text_in_every_form():
    table = compare(*MACHINES)
    assert "\x1b" not in table.stdout and "\\x1b[31m" in table.stdout
    page = compare(*MACHINES, "--format", "html", "--rows", "host").stdout
    assert "<script" not in page and "&lt;script&gt;alert(1)&lt;/script&gt;" in page and "<b>" not in page
    for line in compare(*MACHINES, "--format", "md", "--rows", "host").stdout.splitlines():
        assert "<script" not in line
        if line.startswith("|") and "Card" in line:
            assert "\\|" in line
    assert "<script>" in json.loads(compare(*MACHINES, "--rows", "host", "--format", "json").stdout)["places"][1]["machine"]


def test_published_figures_stand_apart_and_marked():
    plain, more = places(), places("--with-published")
    assert more[:len(plain)] == plain
    assert {place["status"] for place in more[len(plain):]} == {"published"}
    out = compare(*MACHINES, "--with-published").stdout
    assert "published by others, beside first_image_it_s" in out and "Doubts: " in out


def test_the_output_may_be_a_file_whose_ending_says_its_form(tmp_path):
    assert compare(*MACHINES, "-o", tmp_path / "table.html").stdout == ""
    assert (tmp_path / "table.html").read_text().startswith("<!DOCTYPE html>")
    failed = compare(*MACHINES, "-o", tmp_path / "none" / "table.md")
    assert failed.returncode == 1 and failed.stderr.count("\n") == 1


def test_results_are_never_replaced_by_a_comparison(tmp_path):
    for name in ("alpha", "bravo"):
        shutil.copy(ROWS / f"invented-{name}.csv", tmp_path)
    before = (tmp_path / "invented-bravo.csv").read_bytes()
    for files in (["invented-alpha.csv", "invented-bravo.csv"], ["invented-alpha.csv"]):
        result = compare(*files, "-o", "invented-bravo.csv", cwd=tmp_path)
        assert result.returncode == 1 and "holds 3 rows of results" in result.stderr
    assert (tmp_path / "invented-bravo.csv").read_bytes() == before
    for _ in range(2):  # a comparison may be made again, in the folder that it is made of, too
        assert compare(".", "-o", "table.csv", cwd=tmp_path).returncode == 0


def test_a_cell_that_a_machine_lacks_is_filled_by_the_command_beside_it():
    out = compare(*MACHINES, "--missing", "--filter", "steps=50").stdout
    line = next(line for line in out.splitlines() if line.startswith("Invented RTX 9000 on bravo ") and "batch 8" in line)
    command = line[line.index("sdbench reproduce "):].split()
    lines = Path(command[2]).read_text().splitlines()
    assert len(command) == 5 and any(command[4] in row for row in lines)


@pytest.mark.parametrize("limits, said", [((200, 350), True), ((350, 350), False)])
def test_a_missing_cell_of_a_card_under_a_power_limit_says_that_no_command_sets_it(tmp_path, limits, said):
    rows = [{**row, "power_limit_w": float(limit), "run_id": f"{limit} {place} {row['run_id']}"} for place, limit in enumerate(limits) for row in made_up_cards(1, restarts=1)]
    write_rows(tmp_path / "rows.jsonl", rows[:-1])
    out = compare(tmp_path / "rows.jsonl", "--missing").stdout
    assert ("no command sets a power limit" in out) == said, out
    assert ("sdbench reproduce" in out) == said, out


def commands_in(form, text):
    """The commands of --missing as somebody copies them."""
    if form == "html":
        return [html.unescape(code) for code in re.findall(r"<code>(.*?)</code>", text)]
    return [code.replace(r"\|", "|") for code in re.findall({"md": "`(.*?)`", "org": "~(.*?)~", "table": r"(sdbench reproduce .*)"}[form], text)]


@pytest.mark.parametrize("form", ["table", "md", "org", "html"])
def test_the_command_of_a_missing_cell_is_one_for_a_shell_in_every_form(tmp_path, form):
    folder = tmp_path / r"it's *our* a_b\c"
    folder.mkdir()
    rows = [row for name in ("alpha", "bravo") for row in rows_of(name) if row["steps"] == "50"]
    text = compare(written(folder / "rows.csv", rows), "--missing", "--format", form).stdout
    commands = commands_in(form, text)
    assert commands and all(shlex.split(command)[2] == str(folder / "rows.csv") for command in commands), text


def test_s_per_image_and_it_s_stand_beside_images_per_min_in_every_form(tmp_path):
    rows = made_up_cards(8, restarts=2)
    write_rows(tmp_path / "rows.jsonl", rows)
    for form in ("md", "org", "html"):
        text = compare(tmp_path / "rows.jsonl", "--format", form).stdout
        assert len(re.findall(r"\bs/image\b", text)) == len(re.findall(r"\bUNet it/s\b", text)) == 4, form
    for width in (80, 120):
        lines = re.sub(r"\x1b\[\d+m", "", seen(tmp_path, width, "compare", "rows.jsonl")).splitlines()
        heads = [line for line in lines if line.split()[:2] == ["#", "machine"]]
        assert len(heads) == 4 and all("s/image" in head and "it/s" in head for head in heads), lines
        assert all(len(line) <= width for line in lines)


def test_a_published_figure_has_its_ratio_to_the_best_of_ones_own():
    out = compare(*MACHINES[:2], "--with-published", "--format", "md").stdout
    part = out.split("published by others, beside first_image_it_s")[1].split("###")[0]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in part.splitlines() if line.startswith("|")]
    figure, ratio = next(i for i, head in enumerate(rows[0]) if "it/s" in head), rows[0].index("relative")
    number = lambda text: float(text.split()[0].rstrip("x"))
    best = max(number(row[figure]) for row in rows[2:] if row[0].strip("\\") != "*" and row[figure])
    checked = [row for row in rows[2:] if row[ratio]]
    assert any("*" in row[0] for row in checked) and "to the best row that was measured here" in part
    assert all(number(row[ratio]) == pytest.approx(number(row[figure]) / best, rel=0.01) for row in checked), part


@pytest.mark.parametrize("arguments, code, hint", [
    ([], 2, "sdbench compare sdbench-results"),
    (["missing.csv"], 2, "missing.csv"),
    ([ROWS, "--metric", "unet_its"], 2, '--metric must name a field of a record (docs/record.md lists them), but names "unet_its"; did you mean unet_it_s?'),
    ([ROWS, "--metric", "host"], 2, "neither more nor less is better"),
    ([ROWS, "--metric", "e2e_s,unet_its"], 2, "did you mean unet_it_s?"),
    ([ROWS, "--metric", "e2e_s,"], 2, "--metric"),
    ([ROWS, "--confirm"], 2, "with --fail-if-slower"),
    ([ROWS, "--timeout", "900"], 2, "--timeout must be given with --confirm"),
    ([ROWS, "--baseline", "alpha", "--fail-if-slower", "5%", "--confirm", "--timeout", "0"], 2, '--timeout must be seconds above zero, but is "0"'),
    ([ROWS, "--baseline", "alpha", "--fail-if-slower", "5%", "--confirm"], 2, "no row is of this machine"),
    ([ROWS, "--filter", "steps"], 2, "FIELD=VALUE"),
    ([ROWS, "--filter", "host=zulu"], 2, "--filter host=zulu must leave rows to compare, but leaves none of 19, whose host is <script>alert(1)</script>, alpha, bravo, charlie or delta"),
    ([ROWS, "--filter", "nofield=1"], 2, '--filter must name a field of a record (docs/record.md lists them), but names "nofield"'),
    ([ROWS, "--filter", "batch=3"], 2, "leaves none of 19, whose batch is 1 or 8"),
    ([ROWS, "--rows", "hots"], 2, '--rows must name a field of a record (docs/record.md lists them), but names "hots"; did you mean host?'),
    ([ROWS, "--columns", "model,hots"], 2, "--columns must name a field"),
    ([ROWS, "--columns", "tag:a b"], 2, "--columns must have the key of a --tag after tag:"),
    ([ROWS, "--rows", "tag:nope"], 2, "must name tags that a row has, but none has tag:nope; --tag KEY=VALUE gives"),
    ([ROWS, "--baseline", "alpah"], 2, "did you mean alpha?"),
    ([ROWS, "--threshold", "1"], 2, "such as 1%"),
    ([ROWS, "--fail-if-slower", "5%"], 2, "with a --baseline other than best"),
    ([ROWS, "--format", "jsn"], 2, "did you mean json?"),
    ([ROWS, "-o", "table.db"], 2, "sdbench merge"),
    ([ROWS, "--explain", "1"], 2, "--explain"),
    ([ROWS, "--missing", "-o", "table.md"], 2, "with --private"),
    ([ROWS, "--missing", "--format", "json"], 2, "a format for people"),
    ([ROWS, "--explain", "1", "99"], 2, "1 to 7"),
], ids=str)
def test_a_mistake_is_one_line_that_says_what_to_do(arguments, code, hint, tmp_path):
    result = compare(*arguments, cwd=tmp_path)
    assert result.returncode == code and not result.stdout
    assert result.stderr.count("\n") == 1 and result.stderr.startswith("sdbench: ")
    assert hint in result.stderr


def test_files_without_a_record_are_said(tmp_path):
    (tmp_path / "empty.csv").write_text("")
    result = compare(tmp_path / "empty.csv")
    assert result.returncode == 1 and "hold none" in result.stderr.splitlines()[-1]


def test_a_bad_file_is_named_and_the_others_are_compared(tmp_path):
    (tmp_path / "bad.csv").write_text('run_id,steps\n"x","many"\n')
    result = compare(*MACHINES, tmp_path / "bad.csv")
    assert result.returncode == 0 and "fastest" in result.stdout
    assert result.stderr.startswith("sdbench: left out: ") and "bad.csv" in result.stderr


def test_help_names_options_examples_and_exit_codes():
    result = compare("--help")
    assert result.returncode == 0
    for part in ("--fail-if-slower", "--with-published", "Examples:", "Exit code:"):
        assert part in result.stdout
    assert all(len(line) <= 100 for line in result.stdout.splitlines())


# After how many images what was prepared has paid.

ENGINES = {"pytorch": {"images_per_min": 10, "prepare_s": "", "prepared": ""}, "openvino": {"images_per_min": 30, "prepare_s": 44, "prepared": "new"}}


def engine_rows(folder, **changes):
    """A file of a row an engine, each of five runs with 1 % spread."""
    rows = []
    for engine, own in ENGINES.items():
        e2e_s = 60 / own["images_per_min"]
        rows.append({"schema_version": 4, "run_id": f"run-{engine}", "workload_id": "w1", "variant_id": engine, "env_id": "e1", "host": "desk",
                     "label": engine, "engine": engine, "engine_revision": 1, "device_name": "A processor", "device_kind": "cpu", "model": "sd15",
                     "width": 512, "height": 512, "steps": 20, "batch": 1, "images": 1, "status": "ok", "repeat": 5, "e2e_s": e2e_s,
                     "e2e_s_sd": 0.01 * e2e_s, "load_s": 1, **own, **changes.get(engine, {})})
    file = folder / "engines.csv"
    with open(file, "w", newline="") as text:
        writer = csv.DictWriter(text, rows[0])
        writer.writeheader()
        writer.writerows(rows)
    return [file, "--metric", "images_per_min"]


def test_a_baseline_of_another_engine_says_after_how_many_images_preparing_has_paid(tmp_path):
    file = engine_rows(tmp_path)
    result = compare(*file, "--baseline", "pytorch", "--format", "json")
    assert result.returncode == 0, result.stderr
    fast, slow = json.loads(result.stdout)["places"]
    errors = np.array([6, 2]) * 0.01 / math.sqrt(5)
    degrees = int(np.sum(errors**2)**2 / np.sum(errors**4 / 4))
    half = t_quantile(degrees) * math.sqrt(np.sum(errors**2))
    assert (fast["break_even"], fast["break_even_row"], fast["break_even_images"]) == ("after", fast["row"], 44 / 4)
    assert fast["break_even_ci95_low"] == math.ceil(44 / (4 + half)) and fast["break_even_ci95_high"] == math.ceil(44 / (4 - half))
    assert (slow["break_even"], slow["break_even_row"], slow["break_even_images"]) == ("", None, None)
    reader = csv.DictReader(io.StringIO(compare(*file, "--baseline", "pytorch", "--format", "csv").stdout))
    assert [(row["break_even"], row["break_even_images"]) for row in reader] == [("after", "11"), ("", "")]


def test_a_baseline_may_be_an_engine_however_its_row_is_called(tmp_path):
    rows = engine_rows(tmp_path, **{engine: {"label": "", "device_name": f"Processor of {engine}"} for engine in ENGINES})
    places = json.loads(compare(*rows, "--baseline", "PyTorch", "--format", "json").stdout)["places"]
    assert [place["verdict"] for place in places] == ["faster", "baseline"]
    assert "device, engine or the number of a row" in compare(*rows, "--baseline", "pytorhc").stderr


@pytest.mark.parametrize("baseline", ["pytorch", "best"])
@pytest.mark.parametrize("other", [{"host": "rack", "env_id": "e2"}, {"device_name": "Another processor"}], ids=lambda other: next(iter(other)))
def test_no_engine_pays_for_what_another_machine_prepared(tmp_path, baseline, other):
    result = compare(*engine_rows(tmp_path, openvino=other), "--baseline", baseline, "--format", "json")
    assert result.returncode == 0, result.stderr
    assert [place["break_even"] for place in json.loads(result.stdout)["places"]] == ["", ""]
    assert "pays after" not in compare(*engine_rows(tmp_path, openvino=other), "--baseline", baseline).stdout


@pytest.mark.parametrize("form", ["table", "md", "org", "html"])
def test_a_table_says_when_preparing_has_paid_and_of_which_row(tmp_path, form):
    file = engine_rows(tmp_path)
    for baseline, head in (("pytorch", "pays after"), ("best", "best pays after")):
        text = compare(*file, "--baseline", baseline, "--format", form, env=environment(COLUMNS="200")).stdout
        assert "11 (11 to 12)" in text and head in text and ("best pays" in text) == (baseline == "best"), text
        assert "pays after: number of images after which" in text


@pytest.mark.parametrize("change, word", [
    ({"openvino": {"prepared": "kept"}}, ""),
    ({"openvino": {"prepare_s": 0.5}, "pytorch": {"prepare_s": 0.5, "prepared": "new"}}, "at once"),
    ({"openvino": {"images_per_min": 8, "e2e_s": 7.5, "e2e_s_sd": 0.075}}, "never"),
    ({"openvino": {"images_per_min": 10.1, "e2e_s": 5.94, "e2e_s_sd": 0.5}}, "unclear"),
    ({"openvino": {"images_per_min": ""}}, ""),
    ({"openvino": {"status": "error"}}, ""),
])
def test_what_cannot_be_said_of_preparing_is_not_said(tmp_path, change, word):
    result = compare(*engine_rows(tmp_path, **change), "--baseline", "pytorch", "--format", "json")
    assert result.returncode == 0, result.stderr
    found = [place for place in json.loads(result.stdout)["places"] if place["variant_id"] == "openvino"]
    assert [place["break_even"] for place in found] == [word] and found[0]["break_even_images"] is None


def test_the_comparison_in_the_readme_is_what_is_printed():
    script = Path(__file__).parents[2] / "scripts/readme_examples.py"
    done = subprocess.run([sys.executable, script, PROGRAM, "--check"], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_title_stands_above_all_and_is_text(tmp_path):
    title = "Thirty <b>cards</b> & *more*<script>alert(1)</script>"
    escaped = "Thirty &lt;b&gt;cards&lt;/b&gt; &amp; *more*&lt;script&gt;alert(1)&lt;/script&gt;"
    for ending, words in (("html", f"<h1>{escaped}</h1>"), ("md", "## Thirty"), ("org", "#+title: Thirty"), ("txt", title)):
        file = tmp_path / f"t.{ending}"
        for _ in range(2):  # its own file is written again
            result = compare(*MACHINES, "--title", title, "-o", file)
            assert result.returncode == 0, result.stderr
        assert words in file.read_text() and (ending == "txt" or "<b>" not in file.read_text() and "<script" not in file.read_text())
    assert "<title>Thirty &lt;b&gt;" in (tmp_path / "t.html").read_text()
    struck = compare(*MACHINES, "--title", "50 $x^2$ ~~s~~ [a](b)", "--format", "md").stdout
    assert struck.splitlines()[0] == r"## 50 \$x^2\$ \~\~s\~\~ \[a\](b)"
    assert compare(*MACHINES, "--title", title, "--metric", "unet_it_s,e2e_s").stdout.count(title) == 1
    page = tmp_path / "page.html"
    for _ in range(2):
        made = subprocess.run([PROGRAM, "report", *map(str, MACHINES), "--title", title, "-o", str(page)], capture_output=True, text=True, env=environment())
        assert made.returncode == 0, made.stderr
    assert page.read_text().count(escaped) == 2 and "<b>cards" not in page.read_text()


@pytest.mark.parametrize("arguments, words", [
    (["--title", "x" * 201], "at most 200 characters, but has 201"), (["--title", ""], "a line of text"), (["--title", "a\nb"], "a line of text"),
    (["--title", "a\x1b[2Jb"], "a line of text"), (["--title", "a", "--title", "b"], "once"), (["--title", "a", "--format", "csv"], "a format for people"),
    (["--title", "a", "--explain", "1", "2"], "without --explain, which writes no table")])
def test_a_title_that_cannot_be_is_one_line(arguments, words):
    result = compare(*MACHINES, *arguments)
    assert result.returncode == 2 and words in result.stderr and result.stderr.count("\n") == 1 and "\x1b" not in result.stderr, result.stderr


FIELDS = "verdict,driver_version,e2e_s,value,ci95,seed"
FIELD_HEADS = ["verdict", "driver_version", "end to end", "images/min", "±95 %", "seed"]


def test_fields_are_the_columns_of_detail_in_the_users_order_in_every_form():
    def said(form):
        result = compare(*MACHINES, "--filter", "model=sd15", "--filter", "batch=1", "--metric", "images_per_min", "--fields", FIELDS, "--format", form)
        assert result.returncode == 0, result.stderr
        return result.stdout

    all_places = json.loads(said("json"))["places"]
    keys = ["row", "machine", "workload", "metric", "verdict", "driver_version", "e2e_s", "value", "ci95_low", "ci95_high", "ci95_covers", "seed"]
    assert all(list(place) == keys for place in all_places)
    table = list(csv.reader(io.StringIO(said("csv"))))
    assert table[0] == keys and len(table) == len(all_places) + 1
    for form in ("md", "org"):
        lines = said(form).replace("\\under{}", "_").splitlines()
        assert any([cell.strip() for cell in line.split("|")[2:-1]] == ["machine", *FIELD_HEADS] for line in lines), form
    heads = "".join(f'<th scope="col"{css}>{head}</th>' for head, css in zip(FIELD_HEADS, ["", "", *4 * [' class="number"']]))
    assert said("html").count(heads) == 1
    assert any(line.split() == ["#", "machine", "verdict", "driver_version", "end", "to", "end", "images/min", "±95", "%", "seed"]
               for line in said("table").splitlines())


def test_every_column_that_the_document_names_is_one():
    section = (Path(__file__).parents[2] / "docs/comparing.md").read_text().split("## Which columns")[1].split("\n## ")[0]
    names = [name for line in section.splitlines() if line.startswith("| `") for name in line.split("|")[1].replace("`", "").replace(" ", "").split(",")]
    assert len(names) > 20
    [heads] = {tuple(place) for place in places("--fields", ",".join(names))}
    assert {"value", "ci95_low", "baseline", "s_per_image", "break_even_images", "left_out", "generation", "notes"} <= set(heads)


def test_a_field_of_a_place_is_the_mean_of_a_figure_and_else_what_the_rows_say():
    [place] = [place for place in places("--filter", "host=alpha", "--filter", "dtype_unet=fp16", "--filter", "batch=1", "--filter", "model=sd15",
                                         "--fields", "e2e_s,e2e_it_s,driver_version,run_id,width,rows")]
    rows = measured("alpha", "sd15")
    assert place["e2e_s"] == close(np.mean([float(row["e2e_s"]) for row in rows]))
    assert place["e2e_it_s"] == close(1 / np.mean([1 / float(row["e2e_it_s"]) for row in rows]))
    assert (place["driver_version"], place["width"], place["rows"]) == ("570.86", 512, len(rows))
    assert len(rows) > 1 and place["run_id"] == [row["run_id"] for row in rows]


def test_what_failed_has_no_figure_but_says_what_else_is_known():
    [place] = [place for place in places("--fields", "status,e2e_s,device_arch,error") if place["status"] not in ("ok", "")][:1]
    assert place["e2e_s"] is None and place["device_arch"] and place["error"]


def test_failed_rows_have_the_memory_and_power_that_they_tell_and_no_time(tmp_path):
    from made_up_cards import made_up_cards, write_rows
    write_rows(tmp_path / "cards.jsonl", made_up_cards(8, 1))
    arguments = (tmp_path / "cards.jsonl", "--filter", "status=oom_device", "--fields", "power_limit_w,device_memory_bytes,sm_count,load_s,status")
    found = json.loads(compare(*arguments, "--format", "json").stdout)["places"]
    assert found and all(place["power_limit_w"] and place["device_memory_bytes"] and place["sm_count"] for place in found), found
    assert all(place["status"] == "oom_device" and place["load_s"] is None for place in found)
    shown = compare(*arguments).stdout
    assert "170 W" in shown and " GiB" in shown and "OOM" in shown and "oom_device" not in shown, shown


def test_a_file_of_chosen_fields_is_written_again_and_shares_no_name(tmp_path):
    for ending in ("csv", "json", "md", "html", "org", "txt"):
        for _ in range(2):
            result = compare(*MACHINES, "--fields", "host,value,notes", "-o", tmp_path / f"t.{ending}")
            assert result.returncode == 0, result.stderr
        assert "alpha" not in (tmp_path / f"t.{ending}").read_text()
    kept = compare(*MACHINES, "--fields", "label,host,note", "--private", "-o", tmp_path / "t.csv")
    assert kept.returncode == 0 and "alpha" in (tmp_path / "t.csv").read_text(), kept.stderr


def test_published_places_have_the_chosen_fields_too():
    result = compare(*MACHINES, "--with-published", "--format", "csv", "--fields", "value,driver_version")
    table = list(csv.DictReader(io.StringIO(result.stdout)))
    published = [row for row in table if not row["row"]]
    assert published and all(set(row) == {"row", "machine", "workload", "metric", "value", "driver_version"} for row in table)
    assert all(row["machine"] and not row["driver_version"] for row in published)


@pytest.mark.parametrize("names, words", [
    ("verdcit", "did you mean verdict?"), ("power_limit", "did you mean power_limit_w?"), ("value,verdict,value", "names value twice"), ("", 'one is ""'),
    ("value,,rows", 'one is ""'), ("machine", "are always there"), ("va\x1b[2Jlue", "but one is"), ("x" * 5000, "but one is")])
def test_fields_that_are_none_are_one_line(names, words):
    result = compare(*MACHINES, "--fields", names)
    assert (result.returncode, result.stdout) == (2, "") and words in result.stderr, result.stderr
    assert result.stderr.count("\n") == 1 and "\x1b" not in result.stderr and len(result.stderr) < 600


@pytest.mark.parametrize("arguments, words", [
    (["-o", "t.md", "--fields", "value,label"], "label is left out of a file that may be shared; add --private"),
    (["--explain", "1", "2", "--fields", "value"], "--fields must be given without --explain"), (["--fields", "value", "--fields", "rows"], "given once")])
def test_fields_that_do_not_go_together_with_others_are_one_line(arguments, words, tmp_path):
    result = compare(*MACHINES, *arguments, cwd=tmp_path)
    assert result.returncode == 2 and words in result.stderr and result.stderr.count("\n") == 1, result.stderr
    assert not list(tmp_path.iterdir())

@pytest.fixture(scope="module")
def cards(tmp_path_factory):
    made = tmp_path_factory.mktemp("cards")
    return {count: write_rows(made / f"{count}.jsonl", made_up_cards(count, restarts=1)) for count in (8, 40)}


@pytest.mark.parametrize("count, name, marked", [
    (8, "RTX 4090", 1), (8, "NVIDIA GeForce RTX 4090", 1), (8, "rtx 4090 on desk1", 1),
    (8, "RTX 4090, tuned", 2 / 3), (8, "RTX 4090, sdbench tuned", 2 / 3), (40, "RTX 4090 on desk9", 1), (40, "NVIDIA GeForce RTX 4090 on desk9", 1), (40, "desk9", 1)])
def test_a_baseline_is_named_as_the_first_table_shows_a_card(cards, count, name, marked):
    result = compare(cards[count], "--baseline", name, "--format", "json")
    assert result.returncode == 0, result.stderr
    base = [place for place in json.loads(result.stdout)["places"] if place["verdict"] == "baseline"]
    assert len(base) == 6 * marked and all(place["machine"].startswith("NVIDIA GeForce RTX 4090") for place in base)


@pytest.mark.parametrize("count, a, b", [(8, "RTX 4090", "L4"), (40, "RTX 4090 on desk9", "NVIDIA L4 on desk3"), (40, "desk9", "desk3")])
def test_two_cards_are_explained_by_a_cell_that_both_have(cards, count, a, b):
    result = compare(cards[count], "--explain", a, b)
    assert result.returncode == 0, result.stderr
    first, second, standing, others = result.stdout.splitlines()[:4]
    for line, card in ((first, "RTX 4090"), (second, "NVIDIA L4")):
        assert card in line and ", sdbench tuned: sd15 512x512, 20 steps, batch 1, run " in line
    assert ", sdbench tuned is 3.0" in standing
    assert others == "This is the first of 6 cells that both have; --filter engine=plain, --filter batch=8 or --filter model=sdxl takes another."
    for words, said in (("engine=plain", ": sd15 "), ("batch=8", "batch 8, "), ("model=sdxl", "sdxl 1024x1024")):
        again = compare(cards[count], "--explain", a, b, "--filter", words)
        assert again.returncode == 0 and all(said in line for line in again.stdout.splitlines()[:2]), again.stderr


@pytest.mark.parametrize("arguments", [("--explain", "RTX 4090", "L4 on desk3"), ("--baseline", "RTX 4090"), ("--baseline", "NVIDIA GeForce RTX 4090")])
def test_a_card_that_there_are_several_of_is_named_with_its_host(cards, arguments):
    result = compare(cards[40], *arguments)
    assert (result.returncode, result.stdout, result.stderr.count("\n")) == (2, "", 1)
    assert 'RTX 4090" fits NVIDIA GeForce RTX 4090 on desk1, NVIDIA GeForce RTX 4090 on desk9, ' in result.stderr
    assert "take one of these names" in result.stderr
    assert compare(cards[40], "--baseline", "RTX 4090 on desk2").returncode == 2  # which is an RTX 3060's


@pytest.mark.parametrize("count, name, said", [
    (8, "RTX 3060", "RTX 3060"), (8, "desk2", r"NVIDIA GeForce RTX 3060 on machine \w+"), (40, "RTX 3060 on desk10", r"NVIDIA GeForce RTX 3060 on machine \w+")])
def test_a_table_that_may_be_shared_calls_the_baseline_by_its_card(cards, count, name, said, tmp_path):
    assert compare(cards[count], "--baseline", name, "-o", tmp_path / "b.md").returncode == 0
    text = (tmp_path / "b.md").read_text()
    assert re.search(f"relative to {said} as speed", text), text[:200]
    assert "desk" not in text


@pytest.mark.parametrize("form", ["table", "md", "html"])
@pytest.mark.parametrize("option, said", [("--with-published", "published: there is no published figure of the same work"),
                                          ("--missing", "missing: no machine lacks a cell that another machine has")])
def test_what_was_asked_for_and_is_not_there_is_said(cards, option, said, form, tmp_path):
    alone = write_rows(tmp_path / "alone.jsonl", made_up_cards(1))
    for rows in (cards[8], alone):
        assert said in " ".join(compare(rows, option, "--format", form).stdout.split()), rows
        assert said not in compare(rows, "--format", form).stdout


@pytest.fixture(scope="module")
def fleet(tmp_path_factory):
    """Three cards of each kind, each in a host of its own, with two starts; of the last kind, two cards."""
    return write_rows(tmp_path_factory.mktemp("fleet") / "fleet.jsonl", made_up_cards(23, restarts=2))


CELL = ("--filter", "model=sd15", "--filter", "batch=1", "--filter", "engine=plain", "--metric", "unet_it_s")


def test_pooled_cards_have_the_t_interval_of_the_cards_means(fleet):
    result = compare(fleet, *CELL, "--pool", "cards", "--format", "json")
    assert result.returncode == 0, result.stderr
    found = {place["machine"]: place for place in json.loads(result.stdout)["places"]}
    assert len(found) == 8 and sorted(place["cards"] for place in found.values()) == [2] + 7 * [3]
    place = found["NVIDIA GeForce RTX 4090"]
    rows = [row for row in map(json.loads, fleet.read_text().splitlines()) if row["device_name"] == place["machine"]
            and (row["model"], row["batch"], row["engine"]) == ("sd15", 1, "plain")]
    times = np.array([np.mean([1 / row["unet_it_s"] for row in rows if row["device_uuid"] == uuid]) for uuid in ("GPU-0", "GPU-8", "GPU-16")])
    half = t_quantile(2) * times.std(ddof=1) / math.sqrt(3)
    assert (place["rows"], place["sessions"], place["cards"], place["hosts"], place["ci95_covers"]) == (6, 3, 3, 3, "between-cards")
    assert place["value"] == close(1 / times.mean())
    assert (place["ci95_low"], place["ci95_high"]) == (close(1 / (times.mean() + half)), close(1 / (times.mean() - half)))


@pytest.mark.parametrize("form", ["table", "md", "org", "html"])
def test_every_form_says_that_intervals_are_between_cards(fleet, form):
    text = " ".join(compare(fleet, *CELL, "--pool", "cards", "--format", form, env=environment(COLUMNS="200")).stdout.split())
    assert "intervals between cards of one model" in text and "Student's t interval of the mean, between cards of one model" in text.replace("&#39;", "'")
    assert "cards" in text and "hosts" in text and "desk" not in text, text
    usual = compare(fleet, *CELL, "--format", form, env=environment(COLUMNS="200")).stdout
    assert "between cards" not in usual and "hosts" not in usual and "desk9" in usual


def test_cards_and_hosts_are_counted_in_every_comparison(fleet):
    table = list(csv.DictReader(io.StringIO(compare(fleet, *CELL, "--format", "csv").stdout)))
    assert {(row["cards"], row["hosts"]) for row in table} == {("1", "1")} and len(table) == 23
    assert "between-cards" not in {row["ci95_covers"] for row in table}
    head = next(line for line in compare(fleet, *CELL, "--fields", "cards,hosts,value").stdout.splitlines() if line.lstrip().startswith("#"))
    assert head.split()[2:4] == ["cards", "hosts"]


def test_a_single_card_has_no_interval_between_cards_and_says_so(cards):
    result = compare(cards[8], *CELL, "--pool", "cards", "--format", "json")
    for place in json.loads(result.stdout)["places"]:
        assert (place["cards"], place["ci95_low"], place["ci95_covers"]) == (1, None, "")
        assert place["verdict"] in ("baseline", "unclear") and "one card, so there is no interval between cards" in place["notes"]
    shown = " ".join(compare(cards[8], *CELL, "--pool", "cards").stdout.split())
    assert "one card, so there is no interval between cards" in shown and "measure more cards of both models" in shown


def test_redacted_records_still_count_cards(fleet, tmp_path):
    shared = tmp_path / "shared.jsonl"
    done = subprocess.run([PROGRAM, "merge", fleet, "--redact", "host,uuid", "-o", shared], capture_output=True, text=True, env=environment())
    assert done.returncode == 0 and "GPU-8" not in shared.read_text(), done.stderr
    counts = [[(place["cards"], place["ci95_low"]) for place in json.loads(compare(file, *CELL, "--pool", "cards", "--format", "json").stdout)["places"]]
              for file in (fleet, shared)]
    assert counts[0] == counts[1]
    written_table = compare(fleet, *CELL, "--pool", "cards", "-o", tmp_path / "t.csv")
    assert written_table.returncode == 0 and "between-cards" in (tmp_path / "t.csv").read_text(), written_table.stderr


def test_verdicts_of_pooled_cards_fail_a_slower_model(fleet):
    arguments = (*CELL, "--pool", "cards", "--baseline", "RTX 4090", "--fail-if-slower", "5%")
    assert compare(fleet, *arguments).returncode == 4
    faster = compare(fleet, *arguments, "--filter", "device_name=*4090", "--filter", "device_name=*H100*")
    assert faster.returncode == 0 and "between cards" in faster.stdout, faster.stdout + faster.stderr


@pytest.mark.parametrize("arguments, words", [
    (["--pool", "card"], '--pool must be rows or cards, but is "card"; did you mean cards?'), (["--pool", ""], '--pool must be rows or cards, but is ""'),
    (["--pool", "cards", "--pool", "rows"], "once"),
    (["--pool", "cards", "--baseline", "alpha", "--fail-if-slower", "5%", "--confirm"], "--confirm must be given without --pool cards")])
def test_pools_that_cannot_be_are_one_line(arguments, words):
    result = compare(*MACHINES, *arguments)
    assert (result.returncode, result.stdout, result.stderr.count("\n")) == (2, "", 1) and words in result.stderr, result.stderr
