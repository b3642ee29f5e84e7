"""Decides when a cell has been measured enough: the rules of src/base/executor/stopping.cpp."""
import statistics

MIN_RUNS_FOR_NOISE = 3
MAX_RUNS_FOR_NOISE = 100
SETTLED_WITHIN = 0.05  # relative difference of two images, by the later one
MAX_WARMUPS = 5
SHARE_BEFORE_TIMING = 0.5  # of the cell's time; the rest is for timed runs


def time_is_over(cell, elapsed_s):
    return cell["max_time_s"] is not None and elapsed_s >= cell["max_time_s"]


def relative_standard_error(values):
    mean = statistics.fmean(values)
    return statistics.stdev(values) / len(values) ** 0.5 / mean if mean > 0 else float("inf")


def enough_runs(cell, e2e_s, elapsed_s):
    """Returns why no further timed run may begin; None to continue."""
    runs, repeat = len(e2e_s), cell["repeat"]
    if cell["max_noise"] is None:
        if runs >= repeat:
            return "repeat"
    elif runs >= max(repeat, MIN_RUNS_FOR_NOISE):
        if relative_standard_error(e2e_s) < cell["max_noise"]:
            return "max_noise"
        if runs >= max(repeat, MAX_RUNS_FOR_NOISE):
            return "max_runs"
    return "max_time" if time_is_over(cell, elapsed_s) else None


def enough_warmups(cell, batch_s, elapsed_s):
    """The same for warm-up images. `batch_s`: seconds for one batch each, starting with the first image's."""
    if time_is_over(cell, elapsed_s):
        return "max_time"
    warmups = len(batch_s) - 1
    if cell["warmup"] is not None:
        return "asked" if warmups >= cell["warmup"] else None
    if warmups >= 1 and abs(batch_s[-1] - batch_s[-2]) < SETTLED_WITHIN * batch_s[-1]:
        return "settled"
    if warmups >= MAX_WARMUPS:
        return "limit"
    return "max_time" if cell["max_time_s"] is not None and elapsed_s >= SHARE_BEFORE_TIMING * cell["max_time_s"] else None
