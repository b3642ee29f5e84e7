"""Measures a third-party engine for sdbench: a worker of its protocol (docs/worker-protocol.md).

    PYTHON -I engines/worker.py ENGINE

ENGINE is a row of generated_table.json and a file of kinds/ (with an underscore for a dash). Requests come on descriptor 3, events go out on descriptor 4.
"""
import os
import sys

# -I omits the folder of this file. It also ignores the user's settings for compiled files, which are safe to honour: they change no result.
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.pycache_prefix = os.environ.get("PYTHONPYCACHEPREFIX", sys.pycache_prefix)
sys.dont_write_bytecode = sys.dont_write_bytecode or bool(os.environ.get("PYTHONDONTWRITEBYTECODE"))

from shared import isolated, packages, serving, table, wire  # noqa: E402

REQUESTS, EVENTS = 3, 4
# Variables that packages read while they are imported.
ENVIRONMENT = {"HF_HUB_OFFLINE": "1", "TRANSFORMERS_OFFLINE": "1", "HF_HUB_DISABLE_TELEMETRY": "1", "DIFFUSERS_VERBOSITY": "error",
               "TRANSFORMERS_VERBOSITY": "error", "TOKENIZERS_PARALLELISM": "false",
               "TQDM_DISABLE": "1"}  # else a progress bar would be the last words of a killed worker


def set_up_process():
    """Sets up the process before any package is imported."""
    os.dup2(2, 1)  # a package that prints must not write into the front's table
    isolated.forget_python_settings()
    isolated.ensure_user_name()
    os.environ |= ENVIRONMENT
    sys.modules["openvino_telemetry"] = None  # disables telemetry; OpenVINO works without the module
    for descriptor in (REQUESTS, EVENTS):
        os.set_inheritable(descriptor, False)  # a compiler that outlives the worker must not hold the pipes open


def main():
    if len(sys.argv) != 2 or sys.argv[1] not in table.ENGINES:
        print(f"worker.py: the engine must be one of {', '.join(table.ENGINES)}, but is {' '.join(sys.argv[1:]) or 'missing'}", file=sys.stderr)
        return 2
    set_up_process()
    events = wire.Events(EVENTS)
    requests = wire.Requests(REQUESTS)
    events.say("hello", version=wire.VERSION, runtime_version=packages.runtime_version(sys.argv[1]))
    serving.serve(sys.argv[1], requests, events)


if __name__ == "__main__":
    sys.exit(main())
