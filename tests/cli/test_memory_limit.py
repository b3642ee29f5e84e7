"""A sweep in a control group with little memory. Nothing may run beside it (tests/CMakeLists.txt)."""

import os
import pathlib

import pytest
from test_sweep_faults import SWEEP, all_rows, complete, outcomes


@pytest.fixture
def small_cgroup():
    """A control group with little memory, which a process joins by its number; skips where none can be made."""
    groups = {line.split(":")[1]: line.strip().split(":", 2)[2] for line in open("/proc/self/cgroup")}
    version_1 = "memory" in groups
    root = pathlib.Path("/sys/fs/cgroup/memory" if version_1 else "/sys/fs/cgroup")
    group = root / groups.get("memory" if version_1 else "", "/").lstrip("/") / f"sdbench-test-{os.getpid()}"
    try:
        group.mkdir()
    except OSError as error:
        pytest.skip(f"no control group can be made here: {error}")
    try:
        try:
            (group / ("memory.limit_in_bytes" if version_1 else "memory.max")).write_text(str(512 << 20))
            swap = group / "memory.swap.max"
            if swap.exists():
                swap.write_text("0")
        except OSError as error:
            pytest.skip(f"a control group here has no limit of memory: {error}")
        yield group / "cgroup.procs"
    finally:
        group.rmdir()


def test_memory_beyond_a_control_groups_limit_costs_one_cell(stub, small_cgroup):
    code, _, err = stub.run("allocates@3", *SWEEP, preexec_fn=lambda: small_cgroup.write_text(str(os.getpid())))
    assert code == 3, err
    rows = all_rows(stub.folder)
    assert outcomes(rows) == [(1, "ok"), (2, "ok"), (3, "oom_host"), (4, "ok"), (5, "ok")]
    assert "the kernel ran out of memory and killed the worker" in rows[2]["error"]
    complete(stub, [3])
