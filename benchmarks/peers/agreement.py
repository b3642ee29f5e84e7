"""Whether two participants computed the same image: figures of a program that computes something else are no comparison."""
import dataclasses

import numpy
from PIL import Image
from safetensors.numpy import load_file

# By dtype: (difference of the final latents by their size, root of the sum of squares of each; mean difference of the pixels, of 255).
# Rounding alone stays far below these.
BOUNDS = {"fp32": (1e-3, 1.0), "bf16": (0.1, 12.0), "fp16": (0.02, 3.0)}


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
