"""Measures another's engine for sdbench: a worker of its protocol (docs/engine.md, "A worker of your own").

    PYTHON -s engines/worker.py ENGINE

ENGINE is a file of kinds/ with a dash for its underscore. Requests come by descriptor 3, events go out by descriptor 4.
"""
import os
import sys

from shared import packages, serving, wire

REQUESTS, EVENTS = 3, 4
ENGINES = ("pytorch", "pytorch-compile", "onnxruntime", "openvino", "tensorrt")
# What packages read while they are imported.
ENVIRONMENT = {"HF_HUB_OFFLINE": "1", "TRANSFORMERS_OFFLINE": "1", "HF_HUB_DISABLE_TELEMETRY": "1", "DIFFUSERS_VERBOSITY": "error",
               "TRANSFORMERS_VERBOSITY": "error", "TOKENIZERS_PARALLELISM": "false",
               "TQDM_DISABLE": "1"}  # a bar would be the last words of a worker that is killed


def set_up_process():
    """What must be so before any package is imported."""
    os.dup2(2, 1)  # a package that prints must not write into the front's table
    os.environ |= ENVIRONMENT
    sys.modules["openvino_telemetry"] = None  # OpenVINO does without it, and nothing is told to anybody
    for descriptor in (REQUESTS, EVENTS):
        os.set_inheritable(descriptor, False)  # a compiler that outlives the worker must not hold the pipes open


def main():
    if len(sys.argv) != 2 or sys.argv[1] not in ENGINES:
        print(f"worker.py: the engine must be one of {', '.join(ENGINES)}, but is {' '.join(sys.argv[1:]) or 'missing'}", file=sys.stderr)
        return 2
    set_up_process()
    events = wire.Events(EVENTS)
    requests = wire.Requests(REQUESTS)
    events.say("hello", version=wire.VERSION, runtime_version=packages.runtime_version(sys.argv[1]))
    serving.serve(sys.argv[1], requests, events)
    wire.leave(0)
    return 0


if __name__ == "__main__":
    sys.exit(main())
