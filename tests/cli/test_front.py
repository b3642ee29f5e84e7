"""The program from outside, as far as it needs no worker: help, version, lists, mistakes."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

import pytest

SDBENCH = os.environ["SDBENCH_PROGRAM"]


def sdbench(*arguments, **options):
    return subprocess.run([SDBENCH, *arguments], capture_output=True, timeout=60, **options)


def mistakes():
    return [
        (["--stepz", "5"], '"--stepz"; did you mean --steps?'),
        (["lst"], "did you mean list?"),
        (["-v", "-v"], "must be given with a command or its options"),
        (["--steps", "0"], "--steps must be between 1 and 1000, but is 0"),
        (["--model", "tiny-sd15", "--size", "100x64"], "take 96 or 104"),
        (["--dtype", "fp61"], "did you mean fp16?"),
        (["--graphs", "maybe"], '--graphs must be auto, on, off or loop, but is "maybe"'),
        (["--packed-weights", "foo"], '--packed-weights must be auto, winograd, onednn or off, but is "foo"'),
        (["--kernels", "q"], '--kernels must be auto, own or aten, but is "q"'),
        (["-o", "csv"], "write --format csv to see it, or -o results.csv to keep it"),
        (["--model", "sd51"], "sd15"),
        (["list"], "sdbench list models"),
        (["list", "devcies"], "did you mean devices?"),
        (["--telemetry", "samples.json"], "ends in .csv"),
        (["export-weights"], "add -o FOLDER"),
        (["setup", "engine", "pytorch", "--from", ""], "--from must not be empty; leave it out, or give FOLDER"),
        (["--config", ""], "--config must not be empty"),
        (["-m", "tiny-sd15", "-o", ""], "--output must not be empty"),
        (["compare", "rows.csv", "-o", ""], "--output must not be empty"),
        (["report", "rows.csv", "--prices="], "--facts must not be empty"),
    ]


def test_help_names_commands_groups_and_examples():
    result = sdbench("--help")
    text = result.stdout.decode()
    assert result.returncode == 0 and not result.stderr
    for part in ("list models", "export-weights", "Model:", "Work:", "Output:", "Examples:", "--steps N"):
        assert part in text
    assert all(len(line) <= 100 for line in text.splitlines())


@pytest.mark.parametrize("command, subjects", [("list", ["models", "presets", "devices", "engines"]), ("cache", ["list", "clear"])])
def test_the_help_of_a_command_with_subjects_says_what_each_is(command, subjects):
    lines = sdbench(command, "--help").stdout.decode().splitlines()
    for subject in subjects:
        description = sdbench(command, subject, "--help").stdout.decode().splitlines()[0]
        assert f"{subject} {description}" in [" ".join(line.split()) for line in lines]
    assert max(map(len, lines)) <= 100


def test_version_names_release_commit_build_and_libtorch():
    lines = sdbench("--version").stdout.decode().splitlines()
    assert re.fullmatch(r"sdbench +\d+\.\d+\.\d+", lines[0])
    assert [line.split()[0] for line in lines] == ["sdbench", "commit", "build", "libtorch"]


def test_the_version_as_json_is_that_of_the_text_and_names_the_places():
    lines = dict(line.split(maxsplit=1) for line in sdbench("--version").stdout.decode().splitlines())
    facts = json.loads(sdbench("--version", "--json").stdout)
    assert (facts["sdbench_version"], facts["git_sha"], facts["build_type"]) == (lines["sdbench"], lines["commit"], lines["build"])
    assert facts["schema_version"] >= 4
    assert facts["cache_folder"].endswith("sdbench")
    if "no worker" not in lines["libtorch"]:
        assert ", ".join(worker["libtorch_version"] for worker in facts["workers"]) == lines["libtorch"]
        assert all(pathlib.Path(worker["program"]).exists() for worker in facts["workers"])


def test_json_without_version_is_refused_with_what_is_meant():
    answer = sdbench("--json", "--model", "tiny-sd15")
    assert answer.returncode == 2
    assert "--json must be given with --version" in answer.stderr.decode() and "--format json" in answer.stderr.decode()


def test_list_models_as_table_and_json():
    names = [model["name"] for model in json.loads(sdbench("list", "models", "--format", "json").stdout)]
    assert {"sd15", "sd21", "sd-turbo", "sdxl", "sdxl-turbo", "tiny-sd15", "tiny-sdxl"} <= set(names)
    assert {"vgg16", "resnet152", "densenet161", "cnn10", "wrn28-10"} <= set(names)
    tables = sdbench("list", "models").stdout.decode().split("\n\n")
    listed = [[line.split()[0] for line in table.splitlines()] for table in tables]
    assert [rows[0] for rows in listed] == ["MODEL", "NETWORK"]
    assert sorted(listed[0][1:] + listed[1][1:]) == sorted(names)


def test_list_devices_needs_no_gpu_and_no_driver():
    devices = json.loads(sdbench("list", "devices", "--format", "json").stdout)
    assert devices[-1]["kind"] == "cpu" and devices[-1]["core_count"] >= 1
    assert "CPU " in sdbench("list", "devices").stdout.decode()


def test_list_devices_shows_every_gpu_of_a_driver():
    fake = {**os.environ, "SDBENCH_NVML": os.environ["SDBENCH_FAKE_NVML_LIBRARY"]}
    devices = json.loads(sdbench("list", "devices", "--format", "json", env=fake).stdout)
    assert [device["kind"] for device in devices] == ["cuda"] * 3 + ["cpu"]
    assert devices[2]["generation"] == "Hopper" and devices[2]["sm_count"] == 132


@pytest.mark.parametrize("arguments, hint", mistakes(), ids=lambda value: " ".join(value) if isinstance(value, list) else "")
def test_a_mistake_is_one_line_that_says_what_to_do(arguments, hint, tmp_path):
    result = sdbench(*arguments, cwd=tmp_path)
    message = result.stderr.decode()
    assert result.returncode == 2
    assert not result.stdout
    assert message.count("\n") == 1 and message.startswith("sdbench: ")
    assert hint in message
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("content, code, hint", [
    ('{"stepz": 5}', 2, "did you mean steps?"),
    ('{"steps": "5"}', 2, "steps must be a whole number"),
    ('{"steps": 5', 1, "must be JSON"),
    ("[]", 2, "one JSON object"),
])
def test_a_wrong_config_file_is_named(tmp_path, content, code, hint):
    file = tmp_path / "options.json"
    file.write_text(content)
    result = sdbench("--config", str(file))
    assert result.returncode == code
    assert str(file) in result.stderr.decode() and hint in result.stderr.decode()


@pytest.mark.parametrize("option", ["--weights", "--config", "--init-latents", "--dump-latents", "--save-images"])
def test_a_loop_of_links_is_one_line_of_ours(tmp_path, option):
    (tmp_path / "loop").symlink_to("loop")
    result = sdbench("--model", "tiny-sd15", option, "loop", cwd=tmp_path)
    message = result.stderr.decode()
    assert result.returncode == 1
    assert message.count("\n") == 1 and "loop" in message and "filesystem error" not in message


def test_a_config_file_that_is_no_text_gives_a_message_that_is(tmp_path):
    for content in (b"\xff\xfe", b'{"label": "\xff"}', b'{"steps": "\xff"}', b'{"\xff": 1}'):
        (tmp_path / "options.json").write_bytes(content)
        result = sdbench("--config", "options.json", cwd=tmp_path)
        assert result.returncode in (1, 2)
        assert result.stderr.decode().count("\n") == 1


def test_a_prompt_file_of_many_zeros_is_refused_at_once(tmp_path):
    (tmp_path / "zeros").write_bytes(bytes(20_000_000))
    result = subprocess.run([SDBENCH, "--model", "tiny-sd15", "--prompt", "@zeros"], cwd=tmp_path,
                            capture_output=True, timeout=10)
    assert result.returncode == 1
    assert b"line 1 has a zero byte" in result.stderr


def test_bytes_that_are_no_text_are_refused_without_a_crash():
    result = subprocess.run([SDBENCH.encode(), b"--model", b"\xff\xfe"], capture_output=True, timeout=60)
    assert result.returncode == 2
    result.stderr.decode()  # the message itself is UTF-8


def test_a_full_standard_output_is_exit_code_1():
    with open("/dev/full", "wb") as full:
        result = subprocess.run([SDBENCH, "--help"], stdout=full, stderr=subprocess.PIPE, timeout=60)
    assert result.returncode == 1
    assert b"standard output" in result.stderr


def test_the_reader_may_go_away():
    shell = f"{SDBENCH} --help | head -n 1"
    result = subprocess.run(["sh", "-c", shell], capture_output=True, timeout=60)
    assert result.returncode == 0 and result.stdout.count(b"\n") == 1


@pytest.fixture
def outside():
    """A folder that is not below the build tree, as tmp_path may be."""
    with tempfile.TemporaryDirectory() as folder:
        yield pathlib.Path(folder)


def test_a_program_copied_away_from_its_tree_says_so(tmp_path, outside):
    copy = outside / "sdbench"
    shutil.copy(SDBENCH, copy)
    clean = {key: value for key, value in os.environ.items() if not key.startswith("SDBENCH_")}
    for arguments in (["list", "models"], ["list", "presets"], ["-m", "sd15", "--dry-run"], ["--preset", "quick"]):
        result = subprocess.run([copy, *arguments], capture_output=True, timeout=60, env=clean, cwd=tmp_path)
        assert result.returncode == 1, arguments
        assert not result.stdout
        assert "share/sdbench, but are not there; start the program in its own tree" in result.stderr.decode()
    linked = tmp_path / "link"
    linked.symlink_to(SDBENCH)
    assert b"sd15" in subprocess.run([linked, "list", "models"], capture_output=True, timeout=60, env=clean).stdout


def test_a_share_folder_that_is_not_there_is_named(tmp_path):
    result = sdbench("list", "models", env={**os.environ, "SDBENCH_SHARE": str(tmp_path / "none")})
    assert result.returncode == 1
    assert f"{tmp_path}/none, but are not there; SDBENCH_SHARE must name" in result.stderr.decode()


def test_a_current_folder_that_was_deleted_is_said_before_anything_runs(tmp_path):
    gone = tmp_path / "gone"
    gone.mkdir()
    command = f'cd {gone} && rmdir {gone} && exec "{SDBENCH}" -m tiny-sd15 --device cpu --steps 1 --repeat 1 --no-save'
    result = subprocess.run(["sh", "-c", command], capture_output=True, timeout=120)
    assert result.returncode == 1
    assert "the current folder must exist, but cannot be found" in result.stderr.decode()


@pytest.mark.skipif(" avx512f " in pathlib.Path("/proc/cpuinfo").read_text().replace("\n", " "),
                    reason="this processor has AVX-512: no capability is above it")
def test_a_capability_above_the_processors_is_said_before_anything_runs(tmp_path):
    result = sdbench("-m", "tiny-sd15", "--device", "cpu", "--no-save", cwd=tmp_path,
                     env={**os.environ, "ATEN_CPU_CAPABILITY": "avx512"})
    assert result.returncode == 1
    assert "ATEN_CPU_CAPABILITY must be within this processor's instructions, but is avx512" in result.stderr.decode()
