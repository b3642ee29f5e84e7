"""`sdbench slurm submit` on a real Slurm of two nodes (slurm_cluster.py), with a worker that answers at once. Left out where Slurm is not installed."""

import re
import subprocess
import time

import pytest
from program import wait_until
from slurm_cluster import Cluster, obstacle
from stub import CELL, SHARE, json_lines

pytestmark = pytest.mark.skipif(bool(obstacle()), reason=obstacle())


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    cluster = Cluster(tmp_path_factory.mktemp("cluster"), SDBENCH_SHARE=str(SHARE))
    yield cluster
    cluster.end()


@pytest.fixture
def submit(cluster, program, tmp_path):
    """Submits a sweep over these steps into a folder; the jobs' numbers, that of the last job last."""

    def submit(*options, steps="1,2", how=""):
        out = cluster.slurm(program, "slurm", "submit", "--folder", tmp_path / "shared", *options, "--", *CELL, "--steps", steps, SDBENCH_STUB=how)
        return numbers(out)

    cluster.wait_for_nodes()
    return submit


def numbers(out):
    return [line.split()[1] for line in out.splitlines() if line.startswith("job ")]


def rows_of(folder, name):
    file = folder / "shared" / f"{name}.jsonl"
    return json_lines(file) if file.exists() else []


def whole_lines(folder, name):
    file = folder / "shared" / f"{name}.jsonl"
    return file.read_bytes().count(b"\n") if file.exists() else 0


def test_a_sweep_over_two_nodes_is_merged_into_one_comparison(cluster, submit, tmp_path):
    jobs = submit()
    assert len(jobs) == 3
    cluster.wait_for_end(jobs)
    rows = rows_of(tmp_path, "all")
    assert sorted((row["slurm_node"], row["host"], row["steps"], row["slurm_job"]) for row in rows) == [
        ("node1", "node1", 1, jobs[0]), ("node1", "node1", 2, jobs[0]), ("node2", "node2", 1, jobs[1]), ("node2", "node2", 2, jobs[1])]
    assert {(row["status"], row["slurm_partition"], row["slurm_sharing"]) for row in rows} == {("ok", "main", "exclusive")}
    comparison = (tmp_path / "shared/comparison.txt").read_text()
    assert "node1" in comparison and "node2" in comparison, comparison
    assert "node2" in (tmp_path / "shared/report.html").read_text()
    assert "left no trace" not in (tmp_path / "shared/collect.log").read_text()


def test_jobs_of_one_node_have_a_gpu_each_and_the_printed_script_submits_them(cluster, program, submit, tmp_path):
    script = cluster.slurm(program, "slurm", "submit", "--folder", tmp_path / "shared", "--per", "gpu", "--dry-run", "--", *CELL, "--steps", "1,2,3,4")
    assert not (tmp_path / "shared").exists()
    jobs = numbers(cluster.slurm("bash", "-c", script, SDBENCH_STUB="slow"))
    assert len(jobs) == 4
    wait_until(lambda: [cluster.jobs().get(job) for job in jobs[:2]] == ["RUNNING"] * 2)  # at once: each has a share of the node's memory
    cluster.wait_for_end(jobs)
    rows = [row for name in ("node1-gpu0", "node1-gpu1", "node2-gpu0") for row in rows_of(tmp_path, name)]
    assert [(row["slurm_node"], row["slurm_sharing"]) for row in rows] == 8 * [("node1", "shared")] + 4 * [("node2", "shared")]
    assert {row["cuda_visible_devices"] for row in rows[:8]} == {"0", "1"}
    assert len(rows_of(tmp_path, "all")) == 12


def test_one_gpus_job_in_a_partition_of_whole_nodes_says_that_it_sees_all_gpus(cluster, submit, tmp_path):
    cluster.wait_for_end(submit("--partition", "whole", "--per", "gpu", steps="1"))
    for name in ("node1-gpu0", "node1-gpu1"):
        assert "the job must see one GPU, but sees 0,1" in (tmp_path / f"shared/{name}.log").read_text()


def wait_for_rows(folder, name, count):
    wait_until(lambda: whole_lines(folder, name) >= count, 30)


def assert_is_done_after_a_second_start(folder, name, before, cells):
    rows = rows_of(folder, name)
    assert rows[:len(before)] == before
    assert [row["steps"] for row in rows if row["status"] == "ok"] == cells  # each once: what was measured is not measured again
    assert "start 2" in (folder / f"shared/{name}.log").read_text()


def test_a_second_submission_into_the_folder_waits_for_the_first_and_measures_no_cell_twice(cluster, submit, tmp_path):
    options = ("--nodelist", "node1", "--oversubscribe", "--mem=100", "--gres=gpu:toy:1")  # there is room for both
    first = submit(*options, steps="1,2,3", how="slow")
    wait_for_rows(tmp_path, "node1", 1)
    second = submit(*options, steps="1,2,3,4", how="slow")
    wait_until(lambda: cluster.slurm("squeue", "-h", "-j", second[0], "-o", "%T %r").strip() == "PENDING Dependency", 30)
    cluster.wait_for_end([*first, *second])
    assert [row["steps"] for row in rows_of(tmp_path, "node1")] == [1, 2, 3, 4]
    assert sorted(row["steps"] for row in rows_of(tmp_path, "all")) == [1, 2, 3, 4]


def assert_all_are_collected(folder, name):
    """None of the job's rows is missing, also of cells that it was ended in."""
    collected, rows = ([(row["steps"], row["status"]) for row in rows_of(folder, file)] for file in ("all", name))
    assert rows and sorted(collected) == sorted(rows)


def test_a_node_that_dies_costs_the_cell_that_ran_there_and_the_requeued_job_does_the_rest(cluster, submit, tmp_path):
    job, last = submit("--nodelist", "node1", steps="1,2,3,4,5,6,7,8", how="slow")
    wait_for_rows(tmp_path, "node1", 2)
    cluster.nodes["node1"].end()
    before = rows_of(tmp_path, "node1")
    wait_until(lambda: cluster.jobs().get(job) == "PENDING", 30)
    cluster.begin_node("node1")
    cluster.begin_now(job)
    cluster.wait_for_end([job, last])
    assert_is_done_after_a_second_start(tmp_path, "node1", before, list(range(1, 9)))
    assert len(rows_of(tmp_path, "all")) == 8


def test_a_preempted_job_goes_on_where_it_was(cluster, submit, tmp_path):
    job, last = submit("--nodelist", "node2", steps="1,2,3,4,5,6,7,8", how="slow")
    wait_for_rows(tmp_path, "node2", 2)
    urgent = cluster.slurm("sbatch", "--parsable", "-p", "urgent", "-w", "node2", "--exclusive", "-o", "/dev/null", "--wrap", "true").strip()
    cluster.wait_for_end([urgent])
    before = rows_of(tmp_path, "node2")[:2]
    cluster.begin_now(job)
    cluster.wait_for_end([job, last])
    assert_is_done_after_a_second_start(tmp_path, "node2", before, list(range(1, 9)))
    assert_all_are_collected(tmp_path, "node2")


def test_a_job_that_is_preempted_by_cancelling_is_told_as_unfinished_with_the_command_that_goes_on(cluster, program, submit, tmp_path):
    submission = (program, "slurm", "submit", "--folder", tmp_path / "shared", "-p", "cheap", "--", *CELL, "--steps", "1,2,3,4,5,6,7,8")
    submitted = subprocess.run(cluster.controller.command(*submission), env={**cluster.environment, "SDBENCH_STUB": "slow"}, capture_output=True, text=True)
    assert "partition cheap cancels a job that it preempts, and does not requeue it; then continue with: cd " in submitted.stderr
    job, last = numbers(submitted.stdout)
    wait_for_rows(tmp_path, "node2", 2)
    urgent = cluster.slurm("sbatch", "--parsable", "-p", "urgent", "-w", "node2", "--exclusive", "-o", "/dev/null", "--wrap", "true").strip()
    cluster.wait_for_end([job, urgent, last])
    assert f"node2 (job {job}) was preempted before it was done" in (tmp_path / "shared/collect.log").read_text()
    comparison = (tmp_path / "shared/comparison.txt").read_text()
    command = re.search("To measure what is missing: (cd .*)", comparison)[1]
    assert f"node2 (job {job}) was preempted before it was done" in comparison
    before = [row for row in rows_of(tmp_path, "node2") if row["status"] == "ok"]
    cluster.wait_for_end(numbers(cluster.slurm("bash", "-c", command)))
    assert [row["steps"] for row in rows_of(tmp_path, "node2") if row["status"] == "ok"] == list(range(1, 9))
    assert before and "not finished" not in (tmp_path / "shared/comparison.txt").read_text()


def refusal(cluster, program, folder, *options, code=2, **environment):
    done = subprocess.run(cluster.controller.command(program, "slurm", "submit", "--folder", folder / "shared", *options, "--", *CELL),
                          env={**cluster.environment, **environment}, capture_output=True, text=True)
    assert done.returncode == code and cluster.jobs() == {}, done.stdout
    return done.stderr


def test_what_no_job_can_meet_is_said_as_slurm_tells_its_limits(cluster, program, tmp_path):
    assert '--time must be at most the 00:10:00 of partition short, but is "20"' in refusal(cluster, program, tmp_path, "-p", "short", "--time", "20")
    assert "partition short takes jobs of 2 nodes or more (MinNodes)" in refusal(cluster, program, tmp_path, "-p", "short")
    assert '--mem must be at most the 1000M of node1 of partition ' in refusal(cluster, program, tmp_path, "--mem=2G")
    assert '--partition must name one with nodes, but "empty" has none' in refusal(cluster, program, tmp_path, "-p", "empty", code=1)


def test_slurm_takes_the_users_options_for_gpus_and_reads_no_variable(cluster, submit, program, tmp_path):
    options = ("--nodelist", "node1", "--per", "gpu", "--cpus-per-gpu=1", "--mem-per-gpu=100")
    out = cluster.slurm(program, "slurm", "submit", "--folder", tmp_path / "shared", *options, "--", *CELL, SINFO_PARTITION="empty",
                        SINFO_SORT="-N", SLURM_CLUSTERS="nowhere", SDBENCH_STUB="slow")
    jobs = numbers(out)
    wait_until(lambda: [cluster.jobs().get(job) for job in jobs[:2]] == ["RUNNING"] * 2)  # beside each other
    cluster.wait_for_end(jobs)
    assert len(rows_of(tmp_path, "all")) == 2
    out = cluster.slurm(program, "slurm", "submit", "--folder", tmp_path / "shared", "--nodelist", "node1", "--gpus=1", "--oversubscribe", "--", *CELL,
                        SBATCH_MEM_PER_GPU="100", SBATCH_THREADS_PER_CORE="1")
    job, last = numbers(out)
    told = [cluster.slurm("scontrol", "show", "job", number) for number in (job, last)]
    assert "MemPerTres=gres:gpu:100" in told[0] and "MemPerTres" not in told[1] and "ReqB:S:C:T=0:0:*:*" in told[1], told
    cluster.wait_for_end((job, last))
    assert rows_of(tmp_path, "node1")[0]["cuda_visible_devices"] == "0" and len(rows_of(tmp_path, "all")) == 3


def test_a_job_whose_time_is_up_asks_for_another_start(cluster, submit, tmp_path):
    job, last = submit("--nodelist", "node1", steps="1,2,3,4,5,6,7,8", how="slow")
    wait_for_rows(tmp_path, "node1", 2)
    cluster.slurm("scancel", "--batch", "--signal=USR1", job)  # as --signal=B:USR1@120 does before the end
    wait_until(lambda: cluster.jobs().get(job) == "PENDING", 30)
    before = [row for row in rows_of(tmp_path, "node1") if row["status"] == "ok"]
    assert len(before) < 8
    cluster.begin_now(job)
    cluster.wait_for_end([job, last])
    assert [row["steps"] for row in rows_of(tmp_path, "node1") if row["status"] == "ok"] == list(range(1, 9))
    assert_all_are_collected(tmp_path, "node1")
    assert "the time is up, or the job must make room: it asks to be started again" in (tmp_path / "shared/node1.log").read_text()


def test_a_cancelled_job_leaves_its_rows_and_the_others_to_the_comparison(cluster, submit, tmp_path):
    jobs = submit(steps="1,2,3,4,5,6,7,8", how="slow")
    wait_for_rows(tmp_path, "node1", 1)
    cluster.slurm("scancel", jobs[0])
    cluster.wait_for_end(jobs)
    done = {name: [row["steps"] for row in rows_of(tmp_path, "all") if row["host"] == name and row["status"] == "ok"] for name in ("node1", "node2")}
    assert done["node1"] and done["node1"] == list(range(1, len(done["node1"]) + 1)) and len(done["node1"]) < 8
    assert done["node2"] == [1, 2, 3, 4, 5, 6, 7, 8]
    log = (tmp_path / "shared/collect.log").read_text()
    assert f"node1 (job {jobs[0]}) was cancelled before it was done" in log, log


def test_a_folder_that_a_node_does_not_share_is_said_by_its_job_and_by_the_last_one(cluster, submit, tmp_path):
    (tmp_path / "shared").mkdir()
    cluster.nodes["node2"].run("mount", "-t", "tmpfs", "nothing", tmp_path / "shared")
    try:
        jobs = submit()
        cluster.wait_for_end(jobs)
        why = f"{tmp_path}/shared must be one folder that all nodes see, but node2 does not see its token"
        assert f"Comment={why}" in cluster.slurm("scontrol", "show", "job", jobs[1])
        assert "node2 has left no trace here" in (tmp_path / "shared/collect.log").read_text()
        assert {row["host"] for row in rows_of(tmp_path, "all")} == {"node1"}
    finally:
        cluster.nodes["node2"].run("umount", tmp_path / "shared")


def test_a_node_that_does_not_see_where_the_jobs_were_submitted_says_of_what_folder_paths_are(cluster, program, tmp_path):
    here = tmp_path / "local/here"
    here.mkdir(parents=True)
    cluster.wait_for_nodes()
    cluster.nodes["node2"].run("mount", "-t", "tmpfs", "nothing", here.parent)
    try:
        submit = ("slurm", "submit", "--folder", tmp_path / "shared", "--nodelist", "node2", "--", *CELL)
        cluster.wait_for_end(numbers(cluster.slurm("env", "-C", here, program, *submit)))
    finally:
        cluster.nodes["node2"].run("umount", here.parent)
    assert f"node2 does not see {here}, in which jobs start; there, paths after -- are relative to /tmp" in (tmp_path / "shared/node2.log").read_text()


def test_a_jobs_script_says_the_same_as_the_command_line_whatever_is_in_the_words(cluster, submit, tmp_path):
    comment = "it's a\\b \"c\" #5 \\\\ $HOME"
    jobs = submit("--nodelist", "node2", "--comment", comment, steps="1")
    cluster.slurm("scontrol", "hold", jobs[1])
    again = cluster.slurm("sbatch", "--parsable", "--hold", tmp_path / "shared/jobs/node2.sh").strip()  # the script alone
    for job in (jobs[1], again):
        assert f"   Comment={comment} \n" in cluster.slurm("scontrol", "show", "job", job)
    cluster.slurm("scancel", again)
    cluster.slurm("scontrol", "release", jobs[1])
    cluster.wait_for_end([*jobs, again])


def test_slurm_tells_its_time_to_a_job(cluster):
    told = re.search(r"(?m)^sdiag output at .*\((\d+)\)$", cluster.slurm("sdiag"))
    assert abs(int(told[1]) - time.time()) < 60  # as folder.sh reads it


def test_what_sbatch_refuses_is_said_and_nothing_stays_queued(cluster, program, tmp_path):
    refused = subprocess.run(cluster.controller.command(program, "slurm", "submit", "--folder", tmp_path / "shared", "--time", "soon", "--", *CELL),
                             env=cluster.environment, capture_output=True, text=True)
    assert refused.returncode == 1
    assert "sbatch must take the job node1, but says: sbatch: error: Invalid --time specification" in refused.stderr
    assert cluster.jobs() == {}
