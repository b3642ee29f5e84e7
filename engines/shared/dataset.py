"""The data of epochs, as src/front/other_engines/exported_weights.cpp writes what sdbench's own reader has read."""
import dataclasses

import numpy
import torch
from safetensors import safe_open

BYTE_VALUES = 256


@dataclasses.dataclass
class LabelledImages:
    pixels: numpy.ndarray  # bytes [count, channels, height, width]
    labels: numpy.ndarray  # bytes [count]

    def __len__(self):
        return len(self.labels)


class Dataset:
    def __init__(self, file):
        with safe_open(file, "np") as opened:
            self.identity = opened.metadata()["identity"]
            self.mean, self.std = opened.get_tensor("mean"), opened.get_tensor("std")  # fp32 [channels]
            self.train, self.test = (LabelledImages(opened.get_tensor(f"{split}_images"), opened.get_tensor(f"{split}_labels"))
                                     for split in ("train", "test"))

    def normalised_values(self, dtype):
        """The normalised value of each byte in each channel: [channels, 256]. Both kinds of batches look values up here, so that the result does not
        depend on a device's arithmetic."""
        shares = numpy.arange(BYTE_VALUES, dtype=numpy.float32) / numpy.float32(255)
        return torch.from_numpy((shares - self.mean[:, None]) / self.std[:, None]).to(dtype)
