"""The peers that sdbench can be measured beside. A new one is a line of PEERS and a function in pipelines.py."""
import dataclasses
import importlib.metadata


@dataclasses.dataclass(frozen=True)
class Peer:
    name: str  # in --peers, and the record's engine
    distribution: str  # whose version it is measured by
    requirement: str  # what it needs from PyPI beside the packages of scripts/lib/python_packages.sh
    devices: tuple  # kinds of device that it is for
    memory_format: str  # what it is fastest with, as --memory-format
    prepare: str  # the function of pipelines.py that changes diffusers' own pipeline
    memory: float  # that it takes, by the size of the weights, at most, seen with SD 1.5 on a CPU; OpenVINO's without files that are mapped
    why: str = ""  # what a user should know of it

    def version(self):
        return importlib.metadata.version(self.distribution)

    def versions(self):
        """"diffusers 0.42.1, torch 2.11.0": for a row's note."""
        names = dict.fromkeys([self.distribution, "diffusers", "torch"])
        return ", ".join(f"{name} {importlib.metadata.version(name)}" for name in names)

    def revision(self):
        """The version as a number that rises with it, 2026.4.1 as 2026_004_001: the record's engine_revision is one."""
        parts = [int(part) for part in self.version().split("+")[0].split(".")[:3] if part.isdigit()]
        return sum(part * 1000 ** (2 - place) for place, part in enumerate(parts))

    def is_there(self):
        try:
            self.version()
            return True
        except importlib.metadata.PackageNotFoundError:
            return False


PEERS = {peer.name: peer for peer in (
    Peer("diffusers", "diffusers", "", ("cpu", "cuda"), "channels-last", "as_it_is", 2,
         "eager, channels last"),
    Peer("diffusers-compile", "diffusers", "", ("cpu", "cuda"), "channels-last", "compiled", 4,
         "torch.compile of UNet and VAE: with freezing on a CPU, max-autotune on a GPU"),
    Peer("diffusers-xformers", "xformers", "xformers==0.0.35", ("cuda",), "channels-last", "with_xformers", 2,
         "eager, the UNet's attention by xFormers; torch 2.10 or newer"),
    Peer("openvino", "openvino", "openvino==2026.4.1", ("cpu",), "contiguous", "by_openvino", 1.8,
         "UNet and VAE in static shapes; the text encoder stays with torch"),
)}
