"""`sdbench slurm submit` on clusters that are set up in other ways: what a site puts around sbatch, its limits, its partitions and its variables."""

import re
import shutil
import subprocess

import pytest
from slurm_made_up import MadeUp, options_of
from stub import CELL, json_lines
from test_slurm import collect_log


@pytest.fixture
def slurm(program, tmp_path):
    return MadeUp(program, tmp_path)


def printed(slurm, *options, **more):
    """What comes of the printed script."""
    _, script, _ = slurm.submit(*options, "--dry-run")
    return subprocess.run(["bash", "-s"], input=script, cwd=slurm.folder, env=slurm.environment(**more), capture_output=True, text=True)


@pytest.mark.parametrize("before, behind", [
    ("Project lab has 1200 hours left\n", ""), ("", "12 jobs are in the queue\n"), ("  \n---- 2026 ----\n", "\r\nbye\n"), ("", "7 \t\nok\n")])
@pytest.mark.parametrize("way", ["submitted", "printed"])
def test_the_number_of_a_job_is_the_line_that_is_one_whatever_stands_around_it(slurm, way, before, behind):
    (slurm.told / "before").write_text(before)
    (slurm.told / "behind").write_text(behind)
    if way == "submitted":
        code, out, err = slurm.submit("--nodelist", "node3,node4")
    else:
        done = printed(slurm, "--nodelist", "node3,node4")
        code, out, err = done.returncode, done.stdout, done.stderr
    if behind.startswith("7"):  # two numbers that differ
        assert code == 1 and "in a line of its own, but" in err and "may be in the queue all the same" in err
        return
    assert code == 0, err
    assert re.findall("(?m)^job ([0-9]+) ", out) == ["1", "2", "3"]
    assert slurm.told_file("submitted").splitlines()[-1].split("--dependency=")[1].startswith("afterany:1:2")


@pytest.mark.parametrize("way", ["submitted", "printed"])
def test_a_job_whose_sbatch_failed_behind_its_number_is_taken_out_of_the_queue(slurm, way):
    (slurm.told / "ends_with").write_text("3")
    if way == "submitted":
        code, _, err = slurm.submit("--nodelist", "node3,node4")
        assert code == 1 and "sbatch must take the job node3, but says: nothing, with exit code 3; the jobs that were queued have been cancelled" in err
    else:
        done = printed(slurm, "--nodelist", "node3,node4")
        assert done.returncode == 3 and "those whose numbers are known have been cancelled" in done.stderr
    assert slurm.told_file("cancelled") == "1\n"


@pytest.mark.parametrize("code, words, may", [
    (1, "", False), (255, "", False), (126, "", False), (137, "", True), (1, "sbatch: error: Socket timed out on send/recv operation", True)])
def test_a_job_may_be_queued_all_the_same_only_where_sbatch_was_ended_or_had_no_answer(slurm, code, words, may):
    (slurm.told / "bin/sbatch").write_text(f"#!/bin/sh\necho '{words}' >&2\nexit {code}\n")
    assert ("the job may be in the queue all the same" in slurm.submit()[2]) == may
    assert ("the job node1 may be in the queue all the same" in printed(slurm).stderr) == may


def test_an_sbatch_that_cannot_be_started_has_queued_nothing(slurm):
    (slurm.told / "bin/sbatch").chmod(0o644)
    for name in ("cat", "env", "grep"):
        (slurm.told / "bin" / name).symlink_to(shutil.which(name))
    err = slurm.submit(PATH=str(slurm.told / "bin"))[2]
    assert "cannot be started: Permission denied" in err and "may be in the queue" not in err


GPU_OPTIONS = ("--gpus=2", "-G2", "-G 2", "--gpus-per-node=a100:2", "--gpus-per-task 1", "--gres=gpu:1", "--tres-per-task=cpu:1,gres/gpu:1")


@pytest.mark.parametrize("option", GPU_OPTIONS)
def test_gpus_that_were_asked_for_are_not_asked_for_twice(slurm, option):
    _, scripts = slurm.submitted("--nodelist", "node1", *option.split())
    assert "--gres=gpu:a100:2" not in options_of(scripts["node1"])
    assert options_of(scripts["node1"])[-1] == option


def test_another_resource_that_was_asked_for_stands_beside_the_gpus(slurm):
    _, scripts = slurm.submitted("--nodelist", "node1,node4", "--gres=scratch:20G", "--comment", "here")
    assert "--gres=gpu:a100:2,scratch:20G" in options_of(scripts["node1"])
    assert "--gres=scratch:20G" in options_of(scripts["node4"])
    assert "--gres" not in " ".join(options_of(scripts["collect"])) and "--gres" not in slurm.told_file("submitted")


@pytest.mark.parametrize("option", ["--cpus-per-gpu=3", "--tres-per-task=cpu:3", "--tres-per-task=license/x:1,cpu=3"])
def test_a_gpus_share_of_the_processors_gives_way_to_the_users(slurm, option):
    _, scripts = slurm.submitted("--per", "gpu", "--nodelist", "node1", option)
    assert [option for option in options_of(scripts["node1-gpu0"]) if option.startswith(("--cpus", "--tres"))] == [option]


# What computes may ask for it, by an option or by a variable; "": there is none.
RESOURCES = {"--mem-per-gpu 20G": "SBATCH_MEM_PER_GPU=20G", "--cpus-per-gpu=3": "SBATCH_CPUS_PER_GPU=3", "--gpus 2": "SBATCH_GPUS=2",
             "--gpus-per-socket=1": "SBATCH_GPUS_PER_SOCKET=1", "--gpu-bind=closest": "SBATCH_GPU_BIND=closest", "--exclusive": "SBATCH_EXCLUSIVE=yes",
             "-c 4": "", "-n 2": "", "--ntasks-per-node=2": "", "--core-spec=1": "SBATCH_CORE_SPEC=1", "-S 1": "", "--thread-spec=1": "SBATCH_THREAD_SPEC=1",
             "--threads-per-core 1": "SBATCH_THREADS_PER_CORE=1", "--cpu-freq=high": "SBATCH_CPU_FREQ_REQ=high",
             "--hint=nomultithread": "SBATCH_HINT=nomultithread", "--hint compute_bound": "SLURM_HINT=compute_bound", "--network=ib": "SBATCH_NETWORK=ib",
             "--switches=1": "SBATCH_REQ_SWITCH=1", "--segment=1": "SBATCH_SEGMENT_SIZE=1", "--bb=capacity=1G": "SBATCH_BURST_BUFFER=capacity=1G", "--mem-bind=local": "SBATCH_MEM_BIND=local",
             "--tmp=100G": "", "--mincpus=4": "", "-L matlab": "", "-B 2:8:1": "", "--tres-per-task=cpu:4": "SBATCH_TRES_PER_TASK=cpu:4"}


@pytest.mark.parametrize("way", ["submitted", "printed"])
def test_the_job_that_collects_asks_for_nothing_of_what_computes(slurm, way):
    for resources in (("--oversubscribe",), [word for option in RESOURCES for word in option.split()]):
        variables = dict(setting.split("=", 1) for setting in [*RESOURCES.values(), "SBATCH_MEM_PER_CPU=9G", "SBATCH_WAIT4SWITCH=1",
                                                               "SBATCH_MEM_PER_NODE=90G", "SBATCH_QOS=long"] if setting)
        options = ("--nodelist", "node1", *resources, "--account", "lab", "--time=60")
        if way == "submitted":
            _, scripts = slurm.submitted(*options, **variables)
            script = scripts["collect"]
        else:
            assert printed(slurm, *options, **variables).returncode == 0
            script = slurm.told_file(f"script{slurm.told_file('count').strip()}")
        kept = ["--oversubscribe"] if "--oversubscribe" in resources else []
        assert options_of(script)[7:] == [*kept, "--account lab", "--time=60"]
        asked = slurm.told_file("submitted").splitlines()[-1]
        assert asked.startswith(" ".join(["--parsable", *kept, "--account lab --time=60 --dependency=afterany:"]))
        assert slurm.told_file(f"variables{slurm.told_file('count').strip()}") == "SBATCH_QOS=long\n"
    assert "SBATCH_MEM_PER_GPU=20G" in slurm.told_file("variables1")  # the job that computes may have it


@pytest.mark.parametrize("way", ["submitted", "printed"])
def test_variables_of_slurms_programs_change_nothing_that_is_read(slurm, way):
    variables = {"SINFO_PARTITION": "other", "SINFO_SORT": "-N", "SQUEUE_FORMAT": "%i", "SLURM_CLUSTERS": "far", "SCANCEL_INTERACTIVE": "1",
                 "SLURM_TIME_FORMAT": "relative", "SCONTROL_ALL": "1", "SLURM_CONF": "/etc/here"}
    if way == "submitted":
        err, _ = slurm.submitted("--nodelist", "node4", **variables)
        assert "SLURM_CLUSTERS is ignored: jobs go to the cluster of this machine" in err
        assert slurm.told_file("read_with") == "SLURM_CONF=/etc/here\n"  # which says where Slurm is
    else:
        (slurm.told / "bin/sbatch").write_text('#!/bin/sh\nenv | grep -E "^(SINFO|SQUEUE|SCANCEL|SCONTROL|SLURM)" >>"$MADE_UP/read_with"; echo 1\n')
        assert printed(slurm, "--nodelist", "node4", **variables).returncode == 0
        assert set(slurm.told_file("read_with").split()) == {"SLURM_CONF=/etc/here"}


PARTITION = ("PartitionName={name} Default={default} DefaultTime={usual} MaxNodes={most_nodes} MaxTime={time} MinNodes={nodes} MaxCPUsPerNode={cpus} "
             "OverSubscribe=NO PreemptMode={preempt} State={state} {of_memory}={memory}\n")
USUAL = {"name": "main", "default": "YES", "usual": "NONE", "time": "1-00:00:00", "nodes": 0, "most_nodes": "UNLIMITED", "cpus": "UNLIMITED",
         "preempt": "OFF", "state": "UP", "of_memory": "MaxMemPerNode", "memory": "UNLIMITED"}


def tell_partitions(slurm, *all_of_them):
    (slurm.told / "partitions").write_text("".join(PARTITION.format(**{**USUAL, **more}) for more in all_of_them))


@pytest.mark.parametrize("partition, options, words", [
    ({}, ("--time=2-0",), '--time must be at most the 1-00:00:00 of partition main, but is "2-0", and such a job would wait forever; give less'),
    ({}, ("--time=UNLIMITED",), "--time must be at most the 1-00:00:00 of partition main"),
    ({}, ("--time=3-0", "--time-min=2-0"), '--time-min must be at most the 1-00:00:00 of partition main, but is "2-0"'),
    ({"usual": "00:01:00"}, (), "--time must be given, because partition main otherwise ends a job after 00:01:00; write more than 2 minutes"),
    ({"time": "00:02:00"}, (), "--time must be given, because partition main otherwise ends a job after 00:02:00"),
    ({"nodes": 2}, (), "a partition must take jobs of one node, but partition main takes jobs of 2 nodes or more (MinNodes); name another --partition"),
    ({"most_nodes": 0}, (), "a partition must take jobs of one node, but partition main takes none (MaxNodes=0); name another --partition"),
    ({"memory": 500}, ("--mem=1G",), '--mem must be at most the 500M of partition main, but is "1G"; give less, or leave it out'),
    ({"memory": 500}, ("--mem-per-cpu=300", "-c2"), '--mem-per-cpu must come to at most the 500M of partition main, but is "300" for each of 2 processors'),
    ({"of_memory": "MaxMemPerCPU", "memory": 500}, ("--mem=5G",), '--mem must be at most the 4000M of partition main, but is "5G"'),
    ({"of_memory": "MaxMemPerCPU", "memory": 500, "cpus": 4}, ("--mem=3G",), '--mem must be at most the 2000M of partition main, but is "3G"'),
    ({"of_memory": "MaxMemPerCPU", "memory": 500}, ("--mem-per-cpu=5000",), '--mem-per-cpu must be at most the 4000M of partition main, but is "5000"'),
    ({"cpus": 4}, ("-c", "5"), '--cpus-per-task must be at most the 4 processors of partition main, but is "5"'),
    ({"cpus": 4}, ("--ntasks=5",), '--ntasks must be at most the 4 processors of partition main, but is "5"; give less, or leave it out'),
    ({}, ("--ntasks", "200"), '--ntasks must be at most the 8 processors of node4 of partition main, but is "200"; give less, or leave it out'),
    ({}, ("-n9",), '--ntasks must be at most the 8 processors of node4 of partition main, but is "9"'),
    ({}, ("-n", "3", "-c", "3"), '--cpus-per-task must come to at most the 8 processors of node4 of partition main, but is "3" for each of 3 tasks'),
    ({}, ("-n", "3", "--mem-per-cpu=30G"), '--mem-per-cpu must come to at most the 64000M of node4 of partition main, but is "30G" for each of 3 processors'),
    ({}, ("--mincpus=9",), '--mincpus must be at most the 8 processors of node4 of partition main, but is "9"'),
    ({}, ("--mem=100G",), '--mem must be at most the 64000M of node4 of partition main, but is "100G"; give less, or leave it out'),
    ({}, ("-c", "9"), '--cpus-per-task must be at most the 8 processors of node4 of partition main, but is "9"'),
    ({}, ("--tres-per-task=cpu:9",), '--tres-per-task=cpu must be at most the 8 processors of node4 of partition main, but is "9"'),
    ({}, ("--gpus=1",), '--gpus must be at most the 0 GPUs of node4 of partition main, but is "1"'),
])
def test_what_no_job_can_meet_is_said_before_anything_is_queued(slurm, partition, options, words):
    tell_partitions(slurm, partition, {"name": "other", "default": "NO"})
    for more in ((), ("--dry-run",)):
        code, out, err = slurm.submit("--nodelist", "node4", *options, *more)
        assert (code, out) == (2, "") and words in err and len(err.splitlines()) == 1, err
    assert not slurm.told_file("submitted") and not slurm.shared.exists()


LARGE_NODE = "node1|main*|idle|64|256000|{gpus}|(null)\n"
EACH = " for each of "


@pytest.mark.parametrize("options, words", [
    (("--mem", "300GB"), '--mem must be at most the 256000M of node1 of partition main, but is "300GB"'),
    (("--mem", "10TB"), '--mem must be at most the 256000M of node1 of partition main, but is "10TB"'),
    (("--mem-per-cpu", "500G", "-c", "8"), f'--mem-per-cpu must come to at most the 256000M of node1 of partition main, but is "500G"{EACH}8 processors'),
    (("--mem-per-cpu=8G", "-c", "64"), f'--mem-per-cpu must come to at most the 256000M of node1 of partition main, but is "8G"{EACH}64 processors'),
    (("--mem-per-cpu=8G", "--tres-per-task=cpu:64"), f'"8G"{EACH}64 processors'),
    (("--mem-per-cpu=8G", "--cpus-per-gpu=10"), f'"8G"{EACH}40 processors'),
    (("--mem-per-cpu=300G",), '--mem-per-cpu must be at most the 256000M of node1 of partition main, but is "300G"; give less'),
    (("--mem-per-cpu=20G", "--per", "gpu"), f'"20G"{EACH}16 processors'),
    (("--mem-per-gpu", "400G"), f'--mem-per-gpu must come to at most the 256000M of node1 of partition main, but is "400G"{EACH}4 GPUs'),
    (("--mem-per-gpu=150G", "--gpus-per-node=a100:2"), f'"150G"{EACH}2 GPUs'),
    (("--mem-per-gpu=400G", "--per", "gpu"), '--mem-per-gpu must be at most the 256000M of node1-gpu0 of partition main, but is "400G"; give less'),
    (("--mem-per-gpu=400G", "--per", "type"), f'"400G"{EACH}4 GPUs'),
    (("--gpus", "9"), '--gpus must be at most the 4 GPUs of node1 of partition main, but is "9"; give less, or leave it out'),
    (("-G9",), '--gpus must be at most the 4 GPUs of node1'),
    (("--gres=gpu:a100:9",), '--gres must be at most the 4 GPUs of node1 of partition main, but is "gpu:a100:9"'),
    (("--gres=scratch:1G,gpu:5",), '--gres must be at most the 4 GPUs of node1 of partition main, but is "scratch:1G,gpu:5"'),
    (("--gpus-per-node=a100:5",), '--gpus-per-node must be at most the 4 GPUs of node1'),
    (("--gpus-per-task=5",), '--gpus-per-task must be at most the 4 GPUs of node1'),
    (("--gpus-per-socket=a100:2,5",), '--gpus-per-socket must be at most the 4 GPUs of node1'),
    (("--tres-per-task=cpu:1,gres/gpu:a100:5",), '--tres-per-task must be at most the 4 GPUs of node1'),
    (("--cpus-per-gpu", "40"), f'--cpus-per-gpu must come to at most the 64 processors of node1 of partition main, but is "40"{EACH}4 GPUs'),
    (("--cpus-per-gpu=9000000000000000000",), f'is "9000000000000000000"{EACH}4 GPUs'),
])
def test_memory_processors_and_gpus_that_no_node_has_are_not_queued(slurm, options, words):
    tell_partitions(slurm, {})
    (slurm.told / "nodes").write_text(LARGE_NODE.format(gpus="gpu:a100:4(S:0-1),shard:8"))
    per_type = "--per" in options and "type" in options
    code, out, err = slurm.submit(*options)
    assert (code, out) == (2, "") and (words.replace("node1", "4xa100") if per_type else words) in err and len(err.splitlines()) == 1, err
    assert not slurm.told_file("submitted") and not slurm.shared.exists()


def test_a_kind_of_gpus_is_compared_with_those_of_this_kind(slurm):
    (slurm.told / "nodes").write_text(LARGE_NODE.format(gpus="gpu:a100:4,gpu:h100:2"))
    code, _, err = slurm.submit("--gpus=h100:3")
    assert code == 2 and '--gpus must be at most the 2 GPUs of node1, but is "h100:3"' in err  # of a partition that scontrol did not tell
    slurm.submitted("--gpus=6")


@pytest.mark.parametrize("option", ["--gpus-per-node=h100:2", "--gres=gpu:h100:2", "--gpus=h100:2", "--gpus-per-task=h100:1", "-Gh100:1", "--gpus-per-socket=h100:1",
                                    "--gres=gpu:h100", "--gres=scratch:1G,gpu:a100:1,gpu:h100:1", "--tres-per-task=cpu:1,gres/gpu:h100:1"])
@pytest.mark.parametrize("more", [(), ("--dry-run",)], ids=["submitted", "printed"])
def test_a_kind_of_gpus_that_no_node_has_is_not_queued(slurm, option, more):
    tell_partitions(slurm, {})
    (slurm.told / "nodes").write_text(LARGE_NODE.format(gpus="gpu:a100:2(S:0),gpu:a100:2(S:1),gpu:v100:1"))
    code, out, err = slurm.submit(option, *more)
    name = "--gpus" if option.startswith("-G") else option.split("=")[0]
    value = option[2:] if option.startswith("-G") else option.split("=", 1)[1]
    assert (code, out) == (2, "") and len(err.splitlines()) == 1, err
    assert f'{name} must ask for GPUs that node1 of partition main has (a100 and v100), but is "{value}"; name these, or leave it out' in err, err
    assert not slurm.told_file("submitted") and not slurm.shared.exists()


@pytest.mark.parametrize("gpus, option", [("gpu:4", "--gpus=h100:2"), ("gpu:a100:2,gpu:2", "--gres=gpu:h100:2"), ("gpu:a100:4", "--gpus=A100:4"), ("gpu:a100", "--gres=gpu:a100")])
def test_a_kind_of_gpus_is_submitted_where_the_cluster_may_have_it(slurm, gpus, option):
    (slurm.told / "nodes").write_text(LARGE_NODE.format(gpus=gpus))
    slurm.submitted(option)


@pytest.mark.parametrize("options, words", [
    (("--gpus-per-task=2", "-n3"), '--gpus-per-task must come to at most the 4 GPUs of node1 of partition main, but is "2" for each of 3 tasks'),
    (("--tres-per-task=gres/gpu:a100:2", "-n3"), "--tres-per-task must come to at most the 4 GPUs of node1"),
    (("-n", "17", "--tres-per-task=cpu:4"), '--tres-per-task=cpu must come to at most the 64 processors of node1 of partition main, but is "4" for each of 17 tasks'),
    (("-n", "5", "--per", "gpu"), '--ntasks must come to at most the 64 processors of node1-gpu0 of partition main, but is "5" of 16 processors')])
def test_what_each_of_several_tasks_asks_for_adds_up(slurm, options, words):
    tell_partitions(slurm, {})
    (slurm.told / "nodes").write_text(LARGE_NODE.format(gpus="gpu:a100:4"))
    code, _, err = slurm.submit(*options)
    assert code == 2 and words in err and len(err.splitlines()) == 1, err
    assert not slurm.told_file("submitted")


@pytest.mark.parametrize("options", [
    ("--mem=250GB",), ("--mem=256000",), ("--mem-per-cpu=4000", "-c64"), ("--mem-per-cpu=250G",), ("--mem-per-cpu=0",), ("--mem-per-gpu=64000",),
    ("--mem-per-gpu=250G", "--gpus=1"), ("--mem-per-gpu=250G", "--per", "gpu"), ("--mem-per-gpu=400G", "--gres=none"), ("--gpus=4",), ("--gpus=0",),
    ("--gres=gpu:a100:4",), ("--gres=gpu",), ("--gres=gpu:a100",), ("--gres=scratch:9",), ("--gres=shard:8",), ("--cpus-per-gpu=16",),
    ("-n64",), ("--ntasks=16", "-c4"), ("--ntasks=200", "--overcommit"), ("-n200", "-O"), ("--ntasks=many",), ("--mincpus=64",), ("--gpus-per-task=1", "-n4"),
    ("--cpus-per-gpu=64", "--gpus=1"), ("--mem=lots",), ("--tres-per-task=cpu:64,gres/gpu:4",)])
def test_memory_processors_and_gpus_that_a_node_has_are_submitted(slurm, options):
    tell_partitions(slurm, {})
    (slurm.told / "nodes").write_text(LARGE_NODE.format(gpus="gpu:a100:4(S:0-1),shard:8"))
    slurm.submitted(*options)


def test_memory_for_each_gpu_is_not_compared_with_that_of_a_node_that_the_cluster_was_not_told(slurm):
    slurm.submitted("--nodelist", "node3", "--mem-per-gpu=400G")


@pytest.mark.parametrize("partitions, options, words", [
    (({}, {"time": "2-00:00:00"}), ("--time=3-0",),
     "--time must be at most the 2-00:00:00 of partition second (which gives the most of first and second), but is"),
    (({"usual": "00:02:00"}, {"usual": "00:01:00"}), (),
     "--time must be given, because partition first (which gives the most of first and second) otherwise ends a job after 00:02:00;"),
    (({"nodes": 4}, {"nodes": 2}), (), "but partition first takes jobs of 4 nodes or more (MinNodes) and partition second takes jobs of 2 nodes or more (MinNodes)"),
    (({"memory": 500}, {"memory": 900}), ("--mem=1G",),
     "--mem must be at most the 900M of partition second (which gives the most of first and second), but is")])
def test_of_several_partitions_the_one_that_allows_most_is_named_with_its_limit(slurm, partitions, options, words):
    tell_partitions(slurm, *({"name": name, "default": "NO", **more} for name, more in zip(("first", "second"), partitions)))
    (slurm.told / "nodes").write_text("node1|first|idle|8|64000|(null)|(null)\nnode1|second|idle|8|64000|(null)|(null)\n")
    code, _, err = slurm.submit("-p", "first,second", *options)
    assert code == 2 and words in err and len(err.splitlines()) == 1, err


@pytest.mark.parametrize("options, variables", [
    (("--time=1-0",), {}), (("--time=2-0", "--time-min=60"), {}), (("--time=2-0", "-p", "main,long"), {}), (("--time=2-0", "--qos=long"), {}),
    (("--time=2-0",), {"SBATCH_QOS": "long"}), (("--time=1-0", "--mem=64000"), {}), (("--time=60", "--mem=0", "-c8"), {}), (("-n8",), {})])
def test_what_some_partition_or_quality_of_service_allows_is_submitted(slurm, options, variables):
    tell_partitions(slurm, {}, {"name": "long", "default": "NO", "time": "UNLIMITED"})
    slurm.submitted("--nodelist", "node4", *options, **variables)


def test_memory_of_each_gpu_is_compared_with_what_the_partition_gives_of_a_node(slurm):
    tell_partitions(slurm, {"memory": 300})
    code, _, err = slurm.submit("--nodelist", "node1", "--mem-per-gpu=200")
    assert code == 2 and '--mem-per-gpu must come to at most the 300M of partition main, but is "200" for each of 2 GPUs' in err, err


@pytest.mark.parametrize("partition", [{"memory": 0}, {"of_memory": "MaxMemPerCPU", "memory": 8000}, {"cpus": 8}, {"cpus": 0}, {"most_nodes": 1}], ids=str)
def test_a_limit_that_is_reached_and_one_that_is_none_refuse_nothing(slurm, partition):
    tell_partitions(slurm, partition)
    slurm.submitted("--nodelist", "node4", "--mem=64000", "-n8")


def test_a_time_of_the_environment_that_the_partition_does_not_give_is_said(slurm):
    tell_partitions(slurm, {})
    code, _, err = slurm.submit(SBATCH_TIMELIMIT="2-0")
    assert code == 2 and 'SBATCH_TIMELIMIT must be at most the 1-00:00:00 of partition main, but is "2-0"' in err


def test_a_partition_that_cancels_what_it_preempts_is_said_with_the_command_that_goes_on(slurm):
    tell_partitions(slurm, {"preempt": "GANG,CANCEL"})
    err, _ = slurm.submitted("--nodelist", "node4", "--comment", "it's mine")
    command = (f"cd {slurm.folder} && {slurm.program} slurm submit --per node --folder {slurm.shared} --nodelist=node4 --comment 'it'\\''s mine' "
               f"-- {' '.join(map(str, CELL))}")
    assert f"partition main cancels a job that it preempts, and does not requeue it; then continue with: {command}\n" in err
    assert slurm.run_job("node4", SDBENCH_STUB="exit3")[0] == 1
    subprocess.run(["bash", "-c", f"{command} --retry-failed"], env=slurm.environment(), check=True, capture_output=True)
    assert slurm.run_job("node4")[0] == 0
    assert [row["status"] for row in json_lines(slurm.shared / "node4.jsonl")] == ["crash", "ok"]


def test_a_partition_that_is_down_is_said(slurm):
    tell_partitions(slurm, {"state": "DOWN"})
    assert "partition  main is DOWN: its jobs wait until it is UP" in slurm.submitted("--nodelist", "node4")[0]


def test_nodes_in_maintenance_take_jobs_of_a_reservation(slurm):
    (slurm.told / "nodes").write_text("node1|main*|idle$|8|64000|(null)|(null)\nnode2|main*|maint|8|64000|(null)|(null)\nnode3|main*|mixed@|8|64000|(null)|(null)\n")
    err, scripts = slurm.submitted()
    assert set(scripts) == {"node3", "collect"} and "left out   node1, which is idle$ (in maintenance)" in err
    for how in ({"SBATCH_RESERVATION": "mine"}, {}):
        _, scripts = slurm.submitted(*(() if how else ("--reservation", "mine")), **how)
        assert {"node1", "node2", "node3"} <= set(scripts)


def test_a_line_without_a_node_is_of_a_partition_that_has_none(slurm):
    (slurm.told / "nodes").write_text("|empty|n/a|0|0|(null)|(null)\nnode1|main*|idle|8|64000|(null)|(null)\n")
    assert set(slurm.submitted()[1]) == {"node1", "collect"}


@pytest.mark.parametrize("end, of, words", [
    ("PREEMPTED", "job", "was preempted"), ("PREEMPTED", "accounts", "was preempted"), ("TIMEOUT", "job", "was ended, for its time was up,"),
    ("CANCELLED by 1000", "accounts", "was cancelled"), ("NODE_FAIL", "accounts", "has lost its node"), ("", "accounts", "was ended")])
def test_machines_that_are_not_finished_are_named_by_the_log_and_the_comparison(slurm, end, of, words):
    slurm.submitted("--nodelist", "node3,node4", run_options=(*CELL, "--steps", "1,2"))
    assert slurm.run_job("node3")[0] == 0
    number = slurm.number("node4")
    (slurm.told / of).write_text(f"JobId={number} JobName=x JobState={end} Reason=None\n" if of == "job" else f"{end}\n")
    (slurm.shared / "jobs/node4.state").write_text(f"started {number} on-node4\nended {number} 143\n")
    code, log = collect_log(slurm)
    assert code == 0, log
    assert f"node4 (job {number}) {words} before it was done; submit again to measure what it lacks" in log
    comparison = (slurm.shared / "comparison.txt").read_text()
    assert f"not finished:\n  node4 (job {number}) {words} before it was done\nTo measure what is missing: cd {slurm.folder} && " in comparison
    assert "node3 (job" not in comparison
