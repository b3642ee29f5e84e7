"""sdbench sees the names, shapes and bytes that diffusers does, in every layout of a checkpoint.

Full-size models are built on torch's meta device from the shipped architectures, and written as sparse files: a header and
nothing behind it. Small ones have real values, and are saved by diffusers and transformers themselves.
SDBENCH_CHECKPOINT_PROBE names the program that opens them (checkpoint_probe.cpp).
"""

import contextlib
import itertools
import json
import os
import pathlib
import random
import subprocess
import sys

import compvis_layout
import pytest
import torch
from diffusers import AutoencoderKL, ConfigMixin, ModelMixin, UNet2DConditionModel
from diffusers.configuration_utils import register_to_config
from diffusers.loaders import single_file_utils
from safetensors.torch import load_file, save_file
from transformers import CLIPTextConfig, CLIPTextModel, CLIPTextModelWithProjection, PreTrainedModel

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "engines"))
from shared import weights as engine_weights  # noqa: E402

ARCHITECTURES = pathlib.Path(__file__).parents[2] / "configs" / "models"
KINDS = {"sd15": "sd1", "sd21": "sd2", "sd-turbo": "turbo", "sdxl": "sdxl"}
FILE_NAMES = {"unet": "diffusion_pytorch_model", "vae": "diffusion_pytorch_model"}

# Of the published checkpoints.
PARAMETERS = {
    "sd15": {"unet": 859_520_964, "vae": 83_653_863, "text_encoder": 123_060_480},
    "sd21": {"unet": 865_910_724, "vae": 83_653_863, "text_encoder": 340_387_840},
    "sd-turbo": {"unet": 865_910_724, "vae": 83_653_863, "text_encoder": 340_387_840},
    "sdxl": {
        "unet": 2_567_463_684,
        "vae": 83_653_863,
        "text_encoder": 123_060_480,
        "text_encoder_2": 694_659_840,
    },
}

# Buffers and leftovers that published files carry beside the weights.
LEFTOVERS = [
    "betas",
    "alphas_cumprod",
    "alphas_cumprod_prev",
    "sqrt_alphas_cumprod",
    "log_one_minus_alphas_cumprod",
    "posterior_variance",
    "model_ema.decay",
    "model_ema.diffusion_modelout0bias",
    "denoiser.sigmas",
]
TEXT_LEFTOVERS = {
    "sd15": compvis_layout.SD1_TEXT + "text_model.embeddings.position_ids",
    "sd21": compvis_layout.SD2_TEXT + "logit_scale",
    "sd-turbo": compvis_layout.TURBO_TEXT + "logit_scale",
    "sdxl": compvis_layout.SDXL_TEXT_2 + "logit_scale",
}


def architecture(name):
    return json.loads((ARCHITECTURES / f"{name}.json").read_text())


def component_names(configs):
    return [n for n in ("unet", "vae", "text_encoder", "text_encoder_2") if n in configs]


def build(component, config):
    if component == "unet":
        return UNet2DConditionModel.from_config(config)
    if component == "vae":
        return AutoencoderKL.from_config(config)
    maker = CLIPTextModelWithProjection if component == "text_encoder_2" else CLIPTextModel
    return maker(CLIPTextConfig(**config))


def build_all(configs):
    return {name: build(name, configs[name]) for name in component_names(configs)}


@pytest.fixture(scope="module", params=list(KINDS))
def full_size(request):
    """(architecture's name, its configs, its models on the meta device)"""
    configs = architecture(request.param)
    with torch.device("meta"):
        return request.param, configs, build_all(configs)


def states_of(models):
    return {name: model.state_dict() for name, model in models.items()}


def expected(component, state):
    """Names and shapes under which sdbench shall answer."""
    if component.startswith("text"):
        state = compvis_layout.with_text_model(state)
    return {name: list(value.shape) for name, value in state.items()}


def write_sparse(path, tensors, dtype="F16", size=2):
    path.parent.mkdir(parents=True, exist_ok=True)
    header, offset = {}, 0
    for name, value in tensors.items():
        end = offset + value.numel() * size
        header[name] = {"dtype": dtype, "shape": list(value.shape), "data_offsets": [offset, end]}
        offset = end
    text = json.dumps(header).encode()
    with path.open("wb") as file:
        file.write(len(text).to_bytes(8, "little") + text)
        file.truncate(8 + len(text) + offset)


def run_probe(root, component, *copy):
    command = [os.environ["SDBENCH_CHECKPOINT_PROBE"], root, component, *copy]
    return subprocess.run(command, capture_output=True, text=True, timeout=120)


def probe(root, component, *copy):
    """{name: (shape, transposed)} as sdbench sees it"""
    done = run_probe(root, component, *copy)
    assert done.returncode == 0, done.stderr
    rows = [line.split("\t") for line in done.stdout.splitlines()]
    return {name: (json.loads(shape), transposed == "1") for name, shape, transposed in rows}


def shapes(root, component):
    return {name: shape for name, (shape, _) in probe(root, component).items()}


def values(root, component, tmp_path):
    """The component's tensors, read back through sdbench's own writer."""
    copy = tmp_path / "copy.safetensors"
    seen = probe(root, component, copy)
    tensors = load_file(copy)
    return {name: tensors[name].T if flag else tensors[name] for name, (_, flag) in seen.items()}


def file_name(component, suffix=""):
    return f"{component}/{FILE_NAMES.get(component, 'model')}{suffix}.safetensors"


def test_full_size_parameter_totals_are_the_published_ones(full_size):
    name, _, models = full_size
    totals = {n: sum(p.numel() for p in m.parameters()) for n, m in models.items()}
    assert totals == PARAMETERS[name]


def test_full_size_folder_as_saved_today(full_size, tmp_path):
    _, _, models = full_size
    for component, state in states_of(models).items():
        write_sparse(tmp_path / file_name(component), state)
        assert shapes(tmp_path, component) == expected(component, state)


def test_full_size_folder_as_saved_years_ago(full_size, tmp_path):
    _, _, models = full_size
    for component, state in states_of(models).items():
        old = {old_name(component, name): value for name, value in state.items()}
        if component == "vae":
            old = {n: old_attention_weight(n, v) for n, v in old.items()}
        elif component.startswith("text"):
            old = compvis_layout.with_text_model(old)
            old["text_model.embeddings.position_ids"] = torch.empty(1, 77, device="meta")
        write_sparse(tmp_path / file_name(component), old)
        assert shapes(tmp_path, component) == expected(component, state)


def old_name(component, name):
    if component != "vae" or ".attentions." not in name:
        return name
    for new, old in [("to_q", "query"), ("to_k", "key"), ("to_v", "value"), ("to_out.0", "proj_attn")]:
        name = name.replace(f".{new}.", f".{old}.")
    return name


def old_attention_weight(name, value):
    is_matrix = ".attentions." in name and value.ndim == 2
    return value[:, :, None, None] if is_matrix else value


def full_size_single_file(name, configs, models):
    tensors = compvis_layout.single_file(KINDS[name], configs, states_of(models), torch.cat)
    if name in ("sd21", "sd-turbo"):  # stored, but not used by the pipeline
        prefix = compvis_layout.SD2_TEXT if name == "sd21" else compvis_layout.TURBO_TEXT
        layer = {n: v for n, v in tensors.items() if ".resblocks.22." in n}
        tensors |= {n.replace(".22.", ".23."): v for n, v in layer.items()}
        tensors[prefix + "text_projection"] = torch.empty(1024, 1024, device="meta")
    return tensors


def test_full_size_single_file(full_size, tmp_path):
    name, configs, models = full_size
    tensors = full_size_single_file(name, configs, models)
    for leftover in [*LEFTOVERS, TEXT_LEFTOVERS[name]]:
        tensors[leftover] = torch.empty(3, device="meta")
    path = tmp_path / "model.safetensors"
    write_sparse(path, tensors)
    for component, state in states_of(models).items():
        assert shapes(path, component) == expected(component, state)


def test_full_size_single_file_names_are_those_that_diffusers_converts(full_size):
    """Guards compvis_layout.py, which the single-file tests stand on."""
    name, configs, models = full_size
    tensors = full_size_single_file(name, configs, models)
    inferred = {"sd15": "v1", "sd21": "v2", "sd-turbo": "v2", "sdxl": "xl_base"}[name]
    assert single_file_utils.infer_diffusers_model_type(tensors) == inferred
    converted = {
        "unet": single_file_utils.convert_ldm_unet_checkpoint(dict(tensors), configs["unet"]),
        "vae": single_file_utils.convert_ldm_vae_checkpoint(dict(tensors), configs["vae"]),
    }
    if name == "sd21":
        converted["text_encoder"] = single_file_utils.convert_open_clip_checkpoint(
            models["text_encoder"], tensors
        )
    elif name == "sd-turbo":  # here diffusers converts what its model then leaves out
        text = single_file_utils.convert_open_clip_checkpoint(
            models["text_encoder"], tensors, prefix=compvis_layout.TURBO_TEXT
        )
        converted["text_encoder"] = {
            n: v for n, v in text.items() if ".layers.23." not in n and n != "text_projection.weight"
        }
    else:
        converted["text_encoder"] = single_file_utils.convert_ldm_clip_checkpoint(tensors)
    if name == "sdxl":
        converted["text_encoder_2"] = single_file_utils.convert_open_clip_checkpoint(
            models["text_encoder_2"], tensors, prefix=compvis_layout.SDXL_TEXT_2
        )
    for component, state in states_of(models).items():
        got = {n: list(v.shape) for n, v in converted[component].items()}
        assert got == expected(component, state), component


TEXT_FORMS = {
    "OpenCLIP": lambda text: compvis_layout.open_clip(text, torch.cat),
    "transformers": dict,
    "transformers 5": lambda text: {n.removeprefix("text_model."): v for n, v in text.items()},
}
UNUSED_PROJECTIONS = [
    "conditioner.embedders.0.transformer.text_projection.weight",
    "conditioner.embedders.0.text_projection.weight",
    "cond_stage_model.transformer.text_projection.weight",
]


@pytest.mark.parametrize("form", TEXT_FORMS)
def test_each_text_encoder_of_a_single_file_may_have_any_form_of_names(form, full_size, tmp_path):
    name, configs, models = full_size
    states = states_of(models)
    tensors = full_size_single_file(name, configs, models)
    places = {
        "text_encoder": ("cond_stage_model.", "conditioner.embedders.0."),
        "text_encoder_2": ("conditioner.embedders.1.",),
    }
    for part, scopes in places.items():
        inside = [n for n in tensors if n.startswith(scopes)]
        if not inside:
            continue
        text = compvis_layout.with_text_model(states[part])
        prefix = next(p for p in (compvis_layout.SD1_TEXT, compvis_layout.SD2_TEXT, compvis_layout.SDXL_TEXT,
                                  compvis_layout.TURBO_TEXT, compvis_layout.SDXL_TEXT_2) if inside[0].startswith(p))
        tensors = {n: v for n, v in tensors.items() if n not in inside}
        tensors |= {prefix + n: v for n, v in TEXT_FORMS[form](text).items()}
    for unused in UNUSED_PROJECTIONS:
        if any(n.startswith(unused.split(".text_projection")[0]) for n in tensors):
            tensors[unused] = torch.empty(768, 768, device="meta")
    path = tmp_path / "model.safetensors"
    write_sparse(path, tensors)
    for component, state in states.items():
        assert shapes(path, component) == expected(component, state), component


@pytest.mark.parametrize("name", ["text_projection", "text_projection.weight"])
def test_a_text_projection_is_transposed_by_its_name(name, tmp_path):
    """OpenCLIP's is a matrix that the text is multiplied by; diffusers' conversion script leaves a linear layer's weight."""
    configs = architecture("tiny-sdxl")
    torch.manual_seed(1)
    models = build_all(configs)
    states = states_of(models)
    tensors = compvis_layout.single_file("sdxl", configs, states, torch.cat)
    projection = states["text_encoder_2"]["text_projection.weight"]
    del tensors[compvis_layout.SDXL_TEXT_2 + "text_projection"]
    stored = projection.T if name == "text_projection" else projection
    tensors[compvis_layout.SDXL_TEXT_2 + name] = stored
    path = tmp_path / "model.safetensors"
    save_file({n: v.contiguous() for n, v in tensors.items()}, path)
    got = values(path, "text_encoder_2", tmp_path)
    assert torch.equal(got["text_projection.weight"], projection)


def test_attention_of_the_vae_may_have_the_names_that_conversion_scripts_left(tmp_path):
    configs = architecture("tiny-sd15")
    states = states_of(build_all(configs))
    tensors = compvis_layout.single_file("sd1", configs, states, torch.cat)
    for names in ({"q": "query", "k": "key", "v": "value", "proj_out": "proj_attn", "norm": "group_norm"},
                  {"q": "to_q", "k": "to_k", "v": "to_v", "proj_out": "to_out.0"}):
        def rename(key):
            head, found, tail = key.rpartition(".mid.attn_1.")
            stem, _, end = tail.rpartition(".")
            return f"{head}{found}{names.get(stem, stem)}.{end}" if found else key

        path = tmp_path / "model.safetensors"
        save_file({rename(n): v.contiguous() for n, v in tensors.items()}, path)
        assert_same_values(values(path, "vae", tmp_path), "vae", states["vae"])


def small_configs(kind):
    """The shipped tiny architecture; for SD2 with what sets SD2.1 apart."""
    configs = architecture("tiny-sdxl" if kind == "sdxl" else "tiny-sd15")
    if kind == "sd2":
        configs["unet"]["use_linear_projection"] = True
        configs["text_encoder"]["hidden_act"] = "gelu"
    return configs


@pytest.fixture(scope="module", params=["sd1", "sd2", "sdxl"])
def small(request):
    """(kind, configs, random models)"""
    torch.manual_seed(len(request.param))
    configs = small_configs(request.param)
    models = build_all(configs)
    for model in models.values():
        for parameter in model.parameters():
            torch.nn.init.normal_(parameter)  # biases and norms too: no two tensors alike
    return request.param, configs, models


def assert_same_values(got, component, state):
    if component.startswith("text"):
        state = compvis_layout.with_text_model(state)
    assert got.keys() == state.keys()
    wrong = [name for name, value in state.items() if not torch.equal(got[name], value)]
    assert not wrong


def test_small_single_file_has_each_value_in_its_place(small, tmp_path):
    kind, configs, models = small
    states = states_of(models)
    tensors = compvis_layout.single_file(kind, configs, states, torch.cat)
    path = tmp_path / "model.safetensors"
    save_file({name: value.contiguous() for name, value in tensors.items()}, path)
    for component, state in states.items():
        assert_same_values(values(path, component, tmp_path), component, state)


def test_small_folder_saved_by_diffusers_and_transformers(small, tmp_path):
    _, _, models = small
    for component, model in models.items():
        model.save_pretrained(tmp_path / component)
        assert (tmp_path / file_name(component)).is_file()
        got = values(tmp_path, component, tmp_path)
        assert_same_values(got, component, model.state_dict())


def test_small_folder_in_shards(small, tmp_path):
    _, _, models = small
    for component, model in models.items():
        size = sum(p.numel() * 4 for p in model.parameters())
        model.save_pretrained(tmp_path / component, max_shard_size=f"{size // 3000}KB")
        assert len(list((tmp_path / component).glob("*-of-*.safetensors"))) > 1
        got = values(tmp_path, component, tmp_path)
        assert_same_values(got, component, model.state_dict())


def test_small_folder_with_an_fp16_variant_beside(small, tmp_path):
    _, configs, models = small
    for component, model in models.items():
        half = build(component, configs[component]).half()
        half.load_state_dict({n: v.half() for n, v in model.state_dict().items()})
        model.save_pretrained(tmp_path / component)
        half.save_pretrained(tmp_path / component, variant="fp16")
        assert (tmp_path / file_name(component, ".fp16")).is_file()
        assert_same_values(values(tmp_path, component, tmp_path), component, model.state_dict())


def test_small_folder_with_the_fp16_variant_alone_in_shards(small, tmp_path):
    _, configs, models = small
    for component in models:
        half = build(component, configs[component]).half()
        size = sum(p.numel() * 2 for p in half.parameters())
        half.save_pretrained(
            tmp_path / component, variant="fp16", max_shard_size=f"{size // 3000}KB"
        )
        assert len(list((tmp_path / component).glob("*-of-*"))) > 1
        got = values(tmp_path, component, tmp_path)
        assert_same_values(got, component, half.state_dict())


# Which of several files is read. Each has other numbers.

class TinyDiffusersModel(ModelMixin, ConfigMixin):
    config_name = "config.json"

    @register_to_config
    def __init__(self):
        super().__init__()
        self.weight, self.bias = torch.nn.Parameter(torch.zeros(2)), torch.nn.Parameter(torch.zeros(2))


class TinyTransformersModel(PreTrainedModel):
    config_class = CLIPTextConfig

    def __init__(self, config):
        super().__init__(config)
        self.weight, self.bias = torch.nn.Parameter(torch.zeros(2)), torch.nn.Parameter(torch.zeros(2))
        self.post_init()

    def _init_weights(self, module):
        pass


TINY = {"unet": TinyDiffusersModel, "text_encoder": TinyTransformersModel}
VARIANTS = (None, "fp32", "bf16", "fp16")  # diffusers and transformers leave the choice to their caller


def strew(folder, component, rng):
    """Some of the files that a component may be read from, of any age; the names of those that are there in part at least."""
    base, there = FILE_NAMES.get(component, "model"), {}
    for number, (variant, form) in enumerate(itertools.product(VARIANTS, ("file", "index", "old index"))):
        mark = f".{variant}" if variant else ""
        if rng.random() > 0.3 or (form == "old index" and (component != "unet" or not variant)):
            continue
        value = torch.full((2,), 1.0 + number, dtype=rng.choice([torch.float32, torch.float16, torch.bfloat16]))
        if form == "file":
            save_file({"weight": value, "bias": value.clone()}, folder / f"{base}{mark}.safetensors", metadata={"format": "pt"})
            there[f"{base}{mark}.safetensors"] = 1.0 + number
            continue
        shards = {name: f"{number}-{name}.safetensors" for name in ("weight", "bias")}
        index = f"{base}.safetensors.index{mark}.json" if form == "index" else f"{base}.safetensors{mark}.index.json"
        (folder / index).write_text(json.dumps({"metadata": {}, "weight_map": shards}))
        written = rng.choice([["weight", "bias"], ["weight", "bias"], ["bias"], []])
        for name in written:
            save_file({name: value}, folder / shards[name], metadata={"format": "pt"})
        there |= {index: 1.0 + number} if written else {}
    for file in folder.iterdir():
        os.utime(file, (rng.randrange(10**9),) * 2)
    return there


def oracles_value(folder, component):
    for variant in VARIANTS:
        with contextlib.suppress(OSError, ValueError):  # as they say that a file is missing
            model = TINY[component].from_pretrained(folder, variant=variant, use_safetensors=True, local_files_only=True)
            return float(model.weight[0])
    return None


@pytest.mark.filterwarnings("ignore")
def test_of_200_orders_and_ages_of_files_those_are_read_that_diffusers_and_transformers_read(tmp_path):
    rng, seen = random.Random(41), set()
    for number in range(200):
        component = rng.choice(list(TINY))
        root = tmp_path / str(number)
        (root / component).mkdir(parents=True)
        there = strew(root / component, component, rng)
        (root / component / "config.json").write_text("{}")
        wanted = oracles_value(root / component, component)
        done = run_probe(root, component, tmp_path / "copy.safetensors")
        names = sorted(path.name for path in (root / component).iterdir())
        assert (done.returncode == 0) == (wanted is not None), (names, done.stderr)
        engines = engine_weights.component_files(root, component)  # as the workers of other engines look for them
        assert (engines is None) == (wanted is None), names
        if wanted is not None:
            for files in ([tmp_path / "copy.safetensors"], [file.path for file in engines[1]]):
                assert {float(value[0]) for file in files for value in load_file(file).values()} == {wanted}, names
            named = set(done.stderr.replace(",", " ").replace(";", " ").split())
            assert len(there) == 1 or set(there) <= named, (there, done.stderr)
            seen.add((component, wanted))
    assert len(seen) > 12  # of 10 and 8
