"""A run of a network: iterations of one batch, as src/engine/worker/network_work.cpp has them."""
import time

import torch

from shared.clock import Clock
from shared.synthetic import synthetic_images
from shared.torch_engine import is_channels_last

# src/engine/worker/network_work.cpp has the same numbers, and their source.
RATE, RATE_BATCH, MOMENTUM = 0.1, 128, 0.9
PARTS = {"infer": ("forward",), "train": ("forward", "backward", "update")}  # of src/base/core/task.cpp


def made_up_batch(job, engine):
    """Noise, and each class in turn."""
    config, count = job.cell["model"]["source"]["network"], job.cell["batch"]
    images = synthetic_images(config, count, job.cell["seed"]).to(engine.device, engine.numbers)
    if is_channels_last(job.cell):
        images = images.contiguous(memory_format=torch.channels_last)
    return images, (torch.arange(count) % config["classes"]).to(engine.device)


class NetworkRun:
    """The `work` of a CellTiming. `engine`: a network_engine's, whose weights are the file's again."""
    steps_of_batch = 1

    def __init__(self, job, engine):
        cell = job.cell
        self.engine, self.clock = engine, Clock(job.torch_device)
        self.iterations = cell["images"] // cell["batch"]
        self.trains = cell["task"] == "train"
        self.loss = cell["loss"]
        self.parts = PARTS[cell["task"]]
        engine.restore()
        engine.model.train(self.trains)
        self.images, self.labels = made_up_batch(job, engine)
        self.optimizer = self.scaler = None
        if self.trains and cell["update"]:
            self.optimizer = torch.optim.SGD(engine.model.parameters(), RATE * cell["batch"] / RATE_BATCH, MOMENTUM)
        if self.trains and engine.precision == {"dtype": "fp16", "autocast": True}:
            self.scaler = torch.amp.GradScaler(engine.device.type)
        self.results = []  # each iteration's loss, or the last one's logits
        self.check = ""  # of the last whole run
        self.failed = None  # its first iteration that is not finite, from 0
        self.losses = []  # its first and its last
        self.clock.wait()

    def run_all(self, listener):
        sample = self._run(self.iterations, listener)
        self._look_at_results()
        return sample

    def run_first_batch(self, listener):
        return self._run(1, listener)

    def warm(self, iterations):
        """Untimed."""
        self._run(iterations, lambda iteration, seconds: None)

    def _run(self, iterations, listener):
        clock, step_s, seconds = self.clock, [], dict.fromkeys(self.parts, 0.0)
        self.results = []
        begin = time.monotonic()
        for iteration in range(iterations):
            marks = self._train() if self.trains else self._infer()
            clock.wait()
            for name, start, end in zip(self.parts, marks, marks[1:]):
                seconds[name] += clock.seconds(start, end)
            step_s.append(clock.seconds(marks[0], marks[-1]))
            listener(iteration, step_s[-1])
        return {"parts": [{"name": name, "seconds": total} for name, total in seconds.items()], "e2e_s": time.monotonic() - begin,
                "step_s": step_s, "start_s": begin}

    def _infer(self):
        """The moments between which its parts are."""
        marks = [self.clock.now()]
        self.results = [self.engine.logits(self.images)]
        return [*marks, self.clock.now()]

    @torch.enable_grad()
    def _train(self):
        marks = [self.clock.now()]
        loss = self.engine.loss(self.loss, self.images, self.labels)
        marks.append(self.clock.now())
        (self.scaler.scale(loss) if self.scaler else loss).backward()
        marks.append(self.clock.now())
        if self.optimizer and self.scaler:
            self.scaler.step(self.optimizer)
            self.scaler.update()
        elif self.optimizer:
            self.optimizer.step()
        self.engine.model.zero_grad(set_to_none=True)
        self.results.append(loss.detach())
        return [*marks, self.clock.now()]

    def _look_at_results(self):
        """Of the run that has ended, so that nothing of it is in the times."""
        are_finite = torch.stack([result.isfinite().all() for result in self.results]).tolist()
        self.check = "pass" if all(are_finite) else "non_finite"
        self.failed = are_finite.index(False) if self.trains and not all(are_finite) else None
        self.losses = [self.results[0].item(), self.results[-1].item()] if self.trains else []

    def logits(self):
        """Of the last iteration, fp32 on the host."""
        return self.results[-1].float().cpu().numpy()
