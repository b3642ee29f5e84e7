"""What is kept for later runs: listed as what it is, and cleared without touching anything else."""

import csv
import fcntl
import io
import json
import os

import pytest
from program import environment, run
from terminal import seen

HASH = "0123456789abcdef" * 4
OTHER = "f" * 64


@pytest.fixture
def cache(tmp_path):
    """A cache with one of each kind, half-written ones, and what is not ours."""
    folder = tmp_path / "cache/sdbench"
    files = {
        "weights/sd15-synthetic-7-1f2e3d4c/unet/model.safetensors": "w" * 1000,
        "weights/sd15-synthetic-8-1f2e3d4c.partial-123/unet": "half",
        "weights/mine/model.safetensors": "a user's",
        f"engines/{HASH}/unet.bin": "e" * 500,
        f"engines/.{OTHER}.abc123/unet.bin": "half",
        f"engines/{OTHER}/unet.bin": "without its manifest",
        "engines/notes.txt": "a user's",
        f"kernels/{HASH}": "k" * 300,
        "kernels/README": "a user's",
        "elsewhere/file": "a user's",
    }
    for name, text in files.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    manifest = {"key": HASH, "engine": "openvino", "model": "sd15", "dtype": "fp32", "shapes": "512x512, batch 1", "files": {}}
    (folder / f"engines/{HASH}/manifest.json").write_text(json.dumps(manifest))
    python = tmp_path / "set up/pytorch/bin/python"
    python.parent.mkdir(parents=True)
    python.write_text("p" * 100)
    (tmp_path / "set up/pytorch/.sdbench").touch()
    (tmp_path / "set up/pytorch.log").write_text("installed")
    (tmp_path / "set up/openvino").mkdir()
    (tmp_path / "set up/openvino/thesis.txt").write_text("a user's, by chance of that name")
    (tmp_path / "set up/mine").mkdir()
    return folder


@pytest.fixture
def env(tmp_path):
    return environment(XDG_CACHE_HOME=str(tmp_path / "cache"), SDBENCH_ENGINES=str(tmp_path / "set up"))


def listed(folder, env):
    code, out, err = run(folder, "cache", "list", "--format", "json", env=env)
    assert code == 0, err
    return json.loads(out)


def everything_below(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if not path.name.endswith(".lock"))


def test_the_list_says_of_each_entry_what_it_is_and_how_large(tmp_path, cache, env):
    entries = listed(tmp_path, env)
    assert [(e["kind"], e["state"]) for e in entries] == [
        ("weights", "whole"), ("weights", "half-written"), ("engines", "half-written"), ("engines", "whole"), ("engines", "broken"),
        ("kernels", "whole"), ("environments", "half-written")]
    assert (entries[0]["model"], entries[0]["dtype"], entries[0]["bytes"]) == ("sd15, synthetic:7", "fp32", 1000)
    engine = entries[3]
    assert [engine[name] for name in ("engine", "model", "dtype", "shapes")] == ["openvino", "sd15", "fp32", "512x512, batch 1"]
    assert engine["bytes"] == 500 + (cache / f"engines/{HASH}/manifest.json").stat().st_size and engine["path"] == str(cache / f"engines/{HASH}")
    assert entries[6]["engine"] == "pytorch" and entries[6]["bytes"] == 100


def test_the_time_of_an_entry_is_its_last_use(tmp_path, cache, env):
    os.utime(cache / f"engines/{HASH}", (1e9, 1e9))
    assert listed(tmp_path, env)[3]["last_used"] == "2001-09-09T01:46:40Z"


def test_the_table_has_a_line_for_each_entry_and_their_sum(tmp_path, cache, env):
    code, out, err = run(tmp_path, "cache", "list", env=env)
    lines = out.splitlines()
    assert code == 0 and err == "" and lines[0].split() == ["KIND", "WHAT", "SIZE", "LAST", "USED"] and len(lines) == 10
    assert "openvino, sd15, fp32, 512x512, batch 1" in out and "sd15, synthetic:8, fp32 (half-written)" in out
    assert lines[-1].startswith("Total: 2.05 KiB in ") and str(cache) in lines[-1] and str(tmp_path / "set up") in lines[-1]


def test_the_csv_has_what_the_json_has(tmp_path, cache, env):
    code, out, _ = run(tmp_path, "cache", "list", "--format", "csv", env=env)
    rows = list(csv.DictReader(io.StringIO(out)))
    assert code == 0 and rows == [{name: str(value) for name, value in entry.items()} for entry in listed(tmp_path, env)]


def test_an_empty_cache_is_no_error(tmp_path, env):
    assert listed(tmp_path, env) == []
    assert "Nothing is kept in" in run(tmp_path, "cache", "list", env=env)[1]
    code, out, _ = run(tmp_path, "cache", "clear", "--yes", env=env)
    assert code == 0 and "nothing of weights, engines and kernels is kept" in out


def test_clear_removes_what_is_ours_alone(tmp_path, cache, env):
    code, out, err = run(tmp_path, "cache", "clear", "--yes", env=env)
    assert code == 0 and err == "" and out.startswith("freed ") and "(6 items)" in out
    left = {path for path in everything_below(cache) if (cache / path).is_file()}
    assert left == {"weights/mine/model.safetensors", "engines/notes.txt", "kernels/README", "elsewhere/file"}
    assert [entry["kind"] for entry in listed(tmp_path, env)] == ["environments"]


def test_clear_takes_kinds_and_environments_by_name_alone(tmp_path, cache, env):
    assert run(tmp_path, "cache", "clear", "kernels", "-y", env=env)[0] == 0
    assert "kernels" not in [entry["kind"] for entry in listed(tmp_path, env)] and len(listed(tmp_path, env)) == 6
    code, out, _ = run(tmp_path, "cache", "clear", "environments", "--yes", env=env)
    assert code == 0 and "(1 item)" in out and everything_below(tmp_path / "set up") == ["mine", "openvino", "openvino/thesis.txt"]


def test_what_another_process_makes_is_left_alone_and_named(tmp_path, cache, env):
    with open(cache / f"engines/{OTHER}.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        code, out, err = run(tmp_path, "cache", "clear", "engines", "--yes", env=env)
    assert code == 0 and "(1 item)" in out and err.count("is left alone: another process is making it") == 2
    assert (cache / f"engines/.{OTHER}.abc123/unet.bin").exists() and not (cache / f"engines/{HASH}").exists()


def test_no_link_is_followed(tmp_path, cache, env):
    outside = tmp_path / "outside"
    (outside / "unet").mkdir(parents=True)
    (outside / "unet/model").write_text("a user's")
    (cache / f"weights/sd15-synthetic-9-{'0' * 8}").symlink_to(outside)
    (cache / f"engines/{HASH}/inside").symlink_to(outside)
    (cache / "kernels").rename(tmp_path / "kernels elsewhere")
    (cache / "kernels").symlink_to(tmp_path / "kernels elsewhere")
    (tmp_path / "set up/onnxruntime").symlink_to(outside)
    (outside / ".sdbench").touch()
    (cache / "weights/by the user").symlink_to(outside)
    assert len(listed(tmp_path, env)) == 6
    code, out, err = run(tmp_path, "cache", "clear", "weights", "engines", "kernels", "environments", "--yes", env=env)
    links = [line.split("sdbench: ")[1].split(" is a link, whose target is left alone")[0] for line in err.splitlines()]
    assert code == 0 and links == [str(cache / f"weights/sd15-synthetic-9-{'0' * 8}"), str(cache / "kernels"), str(tmp_path / "set up/onnxruntime")]
    assert (tmp_path / "set up/onnxruntime").is_symlink() and (outside / ".sdbench").exists()
    assert (outside / "unet/model").exists() and (tmp_path / f"kernels elsewhere/{HASH}").exists()


def test_what_cannot_be_removed_is_an_error_of_one_line_and_the_rest_goes(tmp_path, cache, env):
    (cache / f"engines/{HASH}.lock").mkdir()  # root may remove everything, but cannot write a folder
    code, out, err = run(tmp_path, "cache", "clear", "engines", "--yes", env=env)
    assert code == 1 and "(2 items)" in out and len(err.splitlines()) == 1 and f"{HASH}.lock" in err
    assert (cache / f"engines/{HASH}").exists()


def test_without_a_terminal_clear_wants_yes(tmp_path, cache, env):
    before = everything_below(cache)
    code, _, err = run(tmp_path, "cache", "clear", env=env)
    assert code == 2 and "must have --yes if there is no terminal to ask on" in err and everything_below(cache) == before


def test_at_a_terminal_clear_asks(tmp_path, cache, env):
    before = everything_below(cache)
    for answer in ("", "n", "what?"):
        text = seen(tmp_path, 100, "cache", "clear", "kernels", env=env, answer=answer)
        assert "(1 item) of kernels? [y/N]" in text and "nothing was removed" in text and everything_below(cache) == before
    assert "(1 item)" in seen(tmp_path, 100, "cache", "clear", "kernels", env=env, answer="y")
    assert not (cache / f"kernels/{HASH}").exists()


def test_wrong_words_are_answered(tmp_path, env):
    assert "did you mean kernels?" in run(tmp_path, "cache", "clear", "kernel", env=env)[2]
    assert "cache must be followed by list or clear, but is followed by nothing" in run(tmp_path, "cache", env=env)[2]
    assert run(tmp_path, "cache", "lost", env=env)[0] == 2
    assert "--format must be table, csv or json, but is \"xml\"" in run(tmp_path, "cache", "list", "--format", "xml", env=env)[2]
    code, out, _ = run(tmp_path, "cache", "clear", "--help", env=env)
    assert code == 0 and "environments  packages of other engines; clear removes them by name only" in out
    code, _, err = run(tmp_path, "cache", "list", env={name: value for name, value in env.items() if name not in ("HOME", "XDG_CACHE_HOME")})
    assert code == 1 and "HOME or XDG_CACHE_HOME must name a folder" in err


def test_a_clear_that_was_killed_leaves_nothing_that_looks_whole(tmp_path, cache, env):
    (cache / f"engines/{HASH}").rename(cache / f"engines/.{HASH}.cleared")  # where it is while it goes
    assert [e["state"] for e in listed(tmp_path, env) if e["kind"] == "engines"] == ["half-written", "half-written", "broken"]
    code, _, _ = run(tmp_path, "cache", "clear", "engines", "--yes", env=env)
    assert code == 0 and not (cache / f"engines/.{HASH}.cleared").exists()
