"""Serves requests one by one. Loaded models stay for the next cell that needs the same."""
import contextlib
import gc
import importlib

from shared import host, packages, stopping_signal, wire
from shared.failure import CellFailure, outcome_of


@contextlib.contextmanager
def without_collection():
    """Excludes imported modules from garbage collection, because they stay, and searching them repeatedly takes a sixth of the time."""
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


class KeptEngine:
    def __init__(self):
        self.key = self.loaded = None
        self.ready = False

    def get(self, kind, job):
        """Returns (what is loaded, True if it was already loaded and prepared)."""
        key = kind.key_of(job)
        if self.loaded is not None and self.ready and self.key == key:
            return self.loaded, True
        self.drop()  # frees memory before the next one is loaded
        host.reset_peak_resident()  # the previous model must not count in the peak
        self.key, self.loaded = key, kind.Engine(job)
        return self.loaded, False

    def drop(self):
        self.key = self.loaded = None
        self.ready = False
        gc.collect()
        import torch

        if torch.cuda.is_available():
            torch.cuda.empty_cache()


class Server:
    def __init__(self, engine, requests, events):
        self.engine, self.requests, self.events = engine, requests, events
        self.kept_engine = KeptEngine()
        self.kind = None
        self.has_run = False

    def import_packages(self):
        """Imports packages outside any cell's load time: a user's program would also have imported them before it loads a model."""
        missing = packages.missing(self.engine)
        if missing:
            raise CellFailure("error", f"the Python of --engine {self.engine} must have {' and '.join(packages.programs(self.engine))}, but lacks "
                                       f"{' and '.join(missing)}; run sdbench setup engine {self.engine}")
        with self.events.doing("importing " + ", ".join(packages.programs(self.engine))), stopping_signal.raises(), without_collection():
            self.imported("torch").set_grad_enabled(False)
            self.kind = self.imported("kinds." + self.engine.replace("-", "_"))

    def imported(self, module):
        try:
            return importlib.import_module(module)
        except (ImportError, SyntaxError, RuntimeError) as error:  # a file of theirs is truncated or missing, or torchvision belongs to another torch
            raise CellFailure("error", f"the packages of --engine {self.engine} must be whole, but cannot be imported "
                                       f"({type(error).__name__}: {error}); run sdbench setup engine {self.engine}, which checks them and "
                                       "installs them again") from error

    def wait_for_go(self, run):
        self.events.say("ready", run=run)
        request = self.requests.next()
        if request is not None and request.get("type") != "go":
            raise CellFailure("error", f"protocol: a cell that is ready must be told go, but is told {request.get('type')}")

    def run_of(self, cell):
        """Runs a cell once its imports are done."""
        from shared.cell_run import CellRun
        from shared.cell_facts import is_network

        arguments = self.engine, self.kind, cell, self.events, self.wait_for_go, self.kept_engine
        if not is_network(cell):
            return CellRun(*arguments)
        module = getattr(self.kind, "NETWORKS", None)
        with self.events.doing("importing torchvision"), stopping_signal.raises():
            maker = module and self.imported(module)
            from shared.network_cell_run import NetworkCellRun
        return NetworkCellRun(*arguments, maker=maker)

    def run_cell(self, request):
        from shared.cell_facts import parsed_cell

        has_own_peak = not self.has_run or host.reset_peak_resident()
        self.has_run = True
        run = self.run_of(parsed_cell(request["cell"]))
        outcome = {"status": "ok"}
        try:
            run.run()
        except BaseException as error:  # any failure goes into the row
            outcome = self.failed(error, run.stage, run.on_gpu, run.memory_advice)
        if run.is_loaded:
            if not has_own_peak:
                run.result.pop("peak_host_bytes", None)
            outcome["result"] = run.result
        if outcome["status"] != "ok":
            run = None
            self.kept_engine.drop()  # a failed device cannot be trusted
        return outcome

    def failed(self, error, stage, on_gpu, memory_advice=""):
        if isinstance(error, stopping_signal.Interrupted):
            return {"status": "interrupted", "stage": stage, "message": f"interrupted during stage {stage}"}
        if not isinstance(error, (Exception, SystemExit, KeyboardInterrupt)):
            raise error
        status, message = outcome_of(error, on_gpu, memory_advice)
        return {"status": status, "stage": stage, "message": message}

    def answer(self, request):
        kind = request.get("type")
        try:
            if kind not in ("run", "devices"):
                raise CellFailure("error", f"protocol: a request of another engine's worker must be run or devices, but is {kind}; ask sdbench's own")
            if self.kind is None:
                self.import_packages()
            if kind == "run":
                return self.run_cell(request)
            from shared import devices

            for device in devices.all_devices(self.kind):
                self.events.say("device", device=device)
            return {"status": "ok"}
        except BaseException as error:
            return self.failed(error, "start", False)


def serve(engine, requests, events):
    stopping_signal.install()
    server = Server(engine, requests, events)
    while (request := requests.next()) is not None:
        outcome = server.answer(request)
        events.say("outcome", outcome=outcome)
    wire.leave(0)
