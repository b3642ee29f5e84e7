"""Batches of a data set, epoch after epoch: src/engine/training/batch_loader.cpp in Python. Both give the same bits."""
import dataclasses

import torch

from shared.dataset import BYTE_VALUES
from shared.epoch_order import EpochOrder
from shared.prefetched import Prefetched

BITS = {2: torch.int16, 4: torch.int32}  # by a value's size; a copy need not know its type


@dataclasses.dataclass
class Batch:
    images: torch.Tensor
    labels: torch.Tensor
    whole: int  # images of the whole batch, all parts together


def memory_for(device, shape, dtype):
    """Host memory, pinned for a GPU. A container may refuse pinned memory; then the copy blocks."""
    if device.type == "cuda":
        try:
            with torch.cuda.device(device):  # the memory belongs to a device's context, whatever the thread
                return torch.empty(shape, dtype=dtype, pin_memory=True)
        except RuntimeError:
            pass
    return torch.empty(shape, dtype=dtype)


class HostBatches:
    """A thread makes the batches on the host, and each is copied to the device. Uses numpy, because torch's operators would start a second team of
    threads beside the computing one."""

    def __init__(self, images, order, values, device):
        self.images, self.order, self.device, self.dtype = images, order, device, values.dtype
        self.bits = BITS[values.element_size()]
        self.values = values.view(self.bits).numpy()
        self.made = Prefetched(self._make)

    def _make(self):
        self.order.advance()
        rows = self.order.all[self.order.own()]
        pixels = self.images.pixels[rows]
        batch = Batch(memory_for(self.device, pixels.shape, self.dtype), memory_for(self.device, rows.shape, torch.int64), self.order.whole)
        images = batch.images.view(self.bits).numpy()
        for channel, values in enumerate(self.values):
            images[:, channel] = values.take(pixels[:, channel], mode="clip")
        batch.labels.numpy()[:] = self.images.labels[rows]
        return batch

    def next(self):
        batch = self.made.next()
        return Batch(*(tensor.to(self.device, non_blocking=True) for tensor in (batch.images, batch.labels)), batch.whole)

    def end(self):
        self.made.end()


class DeviceBatches:
    """All images are on the device as bytes, and the device makes the batches."""

    def __init__(self, images, order, values, device):
        self.order = order
        self.pixels = torch.from_numpy(images.pixels).to(device)
        self.labels = torch.from_numpy(images.labels).to(device).long()
        self.values = values.flatten().to(device)
        self.first_of_channel = (torch.arange(values.shape[0], dtype=torch.int32) * BYTE_VALUES).view(-1, 1, 1).to(device)

    def next(self):
        self.order.advance()
        if self.order.is_first_of_epoch:
            self.rows = torch.from_numpy(self.order.all).to(self.pixels.device)
        rows = self.rows[self.order.own()]
        pixels = self.pixels.index_select(0, rows)
        places = pixels.int() + self.first_of_channel
        return Batch(self.values.index_select(0, places.view(-1)).view(pixels.shape), self.labels.index_select(0, rows), self.order.whole)

    def end(self):
        pass


def batches_of(dataset, split, batch, cell, device, dtype, part=(0, 1)):
    """`split`: "train", shuffled anew in each epoch, or "test", in the order of the data set. `batch` and `part`: see EpochOrder."""
    images = getattr(dataset, split)
    order = EpochOrder(len(images), batch, cell["seed"], split == "train", part)
    return (DeviceBatches if cell["data_on_device"] else HostBatches)(images, order, dataset.normalised_values(dtype), device)
