"""sdbench bugreport: what a report of a problem needs, packed without anyone's names."""

import json
import os
import tarfile

import pytest
from program import environment, run, run_on_a_full_disk
from stub import json_lines
from terminal import seen

# As nvidia-smi -q and the kernel's drivers write them; every name and number is made up.
NVIDIA_SMI = """==============NVSMI LOG==============
Driver Version                            : 580.65.06
GPU 00000000:41:00.0
    Product Name                          : NVIDIA H200
    Serial Number                         : 1652823054567
    GPU UUID                              : GPU-5c2c1f50-0a1b-4c2d-8e3f-0123456789ab
    GPU PDI                               : 0xfeedbeefcafe0001
    GPU Fabric GUID                       : 0x8a5b12cd
    VBIOS Version                         : 96.00.89.00.01
    Processes
        Process ID                        : 4711
            Type                          : C
            Name                          : /opt/secret-trainer
            Used GPU Memory               : 500 MiB
"""
DMESG = """[    1.000000] e1000e 0000:00:1f.6 eth0: 52:54:00:12:34:56
[   12.345678] NVRM: Xid (PCI:0000:41:00): 79, pid=4711, name=secret-trainer, GPU has fallen off the bus.
[   20.000000] secret-trainer invoked oom-killer: gfp_mask=0xcc0, order=0
[   20.000001] oom-kill:constraint=CONSTRAINT_NONE,task_memcg=/user.slice/anns-slice,task=secret-trainer,pid=4711,uid=1000
[   20.000002] Out of memory: Killed process 4711 (secret-trainer) total-vm:1kB
[   20.000003] oom_reaper: reaped process 4711 (secret-trainer), now anon-rss:0kB
[   20.000004] Memory cgroup out of memory: Killed process 4712 (secret-trainer)
[   20.500000] systemd[1]: a room for zoom
[   21.000000] pcieport 0000:40:01.0: AER: Corrected error received: 0000:41:00.0
[   22.000000] usb 1-1: SerialNumber: 001122
"""
SECRETS = ("secret", "1652823054567", "5c2c1f50", "feedbeef", "8a5b12cd", "41:00", "52:54:00", "anns-", "192.168.7.9", "fe80::1", "acme", "S4XNNF0M",
           "anns-desk", "big.example")
LAST = ("cannot read /home/ann/acme/unet.safetensors of 192.168.7.9 (fe80::1), disk serial S4XNNF0M\n"
        "File \"/root/acme/run.py\", line 3: c10::Error at anns-desk of big.example, '/data/acme/my model'\n")


@pytest.fixture
def rows(stub, tmp_path):
    """A row that ended well, in two files of which one has its raw times, and one that crashed with telling last words."""
    code, _, err = stub.run("", "-o", "good.csv", "-o", "good.jsonl", "-q")
    assert code == 0, err
    (good,) = json_lines(tmp_path / "good.jsonl")
    bad = {**good, "run_id": "rbad0" + 12 * "1", "host": "anns-desk.big.example", "status": "crash", "stage": "measure", "model": "/data/acme/my-model",
           "label": "secret", "error": "the worker must answer, but was ended by SIGSEGV", "stderr_tail": LAST,
           "samples": [], "first_image": None}
    (tmp_path / "bad.jsonl").write_text(json.dumps(bad) + "\n")
    return tmp_path


@pytest.fixture
def tools(tmp_path):
    """A PATH whose nvidia-smi and dmesg are made up."""
    folder = tmp_path / "tools"
    folder.mkdir()
    for name, text in (("nvidia-smi", NVIDIA_SMI), ("dmesg", DMESG)):
        (folder / f"{name}.txt").write_text(text)
        (folder / name).write_text(f"#!/bin/sh\ncat '{folder}/{name}.txt'\n")
        (folder / name).chmod(0o755)
    return folder


def with_tools(tools, **more):
    return environment(PATH=f"{tools}:{os.environ['PATH']}", HOME="/home/ann", USER="ann", **more)


def unpacked(file):
    with tarfile.open(file) as archive:
        members = archive.getmembers()
        assert all((member.uid, member.gid, member.uname, member.gname) == (0, 0, "", "") for member in members)
        return {member.name.split("/")[1]: archive.extractfile(member).read().decode() for member in members if member.isfile()}


def bugreport(folder, *arguments, **more):
    return run(folder, "bugreport", *arguments, **more)


def test_a_crashed_row_is_packed_and_no_file_has_a_name_or_a_number_of_its_owner(rows, tools):
    code, out, err = bugreport(rows, "rbad0", "bad.jsonl", "-o", "x.tar.gz", "--yes", env=with_tools(tools))
    assert code == 0, err
    files = unpacked(rows / "x.tar.gz")
    assert sorted(files) == ["command.txt", "kernel.txt", "last-words.txt", "nvidia-smi.txt", "record.json", "versions.json"]
    assert out.splitlines()[0].split() == ["FILE", "SIZE"] and all(f"{name}  " in out for name in files) and out.endswith("wrote x.tar.gz\n")
    assert "the record is of another machine" in err
    everything = "\n".join(files.values())
    assert not [secret for secret in SECRETS if secret in everything]
    assert "SIGSEGV" in files["last-words.txt"] and "c10::Error" in files["last-words.txt"] and "stage measure" in files["last-words.txt"]
    assert "Product Name                          : NVIDIA H200" in files["nvidia-smi.txt"] and "96.00.89.00.01" in files["nvidia-smi.txt"]
    kernel = files["kernel.txt"].splitlines()
    assert len(kernel) == 7 and "79, pid=4711, name=[redacted], GPU has fallen off the bus." in kernel[0]
    assert "[redacted] invoked oom-killer" in kernel[1] and "Killed process 4711 ([redacted])" in kernel[3]
    assert json.loads(files["versions.json"])["sdbench_version"]
    (record,) = json.loads(files["record.json"])
    assert (record["run_id"], record["status"], record["model"]) == ("rbad0" + 12 * "1", "crash", "[redacted]") and record["host"].startswith("machine ")
    assert "sdbench reproduce record.json --weights synthetic" in files["command.txt"] and "add --model" in files["command.txt"]


def test_the_record_has_its_raw_times_and_the_command_runs(rows, stub, tools):
    (good,) = json_lines(rows / "good.jsonl")
    code, _, err = bugreport(rows, good["run_id"][:6], "good.csv", "good.jsonl", "-o", "x.tgz", "-y", env=with_tools(tools))
    assert code == 0, err
    files = unpacked(rows / "x.tgz")
    (record,) = json.loads(files["record.json"])
    assert record["samples"] == good["samples"] and "last-words.txt" not in files
    (rows / "record.json").write_text(files["record.json"])
    command = files["command.txt"].splitlines()[1].split()
    code, out, err = run(rows, *command[1:], "--no-save", program=stub.program)
    assert code == 0 and out.count("\n") == 1, err


def test_names_of_own_files_go_without_their_folders_too_and_host_and_user_in_any_case(rows, tools):
    (bad,) = json_lines(rows / "bad.jsonl")
    words = ("secret-net.safetensors: no tensor of secret-net\nsecret-pictures: empty, secret-tune: too short\nANNS-DESK: Anns-Desk.BIG.example of Ann\n"
             "unet: shape [2, 4] of sdxl, model annex\n")
    (rows / "own.jsonl").write_text(json.dumps({**bad, "model": "/data/acme/secret-tune/", "weights": "secret-net.safetensors",
                                                "data": "pictures/secret-pictures", "stderr_tail": words}) + "\n")
    assert bugreport(rows, "rbad0", "own.jsonl", "-o", "x.tar.gz", "-y", env=with_tools(tools))[0] == 0
    files = unpacked(rows / "x.tar.gz")
    everything = "\n".join(files.values())
    assert not [secret for secret in (*SECRETS, "desk", "big.") if secret in everything.lower()]
    said = files["last-words.txt"]
    assert "[redacted]: no tensor of [redacted]\n[redacted]: empty, [redacted]: too short\n" in said and "of [redacted]\nunet: shape" in said
    assert "unet: shape [2, 4] of sdxl, model annex" in said


@pytest.mark.parametrize("file", ["model", "weights", "data"])
def test_names_that_come_with_sdbench_or_tell_nothing_stay(rows, tools, file):
    (bad,) = json_lines(rows / "bad.jsonl")
    for name in ("sdxl", "unet", "cifar10", "2"):
        (rows / "own.jsonl").write_text(json.dumps({**bad, file: f"/data/acme/{name}", "stderr_tail": f"{name} of it"}) + "\n")
        (rows / "x.tar.gz").unlink(missing_ok=True)
        assert bugreport(rows, "rbad0", "own.jsonl", "-o", "x.tar.gz", "-y", env=with_tools(tools))[0] == 0
        assert f"{name} of it" in unpacked(rows / "x.tar.gz")["last-words.txt"]


def test_without_files_the_usual_folder_is_searched(rows, tools):
    code, _, err = bugreport(rows, "rbad0", "-o", "x.tar.gz", "-y", env=with_tools(tools))
    assert code == 2 and "sdbench-results" in err
    (rows / "sdbench-results").mkdir()
    (rows / "bad.jsonl").rename(rows / "sdbench-results/anns-desk.jsonl")
    code, _, err = bugreport(rows, "rbad0", "-o", "x.tar.gz", "-y", env=with_tools(tools))
    assert code == 0, err


def test_it_asks_on_a_terminal_and_writes_nothing_without_a_yes(rows, tools):
    before = sorted(rows.iterdir())
    text = seen(rows, 100, "bugreport", "rbad0", "bad.jsonl", "-o", "x.tar.gz", env=with_tools(tools, TERM="xterm"), answer="n")
    assert "nvidia-smi.txt" in text and "write these files to x.tar.gz (" in text and "nothing was written" in text
    code, out, err = bugreport(rows, "rbad0", "bad.jsonl", "-o", "x.tar.gz", env=with_tools(tools))
    assert code == 2 and "record.json" in out and "bugreport must have --yes if there is no terminal" in err
    assert sorted(rows.iterdir()) == before
    seen(rows, 100, "bugreport", "rbad0", "bad.jsonl", "-o", "x.tar.gz", env=with_tools(tools, TERM="xterm"), answer="y")
    assert "record.json" in unpacked(rows / "x.tar.gz")


def test_what_nvidia_smi_says_is_kept_with_its_exit_code_if_it_fails(rows, tools):
    (tools / "nvidia-smi").write_text(f"#!/bin/sh\ncat '{tools}/nvidia-smi.txt'\necho 'GPU is lost at /data/acme' >&2\nexit 15\n")
    assert bugreport(rows, "rbad0", "bad.jsonl", "-o", "x.tar.gz", "-y", env=with_tools(tools))[0] == 0
    files = unpacked(rows / "x.tar.gz")
    assert files["nvidia-smi.txt"].startswith("nvidia-smi ended with exit code 15: GPU is lost at [redacted]\n\n===") and "left-out.txt" not in files
    assert "Product Name                          : NVIDIA H200" in files["nvidia-smi.txt"]


def test_words_of_commands_and_of_json_as_names_damage_no_file(rows, tools):
    """Whoever is called like a part of the command, or of the document's form."""
    for name in ("reproduce", "sdbench_version", "synthetic", "n", "null", "json"):
        (bad,) = json_lines(rows / "bad.jsonl")
        (rows / "named.jsonl").write_text(json.dumps({**bad, "host": name}) + "\n")
        (rows / "x.tar.gz").unlink(missing_ok=True)
        code, _, err = run(rows, "bugreport", "rbad0", "named.jsonl", "-o", "x.tar.gz", "-y", env=environment(PATH=f"{tools}:{os.environ['PATH']}", USER=name))
        assert code == 0, err
        files = unpacked(rows / "x.tar.gz")
        assert "sdbench reproduce record.json --weights synthetic\n" in files["command.txt"]
        assert "sdbench_version" in json.loads(files["versions.json"]) and json.loads(files["record.json"])


def test_programs_that_are_missing_or_refuse_are_named_and_the_rest_is_packed(rows, tools):
    (tools / "nvidia-smi").write_text("#!/bin/sh\necho 'NVIDIA-SMI has failed on anns-desk' >&2\nexit 9\n")
    for name in ("dmesg", "journalctl"):
        (tools / name).write_text("#!/bin/sh\necho 'read kernel buffer failed: Operation not permitted' >&2\nexit 1\n")
        (tools / name).chmod(0o755)
    code, _, err = bugreport(rows, "rbad0", "bad.jsonl", "-o", "x.tar.gz", "-y", env=with_tools(tools))
    assert code == 0
    assert "left out nvidia-smi.txt: NVIDIA-SMI has failed on [redacted]" in err and "left out kernel.txt: read kernel buffer failed" in err
    files = unpacked(rows / "x.tar.gz")
    assert sorted(files) == ["command.txt", "last-words.txt", "left-out.txt", "record.json", "versions.json"]
    assert files["left-out.txt"] == ("nvidia-smi.txt: NVIDIA-SMI has failed on [redacted]\n"
                                     "kernel.txt: read kernel buffer failed: Operation not permitted\n")


@pytest.mark.parametrize("arguments, code, words", [
    ("", 2, "bugreport must have one run_id and one file to write"),
    ("rbad0 bad.jsonl", 2, "bugreport must have one run_id and one file to write"),
    ("rbad0 bad.jsonl -o x.zip", 2, "--output must end with .tar.gz or .tgz"),
    ("rbad0 bad.jsonl -o no-folder/x.tar.gz", 1, "no-folder"),
    ("rbad0 bad.jsonl -o there.tar.gz", 1, "--output must be a new file, but \"there.tar.gz\" is there; name another"),
    ("rbad0 bad.jsonl -o link.tar.gz", 1, "--output must be a new file"),
    ("rnone bad.jsonl -o x.tar.gz", 2, "RUN_ID must name a row of bad.jsonl, but none of its 1 is \"rnone\""),
    ("rba bad.jsonl -o x.tar.gz", 2, "RUN_ID must be the run_id of a row, or at least its first 4 characters"),
    ("rbad0 bad.jsonl twin.jsonl -o x.tar.gz", 2, "RUN_ID must name one row of FILES, but \"rbad0\" begins 2"),
    ("rbad0 none.jsonl -o x.tar.gz", 2, "none.jsonl"),
    ("rbad0 empty.jsonl -o x.tar.gz", 2, "RUN_ID must name a row of empty.jsonl, but none of its 0"),
    ("rbad0 broken.jsonl -o x.tar.gz", 1, "broken.jsonl"),
])
def test_bad_input_is_one_clear_line_and_leaves_no_file(rows, tools, arguments, code, words):
    (bad,) = json_lines(rows / "bad.jsonl")
    (rows / "twin.jsonl").write_text(json.dumps({**bad, "run_id": "rbad0" + 12 * "2"}) + "\n")
    (rows / "there.tar.gz").write_text("mine")
    (rows / "link.tar.gz").symlink_to("nowhere")
    (rows / "empty.jsonl").touch()
    (rows / "broken.jsonl").write_text("{\n")
    before = sorted(rows.iterdir())
    got, out, err = bugreport(rows, *arguments.split(), *(["-y"] if arguments else []), env=with_tools(tools))
    assert (got, out) == (code, "") and words in err and err.count("\n") == 1, err
    assert sorted(rows.iterdir()) == before and (rows / "there.tar.gz").read_text() == "mine"


def test_the_exact_run_id_wins_over_a_longer_one(rows, tools):
    (bad,) = json_lines(rows / "bad.jsonl")
    (rows / "both.jsonl").write_text("".join(json.dumps({**bad, "run_id": name}) + "\n" for name in ("rbad01", "rbad0")))
    assert bugreport(rows, "rbad0", "both.jsonl", "-o", "x.tar.gz", "-y", env=with_tools(tools))[0] == 0
    assert json.loads(unpacked(rows / "x.tar.gz")["record.json"])[0]["run_id"] == "rbad0"


def test_a_full_disk_is_one_line_and_leaves_no_file(rows, tools):
    before = sorted(rows.iterdir())
    code, _, err = run_on_a_full_disk(rows, "bugreport", "rbad0", "bad.jsonl", "-o", "x.tar.gz", "-y", env=with_tools(tools))
    assert code == 1 and "cannot write" in err.splitlines()[-1]
    assert sorted(rows.iterdir()) == before
