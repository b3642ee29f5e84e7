"""1,000 cells in one sweep: nothing piles up in the front or beside it."""

import pathlib
import resource
import sys

import pytest
from program import environment
from stub import install

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "benchmarks"))
from sweep_overhead import sweep  # noqa: E402

CELLS = 1000
MOST_S_A_CELL = 0.02
KIB_A_CELL = 7  # the front keeps every row of the run once, to make a lost file again and to look back: 5.8 kB, and its texts


def processes_with(mark):
    """Those with this text in their environment."""
    found = []
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if mark.encode() in (process / "environ").read_bytes():
                found.append(process.name)
        except OSError:
            pass  # it has ended, or is not ours
    return found


@pytest.fixture(scope="module")
def long_sweep(tmp_path_factory):
    folder = tmp_path_factory.mktemp("long")
    program = install(folder / "installed")
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    result = sweep(program, CELLS, folder, env=environment(SDBENCH_STUB=f"nothing in {folder}"))
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    processor_s = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return folder, result, processor_s


def test_every_cell_is_a_row(long_sweep):
    _, (code, _, rows, _), _ = long_sweep
    assert code == 0
    assert len({row["cell_id"] for row in rows}) == CELLS


def test_a_cell_costs_little_beyond_its_own_time(long_sweep):
    _, _, processor_s = long_sweep  # of front and worker: unlike the time on the wall, it knows nothing of other programs
    assert processor_s / CELLS < MOST_S_A_CELL


def test_no_process_descriptor_thread_or_memory_is_leaked(long_sweep):
    folder, (_, wall_s, _, seen), _ = long_sweep
    early, late = seen
    print(f"{1e3 * wall_s / CELLS:.1f} ms a cell; {early} {late}")
    assert len(early) == len(late) == 2  # the front and its one worker
    for before, after in zip(early, late):
        assert after["descriptors"] <= before["descriptors"]
        assert after["threads"] == before["threads"]
        assert after["resident_kib"] - before["resident_kib"] < KIB_A_CELL * CELLS
    assert not processes_with(f"nothing in {folder}")
