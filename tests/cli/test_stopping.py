"""When a cell's runs end, and what its record then says, with the real worker."""

import statistics

import pytest
from program import record_of, run

TINY = ("-m", "tiny-sd15", "--weights", "synthetic", "--device", "cpu", "--threads", 1, "--size", "64x64", "--format", "json",
        "--no-save")


def measured(folder, *arguments):
    code, out, err = run(folder, *TINY, *arguments)
    assert code == 0, err
    return record_of(out)


def test_by_default_three_runs_follow_an_automatic_warm_up(tmp_path):
    record = measured(tmp_path, "--steps", 2)
    assert record["stop_reason"] == "repeat" and record["repeat"] == 3
    assert record["warmup_reason"] in ("settled", "limit") and 1 <= record["warmup"] <= 5
    times = [sample["e2e_s"] for sample in record["samples"]]
    assert record["e2e_s_median"] == statistics.median(times)
    assert (record["e2e_s_min"], record["e2e_s_max"]) == (min(times), max(times))
    assert record["e2e_s_sd"] == pytest.approx(statistics.stdev(times))
    assert record["e2e_s_median_excl_first"] == pytest.approx(statistics.median(times[1:]))
    assert record["noise"] == pytest.approx(statistics.stdev(times) / 3**0.5 / statistics.mean(times))
    assert record["step_count"] == 6
    if record["unet_it_s_ci95_low"] is not None:  # a busy machine may spread three runs too far
        assert record["unet_it_s_ci95_low"] <= record["unet_it_s"] <= record["unet_it_s_ci95_high"]
        assert record["ci95_covers"] == "within-run" and record["ci95_count"] == 3


def test_max_noise_goes_on_until_the_mean_is_sure(tmp_path):
    record = measured(tmp_path, "--steps", 2, "--max-noise", "60%", "--repeat", 1)
    assert record["stop_reason"] == "max_noise" and record["noise"] < 0.6
    assert record["repeat"] >= 3
    endless = measured(tmp_path, "--steps", 1, "--max-noise", "0.000001%", "--warmup", 0)
    assert endless["stop_reason"] == "max_runs" and endless["repeat"] == 100
    assert "noisy" in endless["flags"].split()


def test_max_time_keeps_the_rate_of_an_unfinished_run(tmp_path):
    record = measured(tmp_path, "--steps", 1000, "--max-time", 0.01)  # over while the first image is made
    assert record["status"] == "ok" and record["stop_reason"] == "max_time"
    assert "partial" in record["flags"].split()
    assert record["repeat"] == 0 and record["first_image_s"] is None and record["unet_it_s"] is None
    steps = record["partial_run"]["step_s"]
    assert record["partial_run"]["stage"] == "first_image" and 1 <= len(steps) < 1000
    assert record["first_image_it_s"] == pytest.approx(len(steps) / sum(steps))


def test_max_time_after_whole_runs_keeps_their_figures(tmp_path):
    record = measured(tmp_path, "--steps", 2, "--repeat", 100000, "--warmup", 0, "--max-time", 6)
    assert record["status"] == "ok" and record["stop_reason"] == "max_time"
    assert record["repeat"] == len(record["samples"]) > 3
    assert "partial" not in record["flags"].split()
    assert record["unet_it_s"] == pytest.approx(2 * record["repeat"] / sum(s["unet_s"] for s in record["samples"]))


@pytest.mark.parametrize("arguments, message", [
    (("--max-noise", "0.5"), "max-noise must be a percentage above 0% and at most 100%, such as 0.5%"),
    (("--max-time", "0"), "max-time must be seconds above zero"),
    (("--warmup", "many"), "--warmup must be a whole number or auto"),
])
def test_bounds_that_make_no_sense_are_refused(tmp_path, arguments, message):
    code, out, err = run(tmp_path, *TINY, *arguments)
    assert code == 2 and not out
    assert message in err
