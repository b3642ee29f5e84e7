"""A network on its device, with the weights of a file: torchvision's, operator by operator."""
import contextlib

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file
from torch.nn import functional

from shared import dtypes, networks
from shared.data_parallel import DataParallel
from shared.failure import CellFailure
from shared.tf32 import allow_tf32, tf32_used
from shared.torch_engine import is_channels_last

COUNTER = "num_batches_tracked"  # torch's own, which weights need not have


def key_of(job):
    """What must be the same for the network to stay."""
    cell = job.cell
    return [cell["model"], cell["weights"], job.stages, job.torch_device, is_channels_last(cell), cell["tf32"], cell["cudnn_benchmark"]]


class Engine:
    prepares = False  # whether it has a stage for that
    is_frozen = False  # whether weights are a part of its code, which may fold operators together
    prepared = ""
    deciding_s = late_loading_s = 0

    def __init__(self, job):
        cell = job.cell
        allow_tf32(cell["tf32"])  # before anything is compiled
        torch.backends.cudnn.benchmark = cell["cudnn_benchmark"] == "on"
        self.file, self.precision = cell["weights"]["path"], job.stages["unet"]
        self.device = torch.device(job.torch_device)
        self.numbers = dtypes.weights_dtype(self.precision)  # of weights and images
        with torch.device("meta"):
            self.model = networks.build(cell["model"]["source"]["network"]).to(self.numbers)
        self.model.to_empty(device=self.device)
        if is_channels_last(cell):
            self.model.to(memory_format=torch.channels_last)
        self.call = self.callable_of(self.model)
        self.others = None  # with which it trains: a DataParallel
        self.is_trained = True  # its weights are not those of the file
        self.restore()

    def restore(self):
        """The file's weights, and batch norm's running values, which each training moves."""
        if not self.is_trained:
            return
        must = f"{self.file} must hold the network's weights by torchvision's names, but "
        try:
            missing, unexpected = self.model.load_state_dict(load_file(self.file), strict=False)
        except (OSError, SafetensorError, RuntimeError) as error:
            raise CellFailure("error", f"{must}cannot be read ({str(error).splitlines()[-1].strip()}); name another with --weights") from error
        missing = [name for name in missing if not name.endswith(COUNTER)]
        if missing or unexpected:
            raise CellFailure("error", f"{must}{len(missing)} are missing and {len(unexpected)} are unknown ({(missing + unexpected)[0]}); "
                                       "name another with --weights")
        for name, buffer in self.model.named_buffers():
            if name.endswith(COUNTER):
                buffer.zero_()
        self.is_trained = False

    def callable_of(self, model):
        """`model`: the network, or its replica among those of other devices."""
        return model

    def join_others(self, job):
        """Of shared batches, once for a meeting: waits for the other devices. `call` is of the replica then."""
        with job.events.doing("waiting for the other devices"):
            self.others = DataParallel(job.cell, self.model, self.device)
        self.call = self.callable_of(self.others.model)

    def leave_others(self):
        if self.others:
            self.call = self.callable_of(self.model)
            self.others.end()
            self.others = None

    def prepare(self, job):
        return ""

    def _precision(self):
        if self.precision["autocast"]:
            return torch.autocast(self.device.type, dtypes.TORCH[self.precision["dtype"]])
        return contextlib.nullcontext()

    def logits(self, images):
        with torch.inference_mode(), self._precision():
            return self.call(images)

    def logits_by_operators(self, images):
        """One after the other, whatever `call` makes of them."""
        with torch.inference_mode(), self._precision():
            return self.model(images)

    def loss(self, name, images, labels):
        """Of fp32 logits by that name of --loss, with its graph where gradients are on."""
        self.is_trained = True
        with self._precision():
            logits = self.call(images).float()
            return logits.sum() if name == "logit-sum" else functional.cross_entropy(logits, labels)

    def use(self, job):
        return {"tf32_used": tf32_used(job), "memory_format_used": "channels-last" if is_channels_last(job.cell) else "contiguous"}
