"""A cell's request, with every default filled in."""
import dataclasses
import json

from shared import json_values, table

# Defaults for cells from an older front or a test.
_DEFAULTS = {**table.USUAL_CELL, "engine": "", "device": "auto", "device_in_worker": "", "dtype": None, "parallel_devices": [],
             "negative_prompt": None, "seed": 0, "threads": 0, "warmup": None, "repeat": 3, "max_noise": None, "max_time_s": None,
             "init_latents": "", "dump_latents": "", "save_images": "", "dump_run": "", "dump_step_images": False, "keep_folder": "",
             "data": None, "data_on_device": False, "shared_batch": 0, "meeting": "", "patience_s": 300}
_PATHS = ("init_latents", "dump_latents", "save_images", "dump_run", "keep_folder", "meeting")
_NUMBERS = ("guidance", "max_noise", "max_time_s", "patience_s")


def parsed_cell(cell):
    """A request's cell in the form that the modules here use."""
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


@dataclasses.dataclass
class Job:
    cell: dict
    device: dict  # facts of the device
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
        """True if the UNet computes two halves, by diffusers' rule."""
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
        """The number of which a latent's sides must be multiples, so that each level of the UNet halves them without remainder."""
        return 2 ** (len(self.cell["model"]["source"]["unet"]["block_out_channels"]) - 1)

    @property
    def is_halved_evenly(self):
        """True if each level of the UNet has exactly half the sides of the level above. If not, diffusers upsamples to a size instead of by a factor
        of 2."""
        return all(side % self.latent_multiple == 0 for side in self.latent_size[1:])

    def shapes(self):
        """The shapes for which a part is compiled. With open shapes, a trace has taken one of two paths through diffusers' UNet."""
        if self.is_dynamic:
            return "dynamic" if self.is_halved_evenly else "dynamic, sides that are not halved evenly"
        return [self.cell["width"], self.cell["height"], self.cell["batch"], self.guided]


def is_sdxl(cell):
    return cell["model"]["source"]["pipeline"]["_class_name"] == "StableDiffusionXLPipeline"


def whole_batch(cell):
    """Images of a batch over all devices that share it."""
    return cell["shared_batch"] or cell["batch"]


def batches_of(cell):
    """Number of batches of a run; an epoch's last one may be smaller."""
    return -(-cell["images"] // cell["batch"])


def has_first_run(cell):
    """True if a cold first run precedes the timed ones. A single epoch is itself timed."""
    return cell["epochs"] != 1


def is_network(cell):
    """True if the cell's model classifies images; other models make images."""
    return "network" in cell["model"]["source"]
