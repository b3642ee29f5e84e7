"""Devices that train one network, with a worker each: torch's DistributedDataParallel, with Gloo between shares of a CPU and NCCL between GPUs.

The counterpart of src/engine/distributed for sdbench's own engines. Devices meet in the front's folder, the cell's "meeting". There they also
learn of a device that has ended: include/sdbench/base/executor/device_meeting.h.
"""
import contextlib
import datetime
import os
import time

import torch
from torch import distributed
from torch.nn.parallel import DistributedDataParallel

from shared.failure import CellFailure, memory_status

LOOK_S = 0.01
FRONT_TELLS_S = 10  # latest time until the front marks an ended device


def number_of(cell):
    """(the device's place among those that share the cell's batches, their count)"""
    return cell["parallel_devices"].index(cell["device"]), len(cell["parallel_devices"])


class DataParallel:
    """All devices must make the same calls in the same order. `model` is the replica to call in training: after backward() its gradients are sums
    over the devices. Each device has its own batch norm statistics."""

    def __init__(self, cell, model, device):
        self.devices, self.meeting, self.patience_s = cell["parallel_devices"], cell["meeting"], cell["patience_s"]
        self.number, self.count = number_of(cell)
        self.computed = None  # called when this device has computed its own gradients
        os.environ.setdefault("GLOO_SOCKET_IFNAME", "lo")  # all are on this machine, and its name may not resolve
        store = distributed.FileStore(os.path.join(self.meeting, "store"), self.count)
        with self.told():
            self._wait_for_all(store)
            distributed.init_process_group("nccl" if device.type == "cuda" else "gloo", store=store, rank=self.number, world_size=self.count,
                                           timeout=datetime.timedelta(seconds=self.patience_s))
            self.model = DistributedDataParallel(model, broadcast_buffers=False)
        self.model.register_comm_hook(None, self._sum)

    def end(self):
        """Ends the group, so that devices that still wait are told."""
        self.model = None
        if distributed.is_initialized():
            distributed.destroy_process_group()

    def _wait_for_all(self, store):
        store.set(f"arrived-{self.number}", "here")
        begin = time.monotonic()
        for other, device in enumerate(self.devices):
            while not store.check([f"arrived-{other}"]):
                self._refuse_ended()
                if time.monotonic() - begin > self.patience_s:
                    raise CellFailure("error", f"all devices must train together, but {device} did not come within {self.patience_s:g} s "
                                               "(half of --timeout); see what else it computes")
                time.sleep(LOOK_S)

    def _sum(self, _, bucket):
        """Sums a bucket over all devices. The last bucket is full when all gradients are computed."""
        if bucket.is_last():
            self.computed()
        return distributed.all_reduce(bucket.buffer(), async_op=True).get_future().then(lambda done: done.value()[0])

    def add_up(self, values):
        """Sums `values` over all devices, in place."""
        with self.told():
            distributed.all_reduce(values)

    def _refuse_ended(self):
        for other, device in enumerate(self.devices):
            if other != self.number and os.path.exists(os.path.join(self.meeting, f"ended-{other}")):
                raise CellFailure("error", f"all devices must train together, but {device} has ended; its row says why")

    @contextlib.contextmanager
    def told(self):
        """If an error within it comes from the end of another device, raises an error that says so."""
        try:
            yield
        except RuntimeError as error:
            end = time.monotonic() + min(FRONT_TELLS_S, self.patience_s / 2)
            while not memory_status(error) and time.monotonic() < end:
                self._refuse_ended()
                time.sleep(LOOK_S)
            raise
