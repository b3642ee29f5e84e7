"""Takes times on a device without waiting for it: on a GPU with events, which are read at the end."""
import time

import torch


class Clock:
    def __init__(self, torch_device):
        self.is_gpu = torch.device(torch_device).type == "cuda"

    def now(self):
        if not self.is_gpu:
            return time.perf_counter()
        event = torch.cuda.Event(enable_timing=True)
        event.record()
        return event

    def has_passed(self, moment):
        return not self.is_gpu or moment.query()

    def wait_for(self, moment):
        if self.is_gpu:
            moment.synchronize()

    def wait(self):
        if self.is_gpu:
            torch.cuda.synchronize()

    def seconds(self, begin, end):
        return begin.elapsed_time(end) / 1000 if self.is_gpu else end - begin
