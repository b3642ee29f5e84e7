"""diffusers' pipeline and its parts, read from a cell's weights."""
import json
import os
import shutil

import torch
from diffusers import AutoencoderKL, StableDiffusionPipeline, StableDiffusionXLPipeline, UNet2DConditionModel
from transformers import CLIPTextModel, CLIPTextModelWithProjection, CLIPTokenizer

from shared import dtypes, samplers, scratch, weights

CLASSES = {"unet": UNet2DConditionModel, "vae": AutoencoderKL, "text_encoder": CLIPTextModel,
           "text_encoder_2": CLIPTextModelWithProjection}
STAGES = {"unet": "unet", "vae": "vae", "text_encoder": "text", "text_encoder_2": "text"}


def _config_folder(cell):
    """Writes configs for a single file, which has no configs, into a folder that diffusers reads."""
    model, folder = cell["model"], scratch.lasting_folder()
    files = {"model_index.json": model["source"]["pipeline"], "scheduler/scheduler_config.json": model["source"]["scheduler"]}
    files |= {f"{name}/config.json": model["source"][name] for name in weights.COMPONENTS if name in model["source"]}
    for name, content in files.items():
        os.makedirs(os.path.dirname(os.path.join(folder, name)), exist_ok=True)
        with open(os.path.join(folder, name), "w") as file:
            json.dump(content, file)
    for name in ("tokenizer", "tokenizer_2"):
        if model[f"{name}_folder"]:
            shutil.copytree(model[f"{name}_folder"], os.path.join(folder, name))
    return folder


class Models:
    """`job`: see shared/cell_facts.py. `dtype`: of the weights when read; None: the dtype of each part's stage. Reads a part on request and does not keep
    it, so that the caller can free it."""

    def __init__(self, job, dtype=None):
        self.dtype = dtype
        self.cell = job.cell
        self.stages = job.stages
        self.is_sdxl = job.is_sdxl
        self.names = [name for name in CLASSES if name != "text_encoder_2" or job.is_sdxl]
        self.single_file = None
        self.loaded = {}

    def _read(self, name):
        dtype = self.dtype or dtypes.weights_dtype(self.stages[STAGES[name]])
        location = self.cell["weights"]
        if location["kind"] == "single_file":
            return self._from_single_file(name, dtype)
        variant, _ = weights.component_files(location["path"], name)
        dtype_option = "dtype" if name.startswith("text") else "torch_dtype"  # transformers' name, diffusers' name
        return CLASSES[name].from_pretrained(location["path"], subfolder=name, variant=variant or None, local_files_only=True, use_safetensors=True,
                                             **{dtype_option: dtype})

    def _from_single_file(self, name, dtype):
        if self.single_file is None:
            kind = StableDiffusionXLPipeline if self.is_sdxl else StableDiffusionPipeline
            more = {"add_watermarker": False} if self.is_sdxl else {"safety_checker": None}
            self.single_file = kind.from_single_file(self.cell["weights"]["path"], config=_config_folder(self.cell), local_files_only=True, **more)
        return getattr(self.single_file, name).to(dtype)

    def load(self):
        """Reads all parts now."""
        for name in self.names:
            self.loaded.setdefault(name, self._read(name).eval())

    def take(self, name):
        """Returns the part and drops it here."""
        return self.loaded.pop(name, None) or self._read(name).eval()

    def config(self, name):
        """A part's config with diffusers' defaults, made without weights."""
        source = {key: value for key, value in self.cell["model"]["source"][name].items()}
        if name.startswith("text"):
            source = source.get("text_config", source)  # the config of a whole CLIPModel
            return CLASSES[name].config_class(**{key: value for key, value in source.items() if key not in ("dtype", "torch_dtype")})
        with torch.device("meta"):
            return CLASSES[name].from_config(source).config

    def tokenizer(self, name):
        place = self.cell["weights"]["path"]
        folder = self.cell["model"][f"{name}_folder"] or os.path.join(place, name)
        return CLIPTokenizer.from_pretrained(folder, local_files_only=True)

    def pipeline(self, parts):
        """diffusers' pipeline made of `parts` by name, which may be stand-ins."""
        everything = {**parts, "tokenizer": self.tokenizer("tokenizer"), "scheduler": samplers.scheduler_for(self.cell)}
        if self.is_sdxl:
            zeros = self.cell["model"]["source"]["pipeline"].get("force_zeros_for_empty_prompt", True)
            pipe = StableDiffusionXLPipeline(**everything, tokenizer_2=self.tokenizer("tokenizer_2"), force_zeros_for_empty_prompt=zeros,
                                             add_watermarker=False)
        else:
            pipe = StableDiffusionPipeline(**everything, safety_checker=None, feature_extractor=None, requires_safety_checker=False)
        pipe.set_progress_bar_config(disable=True)
        return pipe
