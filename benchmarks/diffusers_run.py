"""Times diffusers' own pipeline on a diffusers folder, stage by stage, as sdbench does: one line of JSON.

    benchmarks/diffusers_run.py FOLDER --size 512x512 --steps 2 --dtype bf16 --runs 3 [--latents FILE] [--dump FILE]

The pipeline runs eagerly with its defaults; the scheduler is EulerDiscreteScheduler.from_config, as in sdbench. The first run is
cold and told apart; step times begin with the second step of a run. --latents is sdbench's --init-latents, --dump its --dump-latents, so that the two can be held side by side.
Needs the environment that scripts/test.sh makes: .deps/oracle/bin/python.
"""
import argparse
import json
import resource
import time

import torch
from diffusers import DiffusionPipeline, EulerDiscreteScheduler
from safetensors.torch import load_file, save_file

DTYPES = {"fp32": torch.float32, "bf16": torch.bfloat16, "fp16": torch.float16}
PROMPT = "a beautiful view of an isolated lake house in an island"


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("--size", default="512x512")
    parser.add_argument("--steps", type=int, default=2)
    parser.add_argument("--dtype", choices=DTYPES, default="fp32")
    parser.add_argument("--guidance", type=float, default=None)
    parser.add_argument("--runs", type=int, default=2, help="timed runs after the first")
    parser.add_argument("--latents")
    parser.add_argument("--dump")
    return parser.parse_args()


class VaeTimer:
    """Seconds spent in the VAE's decoder, by wrapping it."""

    def __init__(self, vae):
        self.seconds = 0.0
        inner = vae.decode

        def timed(*args, **kwargs):
            start = time.perf_counter()
            result = inner(*args, **kwargs)
            self.seconds += time.perf_counter() - start
            return result

        vae.decode = timed


def one_run(pipe, vae, args, latents):
    width, height = map(int, args.size.split("x"))
    vae.seconds = 0.0
    # The callback stands at the end of each step, Euler's update included: between two of them lies what sdbench calls one it.
    marks = []
    options = dict(prompt=PROMPT, width=width, height=height, num_inference_steps=args.steps, latents=latents,
                   callback_on_step_end=lambda *a: marks.append(time.perf_counter()) or {})
    if args.guidance is not None:
        options["guidance_scale"] = args.guidance
    if args.dump:
        options["output_type"] = "latent"
    start = time.perf_counter()
    image = pipe(**options).images
    end = time.perf_counter()
    if args.dump:
        save_file({"latents": image.float().contiguous()}, args.dump)
    return {"step_s": [b - a for a, b in zip(marks, marks[1:])], "vae_s": vae.seconds, "e2e_s": end - start}


def main():
    args = arguments()
    torch.set_grad_enabled(False)
    start = time.perf_counter()
    pipe = DiffusionPipeline.from_pretrained(args.folder, torch_dtype=DTYPES[args.dtype], safety_checker=None)
    pipe.scheduler = EulerDiscreteScheduler.from_config(pipe.scheduler.config)
    pipe.set_progress_bar_config(disable=True)
    load_s = time.perf_counter() - start
    latents = load_file(args.latents)["latents"].to(DTYPES[args.dtype]) if args.latents else None
    vae = VaeTimer(pipe.vae)
    runs = [one_run(pipe, vae, args, latents) for _ in range(1 + args.runs)]
    print(json.dumps({"load_s": load_s, "first": runs[0], "runs": runs[1:],
                      "threads": torch.get_num_threads(), "torch": torch.__version__,
                      "peak_host_bytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024}))


if __name__ == "__main__":
    main()
