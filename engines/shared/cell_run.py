"""One cell from its request to its outcome, stage by stage: src/engine/worker/image_cell_run.cpp in Python."""
import time

import torch

from shared import devices, dtypes, failure, gpus, host, packages, saving, stopping_signal, table, weights
from shared.cell_timing import CellTiming
from shared.content_hashes import ContentHashes
from shared.failure import CellFailure
from shared.image_work import ImageWork
from shared.cell_facts import Job, has_first_run, is_sdxl
from shared.kept import Keep

NO_VALUE = "non_finite"


class CellRun:
    """`kind`: a module of kinds/. `kept_engine`: what earlier cells loaded, see serving.py. This class runs pipelines; for networks see
    network_cell_run.py."""
    memory_advice = "use a smaller --size or --batch, or --dtype bf16 or fp16"

    def __init__(self, engine, kind, cell, events, wait_for_go, kept_engine):
        self.engine, self.kind, self.cell, self.events, self.kept_engine = engine, kind, cell, events, kept_engine
        self.maker = kind  # makes what is loaded
        self.timing = CellTiming(cell, events, wait_for_go)
        self.wait_for_go = wait_for_go
        self.stage = "load"
        self.result = {"samples": [], "warmup": 0}
        self.is_loaded = False
        self.work = None

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
        if has_first_run(self.cell):
            self.enter("first_image")
            self.timing.run_first(self.work, self.result)
            self.after_first(job)
        self.enter("warmup")
        self.timing.warm_up(self.work, self.result)
        self.measure()
        self.check_output()
        self.save()

    def decide(self):
        """Refuses everything that can be refused without loading a model."""
        cell, kind = self.cell, self.kind
        device = devices.choose(cell, kind)
        self.result["device"] = device
        self.events.say("device", device=device)
        self.refuse(device)
        for files in weights.files_by_component(cell["weights"]).values():  # reported now, not when they are read
            for file in files:
                file.refuse_wrapper_names()
        bf16 = devices.has_bf16(device)
        stages = self.stages_of(device, bf16)
        for warning in dtypes.warnings(stages, device["kind"] != "cpu", bf16):
            self.events.note(warning)
        threads = cell["threads"] or host.usable_cores()
        torch.set_num_threads(threads)
        if device["kind"] == "cuda":
            torch.cuda.set_device(device["index"])
        return Job(cell, device, devices.torch_name(device), stages, threads, self.events, Keep(cell["keep_folder"], self.events),
                   ContentHashes(cell["keep_folder"]))

    def stages_of(self, device, has_bf16):
        unet = dtypes.choose(self.cell["dtype"], device["kind"], has_bf16, table.dtypes(self.engine)[device["kind"]])
        return dtypes.of_stages(unet, is_sdxl(self.cell), has_bf16)

    def refuse(self, device):
        cell, known = self.cell, table.dtypes(self.engine)
        able = known.get(device["kind"], ())
        if not able:
            raise failure.skipped(f"--device must be {' or '.join(known)} with --engine {self.engine}",
                                  f"is {cell['device']}, which is {device['kind']}", "name another device or engine")
        asked = cell["dtype"] and dtypes.name_of({"autocast": False, **cell["dtype"]})
        if asked and asked not in able:
            why = getattr(self.kind, "WHY_NOT", {}).get(asked, "")
            raise failure.skipped(f"--dtype must be {' or '.join(able)} with --engine {self.engine} on a {device['kind']} device",
                                  f"is {asked}{why and ', ' + why}", "take one of these")
        if hasattr(self.kind, "refuse"):
            self.kind.refuse(cell, device)
        for option, choices in table.choices(self.engine).items():  # sdbench asks for nothing else, but another program may
            if cell[option] not in choices:
                raise failure.skipped(f"--{option.replace('_', '-')} must be {' or '.join(choices)} with --engine {self.engine}",
                                      f"is {cell[option]}", "take one of these")

    def load(self, job):
        """Loads and prepares the model, or uses the kept one."""
        began = time.monotonic()
        with self.events.doing("loading the model"):
            loaded, was_there = self.kept_engine.get(self.maker, job)
        load_s = time.monotonic() - began - loaded.deciding_s
        is_prepared_now = loaded.prepares and not was_there
        if is_prepared_now:
            self.before_preparing(loaded, job)
            self.enter("prepare")
        began = time.monotonic()
        if not was_there:
            loaded.prepared = loaded.prepare(job)
        prepare_s = time.monotonic() - began + loaded.deciding_s - loaded.late_loading_s
        load_s += loaded.late_loading_s
        self.kept_engine.ready = True
        self.work = self.work_of(job, loaded)
        self.result |= {
            **self.facts(job), **self.facts_of_work(job, loaded), "threads": job.threads,
            "load_s": 0 if was_there else load_s, "prepare_s": prepare_s if is_prepared_now else 0,
            "prepared": "kept" if was_there and loaded.prepared else loaded.prepared, **loaded.use(job)}
        self.is_loaded = True
        self.events.say("loaded", so_far=self.result)

    def before_preparing(self, loaded, job):
        """Work that is not counted in load_s and prepare_s."""

    def work_of(self, job, loaded):
        """The work that a CellTiming times."""
        return ImageWork(job, loaded.timed)

    def facts_of_work(self, job, loaded):
        return {"vae_tiles": loaded.vae_tiles(job), "unet_calls": self.work.steps_of_batch}

    def facts(self, job):
        """Facts about the engine and the weights."""
        files = weights.files_by_component(self.cell["weights"])
        return {"runtime_version": packages.runtime_version(self.engine), "engine": self.engine,
                "engine_revision": packages.revision(self.engine), **{f"dtype_{stage}": precision for stage, precision in job.stages.items()},
                "weights_identity": weights.identity(self.cell["weights"]), "weights_dtype": weights.stored_dtypes(files)}

    def after_first(self, job):
        """Leaves fp16 if the user did not ask for it and the image is not finite."""
        if self.must_go_on_in_another_dtype(job):
            self.go_on_in_another_dtype(job)

    def must_go_on_in_another_dtype(self, job):
        return not self.cell["dtype"] and job.device["kind"] != "cpu" and job.stages["unet"]["dtype"] == "fp16" and self.work.check == NO_VALUE

    def go_on_in_another_dtype(self, job):
        other = dtypes.instead_of_fp16(gpus.is_ampere_or_newer(job.device))
        self.events.note(f"fp16 gives values that are not finite on this device: running in {other}")
        self.kept_engine.drop()
        self.enter("load")
        with stopping_signal.raises():
            job.stages = dtypes.of_stages(dtypes.precision(other), job.is_sdxl, other == "bf16")
            self.load(job)
        self.enter("first_image")
        self.timing.run_first(self.work, self.result)

    def after_run(self):
        """Called after each timed run. Not counted in any time. An exception ends the cell."""

    def measure(self):
        if self.cell["parallel_devices"]:
            self.enter("wait")  # the wait is not measured
            self.wait_for_go(0)
        self.enter("measure")
        index = self.result["device"].get("index", 0)
        if self.on_gpu:
            torch.cuda.reset_peak_memory_stats(index)
            allocations = torch.cuda.memory_stats(index).get("num_device_alloc", 0)
        self.timing.measure(self.work, self.result, self.after_run)
        if self.on_gpu:
            free, total = torch.cuda.mem_get_info(index)
            self.result["peak_device_used_bytes"] = total - free  # allocators keep their memory
            if table.is_torch(self.engine):  # torch's allocator sees no memory of other engines
                self.result["peak_device_allocated_bytes"] = torch.cuda.max_memory_allocated(index)
                self.result["peak_device_reserved_bytes"] = torch.cuda.max_memory_reserved(index)
                if torch.cuda.memory_stats(index).get("num_device_alloc", 0) > allocations:
                    self.result["flags"] = ["allocating"]
        self.result["peak_host_bytes"] = host.peak_resident_bytes()

    def check_output(self):
        """Checks the timed images. Not a stage of its own."""
        self.result["output_check"] = self.work.check
        if self.work.check == NO_VALUE:
            widest = all(self.result[f"dtype_{stage}"]["dtype"] == "fp32" for stage in ("unet", "vae"))
            raise CellFailure("invalid_output", "the image must be finite, but has NaN or infinity; " +
                              ("look at the weights, --guidance and --init-latents" if widest else "try --dtype fp32"))
        if self.work.check == "constant":
            raise CellFailure("invalid_output", "the image must show something, but is of one colour")

    def save(self):
        self.enter("save")
        if self.work.pixels is None:
            self.events.note("--max-time ended the cell within its first image, so there is no image to check or to save; give it more seconds")
            return
        saving.save(self.cell, self.work, self.result)
        if self.cell["dump_step_images"] and self.cell["dump_run"]:
            self.enter("step_images")
            saving.save_step_images(self.cell, self.work, self.kept_engine.loaded.timed, self.events)
