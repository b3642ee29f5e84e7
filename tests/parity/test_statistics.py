"""Statistics equal numpy's and mpmath's on random samples.

SDBENCH_STATISTICS_PROBE names the program that runs ours (statistics_probe.cpp).
"""

import json
import math
import os
import subprocess
from itertools import combinations

import mpmath
import numpy as np
import pytest

COUNTS = [1, 2, 3, 4, 5, 7, 10, 29, 30, 31, 100, 257]
PERCENTS = [0, 25, 50, 90, 99, 100]


def random_samples():
    """Times as they come: steady, noisy, skewed, drifting, with hiccups, and rounded so that many are equal."""
    random = np.random.default_rng(2026)
    kinds = [
        lambda n: 0.02 + 1e-7 * random.standard_normal(n),
        lambda n: random.gamma(4, 0.5, n),
        lambda n: random.lognormal(0, 2, n),
        lambda n: 1 + 0.1 * np.arange(n) / n + 0.01 * random.standard_normal(n),
        lambda n: np.where(random.random(n) < 0.1, 10, 1) * random.uniform(0.9, 1.1, n),
        lambda n: np.round(random.uniform(1, 2, n), 1),
    ]
    return [kind(count) for kind in kinds for count in COUNTS]


SAMPLES = random_samples()


@pytest.fixture(scope="module")
def ours():
    lines = "".join(json.dumps(list(samples)) + "\n" for samples in SAMPLES)
    done = subprocess.run([os.environ["SDBENCH_STATISTICS_PROBE"]], input=lines, capture_output=True,
                          text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def close(value):
    return pytest.approx(float(value), rel=1e-9, abs=1e-12)


def t_quantile(degrees):
    """Two-sided 95 %, from the regularised incomplete beta function."""
    inside = lambda t: mpmath.betainc(degrees / 2, 0.5, degrees / (degrees + t * t), 1, regularized=True)
    return mpmath.findroot(lambda t: inside(t) - 0.95, (1.9, 14), solver="anderson", tol=1e-20)


def mann_kendall_p(values):
    s = sum(np.sign(later - earlier) for earlier, later in combinations(values, 2))
    cubic = lambda n: n * (n - 1) * (2 * n + 5)
    variance = (cubic(len(values)) - sum(cubic(n) for n in np.unique(values, return_counts=True)[1])) / 18
    return 1 if variance == 0 else 0.5 * math.erfc((s - 1) / math.sqrt(2 * variance))


def theil_sen(values):
    slopes = [(values[j] - values[i]) / (j - i) for i, j in combinations(range(len(values)), 2)]
    return np.median(slopes) if slopes else 0


def test_moments_and_percentiles_are_numpys(ours):
    assert len(ours) == len(SAMPLES)
    for samples, got in zip(SAMPLES, ours, strict=True):
        assert got["mean"] == close(samples.mean())
        assert got["percentiles"] == [close(np.percentile(samples, percent)) for percent in PERCENTS]
        if len(samples) == 1:
            assert got["sd"] is None and got["rse"] is None
        else:
            sd = samples.std(ddof=1)
            assert got["sd"] == close(sd)
            assert got["rse"] == close(sd / math.sqrt(len(samples)) / samples.mean())


def test_intervals_are_students(ours):
    mpmath.mp.dps = 30
    quantiles = {count: float(t_quantile(count - 1)) for count in COUNTS if count > 1}
    for samples, got in zip(SAMPLES, ours, strict=True):
        if len(samples) == 1:
            assert got["half_width"] is None
        else:
            width = quantiles[len(samples)] * samples.std(ddof=1) / math.sqrt(len(samples))
            assert got["half_width"] == close(width)


def test_outliers_are_those_of_the_documented_rule(ours):
    found = 0
    for samples, got in zip(SAMPLES, ours, strict=True):
        centre = np.median(samples)
        distances = abs(samples - centre)
        bound = max(5 * 1.4826 * np.median(distances), 0.05 * centre)
        expected = int((distances > bound).sum()) if len(samples) >= 5 else 0
        assert got["outliers"] == expected
        found += expected
    assert found > 0


def test_trends_are_those_of_ten_blocks(ours):
    for samples, got in zip(SAMPLES, ours, strict=True):
        assert got["mann_kendall_p"] == close(mann_kendall_p(samples))
        assert got["theil_sen"] == close(theil_sen(samples))
        if len(samples) < 30:
            assert got["change"] is None and got["change_p"] is None
            continue
        edges = [len(samples) * block // 10 for block in range(11)]
        blocks = [np.median(samples[begin:end]) for begin, end in zip(edges, edges[1:], strict=False)]
        assert got["change"] == close(theil_sen(blocks) * 9 / np.median(blocks))
        assert got["change_p"] == close(mann_kendall_p(blocks))


def test_the_interval_holds_the_truth_as_often_as_it_says():
    random = np.random.default_rng(7)
    trials = [random.normal(10, 0.3, 3) for _ in range(4000)]
    lines = "".join(json.dumps(list(samples)) + "\n" for samples in trials)
    done = subprocess.run([os.environ["SDBENCH_STATISTICS_PROBE"]], input=lines, capture_output=True,
                          text=True, timeout=120, check=True)
    hits = [abs(got["mean"] - 10) <= got["half_width"] for got in map(json.loads, done.stdout.splitlines())]
    assert 0.94 < np.mean(hits) < 0.96
