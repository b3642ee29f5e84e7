"""Times a diffusers pipeline stage by stage and step by step, as sdbench does."""
import pathlib
import sys
import time

import numpy

sys.path.append(str(pathlib.Path(__file__).parents[2] / "engines"))
from shared.clock import Clock  # noqa: E402


class TimedPipeline:
    """One image after another of a pipeline whose stages are wrapped."""

    def __init__(self, pipe):
        self.pipe = pipe
        self.clock = Clock(pipe.device)
        self.text = self.wrapped(pipe, "encode_prompt")
        self.vae = self.wrapped(pipe.vae, "decode")
        # A step lasts from the end of the one before to the end of the scheduler's update; the first from its scaling on.
        self.scalings = self.wrapped(pipe.scheduler, "scale_model_input")
        self.updates = self.wrapped(pipe.scheduler, "step")
        self.latents = None

    def wrapped(self, owner, method):
        """The (begin, end) of each call of a method from now on."""
        spans = []
        inner = getattr(owner, method)

        def timed(*args, **more):
            begin = self.clock.now()
            result = inner(*args, **more)
            spans.append((begin, self.clock.now()))
            if method == "step":
                self.latents = result[0]
            return result

        setattr(owner, method, timed)
        return spans

    def run(self, cell, noise):
        """(a sample of the protocol, the final latents in fp32, the images as bytes)"""
        spans = (self.text, self.vae, self.scalings, self.updates)
        for calls in spans:
            calls.clear()
        prompts = cell["prompts"] * (cell["images"] if len(cell["prompts"]) == 1 else 1)
        negative = cell["negative_prompt"]
        self.clock.wait()
        begin = time.monotonic()
        images = self.pipe(prompt=prompts, negative_prompt=None if negative is None else [negative] * len(prompts),
                           width=cell["width"], height=cell["height"], num_inference_steps=cell["steps"],
                           guidance_scale=cell["guidance"], clip_skip=cell["clip_skip"] or None, latents=noise.clone(), output_type="pil").images
        self.clock.wait()
        e2e_s = time.monotonic() - begin
        marks = [self.scalings[0][0], *(end for _, end in self.updates)]
        parts = {"text": self.total(self.text), "unet": self.clock.seconds(marks[0], marks[-1]), "vae": self.total(self.vae)}
        sample = {"parts": [{"name": name, "seconds": seconds} for name, seconds in parts.items()], "e2e_s": e2e_s,
                  "step_s": [self.clock.seconds(a, b) for a, b in zip(marks, marks[1:])], "start_s": begin}
        return sample, self.latents.float().cpu().contiguous(), numpy.stack([numpy.asarray(image) for image in images])

    def total(self, spans):
        return sum(self.clock.seconds(begin, end) for begin, end in spans)
