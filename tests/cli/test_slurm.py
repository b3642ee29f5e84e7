"""`sdbench slurm submit` over made-up sinfo, scontrol, sbatch and scancel, and its scripts run by hand; test_slurm_cluster.py has a real Slurm."""

import os
import re
import shutil
import signal
import subprocess
import time

import pytest
from program import environment, finish, run, start, wait_until
from stub import CELL, SHARE, json_lines

NODES = """\
node1|main*|idle|32|gpu:a100:2(S:0-1)|ib,big
node1|other|idle|32|gpu:a100:2(S:0-1)|ib,big
node2|main*|mixed|32|gpu:a100:2(S:0-1)|ib,big
node3|main*|idle~|16|gpu:1,shard:4|(null)
node4|main*|idle|8|(null)|(null)
node5|main*|drained|8|(null)|(null)
node6|main*|idle*|8|(null)|(null)
node7|other|idle|8|(null)|(null)
"""

PROGRAMS = {
    "sinfo": 'cat "$MADE_UP/nodes"; cat "$MADE_UP/sinfo_says" >&2 2>/dev/null && exit 1; exit 0',
    "scontrol": 'echo "$*" >>"$MADE_UP/asked"\ncase "$*" in\n"show hostnames "*) echo "$3" | tr , "\\n" ;;\n'
                '*"show job"*) cat "$MADE_UP/job" ;;\nesac',
    "sbatch": 'env | grep ^SBATCH_ >>"$MADE_UP/variables"\nn=$(($(cat "$MADE_UP/count") + 1)); echo $n >"$MADE_UP/count"\n'
              'if [ "$n" = "$(cat "$MADE_UP/refused" 2>/dev/null)" ]; then echo "sbatch: error: Batch job submission failed: no" >&2; exit 1; fi\n'
              'echo "$*" >>"$MADE_UP/submitted"\nif [ -p /dev/stdin ] || [ -f /dev/stdin ]; then cat >"$MADE_UP/script$n"; fi\necho "$n;cluster"',
    "scancel": 'echo "$*" >>"$MADE_UP/cancelled"',
}


class MadeUp:
    """The four programs, and sdbench with them in its PATH."""

    def __init__(self, program, folder):
        self.program = program
        self.folder = folder
        self.shared = folder / "shared"
        self.told = folder / "made_up"
        (self.told / "bin").mkdir(parents=True)
        for name, text in PROGRAMS.items():
            (self.told / "bin" / name).write_text(f"#!/bin/sh\n{text}\n")
            (self.told / "bin" / name).chmod(0o755)
        (self.told / "nodes").write_text(NODES)
        (self.told / "count").write_text("0")

    def environment(self, **more):
        mine = {name: value for name, value in environment().items() if not name.startswith(("SLURM", "SBATCH"))}
        return {**mine, "SDBENCH_SHARE": str(SHARE), "PATH": f"{self.told / 'bin'}:{os.environ['PATH']}", "MADE_UP": str(self.told), **more}

    def submit(self, *options, run_options=CELL, **more):
        """(exit code, stdout, stderr)"""
        return run(self.folder, "slurm", "submit", "--folder", "shared", *options, "--", *run_options, program=self.program, env=self.environment(**more))

    def submitted(self, *options, **more):
        """A good submission's standard error, and its scripts by name."""
        code, _, err = self.submit(*options, **more)
        assert code == 0, err
        return err, {file.stem: file.read_text() for file in (self.shared / "jobs").glob("*.sh")}

    def start_job(self, name, **more):
        """As sbatch does on a node, where nobody reads what it prints."""
        env = self.environment(SLURM_JOB_ID="7", SLURMD_NODENAME=f"on-{name}", SLURM_JOB_PARTITION="main", **more)
        return start(self.folder, self.shared / "jobs" / f"{name}.sh", program="bash", env=env)

    def run_job(self, name, **more):
        return finish(self.start_job(name, **more))

    def told_file(self, name):
        file = self.told / name
        return file.read_text() if file.exists() else ""


@pytest.fixture
def slurm(program, tmp_path):
    return MadeUp(program, tmp_path)


def options_of(script):
    return re.findall("^#SBATCH (.*)$", script, re.MULTILINE)


def test_each_node_that_takes_jobs_has_one_and_the_last_waits_for_all(slurm):
    err, scripts = slurm.submitted("--time", "2:00:00")
    assert set(scripts) == {"node1", "node2", "node3", "node4", "collect"}
    assert options_of(scripts["node1"]) == [
        "--job-name=sdbench-node1", "--nodes=1", "--ntasks=1", "--requeue", "--output=/dev/null", "--nodelist=node1", "--gres=gpu:a100:2",
        "--signal=B:USR1@120", "--exclusive", "--mem=0", "--time 2:00:00"]
    assert "--gres=gpu:1" in options_of(scripts["node3"])
    assert not [option for option in options_of(scripts["node4"]) if "gres" in option]
    jobs = slurm.shared / "jobs"
    assert slurm.told_file("submitted").splitlines() == [
        *(f"--parsable --time 2:00:00 {jobs}/node{n}.sh" for n in (1, 2, 3, 4)),
        f"--parsable --time 2:00:00 --dependency=afterany:1:2:3:4 {jobs}/collect.sh"]
    assert "--exclude=node5,node6" in options_of(scripts["collect"])
    assert not {"--exclusive", "--mem=0"} & set(options_of(scripts["collect"]))
    assert "left out   node5, which is drained" in err and "left out   node6, which is idle*" in err
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
    assert not {"--exclusive", "--mem=0"} & set(options_of(scripts["node1-gpu1"]))
    assert "shared: jobs are beside each other on a node, each on its own GPU" in err


def test_a_list_of_nodes_leaves_the_others_out_of_all_jobs(slurm):
    _, scripts = slurm.submitted("--nodelist", "node4,node2")
    assert set(scripts) == {"node4", "node2", "collect"}
    assert "--exclude=node1,node3,node5,node6" in options_of(scripts["collect"])


def test_options_of_sbatch_are_handed_on_word_for_word_and_may_share_the_node(slurm):
    err, scripts = slurm.submitted("-p", "main,other", "--comment", "it's two words", "-A", "lab", "--oversubscribe")
    assert options_of(scripts["node1"])[-4:] == ["--partition=main,other", "--comment 'it'\\''s two words'", "-A lab", "--oversubscribe"]
    assert "--exclusive" not in options_of(scripts["node1"])
    assert "node7" in scripts
    assert "as sbatch's options say: other jobs may be there" in err


def test_the_partition_of_the_environment_is_sbatchs_too(slurm):
    _, scripts = slurm.submitted(SBATCH_PARTITION="other")
    assert "node7" in scripts


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
    assert set(slurm.told_file("variables").split()) == {"SBATCH_ACCOUNT=lab", "SBATCH_PARTITION=other"}
    asked = slurm.told_file("submitted").splitlines()
    assert len(asked) == 2
    assert all(line.startswith("--parsable --partition=main --comment it's two words ") or
               line == "--parsable --partition=main --comment it's two words" for line in asked)  # sbatch heeds these, not the variables


def test_memory_that_was_asked_for_is_not_asked_for_twice(slurm):
    _, scripts = slurm.submitted("--nodelist", "node4", "--mem-per-cpu", "4G")
    assert "--exclusive" in options_of(scripts["node4"]) and "--mem=0" not in options_of(scripts["node4"])


def test_the_scripts_of_two_printings_do_not_meet_in_one_folder(slurm):
    first, second = (slurm.submit("--nodelist", "node4", "--dry-run")[1] for _ in range(2))
    def answer(script):
        return subprocess.run(["bash", "-s"], input=script, cwd=slurm.folder, env=slurm.environment(), capture_output=True, text=True)
    assert answer(first).returncode == 0
    asked = slurm.told_file("submitted")
    done = answer(second)
    assert done.returncode == 1 and "shared is of another submission; print this script anew, or name another --folder" in done.stderr
    assert slurm.told_file("submitted") == asked
    assert answer(first).returncode == 0  # again, into its own


def test_one_gpus_job_that_has_its_node_for_itself_is_not_said_to_share_it(slurm):
    err, scripts = slurm.submitted("--per", "gpu", "--exclusive")
    assert "--exclusive" in options_of(scripts["node1-gpu0"])
    assert "exclusive: no other job is on a job's node" in err


def test_run_options_reach_the_script_whatever_is_in_them(slurm):
    wish = "a cat's $HOME \"here\"\nand `there`"
    slurm.submitted("--nodelist", "node4", run_options=(*CELL, "--label", wish))
    (slurm.told / "job").write_text("JobId=7 OverSubscribe=NO Contiguous=0\n")
    code, _, _ = slurm.run_job("node4")
    assert code == 0
    assert [row["label"] for row in json_lines(slurm.shared / "node4.jsonl")] == [wish]


def test_the_printed_script_makes_nothing_until_it_is_run_and_then_what_submit_makes(slurm):
    code, script, _ = slurm.submit("--nodelist", "node3,node4", "--dry-run")
    assert code == 0
    assert not slurm.shared.exists() and not slurm.told_file("submitted")
    done = subprocess.run(["bash", "-s"], input=script, cwd=slurm.folder, env=slurm.environment(), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert slurm.told_file("submitted").splitlines() == ["--parsable", "--parsable", "--parsable --dependency=afterany:1:2"]
    token = (slurm.shared / "token").read_text().strip()
    _, scripts = slurm.submitted("--nodelist", "node3,node4")  # into the folder that is there now
    assert (slurm.shared / "token").read_text().strip() == token
    same = [re.sub(r"(?m)^submitted=.*$", "", text) for text in (slurm.told_file("script1"), scripts["node3"])]
    assert same[0] == same[1]


@pytest.mark.parametrize("options, run_options, words", [
    (("--per", "rack"), CELL, '--per must be node, type or gpu, but is "rack"'),
    (("--per", "nod"), CELL, "did you mean node?"),
    (("--per", "node", "--per", "gpu"), CELL, "--per must be given once, but is given 2 times"),
    (("-N2",), CELL, "must leave --nodes to sdbench, but hold it: a job has one node"),
    (("--array=1-3",), CELL, "must leave --array to sdbench"),
    (("--exclude", "node1"), CELL, "must leave --exclude to sdbench, but hold it: --nodelist says where jobs may be"),
    (("--wrap", "true"), CELL, "must leave --wrap to sdbench"),
    (("--wait",), CELL, "must leave --wait to sdbench, but hold it: nothing waits for the jobs"),
    (("-W",), CELL, "must leave --wait to sdbench"),
    (("--test-only",), CELL, "must leave --test-only to sdbench, but hold it: --dry-run prints what would be submitted"),
    (("-Mother",), CELL, "must leave --clusters to sdbench"),
    (("--nodefile=f",), CELL, "must leave --nodefile to sdbench"),
    (("--signal=B:USR1@5",), CELL, "must leave --signal to sdbench"),
    (("sd15",), CELL, 'SBATCH OPTIONS must be options, but there is "sd15"'),
    ((), ("--modle", "sd15"), 'unknown option "--modle"'),
    ((), ("--steps", "many"), "--steps must be"),
    ((), (*CELL, "-o", "rows.csv"), "RUN OPTIONS must not hold --output, for all jobs would write there"),
    ((), (*CELL, "--save-images", "out"), "RUN OPTIONS must not hold --save-images"),
    ((), (*CELL, "--telemetry", "t.csv"), "RUN OPTIONS must not hold --telemetry"),
    ((), (*CELL, "--dump-latents", "l.safetensors"), "RUN OPTIONS must not hold --dump-latents"),
    ((), (*CELL, "--dry-run"), "--dry-run must stand before --, but stands behind it"),
    ((), ("--version",), "RUN OPTIONS must say what to measure, but ask for a text"),
])
def test_a_wrong_command_is_said_in_one_line_before_anything_is_queued(slurm, options, run_options, words):
    code, out, err = slurm.submit(*options, run_options=run_options)
    assert (code, out) == (2, "")
    assert words in err and len(err.splitlines()) == 1
    assert not slurm.told_file("submitted") and not slurm.shared.exists()


@pytest.mark.parametrize("arguments, words", [
    (("slurm",), "slurm must be followed by submit, but is by nothing"),
    (("slurm", "squeue"), 'slurm must be followed by submit, but is by "squeue"'),
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
    ("node1|other|idle|8|(null)|(null)\n", (), "the cluster must have a default partition with nodes, but has none"),
    (NODES, ("-w", "node4,node9"), '--nodelist must name nodes of the default partition, but "node9" is none'),
    (NODES, ("-w", "node5,node6"), "a node must take jobs, but node5 is drained, and the others likewise"),
    (NODES, ("-w", "node4", "--per", "gpu"), "--per gpu must have nodes with GPUs, but sinfo names no gres gpu of any"),
    ("node1 idle\n", (), 'sinfo must print six fields of each node, but prints "node1 idle"'),
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
    assert "sbatch must take the job node3, but says: sbatch: error: Batch job submission failed: no; those before it are taken out" in err
    assert slurm.told_file("cancelled") == "1 2\n"


def test_a_folder_of_other_files_is_refused(slurm):
    slurm.shared.mkdir()
    (slurm.shared / "thesis.txt").write_text("mine")
    code, _, err = slurm.submit()
    assert code == 1
    assert f"--folder must be new, empty, or of an earlier slurm submit, but {slurm.shared} holds other files" in err
    assert [file.name for file in slurm.shared.iterdir()] == ["thesis.txt"]


def test_a_job_says_where_it_ran_and_whether_others_could_be_there(slurm):
    slurm.submitted("--nodelist", "node4")
    for sharing, words in (("NO", "exclusive"), ("OK", "shared"), ("USER", "shared")):
        (slurm.told / "job").write_text(f"JobId=7 JobName=x OverSubscribe={sharing} Contiguous=0\n")
        (slurm.shared / "node4.jsonl").unlink(missing_ok=True)
        assert slurm.run_job("node4")[0] == 0
        row, = json_lines(slurm.shared / "node4.jsonl")
        assert (row["slurm_job"], row["slurm_node"], row["slurm_partition"], row["slurm_sharing"]) == ("7", "on-node4", "main", words)
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
    assert f"update JobId=7 Comment={said}" in slurm.told_file("asked")
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


def test_a_job_whose_time_is_up_is_requeued_if_it_has_done_a_cell(slurm):
    slurm.submitted("--nodelist", "node4", run_options=(*CELL, "--steps", "1,2,3,4,5,6"))
    job = slurm.start_job("node4", SDBENCH_STUB="hang@3")
    rows = slurm.shared / "node4.jsonl"
    wait_until(lambda: rows.exists() and rows.read_bytes().count(b"\n") == 2)
    time.sleep(0.2)
    job.send_signal(signal.SIGUSR1)
    finish(job)
    assert "requeue 7" in slurm.told_file("asked")
    assert [(row["steps"], row["status"]) for row in json_lines(rows)] == [(1, "ok"), (2, "ok"), (3, "interrupted")]
    job = slurm.start_job("node4", SDBENCH_STUB="hang@3")  # the cell does not fit into the time
    wait_until(lambda: (slurm.shared / "node4.log").read_text().count("start 1") == 2)
    time.sleep(0.5)
    job.send_signal(signal.SIGUSR1)
    assert finish(job)[0] == 1
    assert slurm.told_file("asked").count("requeue 7") == 1
    assert "Comment=node4 must finish a cell within its time limit, but has not; give more with --time" in slurm.told_file("asked")


def collect_log(slurm):
    code, _, err = slurm.run_job("collect")
    return code, (slurm.shared / "collect.log").read_text()


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
    with open(slurm.shared / "jobs/node4.state", "a") as state:
        state.write("started 9 on-node4 1\n")
    assert "node4 (job 9) was ended before it was done; submit again" in collect_log(slurm)[1]


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
    assert "left out" in log and "2 more were there already" in log
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


def test_a_clock_that_is_minutes_off_is_said_and_changes_nothing_else(slurm):
    slurm.submitted("--nodelist", "node3,node4")
    script = slurm.shared / "jobs/node3.sh"
    script.write_text(re.sub(r"(?m)^submitted=.*$", f"submitted={int(time.time()) + 300}", script.read_text()))
    assert slurm.run_job("node3")[0] == 0
    assert re.search(r"the clock of on-node3 is (299|300) s behind that of the machine that submitted", (slurm.shared / "node3.log").read_text())
    assert slurm.run_job("node4")[0] == 0
    state = slurm.shared / "jobs/node4.state"
    state.write_text(re.sub(r"(started \S+ \S+) \d+", rf"\1 {int(time.time()) + 300}", state.read_text()))
    code, log = collect_log(slurm)
    assert code == 0
    assert re.search(r"the clock of node4's node is (299|300) s ahead of this one's", log)
    assert len(json_lines(slurm.shared / "all.jsonl")) == 2


def test_a_folder_that_a_node_may_not_write_is_said(slurm):
    slurm.submitted("--nodelist", "node4")
    (slurm.shared / "jobs/node4.state").mkdir()
    assert refusal(slurm, "node4") == f"{slurm.shared} must be writable on on-node4, but is not"


def test_a_file_system_without_locks_is_said_and_rows_are_written_all_the_same(slurm):
    slurm.submitted("--nodelist", "node4")
    (slurm.told / "bin/flock").write_text("#!/bin/sh\nexit 71\n")
    (slurm.told / "bin/flock").chmod(0o755)
    assert slurm.run_job("node4")[0] == 0
    assert f"the file system of {slurm.shared} has no locks" in (slurm.shared / "node4.log").read_text()
    assert len(json_lines(slurm.shared / "node4.jsonl")) == 1
