"""A Slurm cluster of two nodes on this machine, each in its own network, host name, processes and mounts, without an accounting database.

It needs root, Debian's slurmctld, slurmd, slurm-client and munge, and ip; nothing of it is seen outside, and it ends with its first process."""

import os
import pathlib
import shutil
import signal
import subprocess
import time

from program import children, wait_until

PROGRAMS = ("slurmctld", "slurmd", "sbatch", "munged", "ip", "nsenter", "setpriv", "unshare")
NODES = ("node1", "node2")
# Whatever becomes of the tests, a cluster ends with them.
NAMESPACES = ("setpriv", "--pdeathsig", "KILL", "unshare", "--net", "--uts", "--mount", "--pid", "--fork", "--mount-proc", "--kill-child")


def obstacle():
    """Why there can be no cluster here; empty: there can."""
    missing = [program for program in PROGRAMS if not shutil.which(program)]
    if missing:
        return "a Slurm cluster needs " + ", ".join(missing)
    if os.geteuid() != 0:
        return "a Slurm cluster needs root"
    if not any(pathlib.Path("/sys/fs/cgroup").glob("*")):  # slurmd does not begin without, though nothing here uses it
        return "a Slurm cluster needs control groups in /sys/fs/cgroup"
    attempt = subprocess.run([*NAMESPACES, "true"], capture_output=True, text=True)
    return "" if attempt.returncode == 0 else "a Slurm cluster needs namespaces: " + attempt.stderr.strip()


def run(*command, **more):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=60, **more)
    assert done.returncode == 0, (command, done.stdout, done.stderr)
    return done.stdout


class Machine:
    """Namespaces with a first process that does nothing; `within`: a machine that it is nested in."""

    def __init__(self, name, within=()):
        self.keeper = subprocess.Popen([*within, *NAMESPACES, "sleep", "infinity"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                       start_new_session=True)
        self.first = wait_until(self.find_first)  # by the number that it has outside
        self.run("hostname", name)
        self.run("ip", "link", "set", "lo", "up")

    def find_first(self):
        """What nsenter and unshare have started, down to the sleep."""
        at = self.keeper.pid
        while pathlib.Path(f"/proc/{at}/comm").read_text() != "sleep\n":
            below = children(at)
            if not below:
                return None
            at = below[0]
        return at

    def command(self, *words):
        """Enters everything of it, the root folder too, which may be a chroot's."""
        return ["nsenter", "--target", str(self.first), "--all", "--root", f"--wd={os.getcwd()}", *map(str, words)]

    def run(self, *words, **more):
        return run(*self.command(*words), **more)

    def end(self):
        """As by a power failure: every process of it is killed."""
        try:
            os.kill(self.first, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.keeper.wait(20)


class Cluster:
    """`environment`: of every command and job."""

    def __init__(self, folder, **environment):
        self.folder = folder
        self.nodes = {}
        for name in ("state", "munge", *NODES, "gpus"):
            (folder / name).mkdir(parents=True)
        self.environment = {"PATH": os.environ["PATH"], "SLURM_CONF": str(folder / "slurm.conf"), "HOME": str(folder), **environment}
        self.controller = Machine("control")
        try:
            self.begin()
        except BaseException:
            self.end()
            raise

    def begin(self):
        self.controller.run("ip", "address", "add", "10.9.0.1/32", "dev", "lo")
        self.controller.run("sh", "-c", "echo 1 > /proc/sys/net/ipv4/ip_forward")
        self.write_configuration()
        munge = self.folder / "munge"
        (munge / "key").write_bytes(os.urandom(64))
        (munge / "key").chmod(0o400)
        munge.chmod(0o755)
        places = [f"--{what}={munge / name}" for what, name in
                  (("key-file", "key"), ("socket", "socket"), ("pid-file", "pid"), ("log-file", "log"), ("seed-file", "seed"))]
        self.controller.run("munged", "--force", "--num-threads=2", *places)
        self.controller.run("slurmctld", "-i", env=self.environment)
        for name in NODES:
            self.begin_node(name)
        self.wait_for_nodes()

    def write_configuration(self):
        folder = self.folder
        for gpu in range(3):
            os.mknod(folder / "gpus" / f"nvidia{gpu}", 0o20666, os.makedev(1, 3))  # made up: /dev/null
        (folder / "gres.conf").write_text(f"NodeName=node1 Name=gpu Type=toy File={folder}/gpus/nvidia[0-1]\n"
                                          f"NodeName=node2 Name=gpu Type=big File={folder}/gpus/nvidia2\n")
        (folder / "slurm.conf").write_text(f"""
ClusterName=proof
SlurmctldHost=control(10.9.0.1)
SlurmUser=root
SlurmdUser=root
AuthInfo=socket={folder}/munge/socket
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/%n/spool
SlurmctldPidFile={folder}/state/pid
SlurmdPidFile={folder}/%n/pid
SlurmctldLogFile={folder}/state/log
SlurmdLogFile={folder}/%n/log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
SchedulerParameters=bf_interval=1,sched_interval=1,sched_min_interval=0,batch_sched_delay=0
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
ReturnToService=2
SlurmdTimeout=4
KillWait=2
GresTypes=gpu
NodeName=node1 NodeAddr=10.9.1.2 CPUs=2 RealMemory=1000 MemSpecLimit=50 Gres=gpu:toy:2 Feature=small
NodeName=node2 NodeAddr=10.9.2.2 CPUs=2 RealMemory=1000 Gres=gpu:big:1 Feature=large
PartitionName=main Nodes=node1,node2 Default=YES PriorityTier=1
PartitionName=urgent Nodes=node1,node2 PriorityTier=2
PartitionName=whole Nodes=node1 PriorityTier=1 OverSubscribe=EXCLUSIVE
PartitionName=cheap Nodes=node2 PriorityTier=1 PreemptMode=CANCEL
PartitionName=short Nodes=node1 MaxTime=10 MinNodes=2
PartitionName=empty
""")

    def begin_node(self, name):
        number = NODES.index(name) + 1
        node = Machine(name, self.controller.command())
        self.nodes[name] = node
        # In the network of the controller, but with process numbers of outside.
        network = ("nsenter", f"--net=/proc/{self.controller.first}/ns/net")
        run(*network, "ip", "link", "add", f"to-{name}", "type", "veth", "peer", "name", "eth0", "netns", node.first)
        run(*network, "ip", "address", "add", f"10.9.{number}.1/24", "dev", f"to-{name}")
        run(*network, "ip", "link", "set", f"to-{name}", "up")
        node.run("ip", "address", "add", f"10.9.{number}.2/24", "dev", "eth0")
        node.run("ip", "link", "set", "eth0", "up")
        node.run("ip", "route", "add", "default", "via", f"10.9.{number}.1")
        node.run("slurmd", "-N", name, env=self.environment)

    def wait_for_nodes(self):
        wait_until(lambda: self.slurm("sinfo", "-h", "-N", "-p", "main", "-o", "%t").split() == ["idle"] * len(NODES), 30)

    def slurm(self, *words, **environment):
        return self.controller.run(*words, env={**self.environment, **environment})

    def jobs(self):
        """Of those in the queue: state by number."""
        return dict(line.split() for line in self.slurm("squeue", "-h", "-o", "%i %T").splitlines())

    def begin_now(self, job):
        """A requeued job waits two minutes; within its second a node takes the new start for the one that it has just ended."""
        wait_until(lambda: self.jobs().get(job) == "PENDING", 30)
        self.slurm("scontrol", "update", f"JobId={job}", "StartTime=now+2")

    def wait_for_end(self, jobs, seconds=60):
        end = time.monotonic() + seconds
        while set(jobs) & set(self.jobs()):
            assert time.monotonic() < end, self.slurm("squeue", "-o", "%i %j %T %r %N")
            time.sleep(0.1)

    def end(self):
        self.controller.end()  # the nodes are nested in it
