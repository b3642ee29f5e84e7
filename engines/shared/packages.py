"""The packages that compute, found by their metadata, without importing them."""
import importlib.metadata

from shared.table import ENGINES


def names_of(program, packages):
    """The names of a program on PyPI, like onnxruntime and onnxruntime-gpu."""
    return [program, *(name for name in packages if name.startswith(program + "-"))]


ALSO_CALLED = {row["program"]: names_of(row["program"], row["packages"]) for row in ENGINES.values()}


def version(name):
    """The version without a build's suffix such as "+cu130"; empty if the package is not installed."""
    for called in ALSO_CALLED.get(name, (name,)):
        try:
            return importlib.metadata.version(called).split("+")[0]
        except importlib.metadata.PackageNotFoundError:
            continue
    return ""


def programs(engine):
    """The programs that compute. The version of the first is the revision."""
    return list(dict.fromkeys((ENGINES[engine]["program"], "torch", "diffusers")))


def _all(engine):
    row = ENGINES[engine]
    more = [name for name in row["packages"] if name not in ALSO_CALLED[row["program"]]]
    return [*programs(engine), "transformers", *more]


def versions(engine):
    """Versions like {"torch": "2.11.0"} of all packages that change the result or what is kept."""
    return {name: version(name) for name in _all(engine)}


def runtime_version(engine, of_networks=False):
    """Text like "onnxruntime 1.32.0, torch 2.11.0"; for networks like "torch 2.11.0, torchvision 0.26.0"."""
    names = (programs(engine)[0], "torchvision") if of_networks else programs(engine)[:2]
    return ", ".join(f"{name} {version(name) or 'missing'}" for name in names)


def revision(engine):
    """The version as a number that grows with it, 2026_004_001 for 2026.4.1. It is the record's engine_revision."""
    parts = [int(part) for part in version(programs(engine)[0]).split(".")[:3] if part.isdigit()]
    return sum(part * 1000 ** (2 - place) for place, part in enumerate(parts))


def missing(engine):
    return [name for name in _all(engine) if not version(name)]
