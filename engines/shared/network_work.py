"""A run of a network, like src/engine/worker/network_work.cpp: iterations of one batch, or an epoch of a data set."""
import contextlib
import math
import time

import torch

from shared import batches, table
from shared.clock import Clock
from shared.dataset import Dataset
from shared.data_parallel import number_of
from shared.epoch_order import even_part
from shared.cell_facts import batches_of, whole_batch
from shared.synthetic import synthetic_images
from shared.torch_engine import is_channels_last

# src/engine/training/sgd.cpp and src/engine/worker/network_work.cpp have the same numbers.
RATE, RATE_BATCH, MOMENTUM = 0.1, 128, 0.9
LONG_S = 10  # a longer iteration may look like a hang; same value as in src/engine/worker/network_cell_run.cpp
ALL_BITS = 2 ** 64 - 1
SEEDS_APART = 0x9E3779B9  # between the dropout of runs; odd, because on a CPU only the low 32 bits count


def learning_rate(cell, epoch):
    """Learning rate, divided by 10 after half and again after four fifths of the epochs."""
    epochs = cell["epochs"]
    divisor = 1 if not epochs or 2 * epoch < epochs else 10 if 5 * epoch < 4 * epochs else 100
    return RATE * whole_batch(cell) / RATE_BATCH / divisor


def seed_dropout(cell, run):
    """Seeds a run's dropout, so that a repeated cell drops the same values. With a shared batch, each device has different images and its own
    seed."""
    number, _ = number_of(cell) if cell["shared_batch"] else (0, 1)
    torch.manual_seed((cell["seed"] + number + run * SEEDS_APART) & ALL_BITS)


def made_up_batch(job, engine, whole, place=(0, 1)):
    """A batch of noise, with each class in turn. `place`: (number, count) of the device, which gets its part of the batch."""
    config = job.cell["model"]["source"]["network"]
    first, count = even_part(whole, *place)
    images = synthetic_images(config, first + count, job.cell["seed"])[first:]
    images = images.to(engine.device, engine.numbers, copy=count < whole)  # a view would keep the other devices' images
    return batches.Batch(images, (torch.arange(first, first + count) % config["classes"]).to(engine.device), whole)


def sizes_of_batches(count, batch):
    """Batch sizes for this many images: whole batches and the rest."""
    return ([batch] if count >= batch else []) + ([count % batch] if count % batch else [])


class NetworkWork:
    """The `work` of a CellTiming. `engine`: from network_engine, with its weights restored from the file. Must be closed."""
    steps_of_batch = 1

    def __init__(self, job, engine):
        cell = job.cell
        self.job, self.cell, self.engine, self.clock = job, cell, engine, Clock(job.torch_device)
        self.iterations = batches_of(cell)
        self.trains = cell["task"] == "train"
        engine.restore()
        engine.model.train(self.trains)
        self.place = number_of(cell) if cell["shared_batch"] else (0, 1)
        self.data = Dataset(cell["data"]["path"]) if cell["epochs"] else None
        self.batches = self._batches("train", whole_batch(cell), self.place) if self.data else None
        self.parts = [part for part in table.PARTS[cell["task"]] if (part != "input" or self.batches) and (part != "all_reduce" or cell["shared_batch"])]
        if not self.batches:
            self._take(made_up_batch(job, engine, whole_batch(cell), self.place))
        self.optimizer = self.scaler = None
        if self.trains and cell["update"]:
            self.optimizer = torch.optim.SGD(engine.model.parameters(), learning_rate(cell, 0), MOMENTUM)
        if self.trains and engine.precision == {"dtype": "fp16", "autocast": True}:
            self.scaler = torch.amp.GradScaler(engine.device.type)
        self.epoch = 0  # of the next run
        self.iteration = 0
        self.iteration_began = math.inf  # no iteration is timed
        self.results = []  # each iteration's loss, or the last one's logits
        self.check = ""  # of the last whole run
        self.failed = None  # number of its first iteration that is not finite, from 0
        self.losses = []  # the first and the last of the run
        self.clock.wait()

    def close(self):
        if self.batches:
            self.batches.end()

    def _batches(self, split, batch, place=(0, 1)):
        return batches.batches_of(self.data, split, batch, self.cell, self.engine.device, self.engine.numbers, place)

    def _take(self, batch):
        if is_channels_last(self.cell):
            batch.images = batch.images.contiguous(memory_format=torch.channels_last)
        self.batch = batch

    def run_all(self, listener):
        if self.optimizer:
            for group in self.optimizer.param_groups:
                group["lr"] = learning_rate(self.cell, self.epoch)
        sample = self._run(self.iterations, listener)
        self.epoch += 1
        self._look_at_results()
        return sample

    def run_first_batch(self, listener):
        return self._run(1, listener)

    def warm(self, calls):
        """Runs untimed, with a batch of each size to come."""
        whole = whole_batch(self.cell)
        for size in [size for size in sizes_of_batches(len(self.data.train) if self.data else whole, whole) for _ in range(calls)]:
            self._take(made_up_batch(self.job, self.engine, size, self.place))
            self._compute([])
        if self.data:
            self.engine.model.eval()
            for size in [size for size in sizes_of_batches(len(self.data.test), self.cell["batch"]) for _ in range(calls)]:
                self._take(made_up_batch(self.job, self.engine, size))
                self.engine.logits(self.batch.images)
        self.clock.wait()

    def _run(self, iterations, listener):
        if self.trains:
            seed_dropout(self.cell, self.epoch if self.optimizer else 0)  # for each run, so that the number of warm-ups does not change a loss
        clock, step_s, seconds = self.clock, [], dict.fromkeys(self.parts, 0.0)
        self.results = []
        begin = time.monotonic()
        for self.iteration in range(iterations):
            self.iteration_began = time.monotonic()
            marks = [clock.now()]
            if self.batches:
                self._take(self.batches.next())
                self._end_part(marks)
            self._compute(marks)
            clock.wait()
            for name, start, end in zip(self.parts, marks, marks[1:]):
                seconds[name] += clock.seconds(start, end)
            step_s.append(clock.seconds(marks[0], marks[-1]))
            listener(self.iteration, step_s[-1])
        return {"parts": [{"name": name, "seconds": total} for name, total in seconds.items()], "e2e_s": time.monotonic() - begin,
                "step_s": step_s, "start_s": begin}

    def _end_part(self, marks):
        """Adds its end to `marks`. A long iteration reports its next part as a sign of life; only on a CPU, because we do not wait for a GPU."""
        marks.append(self.clock.now())
        is_long = time.monotonic() - self.iteration_began >= LONG_S and not self.job.on_gpu
        if is_long and len(marks) <= len(self.parts):
            self.job.events.say("doing", text=f"{self.parts[len(marks) - 1]} of iteration {self.iteration + 1}")

    def _compute(self, marks):
        """Computes an iteration with the current batch. Adds the end of each part to `marks`."""
        (self._train if self.trains else self._infer)(marks)

    def _infer(self, marks):
        self.results = [self.engine.logits(self.batch.images)]
        self._end_part(marks)

    @torch.enable_grad()
    def _train(self, marks):
        with self.engine.others.told() if self.engine.others else contextlib.nullcontext():
            loss = self._backward(marks)
        if self.optimizer and self.scaler:
            self.scaler.step(self.optimizer)
            self.scaler.update()
        elif self.optimizer:
            self.optimizer.step()
        self.engine.model.zero_grad(set_to_none=True)
        self.results.append(loss.detach())
        self._end_part(marks)

    def _backward(self, marks):
        """Returns the loss and computes its gradients. With a shared batch, the loss is this device's summand, and the gradients are summed over
        all devices."""
        loss = self.engine.loss(self.cell["loss"], self.batch.images, self.batch.labels)
        if self.engine.others:
            loss = loss if self.cell["loss"] == "logit-sum" else loss * (len(self.batch.labels) / self.batch.whole)
            self.engine.others.computed = lambda: self._end_part(marks)
        self._end_part(marks)
        (self.scaler.scale(loss) if self.scaler else loss).backward()
        self._end_part(marks)
        return loss

    def _look_at_results(self):
        """Collects the results after the run, so that this is not counted in its times."""
        if self.engine.others:
            losses = torch.stack(self.results)
            self.engine.others.add_up(losses)
            self.results = list(losses)
        are_finite = torch.stack([result.isfinite().all() for result in self.results]).tolist()
        self.check = "pass" if all(are_finite) else "non_finite"
        self.failed = are_finite.index(False) if self.trains and not all(are_finite) else None
        self.losses = [self.results[0].item(), self.results[-1].item()] if self.trains else []

    def check_by_operators(self):
        """Checks a frozen network, not counted in any time: oneDNN's ReLU, when fused into a convolution, turns NaN into 0."""
        self.check = "pass" if self.engine.logits_by_operators(self.batch.images).isfinite().all() else "non_finite"

    def test(self, listener):
        """Returns the fraction of test images that the network classifies correctly, and the seconds taken. Calls `listener` for each batch."""
        begin = time.monotonic()
        self.engine.model.eval()
        tested = self._batches("test", self.cell["batch"])
        right = torch.zeros((), dtype=torch.int64, device=self.engine.device)
        total = -(-len(self.data.test) // self.cell["batch"])
        for batch in range(total):
            start = self.clock.now()
            self._take(tested.next())
            right += (self.engine.logits(self.batch.images).argmax(1) == self.batch.labels).sum()
            end = self.clock.now()
            self.clock.wait()  # else the host would run ahead by the whole pass, without signs of life
            listener(batch, total, self.clock.seconds(start, end))
        count = right.item()
        tested.end()
        return count / len(self.data.test), time.monotonic() - begin

    def logits(self):
        """The last iteration's logits, in fp32 on the host."""
        return self.results[-1].float().cpu().numpy()
