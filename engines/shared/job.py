"""What one cell asks for, with every default filled in."""
import dataclasses
import json

from shared import json_values, table
from shared.failure import CellFailure

# Of a cell that an older front sends, or a test.
_DEFAULTS = {**table.USUAL_CELL, "engine": "", "device": "auto", "device_in_worker": "", "dtype": None, "parallel_devices": [],
             "negative_prompt": None, "seed": 0, "threads": 0, "warmup": None, "repeat": 3, "max_noise": None, "max_time_s": None,
             "init_latents": "", "dump_latents": "", "save_images": "", "dump_run": "", "dump_step_images": False, "keep_folder": "",
             "data": None, "data_on_device": False, "shared_batch": 0, "meeting": "", "patience_s": 300}
_PATHS = ("init_latents", "dump_latents", "save_images", "dump_run", "keep_folder", "meeting")
_NUMBERS = ("guidance", "max_noise", "max_time_s", "patience_s")
# What only sdbench's own engines have: any other value would change nothing.
_OWN_AXES = {"packed_weights": "off", "host_allocator": "system", "kv_cache": "off", "time_cache": "off", "shared_prefix": "off", "graphs": "off",
             "kernels": "aten"}


def parsed_cell(cell):
    """A request's cell as the modules here read it."""
    cell = {**_DEFAULTS, **cell}
    for name in _PATHS:
        cell[name] = json_values.text(cell[name])
    for name in _NUMBERS:
        cell[name] = None if cell[name] is None else json_values.number(cell[name])
    cell["prompts"] = [json_values.text(prompt) for prompt in cell["prompts"]]
    cell["weights"] = {**cell["weights"], "path": json_values.text(cell["weights"]["path"])}
    if cell["data"]:
        cell["data"] = {**cell["data"], "path": json_values.text(cell["data"]["path"])}
    model = cell["model"]
    cell["model"] = {**model, "source": json.loads(json_values.text(model["source"])),
                     "tokenizer_folder": json_values.text(model["tokenizer_folder"]),
                     "tokenizer_2_folder": json_values.text(model["tokenizer_2_folder"])}
    return cell


def refuse_own_axes(cell, engine):
    """sdbench asks the same beforehand; a worker is also for others."""
    for name, is_so in {**_OWN_AXES, "offload": "none"}.items():
        asked = cell.get(name, "auto")
        if asked not in ("auto", is_so):
            option = "--" + name.replace("_", "-")
            raise CellFailure("skipped", f"{option} must be {is_so} with --engine {engine}, but is {asked}; leave it out")


@dataclasses.dataclass
class Job:
    cell: dict
    device: dict  # its facts
    torch_device: str
    stages: dict  # precision by "text", "unet", "vae"
    threads: int
    events: object
    keep: object
    content_hashes: object

    @property
    def on_gpu(self):
        return self.device["kind"] == "cuda"

    @property
    def is_sdxl(self):
        return is_sdxl(self.cell)

    @property
    def guided(self):
        """Whether the UNet computes two halves: diffusers' rule."""
        return self.cell["guidance"] > 1 and self.cell["model"]["source"]["unet"].get("time_cond_proj_dim") is None

    @property
    def is_dynamic(self):
        return self.cell["dynamic_shapes"] == "on"

    @property
    def latent_size(self):
        """Channels, height and width of an image's latents."""
        source = self.cell["model"]["source"]
        factor = 2 ** (len(source["vae"]["block_out_channels"]) - 1)
        return source["unet"]["in_channels"], self.cell["height"] // factor, self.cell["width"] // factor

    @property
    def latent_multiple(self):
        """Of what a latent's sides must be multiples to be halved evenly from each of the UNet's levels to the next."""
        return 2 ** (len(self.cell["model"]["source"]["unet"]["block_out_channels"]) - 1)

    @property
    def is_halved_evenly(self):
        """Whether each of the UNet's levels has half the sides of that above. Else diffusers enlarges to a size, and not by a factor of 2."""
        return all(side % self.latent_multiple == 0 for side in self.latent_size[1:])

    def shapes(self):
        """What a compiled part is made for. What is traced with open shapes has gone one of two ways through diffusers' UNet."""
        if self.is_dynamic:
            return "dynamic" if self.is_halved_evenly else "dynamic, sides that are not halved evenly"
        return [self.cell["width"], self.cell["height"], self.cell["batch"], self.guided]


def is_sdxl(cell):
    return cell["model"]["source"]["pipeline"]["_class_name"] == "StableDiffusionXLPipeline"


def whole_batch(cell):
    """Images of a batch on all devices that share it."""
    return cell["shared_batch"] or cell["batch"]


def batches_of(cell):
    """Batches of a run: the last of an epoch may be smaller."""
    return -(-cell["images"] // cell["batch"])


def has_first_run(cell):
    """Whether a first run, for which nothing is warm, comes before the timed ones. A single epoch is timed itself."""
    return cell["epochs"] != 1


def is_network(cell):
    """Whether its model classifies images; the others make some."""
    return "network" in cell["model"]["source"]
