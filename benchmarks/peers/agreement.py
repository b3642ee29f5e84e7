"""Whether two participants computed the same image: figures of a program that computes something else are no comparison."""
import dataclasses

import numpy
from PIL import Image
from safetensors.numpy import load_file

# By dtype: (difference of the final latents by their size, both as roots of sums of squares; mean difference of the pixels, of 255).
# fp32 shows whether the same network is computed: rounding leaves 1e-5 there. In bf16 and fp16 the programs round in different places:
# OpenVINO's bf16 alone leaves 0.12 in one step of tiny-sd15 where torch's leaves 0.02. Unrelated latents differ by 1.4.
BOUNDS = {"fp32": (1e-3, 1.0), "bf16": (0.35, 25.0), "fp16": (0.05, 5.0)}


@dataclasses.dataclass(frozen=True)
class Output:
    latents: numpy.ndarray
    pixels: numpy.ndarray  # [N, H, W, 3]


@dataclasses.dataclass(frozen=True)
class Agreement:
    latents: float
    pixels: float
    bounds: tuple

    @property
    def holds(self):  # so written, a NaN does not
        return self.latents <= self.bounds[0] and self.pixels <= self.bounds[1]

    def __str__(self):
        words = f"{100 * self.latents:.2g} %, {self.pixels:.2g}"
        return words if self.holds else f"{words}: **another image** (bounds {100 * self.bounds[0]:g} %, {self.bounds[1]:g})"


def read_output(latents, images):
    """Of the file of --dump-latents and the folder of --save-images."""
    pixels = [numpy.asarray(Image.open(file).convert("RGB")) for file in sorted(images.glob("*.png"))]
    return Output(load_file(latents)["latents"], numpy.stack(pixels))


def compare(ours, theirs, dtype):
    """How far `theirs` is from `ours`. Shapes must be the same."""
    if ours.latents.shape != theirs.latents.shape or ours.pixels.shape != theirs.pixels.shape:
        return Agreement(float("inf"), float("inf"), BOUNDS[dtype])
    difference = numpy.linalg.norm(theirs.latents.astype(float) - ours.latents) / numpy.linalg.norm(ours.latents)
    return Agreement(float(difference), float(abs(theirs.pixels.astype(float) - ours.pixels).mean()), BOUNDS[dtype])
