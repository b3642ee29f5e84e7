"""Timesteps, sigmas and initial noise equal diffusers' EulerDiscreteScheduler for every kind of schedule.

SDBENCH_SCHEDULE_PROBE names the program that runs ours (schedule_probe.cpp).
"""

import line_probe
import numpy
import pytest
from diffusers import EDMEulerScheduler, EulerDiscreteScheduler

STEPS = [*range(1, 152), 199, 200, 250, 300, 333, 499, 500, 501, 666, 750, 997, 998, 999, 1000]
FEW_STEPS = [1, 2, 20, 61, 1000]


@pytest.mark.parametrize("zero_snr", [False, True], ids=["", "zero_snr"])
@pytest.mark.parametrize("karras", [False, True], ids=["plain", "karras"])
@pytest.mark.parametrize("betas", ["scaled_linear", "linear", "squaredcos_cap_v2"])
@pytest.mark.parametrize("spacing, offset",
                         [("leading", 1), ("leading", 0), ("linspace", 0), ("trailing", 1)])
def test_schedule_equals_the_oracles(spacing, offset, betas, karras, zero_snr):
    config = dict(beta_start=0.00085, beta_end=0.012, beta_schedule=betas, timestep_spacing=spacing, steps_offset=offset,
                  use_karras_sigmas=karras, rescale_betas_zero_snr=zero_snr)
    oracle = EulerDiscreteScheduler(**config)
    counts = FEW_STEPS if betas != "scaled_linear" or zero_snr else STEPS
    ours = line_probe.ask("SDBENCH_SCHEDULE_PROBE", {"config": config, "steps": counts})
    worst = 0.0
    for steps, got in zip(counts, ours, strict=True):
        oracle.set_timesteps(steps)
        timesteps, sigmas = oracle.timesteps.numpy(), oracle.sigmas.numpy()
        assert len(got["timesteps"]) == len(timesteps), steps
        if karras:  # through a logarithm, whose last bit is the library's
            numpy.testing.assert_allclose(got["timesteps"], timesteps, rtol=1e-6, atol=1e-3)
        else:
            assert numpy.array_equal(numpy.float32(got["timesteps"]), timesteps), steps
        numpy.testing.assert_allclose(got["sigmas"], sigmas, rtol=1e-6, atol=0, err_msg=str(steps))
        assert got["init_noise_sigma"] == pytest.approx(float(oracle.init_noise_sigma), rel=1e-6)
        nonzero = sigmas > 0
        error = abs(numpy.float32(got["sigmas"])[nonzero] / sigmas[nonzero] - 1)
        worst = max(worst, float(error.max()))
    print(f"largest relative error of a sigma: {worst:.1e}")


def test_diffusers_converts_edms_scheduler_and_loses_its_noise_levels():
    """What sdbench says of it where it refuses to stand in for it, by diffusers itself."""
    edm = EDMEulerScheduler(sigma_min=0.01, sigma_max=99.0)
    euler = EulerDiscreteScheduler.from_config(edm.config)
    assert EDMEulerScheduler in EulerDiscreteScheduler().compatibles
    euler.set_timesteps(10)
    edm.set_timesteps(10)
    assert abs(float(edm.sigmas[0]) - 99) < 0.1 and abs(float(euler.sigmas[0]) - 99) > 10
