"""The same network with torch.compile. In training, the compiler also derives the backward pass from the forward pass."""
import contextlib

import torch
import torch._inductor.config

from shared import compiler, network_engine
from shared.network_work import NetworkWork


def key_of(job):
    cell = job.cell
    return [*network_engine.key_of(job), cell["task"], cell["batch"], job.threads, cell["meeting"], cell["epochs"] > 0 and [cell["images"], cell["data"]]]


class Engine(network_engine.Engine):
    prepares = True

    def __init__(self, job):
        self.settings = compiler.settings(job, is_trained=job.cell["task"] == "train")
        self.is_frozen = torch._inductor.config.freezing
        super().__init__(job)

    def callable_of(self, model):
        return torch.compile(model, **self.settings)

    def prepare(self, job):
        """Keeps nothing for another process: weights that are frozen into the code cannot be kept."""
        with job.events.doing("compiling the network"):
            with contextlib.closing(NetworkWork(job, self)) as run:
                run.warm(compiler.warm_steps(job.device))
        compiler.require_compiled()
        return "new"
