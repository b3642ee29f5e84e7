"""Which packages compute, by their metadata: nothing is imported for it."""
import importlib.metadata

# By engine: the package whose version is the revision comes first.
OF_ENGINE = {"pytorch": ("torch", "diffusers"), "pytorch-compile": ("torch", "diffusers"),
             "onnxruntime": ("onnxruntime", "torch", "diffusers"), "openvino": ("openvino", "torch", "diffusers"),
             "tensorrt": ("tensorrt", "torch", "diffusers")}
# The same program under other names on PyPI.
ALSO_CALLED = {"onnxruntime": ("onnxruntime", "onnxruntime-gpu"), "tensorrt": ("tensorrt", "tensorrt-cu13", "tensorrt-cu12")}
# What is imported beside them.
MORE = {"pytorch": ("torchvision",), "pytorch-compile": ("torchvision",), "onnxruntime": ("onnx", "onnxscript"), "tensorrt": ("onnx",)}


def version(name):
    """Without a build's own mark, "+cu130"; empty where it is not installed."""
    for called in ALSO_CALLED.get(name, (name,)):
        try:
            return importlib.metadata.version(called).split("+")[0]
        except importlib.metadata.PackageNotFoundError:
            continue
    return ""


def versions(engine):
    """{"torch": "2.11.0"}: of all that changes what is made or kept."""
    return {name: version(name) for name in (*OF_ENGINE[engine], "transformers", *MORE.get(engine, ()))}


def runtime_version(engine, of_networks=False):
    """"onnxruntime 1.32.0, torch 2.11.0"; of networks "torch 2.11.0, torchvision 0.26.0"."""
    names = (OF_ENGINE[engine][0], "torchvision") if of_networks else OF_ENGINE[engine][:2]
    return ", ".join(f"{name} {version(name) or 'missing'}" for name in names)


def revision(engine):
    """The version as a number that rises with it, 2026.4.1 as 2026_004_001: the record's engine_revision is one."""
    parts = [int(part) for part in version(OF_ENGINE[engine][0]).split(".")[:3] if part.isdigit()]
    return sum(part * 1000 ** (2 - place) for place, part in enumerate(parts))


def missing(engine):
    return [name for name in (*OF_ENGINE[engine], "transformers", *MORE.get(engine, ())) if not version(name)]
