"""`sdbench merge` and databases from outside: the files that runs leave, joined and looked at with other tools."""

import csv
import fcntl
import json
import pathlib
import re
import signal
import sqlite3
import subprocess
import time

import pytest
from program import PROGRAM, environment, run, wait_until
from stub import csv_rows, json_lines

SOURCE = pathlib.Path(__file__).parents[2]
DATA = SOURCE / "tests" / "data"


def merge(folder, *arguments):
    return run(folder, "merge", *arguments)


def database_rows(file, sql="SELECT * FROM runs"):
    with sqlite3.connect(file) as database:
        database.row_factory = sqlite3.Row
        return [dict(row) for row in database.execute(sql)]


@pytest.fixture
def results(stub, tmp_path):
    """Two machines' files: one run in CSV and JSON lines, and another in JSON alone."""
    code, _, err = stub.run("", "--batch", "1,2", "-o", "desk.csv", "-o", "desk.jsonl", "-q")
    assert code == 0, err
    code, _, err = stub.run("", "--steps", "3", "-o", "laptop.json", "-q")
    assert code == 0, err
    return tmp_path


def test_every_format_gets_each_run_once_with_its_raw_times(results):
    rows = {row["run_id"]: row for row in json_lines(results / "desk.jsonl")}
    rows.update({row["run_id"]: row for row in json.loads((results / "laptop.json").read_text())})
    assert len(rows) == 3
    for target in ("all.jsonl", "all.json", "all.db", "all.csv"):
        code, out, err = merge(results, "desk.csv", "desk.jsonl", "laptop.json", "-o", target)
        assert (code, out) == (0, ""), err
        assert "merged     3 rows, 2 duplicates left out" in err
        assert ("raw times  are not in .csv" in err) == (target == "all.csv")
    assert {row["run_id"]: row for row in json_lines(results / "all.jsonl")} == rows
    assert {row["run_id"]: row for row in json.loads((results / "all.json").read_text())} == rows
    assert {row["run_id"] for row in csv_rows(results / "all.csv")} == set(rows)
    # The database holds all that the other files do: it becomes the same rows again.
    code, _, err = merge(results, "all.db", "-o", "back.jsonl")
    assert code == 0, err
    assert {row["run_id"]: row for row in json_lines(results / "back.jsonl")} == rows


def test_rows_of_an_earlier_version_are_named_in_a_line_and_the_others_are_merged(results, tmp_path):
    text = (results / "desk.csv").read_text()
    (results / "earlier.csv").write_text(text.replace("\n4,", "\n3,"))
    code, _, err = merge(results, "earlier.csv", "desk.csv", "-o", "new.csv")
    assert code == 3 and err.count("earlier.csv, line 2, column schema_version: must be 4, but is 3") == 1, err
    assert (results / "new.csv").read_text() == text


def test_a_last_row_without_its_line_end_is_read_and_told_as_doubtful(results):
    whole = (results / "desk.csv").read_text()
    (results / "desk.csv").write_text(whole[:-1])
    said = "doubtful: desk.csv, line 3: must end in a line end, but the file ends there; its last field may be cut"
    code, _, err = merge(results, "desk.csv", "-o", "all.csv")
    assert code == 0 and said.replace(": ", "   ", 1) in err, err
    assert (results / "all.csv").read_text() == whole
    for command in (("compare", "desk.csv"), ("report", "desk.csv", "-o", "page.html")):
        code, _, err = run(results, *command)
        assert code == 0 and said in err, err
        assert said not in run(results, command[0], "all.csv", "-o", f"{command[0]}.html")[2]


def test_bad_rows_are_named_and_the_others_kept(results):
    lines = (results / "desk.csv").read_text().splitlines(keepends=True)
    (results / "desk.csv").write_text("".join([lines[0], lines[1].replace('"ok"', '"\x1b[31m"'), lines[2]]))
    code, _, err = merge(results, "desk.csv", "laptop.json", "-o", "all.json")
    assert code == 3
    assert "left out   desk.csv, line 2, column status: must be ok or the name of a failure" in err
    assert "\x1b" not in err
    assert len(json.loads((results / "all.json").read_text())) == 2


def test_a_folder_is_its_result_files_and_merging_into_it_again_changes_nothing(results):
    (results / "telemetry.csv").write_text("time_s,power_w\n1,2\n")
    for _ in range(2):
        code, _, err = merge(results, ".", "-o", "all.json")
        assert code == 0, err
        assert len(json.loads((results / "all.json").read_text())) == 3


def test_what_is_merged_while_a_run_still_writes_are_its_whole_rows(stub, tmp_path):
    process = stub.start("", "--batch", "1,2,4", "--rounds", "20", "-o", "r.jsonl", "-o", "r.db", "-q")
    wait_until(lambda: (tmp_path / "r.jsonl").exists() and count_rows(tmp_path / "r.db") > 0)
    seen = {"r.jsonl": [], "r.db": []}
    while process.poll() is None:
        for source, found in seen.items():
            code, _, err = merge(tmp_path, source, "-o", "all.jsonl", "--overwrite")
            assert code in (0, 3), err  # 3: a row that was half there, which is said and left out
            found.append(json_lines(tmp_path / "all.jsonl"))
    assert process.communicate() and process.returncode == 0
    written = json_lines(tmp_path / "r.jsonl")
    assert len(written) == 60
    for found in seen.values():
        assert len(found[0]) < 60
        assert all(rows == written[:len(rows)] for rows in found)


def test_a_merge_into_the_file_that_a_run_still_writes_loses_no_row(stub, tmp_path):
    process = stub.start("", "--batch", "1,2,4", "--rounds", "20", "-o", "r.jsonl", "-q")
    wait_until(lambda: (tmp_path / "r.jsonl").exists() and (tmp_path / "r.jsonl").read_text())
    merges = 0
    while process.poll() is None:
        merges += merge(tmp_path, "r.jsonl", "-o", "r.jsonl")[0] == 0
    assert process.communicate() and process.returncode == 0 and merges > 0
    assert len({row["run_id"] for row in json_lines(tmp_path / "r.jsonl")}) == 60


def test_a_target_that_another_program_keeps_locked_is_refused_after_a_while(results):
    (results / "all.jsonl").touch()
    with (results / "all.jsonl").open() as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        code, out, err = merge(results, "desk.csv", "-o", "all.jsonl")
    assert code == 1 and not out and "cannot replace all.jsonl: another program keeps it locked; end that program, or name another file" in err
    assert (results / "all.jsonl").read_text() == ""


def test_a_file_system_without_locks_gets_the_same_rows(stub, tmp_path, monkeypatch, no_locks):
    monkeypatch.setenv("LD_PRELOAD", no_locks)
    for batches in ("1,2", "1,2,4"):
        code, _, err = stub.run("", "--batch", batches, "-o", "r.jsonl", "-o", "r.csv", "-o", "r.db", "--resume", "-q")
        assert code == 0, err
    assert [row["batch"] for row in json_lines(tmp_path / "r.jsonl")] == [1, 2, 4]
    for source in ("r.jsonl", "r.csv", "r.db"):
        assert merge(tmp_path, source, "-o", "all.jsonl", "--overwrite")[0] == 0
        assert len(json_lines(tmp_path / "all.jsonl")) == 3
    assert merge(tmp_path, "r.jsonl", "-o", "r.jsonl")[0] == 0
    assert len(json_lines(tmp_path / "r.jsonl")) == 3


def test_clocks_that_are_minutes_apart_change_no_comparison(results):
    before = run(results, "compare", "desk.jsonl", "laptop.json")
    assert before[0] == 0
    rows = json.loads((results / "laptop.json").read_text())
    for row in rows:
        assert row["time_utc"]
        row["time_utc"] = "2001" + row["time_utc"][4:]
    (results / "laptop.json").write_text(json.dumps(rows))
    assert run(results, "compare", "desk.jsonl", "laptop.json") == before


def test_nothing_is_lost_by_replacing_a_file(results):
    """The target may be one of the inputs, or hold other rows: what is in it must be in the new one."""
    before = (results / "desk.jsonl").read_bytes()
    refused = [
        (["laptop.json", "-o", "desk.jsonl"], "desk.jsonl holds 2 rows that would be missing or incomplete in the new file"),
        (["desk.csv", "-o", "desk.jsonl"], "holds 2 rows"),  # the raw times
        (["desk.jsonl", "-o", "desk.jsonl", "--redact", "host"], "holds 2 rows"),
    ]
    for arguments, words in refused:
        code, _, err = merge(results, *arguments)
        assert code == 1 and words in err and "name another file with -o" in err
        assert (results / "desk.jsonl").read_bytes() == before
    assert merge(results, "desk.jsonl", "-o", "shared.jsonl", "--redact", "host")[0] == 0
    code, _, err = merge(results, "shared.jsonl", "-o", "desk.jsonl")  # the same runs, that say less
    assert code == 1 and "holds 2 rows" in err and (results / "desk.jsonl").read_bytes() == before
    assert merge(results, "desk.csv", "desk.jsonl", "laptop.json", "-o", "desk.jsonl")[0] == 0
    assert len(json_lines(results / "desk.jsonl")) == 3
    (results / "other.csv").write_text("a,b\n1,2\n")
    code, _, err = merge(results, "desk.csv", "-o", "other.csv")
    assert code == 1 and "holds rows that cannot be read" in err
    assert (results / "other.csv").read_text() == "a,b\n1,2\n"


def test_redacted_rows_say_nothing_of_whom_they_are(results):
    original = json_lines(results / "desk.jsonl")
    assert all(row["host"] for row in original)
    code, _, err = merge(results, "desk.jsonl", "-o", "shared.jsonl", "--redact", "host,uuid,argv")
    assert code == 0, err
    emptied = ("device_uuid", "device_pci_address", "cuda_visible_devices", "label", "note", "error", "stderr_tail")
    for row, before in zip(json_lines(results / "shared.jsonl"), original):
        assert all(row[name] == "" for name in emptied)
        assert re.fullmatch("machine [0-9a-f]{6}", row["host"]) and row["env_id"] != before["env_id"]
        assert {**before, **dict.fromkeys(emptied, ""), "host": row["host"], "env_id": row["env_id"]} == row


def test_mistakes_are_one_line_and_exit_code_2(results):
    for arguments, words in [
        ([], "merge must be followed by the files to join"),
        (["desk.csv"], "add -o all.csv"),
        (["desk.csv", "-o", "all.txt"], "must be a file that ends in"),
        (["no.csv", "-o", "all.csv"], "\"no.csv\" is not"),
        (["desk.csv", "-o", "all.csv", "--redact", "hosts"], "did you mean host?"),
        (["--redact", "desk.csv", "-o", "all.csv"], 'is followed by the file "desk.csv"; put --redact last'),
        (["desk.csv", "--redact", "away/laptop.jsonl", "-o", "all.csv"], 'is followed by the file "away/laptop.jsonl"; put --redact last'),
        (["desk.csv", "-o", "all.csv", "--redact="], "--redact= must be followed by names, but nothing follows it"),
        (["desk.csv", "-o", "all.csv", "--redact", "prompt_sha"], "did you mean prompt"),
        (["desk.csv", "-o", "all.csv", "--redact", "nothing_like_it"], "--redact must be names of host, uuid"),
    ]:
        code, out, err = merge(results, *arguments)
        assert (code, out) == (2, "") and words in err and err.count("\n") == 1, err
        assert not (results / "all.csv").exists()
    code, _, err = merge(results, "-o", "all.csv", DATA.parent / "CMakeLists.txt")
    assert code == 2
    (results / "empty.csv").write_text("")
    code, _, err = merge(results, "empty.csv", "-o", "all.csv")
    assert code == 1 and "nothing was written" in err and not (results / "all.csv").exists()


def test_help_has_examples_and_says_what_is_redacted():
    text = subprocess.run([PROGRAM, "merge", "--help"], capture_output=True, text=True, check=True).stdout
    for part in ("Files:", "Examples:", "--redact NAMES", "device_uuid", "Exit code"):
        assert part in text
    assert all(len(line) <= 100 for line in text.splitlines()), max(text.splitlines(), key=len)


def test_a_run_appends_to_a_database_and_goes_on_with_it(stub, tmp_path):
    code, _, err = stub.run("", "--batch", "1,2", "-o", "r.db", "-o", "r.jsonl", "-q")
    assert code == 0, err
    rows = database_rows(tmp_path / "r.db")
    lines = json_lines(tmp_path / "r.jsonl")
    assert list(rows[0]) == [name for name in lines[0] if name not in ("first_image", "samples", "partial_run")]
    for row, line in zip(rows, lines):
        for name, value in row.items():
            assert value == (str(line[name]) if name == "seed" else line[name]), name
    steps = database_rows(tmp_path / "r.db", "SELECT run_id, run, seconds FROM samples WHERE part = 'timed' AND step > 0 "
                                             "ORDER BY run_id, run, step")
    by_run = {line["run_id"]: line for line in lines}
    assert [step["seconds"] for step in steps] == [
        seconds for run_id in sorted(by_run) for sample in by_run[run_id]["samples"] for seconds in sample["step_s"]]
    code, _, err = stub.run("", "--batch", "1,2,4", "-o", "r.db", "--resume", "-q")
    assert code == 0, err
    assert [row["batch"] for row in database_rows(tmp_path / "r.db")] == [1, 2, 4]
    for format_name in ("db", "sqlite"):
        code, _, err = stub.run("", "--format", format_name, "--no-save")
        assert code == 2 and "--format must be table, csv, json, jsonl, md or org" in err


def test_a_foreign_database_is_refused_before_anything_runs(stub, tmp_path):
    with sqlite3.connect(tmp_path / "music.db") as database:
        database.execute("CREATE TABLE songs (name TEXT)")
    before = (tmp_path / "music.db").read_bytes()
    code, _, err = stub.run("", "-o", "music.db")
    assert code == 1 and "sdbench merge" in err
    assert (tmp_path / "music.db").read_bytes() == before
    (tmp_path / "text.db").write_text("no database at all, but a longer text")
    code, _, err = stub.run("", "-o", "text.db")
    assert code == 1 and "must be a SQLite database, but is not" in err


def test_a_database_survives_a_kill_in_the_middle_of_a_sweep(stub, tmp_path):
    process = stub.start("", "--batch", "1,2,4", "--rounds", "100", "-o", "r.db", "-q")
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and (not (tmp_path / "r.db").exists() or count_rows(tmp_path / "r.db") < 5):
        time.sleep(0.02)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    rows = count_rows(tmp_path / "r.db")
    assert rows >= 5
    code, _, err = merge(tmp_path, "r.db", "-o", "all.jsonl")
    assert code == 0, err
    assert len(json_lines(tmp_path / "all.jsonl")) == rows


def test_without_locks_a_database_that_another_is_just_writing_is_read_later_and_nothing_of_it_is_undone(stub, tmp_path, monkeypatch, no_locks):
    assert stub.run("", "-o", "r.db", "-q")[0] == 0
    monkeypatch.setenv("LD_PRELOAD", no_locks)
    with sqlite3.connect(tmp_path / "r.db") as writer:
        writer.execute("PRAGMA cache_size = 10")
        writer.execute("BEGIN")
        writer.execute("UPDATE runs SET label = 'changed'")
        writer.execute("CREATE TABLE large AS SELECT zeroblob(1000000)")  # so that some is written before the end, and the journal is needed
        journal = (tmp_path / "r.db-journal").read_bytes()
        code, _, err = merge(tmp_path, "r.db", "-o", "all.jsonl")
        assert code == 1 and "cannot read r.db: another program is writing it, or was killed while writing it" in err
        assert (tmp_path / "r.db-journal").read_bytes() == journal
    assert merge(tmp_path, "r.db", "-o", "all.jsonl")[0] == 0
    assert [row["label"] for row in json_lines(tmp_path / "all.jsonl")] == ["changed"]


def count_rows(file):
    try:
        with sqlite3.connect(file) as database:
            return database.execute("SELECT count(*) FROM runs").fetchone()[0]
    except sqlite3.OperationalError:  # before the tables are there
        return 0


def test_the_queries_of_the_documentation_run(stub, tmp_path):
    assert stub.run("", "--batch", "1,2", "-o", "results.db", "-q")[0] == 0
    queries = re.findall(r"```sql\n(.*?)```", (SOURCE / "docs" / "record.md").read_text(), re.DOTALL)
    assert len(queries) == 2
    for query in queries:
        assert len(database_rows(tmp_path / "results.db", query)) == 2, query


SECRETS = {"host": "secrethost", "label": "secretlabel", "note": "secretnote", "tags": "owner=secretann", "weights": "/home/secretann/sd15", "slurm_job": "secretjob",
           "slurm_node": "secretnode", "slurm_partition": "secretpart", "device_uuid": "GPU-secret", "error": "load: /home/secretann is not there",
           "stderr_tail": "on secrethost", "gpu_processes": "12 (secretprogram)", "prompt_sha256": "secretprompt", "kernel": "6.1-secretcorp",
           "cuda_visible_devices": "GPU-secret", "openmp_config": "OMP_PLACES=/home/secretann",
           "preloaded": "libsecret.so", "container": "docker on secrethost", "governor": "secrethost", "os": "Debian of secrethost", "data": "/home/secretann/photos", "model": "/home/secretann/m", "weights_ignored": "/home/secretann/old.safetensors"}


def test_what_may_be_published_tells_nobody_whose_it_is(results):
    """One list for merge, report and compare: none of these words is in what they write, and --private keeps them."""
    rows = [{**row, **SECRETS, "env_id": "e5ec2e75ec2e70001"} for row in json_lines(results / "desk.jsonl")]
    rows[1]["status"] = "error"
    (results / "secrethost.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows) + '{"run_id": "secretrow"}\nsecretline\n')
    written = ["page.html", "t.txt", "t.md", "t.org", "t.html", "t.csv", "t.json", "why.txt", "shared.jsonl", "shared.csv", "shared.db"]
    commands = {"page.html": ["report"], "why.txt": ["compare", "--explain", "1", rows[1]["run_id"]]}
    for target in written:
        command, *more = commands.get(target, ["merge" if target.startswith("shared") else "compare"])
        more += ["--baseline", "secrethost"] if target.startswith("t.") else ["--redact"] if command == "merge" else []
        code, _, err = run(results, command, "secrethost.jsonl", "-o", target, *more)
        assert code == (3 if command == "merge" else 0), (target, err)
        assert "secret" not in (results / target).read_bytes().decode("utf-8", "replace"), target
    assert run(results, "report", "secrethost.jsonl", "-o", "all.html", "--private")[0] == 0
    assert all(json.dumps(word)[1:-1] in (results / "all.html").read_text() for word in SECRETS.values())
    assert run(results, "compare", "secrethost.jsonl", "-o", "all.md", "--private", "--baseline", "secrethost")[0] == 0
    assert "secrethost" in (results / "all.md").read_text()
    code, _, err = run(results, "compare", "secrethost.jsonl", "-o", "rows.md", "--rows", "label")
    assert code == 2 and "but label is left out" in err and "add --private" in err and err.count("\n") == 1


def test_a_shared_file_can_be_written_again(results):
    """What is redacted stays as it is: rows of later are added beside it, under the same made-up names."""
    assert merge(results, "desk.jsonl", "-o", "shared.jsonl", "--redact")[0] == 0
    before = {row["run_id"]: row for row in json_lines(results / "shared.jsonl")}
    later = [{**row, "time_utc": "2099" + row["time_utc"][4:]} for row in json.loads((results / "laptop.json").read_text())]
    (results / "laptop.json").write_text(json.dumps(later))
    code, _, err = merge(results, "desk.jsonl", "laptop.json", "-o", "shared.jsonl", "--redact")
    assert code == 0, err
    after = {row["run_id"]: row for row in json_lines(results / "shared.jsonl")}
    assert len(after) == 3 and all(after[name] == row for name, row in before.items())
