"""A network on its device, with the weights of a file. Uses torchvision's network, operator by operator."""
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

COUNTER = "num_batches_tracked"  # torch's own, which weights may lack


def key_of(job):
    """Everything that must be equal for the loaded network to stay."""
    cell = job.cell
    return [cell["model"], cell["weights"], job.stages, job.torch_device, is_channels_last(cell), cell["tf32"], cell["cudnn_benchmark"]]


class Engine:
    prepares = False  # true if it has a stage for that
    is_frozen = False  # true if the code contains the weights, so that it may fuse operators
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
        self.others = None  # the DataParallel with which it trains
        self.is_trained = True  # true if its weights differ from the file's
        self.restore()

    def restore(self):
        """Restores the file's weights and batch norm's running values, which training changes."""
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
        """`model`: the network, or its replica in data-parallel training."""
        return model

    def join_others(self, job):
        """For shared batches, once for each meeting: waits for the other devices. From then on, `call` calls the replica."""
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
        """Logits computed operator by operator, even if `call` is compiled."""
        with torch.inference_mode(), self._precision():
            return self.model(images)

    def loss(self, name, images, labels):
        """The loss called `name` (--loss) of the fp32 logits, with its graph if gradients are on."""
        self.is_trained = True
        with self._precision():
            logits = self.call(images).float()
            return logits.sum() if name == "logit-sum" else functional.cross_entropy(logits, labels)

    def use(self, job):
        return {"tf32_used": tf32_used(job), "memory_format_used": "channels-last" if is_channels_last(job.cell) else "contiguous"}
