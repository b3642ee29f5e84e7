"""Times a diffusers pipeline stage by stage and step by step, like sdbench's own."""
import contextlib
import dataclasses
import time

import numpy
import torch

from shared import dtypes, samplers
from shared.clock import Clock

STEPS_AHEAD = 3  # this many may be queued on a GPU: it never waits, and a stop is noticed soon


@dataclasses.dataclass
class BatchOutput:
    latents: object = None  # fp32, on the host
    step_latents: list = dataclasses.field(default_factory=list)
    pixels: object = None  # uint8 [N, H, W, 3]
    is_finite: bool = True


class TimedPipeline:
    """A pipeline whose stages are wrapped. `stages`: precisions by "text", "unet", "vae"."""

    def __init__(self, pipe, torch_device, stages):
        self.pipe = pipe
        self.stages = stages
        self.torch_device = torch_device
        self.clock = Clock(torch_device)
        self.spans = {"text": [], "vae": []}
        self.marks = []  # begin of the first step, then the end of each step
        self.listener = None
        self.reported = 0
        self.output = None
        self.keeps_steps = False
        self.decoded = None
        self._wrap(pipe, "encode_prompt", self._encode)
        self._wrap(pipe.vae, "decode", self._decode)

    def _wrap(self, owner, method, timed):
        inner = getattr(owner, method)
        setattr(owner, method, lambda *args, **more: timed(inner, *args, **more))

    def set_scheduler(self, cell):
        """Sets a new scheduler for each cell: cells with the same weights may ask for different ones."""
        scheduler = samplers.scheduler_for(cell)
        self.pipe.scheduler = scheduler
        self._wrap(scheduler, "scale_model_input", self._scale)
        self._wrap(scheduler, "step", self._step)

    def steps_of(self, cell):
        scheduler = samplers.scheduler_for(cell)
        scheduler.set_timesteps(cell["steps"])
        return len(scheduler.timesteps)

    def _encode(self, inner, *args, **more):
        begin = self.clock.now()
        with self._precision("text"):
            result = inner(*args, **more)
        self.spans["text"].append((begin, self.clock.now()))
        return result

    def _scale(self, inner, *args, **more):
        if not self.marks:
            self.marks.append(self.clock.now())
        return inner(*args, **more)

    def _step(self, inner, *args, **more):
        result = inner(*args, **more)
        self.marks.append(self.clock.now())
        if self.output is not None:
            self.output.latents = result[0]
            if self.keeps_steps:
                self.output.step_latents.append(result[0].float().cpu())
        self._report(len(self.marks) - STEPS_AHEAD)
        return result

    def _decode(self, inner, latents, *args, **more):
        begin = self.clock.now()
        with self._precision("vae"):  # fp16 may overflow in the VAE, so its dtype may differ from the UNet's
            self.decoded = inner(latents.to(dtypes.weights_dtype(self.stages["vae"])), *args, **more)
        self.spans["vae"].append((begin, self.clock.now()))
        self._report(len(self.marks) - 1)
        return self.decoded

    def _precision(self, stage):
        """The autocast context of a stage, which may differ from that of the whole pipeline."""
        precision = self.stages[stage]
        kind = torch.device(self.torch_device).type
        if precision["autocast"]:
            return torch.autocast(kind, dtypes.TORCH[precision["dtype"]])
        return torch.autocast(kind, enabled=False) if self.stages["unet"]["autocast"] else contextlib.nullcontext()

    def _report(self, due):
        """Reports each step that the device has passed; waits for those before `due`."""
        while self.listener and self.reported < len(self.marks) - 1:
            begin, end = self.marks[self.reported:self.reported + 2]
            if self.reported < due:
                self.clock.wait_for(end)
            elif not self.clock.has_passed(end):
                return
            self.reported += 1
            self.listener(self.reported - 1, self.clock.seconds(begin, end))

    def run_batch(self, cell, prompts, make_noise, listener):
        """Returns (a sample of the protocol, BatchOutput). `make_noise()` returns the first latents; its time counts."""
        self.forget()
        self.listener, self.output, self.keeps_steps = listener, BatchOutput(), bool(cell["dump_run"])
        negative = cell["negative_prompt"]
        self.clock.wait()
        begin = time.monotonic()
        noise = make_noise().to(self.torch_device, dtypes.weights_dtype(self.stages["unet"]))
        with self._precision("unet"):
            images = self.pipe(prompt=prompts, negative_prompt=None if negative is None else [negative] * len(prompts), width=cell["width"],
                               height=cell["height"], num_inference_steps=cell["steps"], guidance_scale=cell["guidance"],
                               clip_skip=cell["clip_skip"] or None, latents=noise, output_type="pil").images
        self.clock.wait()
        e2e_s = time.monotonic() - begin
        steps = [self.clock.seconds(a, b) for a, b in zip(self.marks, self.marks[1:])]
        parts = {"text": self._total("text"), "unet": self.clock.seconds(self.marks[0], self.marks[-1]), "vae": self._total("vae")}
        sample = {"parts": [{"name": name, "seconds": seconds} for name, seconds in parts.items()], "e2e_s": e2e_s, "step_s": steps,
                  "start_s": begin}
        output, decoded = self.output, self.decoded
        self.forget()
        output.latents = output.latents.float().cpu().contiguous()
        output.is_finite = bool(output.latents.isfinite().all()) and bool(decoded[0].isfinite().all())
        output.pixels = numpy.stack([numpy.asarray(image) for image in images])
        return sample, output

    def warm(self, cell, steps):
        """Calls UNet and VAE on zeros in the cell's shapes, so that whatever compiles at its first call compiles now. Calls them through the
        pipeline, so that their inputs are those of an image. Makes no image, and is not timed."""
        self.forget()
        self.set_scheduler(cell)
        batch, config = cell["batch"], self.pipe.unet.config
        zeros = {"dtype": dtypes.weights_dtype(self.stages["text"]), "device": self.torch_device}
        text = torch.zeros(batch, 77, config.cross_attention_dim, **zeros)
        more = {"prompt_embeds": text, "negative_prompt_embeds": text}
        if getattr(self.pipe, "text_encoder_2", None) is not None:
            pooled = torch.zeros(batch, self.pipe.text_encoder_2.config.projection_dim, **zeros)
            more |= {"pooled_prompt_embeds": pooled, "negative_pooled_prompt_embeds": pooled}
        factor = 2 ** (len(self.pipe.vae.config.block_out_channels) - 1)
        latents = torch.zeros(batch, config.in_channels, cell["height"] // factor, cell["width"] // factor,
                              dtype=dtypes.weights_dtype(self.stages["unet"]), device=self.torch_device)
        with self._precision("unet"):
            self.pipe(width=cell["width"], height=cell["height"], num_inference_steps=min(steps, cell["steps"]), latents=latents,
                      guidance_scale=cell["guidance"], output_type="pt", **more)
        self.clock.wait()
        self.forget()

    def forget(self):
        """Drops what a run left, complete or cut short."""
        for spans in self.spans.values():
            spans.clear()
        self.marks, self.reported = [], 0
        self.listener = self.output = self.decoded = None

    def _total(self, name):
        return sum(self.clock.seconds(begin, end) for begin, end in self.spans[name])
