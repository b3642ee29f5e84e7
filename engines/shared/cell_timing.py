"""The order of a cell's images, and when to stop: src/base/executor/cell_timing.cpp in Python."""
import time

from shared import stopping, stopping_signal
from shared.failure import CellFailure
from shared.cell_facts import batches_of


class _Cut(Exception):
    """Thrown out of a run to end it."""

    def __init__(self, reason):
        super().__init__(reason)
        self.reason = reason


class CellTiming:
    """`work`: run_all(listener) and run_first_batch(listener) return samples; steps_of_batch is a number."""

    def __init__(self, cell, events, wait_for_go):
        self.cell = cell
        self.events = events
        self.wait_for_go = wait_for_go
        self.start_s = time.monotonic()
        self.step_s = []

    @property
    def batches(self):
        return batches_of(self.cell)

    def elapsed_s(self):
        return time.monotonic() - self.start_s

    def _listener(self, run, steps):
        self.step_s = []

        def on_step(step, seconds):
            self.step_s.append(seconds)
            self.events.step(run, step, steps, seconds)
            if stopping_signal.requested():
                raise _Cut("interrupted")
            # A run that has done its last step may finish: a whole run is worth more than the seconds saved.
            if step + 1 < steps and stopping.time_is_over(self.cell, self.elapsed_s()):
                raise _Cut("max_time")
        return on_step

    def _complete(self, make, stage, result):
        """Returns True if the run was not cut short."""
        try:
            if stopping_signal.requested():
                self.step_s = []
                raise _Cut("interrupted")
            make()
            return True
        except _Cut as cut:
            if self.step_s and stage != "warmup":
                result["partial_run"] = {"stage": stage, "step_s": self.step_s}
            if cut.reason == "interrupted":
                result["stop_reason"] = "interrupted"
                raise CellFailure("interrupted", f"interrupted during stage {stage}") from None
            return False

    def run_first(self, work, result):
        steps = work.steps_of_batch * self.batches

        def make():
            result["first_image"] = work.run_all(self._listener(0, steps))

        if self._complete(make, "first_image", result):
            self.events.say("sample", first_image=True, sample=result["first_image"])

    def warm_up(self, work, result):
        batch_s = [result.get("first_image", {}).get("e2e_s", 0.0) / self.batches]
        result["warmup"] = 0

        def make():
            batch_s.append(work.run_first_batch(self._listener(result["warmup"], work.steps_of_batch))["e2e_s"])
            result["warmup"] += 1

        while not (reason := stopping.enough_warmups(self.cell, batch_s, self.elapsed_s())):
            self._complete(make, "warmup", result)  # if time is over, the loop's condition ends it
        result["warmup_reason"] = reason

    def _wait_for_others(self, run, another_follows):
        """Waits in a separate stage, so that waiting is not measured."""
        if self.cell["parallel_devices"]:
            self.events.stage("wait")
            self.wait_for_go(run)
            if another_follows:
                self.events.stage("measure")

    def measure(self, work, result, after_run):
        """Before the call, the caller must have reported that the first run is ready."""
        steps = work.steps_of_batch * self.batches
        e2e_s = []

        def make():
            result["samples"].append(work.run_all(self._listener(len(e2e_s), steps)))

        while True:
            # A run that --max-time cut short is the last, even if it is the first.
            reason = "max_time" if "partial_run" in result else stopping.enough_runs(self.cell, e2e_s, self.elapsed_s())
            if e2e_s:
                # Also waits after the last run, so that this worker does nothing else during the others' last run.
                self._wait_for_others(len(e2e_s), not reason)
            if reason:
                result["stop_reason"] = reason
                return
            if self._complete(make, "measure", result):
                e2e_s.append(result["samples"][-1]["e2e_s"])
                self.events.say("sample", first_image=False, sample=result["samples"][-1])
                after_run()
