"""One cell of a network from its request to its outcome: src/engine/worker/network_cell_run.cpp in Python."""
from shared import dtypes, packages, saving, stopping_signal
from shared.cell_run import NO_VALUE, CellRun
from shared.failure import CellFailure, skipped
from shared.cell_facts import has_first_run
from shared.network_work import NetworkWork


class NetworkCellRun(CellRun):
    """`maker`: a module that makes the engine's networks, as a module of kinds/ makes pipelines; None if the engine has no networks."""
    memory_advice = "use a smaller model or --batch, or --dtype bf16 or fp16"  # of src/base/plan/memory_estimate.cpp

    def __init__(self, *arguments, maker):
        super().__init__(*arguments)
        self.maker = maker

    def run(self):
        try:
            super().run()
        finally:
            if self.work:
                self.work.close()
            if self.kept_engine.loaded is not None:
                self.kept_engine.loaded.leave_others()

    def refuse(self, device):
        """sdbench checks the same before, but other programs may also use a worker."""
        name = self.cell["model"]["name"]
        if self.maker is None:
            raise skipped(f"--engine must be one that computes networks for {name}", f"is {self.engine}", "take pytorch, or sdbench's own")
        super().refuse(device)

    def stages_of(self, device, has_bf16):
        """The network's precision, which the record stores as the UNet's: fp32 by default."""
        return {"unet": dtypes.choose(self.cell["dtype"], device["kind"], has_bf16, able=("fp32",))}

    def load(self, job):
        super().load(job)
        self.meet_others(self.kept_engine.loaded, job)

    def before_preparing(self, loaded, job):
        self.meet_others(loaded, job)  # compiling covers the replica, with the exchange of gradients in its backward pass

    def meet_others(self, loaded, job):
        if self.cell["shared_batch"] and not loaded.others:
            self.enter("wait")
            loaded.join_others(job)

    def work_of(self, job, loaded):
        return NetworkWork(job, loaded)

    def facts_of_work(self, job, loaded):
        identity = {"data_identity": self.work.data.identity} if self.work.data else {}
        return {"runtime_version": packages.runtime_version(self.engine, of_networks=True), **identity}

    def after_first(self, job):
        self.check_output()

    def check_output(self):
        work, result = self.work, self.result
        if not work.check:
            return  # --max-time may have ended the first run
        result["output_check"] = work.check
        if work.check == NO_VALUE:
            weights = "look at the weights" + (", or take --update off" if self.cell["update"] else "")
            remedy = weights if dtypes.name_of(result["dtype_unet"]) == "fp32" else "try --dtype fp32"
            run = f"epoch {len(result['samples']) + has_first_run(self.cell)}" if self.cell["epochs"] else "a run"
            raise CellFailure("invalid_output", "the network's answers must be finite, but have NaN or infinity; " + remedy if work.failed is None
                              else f"the loss must be finite, but is NaN or infinite from iteration {work.failed + 1} of {run} on; {remedy}")
        if work.losses:
            result.setdefault("loss_first", work.losses[0])
            result["loss_last"] = work.losses[1]

    def after_run(self):
        self.check_output()

    def heard_of_test(self, batch, batches, seconds):
        self.events.step(0, batch, batches, seconds)
        if stopping_signal.requested():
            raise CellFailure("interrupted", "interrupted during stage test")

    def save(self):
        """Records the accuracy on the test images after the last epoch. Writes the logits that the front compares with golden ones."""
        if self.kept_engine.loaded.is_frozen and self.work.check == "pass":
            self.enter("check")
            self.work.check_by_operators()
            self.check_output()
        if self.work.data and self.result["stop_reason"] != "max_time":
            self.enter("test")
            self.result["accuracy"], self.result["test_s"] = self.work.test(self.heard_of_test)
        if self.cell["dump_latents"] and not self.work.trains and self.work.results:
            saving.write(self.cell["dump_latents"], {"logits": self.work.logits()})
