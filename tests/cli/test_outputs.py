"""What stands in files before and after: nothing lost, nothing claimed; and what a terminal, a pipe or a slip of the pen gets."""

import csv
import json
import os
import re
import shlex
import signal
import sqlite3
import subprocess
from pathlib import Path

import numpy
import pytest
from program import PROGRAM, environment, finish, run, run_on_a_full_disk, start
from safetensors.numpy import save_file
from stub import CELL, csv_rows, json_lines

ROWS = Path(__file__).parents[1] / "data" / "compare"


def standing(tmp_path, name, content):
    (tmp_path / name).write_text(content)
    return content


# What stood there is not lost.

FOREIGN = {"README.md": "# My project\n", "mine.json": '{"my": "data"}\n'}


@pytest.mark.parametrize("name", FOREIGN)
def test_a_file_of_something_else_is_not_replaced_by_a_run(stub, tmp_path, name):
    before = standing(tmp_path, name, FOREIGN[name])
    code, out, err = stub.run("", "-o", name)
    assert (code, out) == (1, "") and name in err and "--overwrite" in err and err.count("\n") == 1, err
    assert (tmp_path / name).read_text() == before
    assert stub.run("", "-o", name, "--dry-run")[0] == 1
    code, _, err = stub.run("", "-o", name, "--overwrite", "-q")
    assert code == 0 and "tiny-sd15" in (tmp_path / name).read_text(), err


@pytest.mark.parametrize("name", ["night.json", "night.md", "night.org"])
def test_the_second_night_does_not_replace_the_first(stub, tmp_path, name):
    (tmp_path / name).touch()  # an empty file holds nothing
    assert stub.run("", "-o", name, "-q")[0] == 0
    first = (tmp_path / name).read_bytes()
    code, out, err = stub.run("", "-o", "other.csv", "-o", name)
    assert (code, out) == (1, "") and f"{name} holds 1 row" in err and "--resume" in err, err
    assert (tmp_path / name).read_bytes() == first and not (tmp_path / "other.csv").exists()
    assert stub.run("", "-o", name, "--overwrite", "-q")[0] == 0
    assert (tmp_path / name).read_bytes() != first


def test_a_sweep_that_goes_on_replaces_what_it_holds(stub, tmp_path):
    assert stub.run("", "-o", "a.csv", "-o", "a.json", "-o", "a.md", "-q")[0] == 0
    code, _, err = stub.run("", "--batch", "1,2", "-o", "a.csv", "-o", "a.json", "-o", "a.md", "--resume", "-q")
    assert code == 0, err
    assert len(json.loads((tmp_path / "a.json").read_text())) == 2
    assert (tmp_path / "a.md").read_text().count("tiny-sd15") == 2
    code, _, err = stub.run("", "-o", "b.csv", "-o", "a.md", "--resume")  # rows that b.csv does not hold
    assert code == 1 and "a.md holds 2 rows" in err, err


def test_a_table_in_org_mode_names_its_rows_as_one_in_markdown_does(stub, tmp_path):
    assert stub.run("", "--batch", "1,2", "-o", "a.csv", "-o", "a.org", "-q")[0] == 0
    mark, head, rule, *rows = (tmp_path / "a.org").read_text().splitlines()
    assert re.fullmatch("# sdbench run: r[0-9a-f]{16} r[0-9a-f]{16}", mark)
    assert head.startswith("| model | size |") and re.fullmatch(r"\|---(\+---)*\|", rule) and len(rows) == 2
    assert {line.count("|") for line in (head, *rows)} == {rule.count("+") + 2}
    code, _, err = run(tmp_path, "merge", "a.csv", "-o", "a.org")
    assert code == 0 and "raw times" not in err, err  # all of its rows are in the new one
    code, _, err = run(tmp_path, "merge", ROWS, "-o", "a.org")
    assert code == 1 and "a.org holds 2 rows" in err, err
    code, out, err = stub.run("", "--format", "org", "--no-save", "-q")
    assert code == 0 and out.startswith("| model | size |"), err


def test_a_table_without_the_mark_of_sdbench_is_not_replaced(stub, tmp_path):
    assert stub.run("", "-o", "a.md", "-q")[0] == 0
    lines = (tmp_path / "a.md").read_text().splitlines(keepends=True)
    assert lines[0].startswith("<!-- sdbench run") and lines[1].startswith("| model |")
    standing(tmp_path, "a.md", "".join(lines[1:]))
    code, _, err = stub.run("", "-o", "a.md")
    assert code == 1 and "a.md holds something other than what sdbench writes there" in err, err


def test_the_record_that_is_reproduced_is_not_replaced(stub, tmp_path):
    assert stub.run("", "-o", "rec.json", "-q")[0] == 0
    before = (tmp_path / "rec.json").read_bytes()
    code, out, err = finish(start(tmp_path, "reproduce", "rec.json", "-o", "rec.json", program=stub.program,
                                  env=environment(TMPDIR=str(tmp_path))))
    assert (code, out) == (1, "") and "rec.json holds 1 row" in err, err
    assert (tmp_path / "rec.json").read_bytes() == before


@pytest.mark.parametrize("name", ["x.md", "x.org", "x.html", "x.txt", "x.csv", "x.json"])
def test_a_comparison_replaces_a_comparison_alone(tmp_path, name):
    standing(tmp_path, name, "<p>mine</p>\n" if name != "x.json" else '{"mine": 1}\n')
    before = (tmp_path / name).read_bytes()
    code, _, err = run(tmp_path, "compare", ROWS, "-o", name)
    assert code == 1 and name in err and "--overwrite" in err, err
    assert (tmp_path / name).read_bytes() == before
    assert run(tmp_path, "compare", ROWS, "-o", name, "--overwrite")[0] == 0
    for _ in range(2):
        code, _, err = run(tmp_path, "compare", ROWS, "-o", name, "--metric", "images_per_min")
        assert code == 0, err
    assert (tmp_path / name).read_bytes() != before


def test_an_explanation_may_be_written_again(tmp_path):
    for _ in range(2):
        code, _, err = run(tmp_path, "compare", ROWS, "--explain", "1", "2", "-o", "why.txt")
        assert code == 0, err


def test_a_page_of_before_is_known_and_a_page_of_another_is_not(tmp_path):
    standing(tmp_path, "a.html", "<!doctype html><html><head><title>sdbench report</title></head></html>")
    assert run(tmp_path, "report", ROWS, "-o", "a.html")[0] == 0
    assert run(tmp_path, "report", ROWS, "-o", "a.html")[0] == 0
    before = standing(tmp_path, "b.html", "<!doctype html><title>mine</title>")
    code, _, err = run(tmp_path, "report", ROWS, "-o", "b.html")
    assert code == 1 and "b.html" in err and "--overwrite" in err, err
    assert (tmp_path / "b.html").read_text() == before
    assert run(tmp_path, "report", ROWS, "-o", "b.html", "--overwrite")[0] == 0
    code, _, err = run(tmp_path, "compare", ROWS, "-o", "b.html")  # a page with all rows is no comparison
    assert code == 1, err


def test_a_merge_does_not_replace_markdown_of_something_else(tmp_path):
    before = standing(tmp_path, "README.md", "# mine\n")
    code, _, err = run(tmp_path, "merge", ROWS, "-o", "README.md")
    assert code == 1 and "--overwrite" in err and (tmp_path / "README.md").read_text() == before, err
    assert run(tmp_path, "merge", ROWS, "-o", "README.md", "--overwrite")[0] == 0
    assert run(tmp_path, "merge", ROWS, "-o", "README.md")[0] == 0  # all of its rows are in the new one
    standing(tmp_path, "mine.json", '{"my": "data"}')
    assert run(tmp_path, "merge", ROWS, "-o", "mine.json")[0] == 1
    assert run(tmp_path, "merge", ROWS, "-o", "mine.json", "--overwrite")[0] == 0


@pytest.mark.parametrize("name", ["table.xlsx", "table", "table.sqlite", "table.htm"])
def test_a_comparisons_unknown_ending_is_refused(tmp_path, name):
    code, _, err = run(tmp_path, "compare", ROWS, "-o", name)
    assert code == 2 and "must end in .txt, .csv, .json, .md, .org or .html" in err, err
    assert not list(tmp_path.iterdir())


def test_latents_do_not_replace_weights(stub, tmp_path):
    header = b'{"unet.conv_in.weight":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}'
    content = len(header).to_bytes(8, "little") + header + b"\0\0\0\0"
    (tmp_path / "model.safetensors").write_bytes(content)
    code, _, err = stub.run("", "--dump-latents", "model.safetensors", "--no-save")
    assert code == 1 and "model.safetensors" in err and "--overwrite" in err, err
    assert (tmp_path / "model.safetensors").read_bytes() == content


def test_the_noise_that_a_run_reads_is_not_replaced_by_what_it_writes(stub, tmp_path):
    file = tmp_path / "noise.safetensors"
    save_file({"latents": numpy.zeros((1, 4, 64 // 8, 64 // 8), numpy.float32)}, file)
    noise = file.read_bytes()
    code, _, err = stub.run("", "--init-latents", "noise.safetensors", "--dump-latents", "./noise.safetensors", "--no-save", "--overwrite")
    assert code == 2 and "--dump-latents must be another file than --init-latents" in err, err
    assert file.read_bytes() == noise


# What is not there is not claimed.

def has_a_row(file):
    """The sweep is under way: the file alone is there before it begins."""
    try:  # a new file is made and removed to see whether it can be
        return file.read_bytes().count(b"\n") > 1
    except FileNotFoundError:
        return False


def test_a_file_that_is_not_there_is_not_said_to_be_saved(stub, tmp_path):
    code, _, err = run_on_a_full_disk(tmp_path, *CELL, "-o", "a.csv", "-o", "a.json", program=stub.program,
                                      env=environment(TMPDIR=str(tmp_path)))
    assert code == 1
    assert "saved" not in [line.split()[0] for line in err.splitlines()], err
    assert "lacks 1 row" in err and "could not be saved anywhere" in err


def test_only_the_files_that_have_all_rows_are_said_to_be_saved(stub, tmp_path):
    code, _, err = stub.run("", "-o", "a.jsonl", "-o", "a.json")
    assert code == 0
    assert [line.split()[1] for line in err.splitlines() if line.startswith("saved")] == ["a.jsonl", "a.json"]


def test_rows_that_no_output_takes_are_rescued_to_the_first_folder_that_does(stub, tmp_path):
    """TMPDIR is no folder: /tmp is next."""
    process = start(tmp_path, *CELL, "--batch", "1,2", "--rounds", "30", "-o", "a.csv", program=stub.program,
                    env=environment(TMPDIR=str(tmp_path / "nowhere")))
    while process.poll() is None and not has_a_row(tmp_path / "a.csv"):
        pass
    (tmp_path / "a.csv").unlink()
    (tmp_path / "a.csv").mkdir()
    _, err = process.communicate(timeout=60)
    assert process.returncode == 1 and "saved" not in [line.split()[0] for line in err.splitlines()], err
    rescued = [Path(line.split(" are in ")[1].split(";")[0]) for line in err.splitlines() if " are in " in line]
    assert len(rescued) == 1 and rescued[0].parent == Path("/tmp"), err
    assert len(json_lines(rescued[0])) == 60
    rescued[0].unlink()


# Files in folders.

def rows_of_a_run(stub, tmp_path):
    assert stub.run("", "--batch", "1,2", "-o", "base.csv", "-o", "base.jsonl", "-q")[0] == 0
    folder = tmp_path / "folder"
    folder.mkdir()
    return (tmp_path / "base.csv").read_text(), (tmp_path / "base.jsonl").read_text(), folder


@pytest.mark.parametrize("separator", [";", "\t"])
def test_a_csv_of_a_spreadsheet_with_another_separator_is_read(stub, tmp_path, separator):
    table, _, folder = rows_of_a_run(stub, tmp_path)
    rows = list(csv.reader(table.splitlines()))
    with open(folder / "sheet.csv", "w", newline="") as file:
        csv.writer(file, delimiter=separator).writerows(rows)
    code, _, err = run(tmp_path, "merge", "folder", "-o", "all.csv")
    assert code == 0, err
    assert csv_rows(tmp_path / "all.csv") == csv_rows(tmp_path / "base.csv")
    assert run(tmp_path, "compare", "folder")[0] == 0


@pytest.mark.parametrize("name, damage", [
    ("nan.jsonl", lambda table, lines: lines.replace('"unet_it_s":', '"unet_it_s":NaN,"x":', 1).splitlines(True)[0]),
    ("cut.jsonl", lambda table, lines: lines[:200]),
    ("early.jsonl", lambda table, lines: lines[:12]),
    ("cut.json", lambda table, lines: "[" + lines[:200]),
    ("cut.csv", lambda table, lines: "".join(table.splitlines(True)[0]) + table.splitlines()[1][:100]),
    ("head.csv", lambda table, lines: table[:20]),
    ("headless.csv", lambda table, lines: table.splitlines(True)[1]),
    ("zeros.csv", lambda table, lines: "\0" * 512),
    ("zeros.jsonl", lambda table, lines: "\0" * 512),
], ids=lambda value: value if isinstance(value, str) else "")
def test_a_damaged_file_in_a_folder_is_named_as_one_given_by_name_is(stub, tmp_path, name, damage):
    table, lines, folder = rows_of_a_run(stub, tmp_path)
    (folder / name).write_text(damage(table, lines))
    (folder / "good.csv").write_text(table)
    (folder / "telemetry.csv").write_text("time_s,power_w\n1,2\n")
    (folder / "package.json").write_text('{"name": "other"}\n')
    (folder / "log.jsonl").write_text('{"time": 1}\n')
    code, _, err = run(tmp_path, "merge", "folder", "-o", "all.csv")
    assert code == 3 and f"folder/{name}" in err, err
    assert not any(other in err for other in ("telemetry.csv", "package.json", "log.jsonl")), err
    for command in (["compare", "folder"], ["report", "folder", "-o", "page.html"]):
        code, _, err = run(tmp_path, *command)
        assert code == 0 and f"folder/{name}" in err, err
    assert name in run(tmp_path, "merge", f"folder/{name}", "folder/good.csv", "-o", "one.csv")[2]


# Spreadsheets.

@pytest.mark.parametrize("label", ["=1+1", "+5 %", "-2", "@SUM(A1)", "=HYPERLINK(\"http://x\")", "a=b", "\t=1", "\r=1", "\\x3d"])
def test_text_that_a_spreadsheet_would_compute_is_text_in_csv_and_comes_back(stub, tmp_path, label):
    assert stub.run("", "--label", label, "-o", "a.csv", "-o", "a.jsonl", "-q")[0] == 0
    for row in csv.reader((tmp_path / "a.csv").read_text().splitlines()[1:]):
        assert not any(cell[:1] in ("=", "+", "-", "@", "\t", "\r") for cell in row if not is_number(cell)), row
    assert run(tmp_path, "merge", "a.csv", "-o", "back.jsonl")[0] == 0
    assert json_lines(tmp_path / "back.jsonl")[0]["label"] == json_lines(tmp_path / "a.jsonl")[0]["label"]


def is_number(text):
    try:
        float(text)
        return True
    except ValueError:
        return False


@pytest.mark.parametrize("name", ["a.csv", "a.jsonl", "a.db"])
def test_a_file_of_an_earlier_schema_version_takes_no_rows_of_today(stub, tmp_path, name):
    """A field may have another meaning there, and a column has one."""
    assert stub.run("", "-o", name)[0] == 0
    if name == "a.db":
        with sqlite3.connect(tmp_path / name) as database:
            database.execute("UPDATE runs SET schema_version = 3")
        database.close()
    else:
        text = (tmp_path / name).read_text()
        changed = text.replace('{"schema_version":4,', '{"schema_version":3,').replace("\n4,", "\n3,")
        assert changed != text
        (tmp_path / name).write_text(changed)
    refuses_earlier_rows(stub, tmp_path, name)
    if name == "a.db":  # a true one has other columns
        with sqlite3.connect(tmp_path / name) as database:
            database.execute("ALTER TABLE runs ADD COLUMN fused TEXT")
        database.close()
    else:
        more = (",fused", ',""') if name == "a.csv" else ("", "")
        lines = (tmp_path / name).read_text().splitlines()
        (tmp_path / name).write_text("".join(line + more[place > 0] + "\n" for place, line in enumerate(lines)))
    refuses_earlier_rows(stub, tmp_path, name)


def refuses_earlier_rows(stub, tmp_path, name):
    before = (tmp_path / name).read_bytes()
    for more in ((), ("--resume",)):
        code, _, err = stub.run("", "-o", name, *more)
        assert code == 1 and "must be of schema version 4, but are of version 3" in err, err
        assert "convert this one with the last sdbench that reads it: `sdbench merge` of commit " in err and "request" not in err  # nothing ran
        assert (tmp_path / name).read_bytes() == before
    code, _, err = run(tmp_path, "merge", name, "-o", f"NEW.{name[2:]}")
    assert code == 1 and "schema_version: must be 4, but is 3; convert the file with the last sdbench that reads it" in err, err
    assert "nothing was written" in err


# The plan of a sweep.

AXES = {"guidance": "1,7.5", "clip-skip": "0,1", "seed": "1,2", "timestep-spacing": "leading,trailing", "repeat": "1,2", "warmup": "1,2", "threads": "1,2",
        "max-noise": "1%,2%", "max-time": "50,60", "steps": "2,3", "size": "64x64,128x64", "batch": "1,2", "images": "2,4",
        "dtype": "auto,fp32", "attention": "auto,math", "engine": "tuned,plain", "packed-weights": "auto,off",
        "host-allocator": "auto,system", "kv-cache": "auto,off", "time-cache": "auto,off", "shared-prefix": "auto,off",
        "kernels": "auto,aten", "memory-format": "auto,contiguous"}


@pytest.mark.parametrize("axis", AXES)
def test_each_axis_that_varies_can_be_seen_in_the_plan_and_in_the_progress(stub, tmp_path, axis):
    cell = [part for part in CELL if not (axis == "size" and part in ("--size", "64x64"))]
    arguments = [*cell, "--repeat", "1", "--warmup", "0"] if axis not in ("repeat", "warmup") else cell
    env = environment(TMPDIR=str(tmp_path))
    code, out, err = finish(start(tmp_path, *arguments, f"--{axis}", AXES[axis], "--dry-run", "--no-save", program=stub.program, env=env))
    assert code == 0, err
    first, second = (line.split(None, 1)[1] for line in out.splitlines()[1:3])
    assert first != second, out
    code, _, err = finish(start(tmp_path, *arguments, f"--{axis}", AXES[axis], "--no-save", program=stub.program, env=env))
    lines = [line.split("] ", 1)[1].split(": ")[0] for line in err.splitlines() if line.startswith(("[1/2] ", "[2/2] "))]
    assert len(set(lines)) == 2, err


def test_a_plan_has_the_axes_of_the_work_in_their_order(stub):
    code, out, err = stub.run("", "--guidance", "1,7.5", "--clip-skip", "0,1", "--seed", "1,2", "--timestep-spacing", "leading,trailing", "--no-save", "--dry-run")
    assert code == 0, err
    assert re.search(r"  GUIDANCE +CLIP SKIP +SEED +SPACING  ", out), out


def test_a_plan_can_be_read_by_programs(stub, tmp_path):
    code, out, err = stub.run("", "--guidance", "1,7.5", "--no-save", "--dry-run", "--format", "json")
    assert code == 0, err
    plan = json.loads(out)
    assert [cell["guidance"] for cell in plan["cells"]] == [1, 7.5]
    assert [(cell["run"], cell["model"], cell["width"], cell["steps"]) for cell in plan["cells"]] == [
        (1, "tiny-sd15", 64, 20), (2, "tiny-sd15", 64, 20)]
    assert plan["cells"][0]["memory_bytes"] > 0 and plan["cells"][0]["expected_s"] is None
    code, _, err = stub.run("", "--no-save", "--dry-run", "--format", "csv")
    assert code == 2 and "--dry-run" in err, err


def test_where_nothing_is_left_to_do_it_takes_no_time(stub, tmp_path):
    assert stub.run("", "--batch", "1,2", "-o", "a.csv", "-q")[0] == 0
    code, out, err = stub.run("", "--batch", "1,2", "-o", "a.csv", "--resume", "--dry-run")
    assert code == 0 and "expected time: 0 s" in out, out + err
    code, out, _ = stub.run("", "--batch", "1,2", "-o", "a.csv", "--resume", "--dry-run", "--format", "json")
    assert json.loads(out)["expected_s"] == 0 and json.loads(out)["left_out"] == 2


# Pipes, signals and slips.

def test_a_reader_that_went_away_ends_it_quietly_when_all_files_are_complete(stub, tmp_path):
    reader, writer = os.pipe()
    os.close(reader)  # before the program starts: what it has printed by then would be in the pipe, and no write would fail
    process = stub.start("", "--batch", "1,2,4", "-o", "a.csv", "--format", "csv", "-q", stdout=writer)
    said = [line for line in process.stderr if not line.startswith("note       request ")]  # the stub's
    assert process.wait(timeout=60) == 141 and not said, said
    assert len(csv_rows(tmp_path / "a.csv")) == 3
    for arguments in (["list", "models"], ["--help"], ["compare", ROWS]):
        process = start(tmp_path, *arguments, stdout=writer)
        err = process.stderr.read()
        assert process.wait(timeout=60) == 141 and err == "", (arguments, err)
    os.close(writer)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_that_was_ignored_at_the_start_stays_ignored(stub, tmp_path, number):
    process = stub.start("", "--batch", "1,2,4", "--rounds", "40", "-o", "a.csv", "-q",
                         preexec_fn=lambda: signal.signal(number, signal.SIG_IGN))
    while process.poll() is None and not (tmp_path / "a.csv").exists():
        pass
    process.send_signal(number)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 0, err
    assert len(csv_rows(tmp_path / "a.csv")) == 120


def test_two_dashes_end_the_options(tmp_path):
    (tmp_path / "-odd.csv").write_bytes((ROWS / "invented-alpha.csv").read_bytes())
    code, _, err = run(tmp_path, "compare", "-o", "a.md", "--", "-odd.csv")
    assert code == 0, err
    assert run(tmp_path, "compare", "--", ROWS)[0] == 0
    assert run(tmp_path, "merge", "-o", "all.csv", "--", "-odd.csv")[0] == 0
    assert run(tmp_path, "list", "models", "--")[0] == 0
    for words in [("list", "models"), ("list", "presets"), ("cache", "list"), ("cache", "clear", "weights")]:
        code, out, err = run(tmp_path, words[0], "--", *words[1:], env=environment(XDG_CACHE_HOME=str(tmp_path / "kept")))
        assert code == 0 and out, (words, err)
    assert "must name another program's engine" in run(tmp_path, "setup", "--", "engine", "tuned")[2]
    code, _, err = run(tmp_path, "list", "--", "models", "--format", "json")
    assert code == 2 and 'there is "--format"' in err
    code, _, err = run(tmp_path, "list", "--", "--help")
    assert code == 2 and "list must be followed by what to list" in err
    code, _, err = run(tmp_path, "--dry-run", "--no-save", "--", "--steps")
    assert code == 2 and '"--steps"' in err, err


@pytest.mark.parametrize("arguments, hint", [
    (["--batch-size", "2"], "did you mean --batch?"),
    (["--num-inference-steps", "2"], "did you mean --steps?"),
    (["--guidance-scale", "2"], "did you mean --guidance?"),
    (["--cfg-scale", "2"], "did you mean --guidance?"),
    (["-V"], "did you mean --version?"),
    (["help"], "did you mean --help?"),
    (["version"], "did you mean --version?"),
    (["--device", "gpu"], "did you mean cuda?"),
    (["--device", "gpu:1"], "did you mean cuda:1?"),
    (["--device", "CUDA:0"], "did you mean cuda:0?"),
    (["--device", "cpu,CUDA:0"], "did you mean cuda:0?"),
    (["--dtype", "half"], "did you mean fp16?"),
    (["--dtype", "float16"], "did you mean fp16?"),
    (["--dtype", "bfloat16"], "did you mean bf16?"),
    (["--dtype", "float"], "did you mean fp32?"),
    (["-v"], "--version"),
    (["--verbose"], "--version"),
], ids=lambda value: " ".join(value) if isinstance(value, list) else "")
def test_a_word_of_other_programs_gets_a_hint_at_ours(arguments, hint, tmp_path):
    code, out, err = run(tmp_path, *arguments)
    assert (code, out) == (2, "") and hint in err and err.count("\n") == 1, err
    assert not list(tmp_path.iterdir())
