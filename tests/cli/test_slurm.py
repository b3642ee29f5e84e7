"""`sdbench slurm submit` over made-up sinfo, scontrol, sbatch and scancel, and its scripts run by hand; test_slurm_cluster.py has a real Slurm."""

import fcntl
import json
import os
import re
import shutil
import signal
import subprocess
import time

import pytest
from program import finish, run, start, wait_until
from slurm_made_up import NODES, MadeUp, options_of
from stub import CELL, json_lines

@pytest.fixture
def slurm(program, tmp_path):
    return MadeUp(program, tmp_path)


def test_each_node_that_takes_jobs_has_one_and_the_last_waits_for_all(slurm):
    err, scripts = slurm.submitted("--time", "2:00:00")
    assert set(scripts) == {"node1", "node2", "node3", "node4", "collect"}
    assert options_of(scripts["node1"]) == [
        "--job-name=sdbench-node1", "--nodes=1", "--ntasks=1", "--requeue", "--output=/dev/null", f"--chdir={slurm.folder}",
        "--nodelist=node1", "--gres=gpu:a100:2", "--signal=B:USR1@120", "--exclusive", "--dependency=singleton", "--mem=0",
        "--time 2:00:00"]
    assert "--gres=gpu:1" in options_of(scripts["node3"])
    assert not [option for option in options_of(scripts["node4"]) if "gres" in option]
    jobs = slurm.shared / "jobs"
    assert slurm.told_file("submitted").splitlines() == [
        *(f"--parsable --time 2:00:00 {jobs}/node{n}.sh" for n in (1, 2, 3, 4)),
        f"--parsable --time 2:00:00 --dependency=afterany:1:2:3:4 {jobs}/collect.sh"]
    assert "--exclude=node5,node6" in options_of(scripts["collect"])
    assert not {"--exclusive", "--mem=0", "--dependency=singleton"} & set(options_of(scripts["collect"]))
    assert "left out   node5, which is drained" in err and "left out   node6, which is idle* (does not answer)" in err
    assert "exclusive: no other job is on a job's node" in err


def test_each_type_has_one_job_on_any_node_of_it(slurm):
    _, scripts = slurm.submitted("--per", "type")
    assert set(scripts) == {"2xa100-ib_big", "1xgpu", "cpu", "collect"}
    assert "--exclude=node3,node4,node5,node6" in options_of(scripts["2xa100-ib_big"])
    assert "--gres=gpu:a100:2" in options_of(scripts["2xa100-ib_big"])
    assert "--nodelist=node3" in options_of(scripts["1xgpu"])


def test_each_gpu_has_a_job_beside_the_others_with_a_share_of_the_processors(slurm):
    err, scripts = slurm.submitted("--per", "gpu")
    assert set(scripts) == {"node1-gpu0", "node1-gpu1", "node2-gpu0", "node2-gpu1", "node3-gpu0", "collect"}
    assert {"--nodelist=node1", "--gres=gpu:a100:1", "--cpus-per-task=16"} <= set(options_of(scripts["node1-gpu1"]))
    assert "--exclusive" not in options_of(scripts["node1-gpu1"])
    assert "--mem=450000M" in options_of(scripts["node1-gpu1"])  # of a million, a tenth of which may be Slurm's
    assert "--mem" not in scripts["node3-gpu0"]  # whose memory the cluster was not told
    assert "shared: several jobs run on a node at once, each on its own GPU" in err


@pytest.mark.parametrize("option", ["--job-name=mine", "-Jmine", "--dependency=afterok:7", "-d afterok:7"])
def test_jobs_whose_name_or_order_is_the_users_wait_for_no_earlier_one(slurm, option):
    _, scripts = slurm.submitted("--nodelist", "node4", *option.split())
    assert "--dependency=singleton" not in options_of(scripts["node4"])
    assert options_of(scripts["node4"])[-1] == option


def test_a_variable_for_a_name_does_not_make_all_jobs_wait_for_each_other(slurm):
    slurm.submitted(SBATCH_JOB_NAME="mine")
    assert slurm.told_file("variables") == ""


def test_a_list_of_nodes_leaves_the_others_out_of_all_jobs(slurm):
    _, scripts = slurm.submitted("--nodelist", "node4,node2")
    assert set(scripts) == {"node4", "node2", "collect"}
    assert "--exclude=node1,node3,node5,node6" in options_of(scripts["collect"])


def test_a_node_that_is_listed_twice_has_one_job(slurm):
    _, scripts = slurm.submitted("--nodelist", "node4,node2,node4")
    assert set(scripts) == {"node4", "node2", "collect"}
    assert len(slurm.told_file("submitted").splitlines()) == 3


def test_a_node_that_is_called_as_the_last_jobs_files_has_files_of_its_own(slurm):
    (slurm.told / "nodes").write_text("all|main*|idle|8|64000|(null)|(null)\ncollect|main*|idle|8|64000|(null)|(null)\n")
    _, scripts = slurm.submitted()
    assert set(scripts) == {"all-2", "collect-2", "collect"}
    assert "--nodelist=all" in options_of(scripts["all-2"])
    assert slurm.run_job("all-2")[0] == 0
    assert collect_log(slurm)[0] == 0
    assert len(json_lines(slurm.shared / "all.jsonl")) == 1


def test_a_time_of_the_environment_that_is_too_short_is_said_where_none_is_given(slurm):
    code, _, err = slurm.submit(SBATCH_TIMELIMIT="2")
    assert code == 2 and 'SBATCH_TIMELIMIT must be more than 2 minutes, but is "2"' in err
    slurm.submitted("--time=5", SBATCH_TIMELIMIT="2")
    slurm.submitted("--time=UNLIMITED")


def test_paths_behind_the_end_of_options_are_of_the_folder_that_was_submitted_from(slurm):
    (slurm.folder / "cells.json").write_text('{"steps": [1, 2]}')
    _, scripts = slurm.submitted("--nodelist", "node4", run_options=(*CELL, "--config", "cells.json"))
    assert f"--chdir={slurm.folder}" in options_of(scripts["node4"])  # also where the printed script is run elsewhere
    assert slurm.run_job("node4")[0] == 0
    assert "does not see" not in (slurm.shared / "node4.log").read_text()
    gone = slurm.shared / "jobs/node4.sh"
    gone.write_text(gone.read_text().replace(f"start_folder={slurm.folder}", "start_folder=/nowhere"))
    assert slurm.run_job("node4")[0] == 0
    assert f"on-node4 does not see /nowhere, in which jobs start; there, paths after -- are relative to {slurm.folder}" in (slurm.shared / "node4.log").read_text()


def test_one_gpus_job_may_be_told_the_only_gpu_that_it_sees(slurm):
    slurm.submitted("--per", "gpu", run_options=("-m", "tiny-sd15", "--device", "cuda:0,cpu"))


def test_options_of_sbatch_are_handed_on_word_for_word_and_may_share_the_node(slurm):
    err, scripts = slurm.submitted("-p", "main,other", "--comment", "it's two words", "-A", "lab", "--oversubscribe")
    assert options_of(scripts["node1"])[-4:] == ["--partition=main,other", "--comment 'it'\\''s two words'", "-A lab", "--oversubscribe"]
    assert "--exclusive" not in options_of(scripts["node1"])
    assert "node7" in scripts
    assert "as sbatch's options say: other jobs may be on the node" in err


def test_the_partition_of_the_environment_is_sbatchs_too(slurm):
    _, scripts = slurm.submitted(SBATCH_PARTITION="other")
    assert "--partition=other" in options_of(scripts["node7"])


@pytest.mark.parametrize("printed_in, options", [("", ""), ("other", "--partition=other ")])
def test_a_printed_script_submits_to_the_partition_that_it_was_made_for(slurm, printed_in, options):
    _, script, _ = slurm.submit("--nodelist", "node4", "--dry-run", SBATCH_PARTITION=printed_in)
    subprocess.run(["bash", "-s"], input=script, cwd=slurm.folder, env=slurm.environment(SBATCH_PARTITION="main"), check=True, text=True)
    assert slurm.told_file("submitted").splitlines() == [f"--parsable {options}".strip(), f"--parsable {options}--dependency=afterany:1"]
    assert "SBATCH_PARTITION" not in slurm.told_file("variables")


@pytest.mark.parametrize("way", ["submitted", "printed"])
def test_variables_of_sbatch_undo_nothing_of_what_was_asked_for(slurm, way):
    variables = {"SBATCH_EXCLUSIVE": "user", "SBATCH_ARRAY_INX": "1-3", "SBATCH_MEM_PER_CPU": "4G", "SBATCH_WAIT": "1", "SBATCH_ACCOUNT": "lab",
                 "SBATCH_PARTITION": "other"}
    options = ("-p", "main", "--nodelist", "node4", "--comment", "it's two words")
    if way == "submitted":
        slurm.submitted(*options, **variables)
    else:
        _, script, _ = slurm.submit(*options, "--dry-run", **variables)
        subprocess.run(["bash", "-s"], input=script, cwd=slurm.folder, env=slurm.environment(**variables), check=True, text=True)
    assert set(slurm.told_file("variables").split()) == {"SBATCH_ACCOUNT=lab"}
    asked = slurm.told_file("submitted").splitlines()
    assert len(asked) == 2
    assert all(line.startswith("--parsable --partition=main --comment it's two words ") or
               line == "--parsable --partition=main --comment it's two words" for line in asked)  # sbatch heeds these, not the variables


@pytest.mark.parametrize("per, name", [("node", "node1"), ("gpu", "node1-gpu0")])
@pytest.mark.parametrize("memory", ["--mem-per-cpu=4G", "--mem=9G", "--mem-per-gpu=20G", "--mem-per-g=20G"])
def test_memory_that_was_asked_for_is_not_asked_for_twice(slurm, per, name, memory):
    _, scripts = slurm.submitted("--nodelist", "node1", "--per", per, memory)
    assert [option for option in options_of(scripts[name]) if option.startswith("--mem")] == [memory]


def test_how_memory_is_bound_is_no_amount_of_it(slurm):
    _, scripts = slurm.submitted("--nodelist", "node4", "--mem-bind=local")
    assert "--mem=0" in options_of(scripts["node4"])


def test_a_variable_for_memory_or_processors_undoes_no_share(slurm):
    variables = {"SBATCH_MEM_PER_CPU": "4G", "SBATCH_MEM_PER_GPU": "4G", "SBATCH_MEM_PER_NODE": "4G", "SBATCH_CPUS_PER_GPU": "1", "SBATCH_CLUSTERS": "x"}
    slurm.submitted("--per", "gpu", "--nodelist", "node1", **variables)
    assert slurm.told_file("variables") == ""
    slurm.submitted("--nodelist", "node4", "--oversubscribe", **variables)  # where it is the cluster's to say
    assert set(slurm.told_file("variables").split()) == {f"SBATCH_MEM_PER_{what}=4G" for what in ("CPU", "GPU", "NODE")}


def test_the_scripts_of_two_printings_do_not_meet_in_one_folder(slurm):
    first, second = (slurm.submit("--nodelist", "node4", "--dry-run")[1] for _ in range(2))
    def answer(script):
        return subprocess.run(["bash", "-s"], input=script, cwd=slurm.folder, env=slurm.environment(), capture_output=True, text=True)
    assert answer(first).returncode == 0
    asked = slurm.told_file("submitted")
    done = answer(second)
    assert done.returncode == 1 and "shared is of another submission; print this script again, or name another --folder" in done.stderr
    assert slurm.told_file("submitted") == asked
    assert answer(first).returncode == 0  # again, into its own


def test_a_printed_script_leaves_the_token_that_another_puts_there_just_before_its_own(slurm):
    _, script, _ = slurm.submit("--nodelist", "node4", "--dry-run")
    (slurm.told / "bin/ln").write_text(f'#!/bin/sh\necho other >"$2"\nexec {shutil.which("ln")} "$@"\n')
    (slurm.told / "bin/ln").chmod(0o755)
    done = subprocess.run(["bash", "-s"], input=script, cwd=slurm.folder, env=slurm.environment(), capture_output=True, text=True)
    assert done.returncode == 1 and "shared is of another submission" in done.stderr
    assert (slurm.shared / "token").read_text() == "other\n" and not slurm.told_file("submitted")
    assert sorted(file.name for file in slurm.shared.iterdir()) == ["jobs", "token"]


def test_a_printed_script_needs_no_links_of_its_file_system(slurm):
    _, script, _ = slurm.submit("--nodelist", "node4", "--dry-run")
    (slurm.told / "bin/ln").write_text("#!/bin/sh\nexit 1\n")
    (slurm.told / "bin/ln").chmod(0o755)
    for _ in range(2):  # again, into its own
        done = subprocess.run(["bash", "-s"], input=script, cwd=slurm.folder, env=slurm.environment(), capture_output=True, text=True)
        assert (done.returncode, done.stderr) == (0, "")
    assert sorted(file.name for file in slurm.shared.iterdir()) == ["jobs", "token"]


def test_one_gpus_job_may_keep_other_users_off_its_node(slurm):
    err, scripts = slurm.submitted("--per", "gpu", "--exclusive=user")
    assert options_of(scripts["node1-gpu0"])[-1] == "--exclusive=user"
    assert "shared: several jobs run on a node at once" in err


def test_a_node_for_a_job_alone_may_be_asked_for_in_short(slurm):
    err, scripts = slurm.submitted("--nodelist", "node1", "--exclus")
    assert "--mem=0" in options_of(scripts["node1"])
    assert "exclusive: no other job is on a job's node" in err


@pytest.mark.parametrize("per, name, seen, is_said", [("gpu", "node1-gpu0", "0,1", True), ("gpu", "node1-gpu0", "1", False), ("node", "node1", "0,1", False)])
def test_one_gpus_job_that_sees_more_of_them_says_so(slurm, per, name, seen, is_said):
    slurm.submitted("--nodelist", "node1", "--per", per)
    assert slurm.run_job(name, CUDA_VISIBLE_DEVICES=seen)[0] == 0
    words = (f"the job must see one GPU, but sees {seen}, as where a partition gives whole nodes: all jobs of on-{name} measure the same; "
             "submit with --per node, and --device all behind --")
    assert (words in (slurm.shared / f"{name}.log").read_text()) == is_said


def test_run_options_reach_the_script_whatever_is_in_them(slurm):
    wish = "a cat's $HOME \"here\"\nand `there`"
    slurm.submitted("--nodelist", "node4", run_options=(*CELL, "--label", wish))
    (slurm.told / "job").write_text("JobId=1 OverSubscribe=NO Contiguous=0\n")
    code, _, _ = slurm.run_job("node4")
    assert code == 0
    assert [row["label"] for row in json_lines(slurm.shared / "node4.jsonl")] == [wish]


def test_the_printed_script_makes_nothing_until_it_is_run_and_then_what_submit_makes(slurm):
    code, script, _ = slurm.submit("--nodelist", "node3,node4", "--dry-run")
    assert code == 0
    assert not slurm.shared.exists() and not slurm.told_file("submitted")
    done = subprocess.run(["bash", "-s"], input=script, cwd=slurm.folder, env=slurm.environment(), capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert slurm.told_file("submitted").splitlines() == ["--parsable", "--parsable", "--parsable --dependency=afterany:1:2"]
    assert not slurm.told_file("cancelled")
    token = (slurm.shared / "token").read_text().strip()
    _, scripts = slurm.submitted("--nodelist", "node3,node4")  # into the folder that is there now
    assert (slurm.shared / "token").read_text().strip() == token
    assert slurm.told_file("script1") == scripts["node3"]
    jobs, jobs_again = "\njobs=(1:node3 2:node4)\n", "\njobs=(4:node3 5:node4)\n"
    assert jobs in slurm.told_file("script3") and jobs_again in scripts["collect"]
    assert slurm.told_file("script3").replace(jobs, jobs_again) == scripts["collect"]


def test_a_printed_script_from_which_a_job_was_taken_out_collects_the_others(slurm):
    _, script, _ = slurm.submit("--nodelist", "node2,node3,node4", "--dry-run")
    without = re.sub("(?ms)^# node3$.*?(?=^# node4$)", "", script)
    assert without != script
    subprocess.run(["bash", "-s"], input=without, cwd=slurm.folder, env=slurm.environment(), check=True, capture_output=True, text=True)
    assert slurm.told_file("submitted").splitlines()[-1] == "--parsable --dependency=afterany:1:2"
    jobs = slurm.shared / "jobs"
    for number, name in enumerate(("node2", "node4", "collect"), 1):
        (jobs / f"{name}.sh").write_text(slurm.told_file(f"script{number}"))
        assert finish(slurm.start_job(name, number=str(number)))[0] == 0
    assert len(json_lines(slurm.shared / "all.jsonl")) == 2
    log = (slurm.shared / "collect.log").read_text()
    assert "left no trace" not in log and "was ended before" not in log  # each is asked for by its own number


@pytest.mark.parametrize("refused, cancelled", [("3", "1 2\n"), ("1", "")])
def test_the_printed_script_submits_all_or_none(slurm, refused, cancelled):
    _, script, _ = slurm.submit("--dry-run")
    (slurm.told / "refused").write_text(refused)
    done = subprocess.run(["bash", "-s"], input=script, cwd=slurm.folder, env=slurm.environment(), capture_output=True, text=True)
    assert done.returncode == 1
    assert "Batch job submission failed" in done.stderr and "not all jobs were submitted; those whose numbers are known have been cancelled" in done.stderr
    assert slurm.told_file("cancelled") == cancelled


def test_a_printed_script_that_was_cut_does_nothing(slurm):
    _, script, _ = slurm.submit("--nodelist", "node3,node4", "--dry-run")
    lines = script.splitlines(keepends=True)
    for part in (len(lines) // 4, len(lines) // 2, len(lines) - 2):
        subprocess.run(["bash", "-s"], input="".join(lines[:part]), cwd=slurm.folder, env=slurm.environment(), capture_output=True, text=True)
        assert not slurm.shared.exists() and not slurm.told_file("submitted")


def test_a_script_that_cannot_be_printed_whole_is_an_error(slurm):
    with open("/dev/full", "w") as full:
        job = start(slurm.folder, "slurm", "submit", "--dry-run", "--", *CELL, program=slurm.program, env=slurm.environment(), stdout=full)
        code, _, err = finish(job)
    assert code == 1 and "cannot write to standard output: it is closed or full" in err


@pytest.mark.parametrize("options, run_options, words", [
    (("--per", "rack"), CELL, '--per must be node, type or gpu, but is "rack"'),
    (("--per", "nod"), CELL, "did you mean node?"),
    (("--per", "node", "--per", "gpu"), CELL, "--per must be given once, but is given 2 times"),
    (("-N2",), CELL, "must leave --nodes to sdbench, but hold it: a job has one node"),
    (("--array=1-3",), CELL, "must leave --array to sdbench"),
    (("--exclude", "node1"), CELL, "must leave --exclude to sdbench, but hold it: --nodelist says where jobs may run"),
    (("--wrap", "true"), CELL, "must leave --wrap to sdbench"),
    (("--version",), CELL, "must leave --version to sdbench, but hold it: sbatch would print it, and submit nothing"),
    (("-V",), CELL, "must leave --version to sdbench"),
    (("--wait",), CELL, "must leave --wait to sdbench, but hold it: nothing waits for the jobs"),
    (("-W",), CELL, "must leave --wait to sdbench"),
    (("--test-only",), CELL, "must leave --test-only to sdbench, but hold it: --dry-run prints what would be submitted"),
    (("-Q",), CELL, "must leave --quiet to sdbench, but hold it: sbatch must print the numbers of the jobs"),
    (("--no-requeue",), CELL, "must leave --no-requeue to sdbench, but hold it: a job continues after its requeue"),
    (("-Mother",), CELL, "must leave --clusters to sdbench"),
    (("--nodefile=f",), CELL, "must leave --nodefile to sdbench"),
    (("--signal=B:USR1@5",), CELL, "must leave --signal to sdbench"),
    (("--chdir=/tmp",), CELL, "must leave --chdir to sdbench, but hold it: jobs start in the folder that you submit from"),
    (("--arr=1-3",), CELL, "must leave --array to sdbench"),
    (("--part", "other"), CELL, "must leave --partition to sdbench, but hold it: write the name whole"),
    (("-D", "/tmp"), CELL, "must leave --chdir to sdbench"),
    (("--comment", "two\nlines"), CELL, "SBATCH OPTIONS must be of one line each, but there is"),
    (("-p", ""), CELL, "--partition must not be empty; leave it out, or give NAME"),
    (("--partition=",), CELL, "--partition must not be empty"),
    (("-w", ""), CELL, "--nodelist must not be empty; leave it out, or give NODES"),
    (("--per", ""), CELL, '--per must be node, type or gpu, but is ""'),
    (("--time", "2"), CELL, '--time must be more than 2 minutes, but is "2": that long before its end, a job stops its cell'),
    (("--time=0:30",), CELL, "--time must be more than 2 minutes"),
    (("-t1",), CELL, "--time must be more than 2 minutes"),
    (("-t", "5", "--time=00:02:00"), CELL, "--time must be more than 2 minutes"),
    (("--tim=1",), CELL, '--time must be more than 2 minutes, but is "1"'),
    (("--time-m", "1", "--time=1:00:00"), CELL, '--time-min must be more than 2 minutes, but is "1"'),
    (("--time-min=1", "-t", "1:00:00"), CELL, '--time-min must be more than 2 minutes, but is "1"'),
    (("--per", "gpu", "--exclusive"), CELL, "--per gpu must not have --exclusive, because each job would see all GPUs of its node; to measure one GPU after the other"),
    (("--per", "gpu", "--exclu"), CELL, "must leave --exclude to sdbench"),
    (("--per", "gpu", "--exclus"), CELL, "--per gpu must not have --exclusive"),
    (("--per", "gpu", "--gres=gpu:2"), CELL, "--per gpu must not have --gres, because each job asks for one GPU; write --per node to ask for GPUs yourself"),
    (("--per", "gpu", "-G2"), CELL, "--per gpu must not have --gpus,"),
    (("--per", "gpu", "--gpus-per-n", "2"), CELL, "--per gpu must not have --gpus-per-node,"),
    (("--per", "gpu"), ("-m", "tiny-sd15", "--device", "cuda:9"), "--device must not count GPUs behind --per gpu, whose jobs see one GPU each, but is"),
    (("--per", "gpu"), ("-m", "tiny-sd15", "--device", "cuda:0,cuda:1", "--parallel"), '--device must not count GPUs behind --per gpu'),
    (("sd15",), CELL, 'SBATCH OPTIONS must be options, but there is "sd15"'),
    (("--time", "1:00:00", "job.sh"), CELL, 'SBATCH OPTIONS must be options, but there is "job.sh"'),
    (("--time=1:00:00", "job.sh"), CELL, 'SBATCH OPTIONS must be options, but there is "job.sh"'),
    (("--exclusive", "job.sh"), CELL, 'SBATCH OPTIONS must be options, but there is "job.sh"'),
    (("-s", "job.sh"), CELL, 'SBATCH OPTIONS must be options, but there is "job.sh"'),
    (("-t60", "job.sh"), CELL, 'SBATCH OPTIONS must be options, but there is "job.sh"'),
    ((), ("--modle", "sd15"), 'unknown option "--modle"'),
    ((), ("--steps", "many"), "--steps must be"),
    ((), (*CELL, "-o", "rows.csv"), "RUN OPTIONS must not hold --output, because all jobs would write there"),
    ((), (*CELL, "--save-images", "out"), "RUN OPTIONS must not hold --save-images"),
    ((), (*CELL, "--telemetry", "t.csv"), "RUN OPTIONS must not hold --telemetry"),
    ((), (*CELL, "--dump-latents", "l.safetensors"), "RUN OPTIONS must not hold --dump-latents"),
    ((), (*CELL, "--dry-run"), "--dry-run must be given before --, but is given after it"),
    ((), ("--version",), "RUN OPTIONS must say what to measure, but ask for a text"),
])
def test_a_wrong_command_is_said_in_one_line_before_anything_is_queued(slurm, options, run_options, words):
    code, out, err = slurm.submit(*options, run_options=run_options)
    assert (code, out) == (2, "")
    assert words in err and len(err.splitlines()) == 1
    assert not slurm.told_file("submitted") and not slurm.shared.exists()


def test_the_help_says_that_options_of_run_follow(slurm):
    _, out, _ = run(slurm.folder, "slurm", "submit", "--help", program=slurm.program)
    assert "Usage: sdbench slurm submit [OPTIONS] [SBATCH OPTIONS] -- [RUN OPTIONS]\n" in out


@pytest.mark.parametrize("arguments, words", [
    (("slurm",), "slurm must be followed by submit, but is followed by nothing"),
    (("slurm", "squeue"), 'slurm must be followed by submit, but is followed by "squeue"'),
    (("slurm", "submit", "--time", "1:00"), "slurm submit must have -- before the options of sdbench run, but has none"),
])
def test_what_is_no_submission_is_said(slurm, arguments, words):
    code, _, err = run(slurm.folder, *arguments, program=slurm.program, env=slurm.environment())
    assert code == 2
    assert words in err


def test_a_machine_without_slurm_is_said(slurm):
    code, _, err = slurm.submit(PATH="/nowhere")
    assert code == 1
    assert "Slurm must be installed here, but sinfo is not in PATH; submit where the cluster's users log in" in err


def test_a_slurm_that_does_not_answer_is_said_in_its_words(slurm):
    (slurm.told / "nodes").write_text("")
    (slurm.told / "sinfo_says").write_text("slurm_load_partitions: Unable to contact slurm controller\n")
    code, _, err = slurm.submit()
    assert code == 1
    assert "sinfo must tell the nodes, but says: slurm_load_partitions: Unable to contact slurm controller" in err


@pytest.mark.parametrize("nodes, options, words", [
    ("", ("-p", "gpu"), '--partition must name one with nodes, but "gpu" has none'),
    ("node1|other|idle|8|64000|(null)|(null)\n", (), "the cluster must have a default partition with nodes, but has none"),
    (NODES, ("-w", "node4,node9"), '--nodelist must name nodes of the default partition, but "node9" is not one'),
    (NODES, ("-w", "node5,node6"), "a node must take jobs, but node5 is drained, and so are the others"),
    (NODES, ("-w", "node4", "--per", "gpu"), "--per gpu must have nodes with GPUs, but sinfo lists no gres gpu for any node"),
    ("node1 idle\n", (), 'sinfo must print seven fields of each node, but prints "node1 idle"'),
])
def test_a_cluster_that_has_no_such_nodes_is_said(slurm, nodes, options, words):
    (slurm.told / "nodes").write_text(nodes)
    code, out, err = slurm.submit(*options)
    assert (code, out) == (1, "")
    assert words in err and not slurm.told_file("submitted")


def test_where_one_job_is_refused_those_before_it_are_taken_out_of_the_queue(slurm):
    (slurm.told / "refused").write_text("3")
    code, _, err = slurm.submit()
    assert code == 1
    assert "sbatch must take the job node3, but says: sbatch: error: Batch job submission failed: no; the jobs that were queued have been cancelled" in err
    assert slurm.told_file("cancelled") == "1 2\n"


def test_jobs_that_cannot_be_taken_out_of_the_queue_are_named(slurm):
    (slurm.told / "refused").write_text("3")
    (slurm.told / "no_cancel").write_text("")
    assert "the jobs that were queued must be cancelled, but are not; cancel them with: scancel 1 2\n" in slurm.submit()[2]
    _, script, _ = slurm.submit("--dry-run")
    (slurm.told / "count").write_text("0")
    done = subprocess.run(["bash", "-s"], input=script, cwd=slurm.folder, env=slurm.environment(), capture_output=True, text=True)
    assert done.returncode == 1
    assert "those whose numbers are known must be cancelled, but are not; cancel them with: scancel 1 2\n" in done.stderr


@pytest.mark.parametrize("job, queued", [("2", "1 2"), ("5", "1 2 3 4 5")])  # 5: the last one
@pytest.mark.parametrize("way", ["submitted", "printed"])
def test_a_submission_that_is_interrupted_leaves_no_job_in_the_queue(slurm, way, job, queued):
    _, script, _ = slurm.submit("--dry-run")
    (slurm.told / "interrupted").write_text(job)
    words = ("slurm", "submit", "--folder", "shared", "--", *CELL) if way == "submitted" else ("-c", script)
    code, out, err = run(slurm.folder, *words, program=slurm.program if way == "submitted" else "bash", env=slurm.environment(), start_new_session=True)
    assert code == 128 + signal.SIGTERM
    assert len(slurm.told_file("submitted").splitlines()) == int(job)
    assert slurm.told_file("cancelled") == f"{queued}\n"
    assert "have been cancelled" in err
    assert "report.html" not in out


def test_an_sbatch_that_is_killed_may_have_queued_its_job(slurm):
    (slurm.told / "killed").write_text("2")
    code, _, err = slurm.submit()
    assert code == 1
    assert ("sbatch must take the job node2, but says: nothing, with exit code 137; the job may be in the queue all the same: see squeue; "
            "the jobs that were queued have been cancelled") in err
    assert slurm.told_file("cancelled") == "1\n"


def test_an_sbatch_that_prints_no_number_is_said(slurm):
    (slurm.told / "no_number").write_text("")
    code, out, err = slurm.submit()
    assert (code, out) == (1, "")
    assert ('sbatch must print the number of the job node1 in a line of its own, but prints "Submitted a job"; '
            "the job may be in the queue all the same: see squeue") in err
    _, script, _ = slurm.submit("--dry-run")
    done = subprocess.run(["bash", "-s"], input=script, cwd=slurm.folder, env=slurm.environment(), capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("Submitted a job\nthe job node1 may be in the queue all the same, because sbatch must print its number in a line of its own, but ")
    assert not slurm.told_file("cancelled")


def test_a_folder_of_other_files_is_refused(slurm):
    slurm.shared.mkdir()
    (slurm.shared / "thesis.txt").write_text("mine")
    code, _, err = slurm.submit()
    assert code == 1
    assert f"--folder must be new, empty, or of an earlier slurm submit, but {slurm.shared} holds other files" in err
    assert [file.name for file in slurm.shared.iterdir()] == ["thesis.txt"]


def test_a_folder_in_which_a_submission_has_done_no_more_than_begin_is_as_new(slurm):
    (slurm.shared / "jobs").mkdir(parents=True)
    (slurm.shared / "token.tmp4711").write_text("")  # of a file system that cannot write a file without its name
    (slurm.shared / "jobs/submit.lock").write_text("")
    slurm.submitted("--nodelist", "node4")


@pytest.mark.parametrize("name", ("jobs/thesis.sh", "jobs/submit.lock/thesis.txt", "token.tmp", "token.tmp4711/thesis.txt", "jobs"))
def test_a_folder_of_other_files_under_a_submissions_names_is_refused(slurm, name):
    file = slurm.shared / name
    file.parent.mkdir(parents=True)
    file.write_text("mine")
    code, _, err = slurm.submit()
    assert code == 1
    assert f"--folder must be new, empty, or of an earlier slurm submit, but {slurm.shared} holds other files" in err
    assert [file for file in slurm.shared.rglob("*") if file.is_file()] == [file]


def submit_twice_at_once(slurm, **more):
    for _ in range(4):
        shutil.rmtree(slurm.shared, ignore_errors=True)
        (slurm.told / "submitted").unlink(missing_ok=True)
        words = ("slurm", "submit", "--folder", "shared", "--nodelist", "node3,node4", "--", *CELL)
        both = [start(slurm.folder, *words, program=slurm.program, env=slurm.environment(**more)) for _ in range(2)]
        answers = [finish(process) for process in both]
        assert 0 in [code for code, _, _ in answers], answers
        for code, out, err in answers:
            assert code == 0 or (out == "" and "another submission has just begun in" in err), err
        assert len(slurm.told_file("submitted").splitlines()) == 3 * [code for code, _, _ in answers].count(0)
        token = (slurm.shared / "token").read_text().strip()
        assert {re.search("(?m)^token=(.*)$", file.read_text())[1].strip("'") for file in (slurm.shared / "jobs").glob("*.sh")} == {token}


def test_two_submissions_at_once_into_a_new_folder_are_one_folder_and_whole(slurm):
    submit_twice_at_once(slurm)


def test_two_submissions_at_once_are_one_folder_also_where_there_are_no_locks(slurm, no_locks):
    submit_twice_at_once(slurm, LD_PRELOAD=no_locks)


def test_a_folder_whose_lock_cannot_be_had_is_refused_before_anything_is_queued(slurm):
    slurm.submitted("--nodelist", "node4")
    asked = slurm.told_file("submitted")
    lock = slurm.shared / "jobs/submit.lock"
    lock.unlink()
    lock.mkdir()
    code, _, err = slurm.submit("--nodelist", "node4")
    assert code == 1 and f"cannot submit into {slurm.shared}: {lock} must be writable, but is not: Is a directory; make it so, or name another" in err
    assert slurm.told_file("submitted") == asked


@pytest.mark.parametrize("name", ("shared", "shared/below"))
def test_a_folder_that_is_a_file_is_said(slurm, name):
    slurm.shared.write_text("mine")
    code, _, err = run(slurm.folder, "slurm", "submit", "--folder", name, "--", *CELL, program=slurm.program, env=slurm.environment())
    assert code == 1
    assert f"--folder must be a folder that can be read, but {slurm.folder / name} is not: Not a directory; name another" in err
    assert slurm.shared.read_text() == "mine"


def test_a_folder_into_which_another_submits_just_now_is_waited_for_and_then_refused(slurm):
    slurm.submitted("--nodelist", "node4")
    asked = slurm.told_file("submitted")
    with open(slurm.shared / "jobs/submit.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        code, _, err = slurm.submit("--nodelist", "node4")
    assert code == 1 and f"cannot submit into {slurm.shared}: another program keeps it locked" in err
    assert slurm.told_file("submitted") == asked


def test_a_job_says_where_it_ran_and_whether_others_could_be_there(slurm):
    slurm.submitted("--nodelist", "node4")
    for sharing, words in (("NO", "exclusive"), ("OK", "shared"), ("USER", "shared")):
        (slurm.told / "job").write_text(f"JobId=1 JobName=x OverSubscribe={sharing} Contiguous=0\n")
        (slurm.shared / "node4.jsonl").unlink(missing_ok=True)
        assert slurm.run_job("node4")[0] == 0
        row, = json_lines(slurm.shared / "node4.jsonl")
        assert (row["slurm_job"], row["slurm_node"], row["slurm_partition"], row["slurm_sharing"]) == (slurm.number("node4"), "on-node4", "main", words)
    (slurm.told / "job").unlink()  # scontrol does not answer
    (slurm.shared / "node4.jsonl").unlink()
    assert slurm.run_job("node4")[0] == 0
    assert json_lines(slurm.shared / "node4.jsonl")[0]["slurm_sharing"] == ""


def refusal(slurm, name, **more):
    """What a job says that does nothing, which must stand in its comment, too."""
    code, _, err = slurm.run_job(name, **more)
    assert code == 1
    log = slurm.shared / f"{name}.log"
    said = (err + (log.read_text() if log.exists() else "")).splitlines()[-1].removeprefix("sdbench slurm: ")
    assert f"update JobId={slurm.number(name)} Comment={said}" in slurm.told_file("asked")
    return said


def test_a_node_that_sees_another_folder_in_its_place_measures_nothing(slurm):
    slurm.submitted("--nodelist", "node4")
    (slurm.shared / "token").write_text("another\n")
    assert refusal(slurm, "node4") == (f"{slurm.shared} must be one folder that all nodes see, but on-node4 does not see its token; "
                                       "name a shared one with --folder")
    assert not (slurm.shared / "node4.jsonl").exists()


def test_a_node_that_does_not_see_the_program_or_its_worker_says_so(slurm, program):
    moved = slurm.folder / "tree"
    shutil.copytree(program.parents[1], moved, symlinks=True)
    slurm.program = moved / "bin/sdbench"
    slurm.submitted("--nodelist", "node4")
    shutil.rmtree(moved / "libexec")
    assert refusal(slurm, "node4").startswith(f"on-node4 must see a worker beside {moved}/bin/sdbench, but there is none")
    (moved / "bin/sdbench").write_text("#!/bin/sh\necho '/lib/libc.so.6: version GLIBC_2.99 not found'\nexit 1\n")
    assert refusal(slurm, "node4") == f"{moved}/bin/sdbench must start on on-node4, but does not: /lib/libc.so.6: version GLIBC_2.99 not found"
    (moved / "bin/sdbench").unlink()
    assert refusal(slurm, "node4").startswith(f"on-node4 must see {moved}/bin/sdbench, but does not")
    shutil.rmtree(moved)
    shutil.copytree(program.parents[1], moved, symlinks=True)  # as the last job's node sees it
    log = collect_log(slurm)[1]
    assert "node4 ended with exit code 1; see" in log and "submit again" not in log


def test_a_job_that_was_ended_in_the_middle_of_a_row_measures_that_cell_again_and_no_other(slurm):
    slurm.submitted("--nodelist", "node4", run_options=(*CELL, "--steps", "1,2,3"))
    assert slurm.run_job("node4")[0] == 0
    rows = slurm.shared / "node4.jsonl"
    lines = rows.read_bytes().splitlines(keepends=True)
    rows.write_bytes(b"".join(lines[:2]) + lines[2][:1000])
    assert slurm.run_job("node4", SLURM_RESTART_COUNT="1")[0] == 0
    again = rows.read_bytes().splitlines(keepends=True)
    assert again[:2] == lines[:2]
    assert [row["steps"] for row in json_lines(rows)] == [1, 2, 3]
    assert "start 2" in (slurm.shared / "node4.log").read_text()


def end_in_the_third_cell(slurm):
    """As Slurm does where the time is up."""
    slurm.submitted("--nodelist", "node4", run_options=(*CELL, "--steps", "1,2,3,4,5,6"))
    job = slurm.start_job("node4", SDBENCH_STUB="hang@3")
    log = slurm.shared / "node4.log"
    wait_until(lambda: log.exists() and "request 2 of" in log.read_text())  # what the stub says in its third cell
    job.send_signal(signal.SIGUSR1)
    finish(job)
    assert "requeue 1" in slurm.told_file("asked")
    assert [(row["steps"], row["status"]) for row in json_lines(slurm.shared / "node4.jsonl")] == [(1, "ok"), (2, "ok"), (3, "interrupted")]


def test_a_job_that_slurm_does_not_requeue_says_so(slurm):
    (slurm.told / "no_requeue").write_text("Requested operation is presently disabled for job 1\n")
    end_in_the_third_cell(slurm)
    why = "node4 must be requeued, but Slurm says: Requested operation is presently disabled for job 1; submit again to measure what it lacks"
    assert f"Comment={why}" in slurm.told_file("asked")
    assert why in (slurm.shared / "node4.log").read_text()


@pytest.mark.parametrize("rows, code, end, ahead, requeued", [
    ([("device", "ok"), ("sum", "interrupted")], 143, 0, "", False),  # a device of several had done its part
    ([("device", "interrupted"), ("sum", "ok"), ("device", "interrupted"), ("sum", "interrupted")], 143, 0, "", True),
    ([("", "interrupted")], 143, 3600, "", True),  # it is preempted long before its time is up
    ([("", "interrupted")], 143, 100, "", False),
    ([("", "interrupted")], 143, 100, "300", False),  # the controller's clock is ahead of the node's, which would reckon more
    ([("", "interrupted")], 143, 400, "-300", True),
    ([("", "ok")], 0, 0, "", False),  # it was done all the same
    ([("", "ok"), ("", "oom_device")], 3, 0, "", False),
])
def test_a_job_that_is_told_to_end_asks_for_another_start_if_that_leads_on(slurm, program, rows, code, end, ahead, requeued):
    (slurm.told / "ahead").write_text(ahead)
    slurm.program = slurm.folder / "tree/bin/sdbench"
    shutil.copytree(program.parents[1], slurm.folder / "tree", symlinks=True)
    slurm.submitted("--nodelist", "node4")
    (slurm.told / "rows").write_text("".join(f'{{"status":"{status}","parallel_role":"{role}"}}\n' for role, status in rows))
    slurm.program.unlink()  # it may be a link
    slurm.program.write_text(f"#!/bin/bash\n[ $1 != --version ] || exit 0\n"
                             f"trap 'cat {slurm.told}/rows >>{slurm.shared}/node4.jsonl; exit {code}' TERM\necho waits >&2\nsleep 60 & wait\n")
    slurm.program.chmod(0o755)
    job = slurm.start_job("node4", SLURM_JOB_END_TIME=str(int(time.time()) + int(ahead or 0) + end))
    log = slurm.shared / "node4.log"
    wait_until(lambda: log.exists() and "waits" in log.read_text())
    job.send_signal(signal.SIGUSR1)
    finish(job)
    assert (f"requeue {slurm.number('node4')}" in slurm.told_file("asked")) == requeued
    assert ("must finish a cell within its time limit" in log.read_text()) == (code == 143 and not requeued)


def test_a_job_whose_time_is_up_is_requeued_if_it_has_done_a_cell(slurm):
    end_in_the_third_cell(slurm)
    assert "must be requeued" not in (slurm.shared / "node4.log").read_text()
    job = slurm.start_job("node4", SDBENCH_STUB="hang@3")  # the cell does not fit into the time
    wait_until(lambda: (slurm.shared / "node4.log").read_text().count("start 1") == 2)
    time.sleep(0.5)
    job.send_signal(signal.SIGUSR1)
    assert finish(job)[0] == 1
    assert slurm.told_file("asked").count("requeue 1") == 1
    assert "Comment=node4 must finish a cell within its time limit, but has not; give more with --time" in slurm.told_file("asked")


def test_a_cell_that_failed_in_a_job_is_not_tried_again_in_its_next_start(slurm):
    options = ("--nodelist", "node4")
    cells = (*CELL, "--steps", "1,2", "--retry-failed")
    slurm.submitted(*options, run_options=cells)
    def steps_after(code, **more):
        assert slurm.run_job("node4", **more)[0] == code
        return [(row["steps"], row["status"]) for row in json_lines(slurm.shared / "node4.jsonl")]
    failed = [(1, "crash"), (2, "crash")]
    assert steps_after(1, SDBENCH_STUB="exit3") == failed
    assert steps_after(1, SLURM_RESTART_COUNT="1") == failed
    slurm.submitted(*options, run_options=cells)  # another job, which may
    assert steps_after(0) == [*failed, (1, "ok"), (2, "ok")]


def collect_log(slurm):
    code, _, err = slurm.run_job("collect")
    return code, (slurm.shared / "collect.log").read_text()


def test_the_last_jobs_of_two_submissions_join_rows_one_after_the_other(slurm):
    slurm.submitted("--nodelist", "node4")
    assert slurm.run_job("node4")[0] == 0
    with open(slurm.shared / "jobs/collect.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        process = slurm.start_job("collect")
        time.sleep(1)
        assert process.poll() is None and not (slurm.shared / "all.jsonl").exists()
    assert finish(process)[0] == 0 and (slurm.shared / "all.jsonl").exists()


def test_the_last_job_makes_one_file_a_comparison_and_a_page_of_what_is_there_and_says_what_is_not(slurm):
    slurm.submitted("--nodelist", "node3,node4")
    assert slurm.run_job("node3")[0] == 0
    code, log = collect_log(slurm)
    assert code == 0, log
    assert "node4 has left no trace here: its node does not see" in log
    assert len(json_lines(slurm.shared / "all.jsonl")) == 1
    assert (slurm.shared / "comparison.txt").stat().st_size > 0
    assert "</html>" in (slurm.shared / "report.html").read_text()
    assert slurm.run_job("node4", SDBENCH_STUB="exit3")[0] == 1  # its only cell fails
    code, log = collect_log(slurm)
    assert code == 0
    assert "node4 ended with exit code 1; see" in log
    number = slurm.number("node4")
    with open(slurm.shared / "jobs/node4.state", "a") as state:
        state.write(f"started {number} on-node4\n")
    assert f"node4 (job {number}) was ended before it was done; submit again" in collect_log(slurm)[1]


def test_two_jobs_that_measured_one_card_are_said(slurm):
    options = ("--per", "gpu", "--nodelist", "node1")
    slurm.submitted(*options)
    names = ("node1-gpu0", "node1-gpu1")
    def collected(*cards):
        for name, card in zip(names, cards):
            file = slurm.shared / f"{name}.jsonl"
            file.unlink(missing_ok=True)
            assert slurm.run_job(name)[0] == 0
            row, = json_lines(file)
            file.write_text(json.dumps({**row, "device_uuid": card}, separators=(",", ":")) + "\n")
        (slurm.shared / "collect.log").unlink(missing_ok=True)
        return collect_log(slurm)[1]
    words = "node1-gpu1 has measured the card of node1-gpu0 (GPU-1), so another one may have no rows"
    assert words in collected("GPU-1", "GPU-1")
    assert "has measured the card of" not in collected("GPU-1", "GPU-2")
    assert "has measured the card of" not in collected("", "")  # no GPU
    assert "has measured the card of" not in collected("GPU-1", "GPU-2")
    slurm.submitted(*options)  # whose jobs have measured nothing, for all is there
    assert "has measured the card of" not in collect_log(slurm)[1]


def test_a_submission_into_the_folder_of_jobs_that_run_leaves_them_their_traces(slurm):
    slurm.submitted("--nodelist", "node3,node4")
    first = slurm.number("node4")
    job = slurm.start_job("node4", SDBENCH_STUB="slow")
    state = slurm.shared / "jobs/node4.state"
    wait_until(lambda: state.exists() and state.read_text())
    slurm.submitted("--nodelist", "node3,node4")
    assert finish(job)[0] == 0
    assert state.read_text() == f"started {first} on-node4\nended {first} 0\n"
    log = collect_log(slurm)[1]  # of the second submission, of which no job has begun
    assert "node3 has left no trace here" in log and "node4 has left no trace here" in log


def test_the_rows_of_earlier_submissions_into_the_folder_stay_in_the_comparison(slurm):
    slurm.submitted("--nodelist", "node3")
    assert slurm.run_job("node3")[0] == 0
    slurm.submitted("--nodelist", "node4")
    assert slurm.run_job("node4")[0] == 0
    shutil.copy(slurm.shared / "node4.jsonl", slurm.shared / "mine.jsonl")  # of no job
    for _ in range(2):  # nor is all.jsonl
        assert collect_log(slurm)[0] == 0
        assert sorted(row["slurm_node"] for row in json_lines(slurm.shared / "all.jsonl")) == ["on-node3", "on-node4"]
    assert "duplicates left out" not in collect_log(slurm)[1]


def test_the_last_job_has_nothing_to_compare_where_no_job_wrote_a_row(slurm):
    slurm.submitted("--nodelist", "node4")
    assert refusal(slurm, "collect") == f"no job has written a row into {slurm.shared}; see its logs"


def test_the_last_job_leaves_out_a_row_that_is_still_being_written_and_counts_no_run_twice(slurm):
    slurm.submitted("--nodelist", "node3,node4", run_options=(*CELL, "--steps", "1,2"))
    for name in ("node3", "node4"):
        assert slurm.run_job(name)[0] == 0
    first, second = (slurm.shared / f"{name}.jsonl" for name in ("node3", "node4"))
    lines = second.read_bytes().splitlines(keepends=True)
    second.write_bytes(first.read_bytes() + lines[0] + lines[1][:1000])  # a job's rows once more, too
    code, log = collect_log(slurm)
    assert code == 0
    assert "left out" in log and "2 duplicates left out" in log
    assert sorted(row["steps"] for row in json_lines(slurm.shared / "all.jsonl")) == [1, 1, 2]


def test_the_same_cell_run_twice_is_two_rows_of_one_measurement(slurm):
    slurm.submitted("--nodelist", "node4")
    assert slurm.run_job("node4")[0] == 0
    row = (slurm.shared / "node4.jsonl").read_text()
    (slurm.shared / "node4.jsonl").unlink()
    assert slurm.run_job("node4")[0] == 0
    with open(slurm.shared / "node4.jsonl", "a") as rows:
        rows.write(row)
    assert collect_log(slurm)[0] == 0
    assert len(json_lines(slurm.shared / "all.jsonl")) == 2
    assert re.search(r"rows .*\n.* best +2 ", (slurm.shared / "comparison.txt").read_text())  # in one line, of two rows


@pytest.mark.parametrize("ahead, words", [
    (-300, r"is (300|301) s ahead of that of Slurm's controller"),
    (300, r"is (299|300) s behind that of Slurm's controller"),
])
def test_a_clock_that_is_minutes_off_is_said_in_either_direction_and_changes_nothing_else(slurm, ahead, words):
    slurm.submitted("--nodelist", "node4")
    (slurm.told / "ahead").write_text(str(ahead))
    assert slurm.run_job("node4")[0] == 0
    assert re.search(f"the clock of on-node4 {words}", (slurm.shared / "node4.log").read_text())
    code, log = collect_log(slurm)
    assert code == 0
    assert re.search(f"the clock of on-collect {words}", log)
    assert len(json_lines(slurm.shared / "all.jsonl")) == 1


@pytest.mark.parametrize("ahead", ["0", ""])  # "": sdiag does not answer
def test_nothing_is_said_of_a_clock_that_is_right_or_that_nobody_knows(slurm, ahead):
    slurm.submitted("--nodelist", "node4")
    (slurm.told / "ahead").write_text(ahead)
    assert slurm.run_job("node4")[0] == 0
    assert "the clock of" not in (slurm.shared / "node4.log").read_text()


def test_a_folder_that_a_node_may_not_write_is_said(slurm):
    slurm.submitted("--nodelist", "node4")
    (slurm.shared / "jobs/node4.state").mkdir()
    assert refusal(slurm, "node4") == f"{slurm.shared} must be writable on on-node4, but is not"


@pytest.mark.parametrize("code, words", [
    (71, "the file system of FOLDER has no locks"),
    (65, "the file system of FOLDER has no locks"),
    (127, "whether the file system of FOLDER has locks is not known, because flock ends with exit code 127"),
    (100, ""),  # another has the lock
])
def test_a_file_system_without_locks_is_said_and_rows_are_written_all_the_same(slurm, code, words):
    slurm.submitted("--nodelist", "node4")
    (slurm.told / "bin/flock").write_text(f"#!/bin/sh\nexit {code}\n")
    (slurm.told / "bin/flock").chmod(0o755)
    assert slurm.run_job("node4")[0] == 0
    log = (slurm.shared / "node4.log").read_text()
    assert words.replace("FOLDER", str(slurm.shared)) in log and ("locks" in log) == bool(words)
    assert len(json_lines(slurm.shared / "node4.jsonl")) == 1
