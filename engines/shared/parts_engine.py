"""Common to engines that compute a pipeline's parts with another program: make its files once, open them, and put them into the pipeline."""
import time

import torch

from shared import dtypes, packages, stand_ins
from shared.kept import key_of as hash_of
from shared.models import STAGES, Models
from shared.parts import module_of, parts_of
from shared.timed_pipeline import TimedPipeline
from shared.weights import files_by_component

TITLES = {"unet": "the UNet", "vae": "the VAE's decoder", "text_encoder": "the text encoder", "text_encoder_2": "the second text encoder"}


def key_of(job):
    """Everything that must be equal for the loaded parts to stay."""
    cell = job.cell
    return [cell["model"], cell["weights"], job.stages, job.device["kind"], job.device.get("index"), job.shapes(), cell["clip_skip"], job.threads,
            cell["tf32"]]


class PartsEngine:
    """A subclass has: name; numbers (dtype of inputs and outputs, None: each part's own); make(job, part, module, path), which writes a part's files;
    open(job, part, path), which returns a function from tensors to a list of tensors."""
    name = ""
    numbers = None
    prepares = True
    prepared = ""
    export_device = "cpu"
    warm_steps = 1

    def __init__(self, job):
        self.models = Models(job, self.converted_from(job))
        self.parts = parts_of(job, self.models, self.numbers)
        self.timed = None
        began = time.monotonic()
        self.decided = self.decides(job) if job.keep.folder else None  # hashes gigabytes, which does not count as loading
        self.deciding_s = time.monotonic() - began
        self.late_loading_s = 0  # time that prepare() spends reading weights because the kept files are broken
        if not job.keep.folder or not job.keep.may_have(hash_of(self.decided)):
            self.models.load()  # reading weights does not count as preparing

    def decides(self, job):
        """Everything on which an artefact depends."""
        files = files_by_component(job.cell["weights"])
        with job.events.doing("hashing the weights"):
            hashes = {name: [job.content_hashes.of(file.path) for file in each] for name, each in files.items()}
        source = job.cell["model"]["source"]
        configs = {name: source[name] for name in (*self.models.names, "pipeline") if name in source}
        return {"engine": self.name, "configs": configs, "weights": hashes, "dtypes": job.stages, "shapes": job.shapes(),
                "clip_skip": job.cell["clip_skip"], "packages": packages.versions(self.name), "device": job.device["name"], **self.decides_more(job)}

    def decides_more(self, job):
        return {}

    def converted_from(self, job):
        """The dtype of the weights for make(); None: the dtype of each part's stage."""
        return None

    def facts(self, job):
        """The manifest's description for people."""
        cell = job.cell
        return {"engine": self.name, "model": cell["model"]["name"], "dtype": dtypes.name_of(job.stages["unet"]), "device": job.device["name"],
                "shapes": "dynamic" if job.is_dynamic else f"{cell['width']}x{cell['height']}, batch {cell['batch']}",
                "packages": packages.runtime_version(self.name)}

    def _make(self, job, folder):
        if not self.models.loaded:
            began = time.monotonic()
            self.models.load()
            self.late_loading_s = time.monotonic() - began
        for part in self.parts:
            with job.events.doing(self.doing(part)):
                numbers = self.numbers or dtypes.weights_dtype(job.stages[STAGES[part.name]])
                # No variable holds the module, so that make() can free it before it allocates as much again.
                self.make(job, part, module_of(part, self.models.take(part.name).to(self.export_device), job, numbers), folder)
        self.models.loaded.clear()

    def doing(self, part):
        return f"preparing {TITLES[part.name]} for {self.name}"

    def prepare(self, job):
        """Returns "new" or "kept"."""
        with job.keep.artefact(self.decided, self.facts(job), lambda folder: self._make(job, folder)) as (folder, state):
            calls = {}
            for part in self.parts:
                with job.events.doing(f"opening {TITLES[part.name]} with {self.name}"):
                    calls[part.name] = self.open(job, part, folder)
        self.models.loaded.clear()  # its text encoders and UNet are now elsewhere
        pipe = self.models.pipeline({name: self._stand_in(job, name, call) for name, call in calls.items()})
        self.timed = TimedPipeline(pipe, job.torch_device, job.stages)
        with job.events.doing(f"first calls of {self.name}"):
            for part in self.parts:
                if STAGES[part.name] == "text":
                    calls[part.name](*part.example(job.torch_device))
            self.timed.warm(job.cell, self.warm_steps)
        return state

    def _stand_in(self, job, name, call):
        facts = self.models.config(name), dtypes.weights_dtype(job.stages[STAGES[name]]), job.torch_device, call
        if name == "unet":
            return stand_ins.UNet(*facts)
        return stand_ins.Vae(*facts) if name == "vae" else stand_ins.TextEncoder(*facts, job.is_sdxl, job.cell["clip_skip"])

    def vae_tiles(self, job):
        return 1

    def use(self, job):
        return {"tf32_used": self.tf32_used(job)} if job.on_gpu else {"tf32_used": "off"}

    def tf32_used(self, job):
        return "off"


def example_of(job, part, device="cpu"):
    """The example inputs for a tracer."""
    return part.open_example(job.latent_multiple, device) if job.is_dynamic else part.example(device)


def contiguous(tensor, dtype, device):
    """The tensor in a form that a program can read by its address."""
    return tensor.detach().to(device=torch.device(device), dtype=dtype).contiguous()
