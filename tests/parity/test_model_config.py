"""A folder's configs mean the same to sdbench as to diffusers and transformers.

SDBENCH_MODEL_CONFIG_PROBE names the program that tells what ours reads (model_config_probe.cpp).
Each case is a whole folder with one part changed; the reference loads that very part.
"""

import json
import os
import pathlib
import subprocess

import diffusers
import pytest
from diffusers import EulerDiscreteScheduler, StableDiffusionPipeline, StableDiffusionXLPipeline
from transformers import CLIPTokenizer

ROOT = pathlib.Path(__file__).parents[2]
START, END = "<|startoftext|>", "<|endoftext|>"


def shipped(name):
    return json.loads((ROOT / "configs" / "models" / f"{name}.json").read_text("utf-8"))


def write_folder(folder, document):
    """The document's parts in diffusers' layout."""
    files = {"pipeline": "model_index.json", "scheduler": "scheduler/scheduler_config.json"}
    for part, content in document.items():
        if part.startswith("tokenizer"):
            file = folder / part / "tokenizer_config.json"
        elif isinstance(content, dict) and part != "defaults":
            file = folder / files.get(part, f"{part}/config.json")
        else:
            continue
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(content), "utf-8")


def run_probe(model):
    return subprocess.run([os.environ["SDBENCH_MODEL_CONFIG_PROBE"], str(model)],
                          capture_output=True, text=True)


def probe(model):
    result = run_probe(model)
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout)


# Diffusers' deprecation notes print whole configs.
pytestmark = pytest.mark.filterwarnings("ignore::FutureWarning", "ignore::DeprecationWarning")

# LMSDiscreteScheduler and DPMSolverSDEScheduler are left out: they need packages besides torch.
SCHEDULERS = ["PNDMScheduler", "DDIMScheduler", "DDPMScheduler", "EulerDiscreteScheduler",
              "EulerAncestralDiscreteScheduler", "HeunDiscreteScheduler",
              "DPMSolverMultistepScheduler", "DPMSolverSinglestepScheduler",
              "KDPM2DiscreteScheduler", "KDPM2AncestralDiscreteScheduler",
              "DEISMultistepScheduler", "UniPCMultistepScheduler", "DDIMParallelScheduler",
              "LCMScheduler", "TCDScheduler"]
SCHEDULER_KEYS = [
    {},
    {"beta_start": 0.00085, "beta_end": 0.012, "beta_schedule": "scaled_linear",
     "steps_offset": 1, "skip_prk_steps": True, "set_alpha_to_one": False, "clip_sample": False},
    {"timestep_spacing": "trailing", "prediction_type": "v_prediction"},
    {"timestep_spacing": "leading", "steps_offset": 0, "num_train_timesteps": 500},
    {"timestep_spacing": "leading", "steps_offset": 5},
    {"timestep_spacing": "leading"},
    {"timestep_spacing": "leading", "prediction_type": "sample"},
    {"timestep_spacing": "trailing", "prediction_type": "v_prediction", "rescale_betas_zero_snr": True},
    {"lambda_min_clipped": float("-inf")},
    {"beta_schedule": "squaredcos_cap_v2", "timestep_spacing": "trailing"},
]


@pytest.mark.parametrize("model, pipeline_class", [("tiny-sd15", StableDiffusionPipeline),
                                                   ("tiny-sdxl", StableDiffusionXLPipeline)])
@pytest.mark.parametrize("scheduler", SCHEDULERS)
def test_a_scheduler_is_converted_as_from_config_does(tmp_path, model, pipeline_class, scheduler):
    document = shipped(model)
    document["pipeline"]["scheduler"] = ["diffusers", scheduler]
    variants = list(SCHEDULER_KEYS)
    if scheduler in ("DPMSolverMultistepScheduler", "UniPCMultistepScheduler"):
        variants.append({"use_karras_sigmas": True})
    for keys in variants:
        document["scheduler"] = {"_class_name": scheduler, **keys}
        write_folder(tmp_path, document)
        source = getattr(diffusers, scheduler).from_pretrained(tmp_path / "scheduler")
        # The pipeline's constructor may mend the scheduler's config; it needs nothing else for that.
        parts = {name: None for name in pipeline_class._get_signature_keys(pipeline_class)[0]
                 if name not in ("self", "scheduler")}
        options = {"requires_safety_checker": False} if model == "tiny-sd15" else {}
        pipeline = pipeline_class(scheduler=source, **parts, **options)
        # Euler's own is not converted, which would lose what the pipeline made of a default.
        is_own = scheduler == "EulerDiscreteScheduler" and keys.get("timestep_spacing") == "leading"
        euler = pipeline.scheduler.config if is_own else EulerDiscreteScheduler.from_config(pipeline.scheduler.config).config
        ours = probe(tmp_path)
        assert ours["scheduler_source"] == scheduler
        assert ours["scheduler"] == {key: euler[key] for key in ours["scheduler"]}, keys


def vocabulary():
    """vocab.json as CLIP derives it from its merges."""
    merges = (ROOT / "configs" / "tokenizer" / "merges.txt").read_text("utf-8").split("\n")[1:-1]
    printable = [*range(33, 127), *range(161, 173), *range(174, 256)]
    symbols = [chr(byte) for byte in printable]
    symbols += [chr(256 + n) for n in range(256 - len(printable))]
    tokens = symbols + [s + "</w>" for s in symbols] + [m.replace(" ", "") for m in merges]
    return {token: number for number, token in enumerate([*tokens, START, END])}


def token(content, normalized, **more):
    return {"content": content, "lstrip": False, "normalized": normalized, "rstrip": False,
            "single_word": False, **more}


OLD = {"bos_token": token(START, True), "eos_token": token(END, True),
       "unk_token": token(END, True)}
LISTED = {"0": token("!", False, special=True), "49406": token(START, True, special=True),
          "49407": token(END, True, special=True)}
# tokenizer_config.json, special_tokens_map.json, whether transformers then saves it again
TOKENIZERS = {
    "plain": ({}, None, False),
    "plain, saved again": ({}, None, True),
    "SD1.5": ({}, {**OLD, "pad_token": END}, False),
    "SD1.5, saved again": ({}, {**OLD, "pad_token": END}, True),
    "SD2.1": ({"pad_token": END}, {**OLD, "pad_token": "!"}, False),
    "SD2.1, saved again": ({"pad_token": END}, {**OLD, "pad_token": "!"}, True),
    "pad as object": ({}, {**OLD, "pad_token": token("!", True)}, False),
    "end not normalised": ({}, {"eos_token": token(END, False)}, False),
    "unknown says otherwise": ({}, {"unk_token": token(END, True), "pad_token": "!"}, False),
    "listed": ({"added_tokens_decoder": LISTED, "pad_token": "!"}, {"pad_token": END}, False),
    "listed, saved again": ({"added_tokens_decoder": LISTED, "pad_token": "!"}, None, True),
    "listed without pad": ({"added_tokens_decoder": {"49407": LISTED["49407"]}}, None, False),
}


@pytest.mark.parametrize("case", TOKENIZERS)
def test_special_tokens_are_read_as_transformers_reads_them(tmp_path, case):
    config, token_map, save_again = TOKENIZERS[case]
    write_folder(tmp_path, shipped("tiny-sd15"))
    folder = tmp_path / "tokenizer"
    (folder / "tokenizer_config.json").write_text(json.dumps({"model_max_length": 77, **config}))
    if token_map is not None:
        (folder / "special_tokens_map.json").write_text(json.dumps(token_map))
    (folder / "vocab.json").write_text(json.dumps(vocabulary()), "utf-8")
    merges = (ROOT / "configs" / "tokenizer" / "merges.txt").read_bytes()
    (folder / "merges.txt").write_bytes(merges)
    reference = CLIPTokenizer.from_pretrained(folder)
    if save_again:
        for file in folder.iterdir():
            file.unlink()
        reference.save_pretrained(folder)
        assert (folder / "tokenizer.json").exists() and not (folder / "merges.txt").exists()
        reference = CLIPTokenizer.from_pretrained(folder)
    flags = {number: added.normalized for number, added in reference.added_tokens_decoder.items()}
    assert probe(tmp_path)["tokenizer"] == {
        "pad_token_id": reference.pad_token_id,
        "max_length": reference.model_max_length,
        "bos_normalized": flags[49406],
        "eos_normalized": flags[49407],
        "pad_normalized": flags[reference.pad_token_id],
    }


def test_what_a_unet_refuses_diffusers_has_as_a_key(tmp_path):
    """Every constructor key of diffusers' classes is either read or refused: none is unknown."""
    import inspect

    known = {path: (ROOT / "src/base/config" / path).read_text("utf-8")
             for path in ("unet_config.cpp", "vae_config.cpp", "scheduler_config.cpp")}
    classes = {"unet_config.cpp": diffusers.UNet2DConditionModel,
               "vae_config.cpp": diffusers.AutoencoderKL,
               "scheduler_config.cpp": EulerDiscreteScheduler}
    for path, cls in classes.items():
        for key in list(inspect.signature(cls.__init__).parameters)[1:]:
            assert key in known[path], f"{path} says nothing about {key}"
