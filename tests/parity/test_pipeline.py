"""Every number of a run equals diffusers', on small random pipelines of each kind.

SDBENCH_PARITY_PROBE names the program that runs ours (parity_probe.cpp); pipeline_cases.py has the cases. Component by component
first, each fed with what ours had before it; then end to end against the pipeline objects.
"""

import itertools

import pytest
import torch
from oracle_run import TUNED, Request, euler_for, relative_error, rms, run_ours
from pipeline_cases import AXES, BF16_AXES, BF16_CASES, case, models, pairwise_rows  # noqa: F401, fixtures

BOUND = 1e-4


@pytest.mark.parametrize("axes", [AXES, BF16_AXES], ids=["fp32", "bf16"])
def test_the_cases_have_every_pair_of_the_engines_axes(axes):
    rows = pairwise_rows(axes)
    for (first, ones), (second, others) in itertools.combinations(axes.items(), 2):
        for one, other in itertools.product(ones, others):
            assert any(row[first] == one and row[second] == other for row in rows), (first, one, second, other)


def check(name, ours, wanted, bound=BOUND):
    error = relative_error(ours, wanted)
    print(f"{name}: {error:.1e}")
    assert error <= bound, name
    return error


def steps_of(tensors):
    return sum(name.startswith("unet.") for name in tensors)


# Components, each on our own inputs.

def test_token_ids_are_equal(case):
    for name in ("ids.0", "ids.1"):
        if name in case.wanted:
            assert torch.equal(case.ours[name], case.wanted[name])


def test_text_states(case):
    check("context", case.ours["context"], case.wanted["context"])
    if "pooled" in case.wanted:
        check("pooled", case.ours["pooled"], case.wanted["pooled"])
        assert torch.equal(case.ours["time_ids"], case.wanted["time_ids"])


def inputs_of_step(case, scheduler, step):
    """Latents before a step of our run, and the timestep."""
    if step == 0:
        latents = case.request.noise() * scheduler.init_noise_sigma
    else:
        latents = case.ours[f"latents.{step - 1}"]
    return latents, scheduler.timesteps[step]


def told_guidance(case):
    """The guidance scale as a UNet takes it that is told; else None."""
    width = case.oracle.unet.config.time_cond_proj_dim
    return width and case.oracle.get_guidance_scale_embedding(torch.tensor([case.request.guidance - 1]), width)


def test_each_unet_call_on_its_own(case):
    scheduler = euler_for(case.oracle, case.request)
    scheduler.set_timesteps(case.request.steps)
    copies = len(case.ours["context"]) // len(case.request.prompts)
    for step in range(steps_of(case.ours)):
        latents, timestep = inputs_of_step(case, scheduler, step)
        scaled = latents / (scheduler.sigmas[step] ** 2 + 1) ** 0.5
        added = None
        if "pooled" in case.ours:
            added = {"text_embeds": case.ours["pooled"], "time_ids": case.ours["time_ids"]}
        wanted = case.oracle.unet(torch.cat([scaled] * copies), timestep,
                                  encoder_hidden_states=case.ours["context"],
                                  timestep_cond=told_guidance(case), added_cond_kwargs=added)[0]
        check(f"unet.{step}", case.ours[f"unet.{step}"], wanted)


def test_each_scheduler_step_on_its_own(case):
    scheduler = euler_for(case.oracle, case.request)
    scheduler.set_timesteps(case.request.steps)
    for step in range(steps_of(case.ours)):
        latents, timestep = inputs_of_step(case, scheduler, step)
        output = case.ours[f"unet.{step}"]
        if case.request.guidance > 1 and told_guidance(case) is None:
            without, with_prompt = output.chunk(2)
            output = without + case.request.guidance * (with_prompt - without)
        scheduler.scale_model_input(latents, timestep)
        wanted = scheduler.step(output, timestep, latents)[0]
        check(f"latents.{step}", case.ours[f"latents.{step}"], wanted)


def test_decoder_on_its_own(case):
    latents = case.ours[f"latents.{steps_of(case.ours) - 1}"]
    vae = case.oracle.vae
    wanted = vae.decode(latents / vae.config.scaling_factor)[0] * 0.5 + 0.5
    inside = float(((wanted > 0) & (wanted < 1)).float().mean())
    assert inside > 0.2, "an image that is cut off nearly everywhere shows no errors"
    check("image", case.ours["image"], wanted.clamp(0, 1))


# End to end, against the pipeline object's own call.

def test_whole_run(case):
    assert set(case.ours) == set(case.wanted) | {"pixels"}
    worst = 0.0
    for name in case.wanted:
        if not name.startswith("ids."):
            worst = max(worst, check(name, case.ours[name], case.wanted[name]))
    print(f"largest: {worst:.1e}")


def test_pixels_are_rounded_as_diffusers_rounds_them(case):
    wanted = (case.wanted["image"].permute(0, 2, 3, 1) * 255).round()
    assert float((case.ours["pixels"].float() - wanted).abs().max()) <= 1
    own = (case.ours["image"].permute(0, 2, 3, 1).numpy() * 255).round().astype("uint8")
    assert (case.ours["pixels"].numpy() == own).all()


# Half precision: as near to the exact result as diffusers itself is.

PACKED = {"channels_last": True, "packing": "onednn"}


@pytest.mark.parametrize("kind, changes",
                         [("sd15", {}), ("sd21", {"attention": "sliced"}), ("sdxl", {}),
                          ("sd15", PACKED), ("sd21", PACKED), ("sdxl", PACKED), ("sd15", TUNED), ("sdxl", TUNED)])
def test_bf16_is_as_near_to_fp32_as_diffusers_is(kind, changes, models):
    request = Request(prompts=["a photo of a cat"] * 2, steps=3, guidance=5.0, width=128, height=96, dtype="bf16", dtype_vae="bf16",
                      **changes)
    check_bf16(models, kind, 3, "plain", request)


@pytest.mark.parametrize("name", BF16_CASES)
def test_bf16_is_as_near_in_each_pair_of_the_engines_axes(name, models):
    check_bf16(models, *BF16_CASES[name])


def check_bf16(models, kind, seed, layout, request):
    model = kind, seed, layout
    check_as_near(run_ours(models.folder(*model), request), models.wanted(model, request, torch.bfloat16), models.wanted(model, request))


@pytest.mark.parametrize("kind, changes",
                         [("sd15", {}), ("sd21", {"attention": "sliced"}), ("sd15", {"attention": "own"}),
                          ("sdxl", {"channels_last": True}), ("sdxl", {"vae_tiling": True}),
                          ("sdxl", {"kv_cache": True, "time_cache": True})])
def test_autocast_is_as_near_to_fp32_as_torch_autocast_is(kind, changes, models):
    model = kind, 3, "plain"
    request = Request(prompts=["a photo of a cat"] * 2, steps=3, guidance=5.0, width=128, height=96, dtype="autocast-bf16", dtype_vae="autocast-bf16",
                      **changes)
    check_as_near(run_ours(models.folder(*model), request), models.wanted(model, request, is_autocast=True), models.wanted(model, request))


def check_as_near(ours, rounded, exact):
    for name in exact:
        if name.startswith(("ids.", "time_ids")):
            assert torch.equal(ours[name], rounded[name])
            continue
        mine, theirs = rms(ours[name] - exact[name]), rms(rounded[name] - exact[name])
        print(f"{name}: ours {mine:.2e}, diffusers {theirs:.2e}")
        assert mine <= 1.25 * theirs, name
