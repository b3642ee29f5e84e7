"""One cell from its request to its outcome, stage by stage: src/engine/worker/cell_run.cpp in Python."""
import time

import torch

from shared import devices, dtypes, failure, gpus, host, packages, saving, stopping_signal, weights
from shared.cell_timing import CellTiming
from shared.content_hashes import ContentHashes
from shared.failure import CellFailure
from shared.image_run import ImageRun
from shared.job import Job, is_sdxl, refuse_own_axes
from shared.kept import Keep

NO_VALUE = "non_finite"


class CellRun:
    """`kind`: a module of kinds/. `kept_engine`: what earlier cells loaded, see serving.py."""

    def __init__(self, engine, kind, cell, events, wait_for_go, kept_engine):
        self.engine, self.kind, self.cell, self.events, self.kept_engine = engine, kind, cell, events, kept_engine
        self.timing = CellTiming(cell, events, wait_for_go)
        self.wait_for_go = wait_for_go
        self.stage = "load"
        self.result = {"samples": [], "warmup": 0}
        self.is_loaded = False
        self.run_of_images = None

    @property
    def on_gpu(self):
        return self.result.get("device", {}).get("kind") == "cuda"

    def enter(self, stage):
        self.stage = stage
        self.events.stage(stage)

    def run(self):
        self.enter("load")
        with stopping_signal.raises():
            job = self.decide()
            self.load(job)
        self.enter("first_image")
        self.timing.run_first(self.run_of_images, self.result)
        if self.must_go_on_in_another_dtype(job):
            self.go_on_in_another_dtype(job)
        self.enter("warmup")
        self.timing.warm_up(self.run_of_images, self.result)
        self.measure()
        self.check_output()
        self.enter("save")
        self.save()

    def decide(self):
        """What can be refused without a model is refused before one is loaded."""
        cell, kind = self.cell, self.kind
        device = devices.choose(cell, kind)
        self.result["device"] = device
        self.events.say("device", device=device)
        self.refuse(device)
        weights.files_by_component(cell["weights"], "fp32")  # told now, not by whoever reads them
        bf16 = devices.has_bf16(device)
        unet = dtypes.choose(cell["dtype"], device["kind"], bf16, kind.DTYPES[device["kind"]])
        stages = dtypes.of_stages(unet, is_sdxl(cell), bf16)
        for warning in dtypes.warnings(stages, device["kind"] != "cpu", bf16):
            self.events.note(warning)
        threads = cell["threads"] or host.usable_cores()
        torch.set_num_threads(threads)
        if device["kind"] == "cuda":
            torch.cuda.set_device(device["index"])
        return Job(cell, device, devices.torch_name(device), stages, threads, self.events, Keep(cell["keep_folder"], self.events),
                   ContentHashes(cell["keep_folder"]))

    def refuse(self, device):
        cell, kind = self.cell, self.kind
        refuse_own_axes(cell, self.engine)
        able = kind.DTYPES.get(device["kind"], ())
        if not able:
            raise failure.skipped(f"--device must be {' or '.join(name for name in kind.DTYPES)} with --engine {self.engine}",
                                  f"is {cell['device']}, which is {device['kind']}", "name another device or engine")
        asked = cell["dtype"] and dtypes.name_of({"autocast": False, **cell["dtype"]})
        if asked and asked not in able:
            why = kind.WHY_NOT.get(asked, "")
            raise failure.skipped(f"--dtype must be {' or '.join(able)} with --engine {self.engine} on a {device['kind']} device",
                                  f"is {asked}{why and ', ' + why}", "take one of these")
        if cell["attention"] not in kind.ATTENTION:
            raise failure.skipped(f"--attention must be {' or '.join(kind.ATTENTION)} with --engine {self.engine}", f"is {cell['attention']}",
                                  "take one of these")
        if hasattr(kind, "refuse"):
            kind.refuse(cell, device)
        for option, choices in kind.CHOICES.items():
            if cell[option] not in choices:
                raise failure.skipped(f"--{option.replace('_', '-')} must be {' or '.join(choices)} with --engine {self.engine}",
                                      f"is {cell[option]}", "take one of these")

    def load(self, job):
        """Loads and prepares, or finds it there."""
        began = time.monotonic()
        with self.events.doing("loading the model"):
            loaded, was_there = self.kept_engine.get(self.kind, job)
        load_s = time.monotonic() - began - loaded.deciding_s
        is_prepared_now = loaded.prepares and not was_there
        if is_prepared_now:
            self.enter("prepare")
        began = time.monotonic()
        if not was_there:
            loaded.prepared = loaded.prepare(job)
        prepare_s = time.monotonic() - began + loaded.deciding_s
        self.kept_engine.is_ready()
        self.run_of_images = ImageRun(job, loaded.timed)
        self.result |= {
            **self.facts(job), "threads": job.threads, "vae_tiles": loaded.vae_tiles(job), "unet_calls": self.run_of_images.steps_of_batch,
            "load_s": 0 if was_there else load_s, "prepare_s": prepare_s if is_prepared_now else 0,
            "prepared": "kept" if was_there and loaded.prepared else loaded.prepared, **loaded.use(job)}
        self.is_loaded = True
        self.events.say("loaded", so_far=self.result)

    def facts(self, job):
        """Of the engine and the weights."""
        files = weights.files_by_component(self.cell["weights"], job.stages["unet"]["dtype"])
        return {"runtime_version": packages.runtime_version(self.engine), "engine": self.engine,
                "engine_revision": packages.revision(self.engine), **{f"dtype_{stage}": precision for stage, precision in job.stages.items()},
                "weights_identity": weights.identity(self.cell["weights"]), "weights_dtype": weights.stored_dtypes(files)}

    def must_go_on_in_another_dtype(self, job):
        """fp16 that nobody asked for is only taken where it gives numbers."""
        return not self.cell["dtype"] and job.device["kind"] != "cpu" and job.stages["unet"]["dtype"] == "fp16" and self.run_of_images.check == NO_VALUE

    def go_on_in_another_dtype(self, job):
        other = dtypes.instead_of_fp16(gpus.is_ampere_or_newer(job.device))
        self.events.note(f"fp16 gives values that are not finite on this device: running in {other}")
        self.kept_engine.drop()
        self.enter("load")
        with stopping_signal.raises():
            job.stages = dtypes.of_stages(dtypes.precision(other), job.is_sdxl, other == "bf16")
            self.load(job)
        self.enter("first_image")
        self.timing.run_first(self.run_of_images, self.result)

    def measure(self):
        if self.cell["parallel_devices"]:
            self.enter("wait")  # not a part of what is measured
            self.wait_for_go(0)
        self.enter("measure")
        index = self.result["device"].get("index", 0)
        if self.on_gpu:
            torch.cuda.reset_peak_memory_stats(index)
            allocations = torch.cuda.memory_stats(index).get("num_device_alloc", 0)
        self.timing.measure(self.run_of_images, self.result)
        if self.on_gpu:
            free, total = torch.cuda.mem_get_info(index)
            self.result["peak_device_used_bytes"] = total - free  # allocators keep what they took
            if self.kind.IS_TORCH:  # of another engine torch's own allocator knows nothing
                self.result["peak_device_allocated_bytes"] = torch.cuda.max_memory_allocated(index)
                self.result["peak_device_reserved_bytes"] = torch.cuda.max_memory_reserved(index)
                if torch.cuda.memory_stats(index).get("num_device_alloc", 0) > allocations:
                    self.result["flags"] = ["allocating"]
        self.result["peak_host_bytes"] = host.peak_resident_bytes()

    def check_output(self):
        """Of the images that were timed, so no stage of its own."""
        self.result["output_check"] = self.run_of_images.check
        if self.run_of_images.check == NO_VALUE:
            widest = all(self.result[f"dtype_{stage}"]["dtype"] == "fp32" for stage in ("unet", "vae"))
            raise CellFailure("invalid_output", "the image must be finite, but has NaN or infinity; " +
                              ("look at the weights, --guidance and --init-latents" if widest else "try --dtype fp32"))
        if self.run_of_images.check == "constant":
            raise CellFailure("invalid_output", "the image must show something, but is of one colour")

    def save(self):
        if self.run_of_images.pixels is None:
            self.events.note("--max-time ended the cell within its first image: there is none to check or to save; give it more seconds")
            return
        saving.save(self.cell, self.run_of_images, self.result)
        if self.cell["dump_step_images"] and self.cell["dump_run"]:
            self.enter("step_images")
            saving.save_step_images(self.cell, self.run_of_images, self.kept_engine.loaded.timed, self.events)
