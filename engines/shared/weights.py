"""The files of a checkpoint: which ones a component is read from, what they are called in records, and what is in them."""
import hashlib
import json
import os
import pathlib
import struct

from shared.failure import CellFailure

COMPONENTS = ("text_encoder", "text_encoder_2", "unet", "vae")  # in this order they make an identity
_NAMES = {"F64": "fp64", "F32": "fp32", "F16": "fp16", "BF16": "bf16", "F8_E4M3": "fp8_e4m3", "F8_E5M2": "fp8_e5m2"}


class File:
    """A safetensors file's header, whose length is believed as far as the file goes."""

    def __init__(self, path):
        self.path = pathlib.Path(path)
        with open(path, "rb") as file:
            first, whole = file.read(8), os.fstat(file.fileno()).st_size
            size = struct.unpack("<Q", first)[0] if len(first) == 8 else whole
            if size > whole - 8:
                raise CellFailure("error", f"{path} must be a safetensors file, but has {whole} bytes, fewer than its header says; get it anew")
            self.header = file.read(size)

    def bytes_by_dtype(self):
        found = {}
        for name, tensor in json.loads(self.header).items():
            if name != "__metadata__":
                begin, end = tensor["data_offsets"]
                dtype = _NAMES.get(tensor["dtype"], tensor["dtype"].lower())
                found[dtype] = found.get(dtype, 0) + end - begin
        return found

    def identity(self):
        """By its name in the Hugging Face cache, else by what changes when it is written anew: as sdbench's own worker has it."""
        target = self.path.resolve()
        if target.parent.name == "blobs":
            return f"blob:{target.name}"
        status = os.stat(self.path)
        seconds, nanoseconds = divmod(status.st_mtime_ns, 10**9)
        return "meta:" + hashlib.sha256(self.header + f"|{status.st_size}|{seconds}.{nanoseconds}".encode()).hexdigest()


def _candidates(folder, base):
    """Each way to read a component, by its variant: "" for none."""
    for variant in ("", "fp32", "bf16", "fp16"):
        mark = f".{variant}" if variant else ""
        if (folder / f"{base}{mark}.safetensors").exists():
            yield variant, [folder / f"{base}{mark}.safetensors"]
            continue
        for index in (folder / f"{base}.safetensors.index{mark}.json", folder / f"{base}{mark}.safetensors.index.json"):
            if index.exists():
                shards = [folder / name for name in sorted(set(json.loads(index.read_text())["weight_map"].values()))]
                if all(shard.exists() for shard in shards):
                    yield variant, shards
                break


def _distance(files, wanted):
    stored = {}
    for file in files:
        for dtype, count in file.bytes_by_dtype().items():
            stored[dtype] = stored.get(dtype, 0) + count
    most = max(stored, key=stored.get, default="fp32")
    return 0 if most == wanted else {"fp32": 1, "fp64": 1, "fp16": 2, "bf16": 2}.get(most, 3)


def component_files(root, component, wanted):
    """(variant, files) that are nearest to the dtype; None where the checkpoint has no such component."""
    folder = pathlib.Path(root) / component
    base = "model" if component.startswith("text_encoder") else "diffusion_pytorch_model"
    found = [(variant, [File(path) for path in paths]) for variant, paths in _candidates(folder, base)]
    return min(found, key=lambda each: _distance(each[1], wanted)) if found else None


def files_by_component(weights, wanted):
    """{"unet": [File, …]}; a single file is all of them at once, under the name ""."""
    if weights["kind"] == "single_file":
        return {"": [File(weights["path"])]}
    if weights["kind"] != "folder":
        raise CellFailure("error", f"weights of another engine must be files, but are {weights['description']}; write them with sdbench "
                                   "export-weights, and name the folder with --weights")
    found = {name: component_files(weights["path"], name, wanted) for name in COMPONENTS}
    files = {name: each[1] for name, each in found.items() if each}
    if "unet" not in files or "vae" not in files or "text_encoder" not in files:
        raise CellFailure("error", f"{weights['path']} must be a diffusers folder with .safetensors files of text_encoder, unet and vae, but has "
                                   f"those of {', '.join(files) or 'nothing'}; name another folder with --weights")
    return files


def identity(weights):
    """As records name a checkpoint."""
    files = files_by_component(weights, "fp32")
    if "" in files:
        return files[""][0].identity()
    lines = [(name, file.identity()) for name, each in files.items() for file in each]
    kind = "blobs" if all(each.startswith("blob:") for _, each in lines) else "meta"
    return f"{kind}:" + hashlib.sha256("".join(f"{name}={each}\n" for name, each in lines).encode()).hexdigest()


def stored_dtypes(files):
    """"fp16", "fp8_e4m3+fp16": the one of most bytes first."""
    total = {}
    for file in (file for each in files.values() for file in each):
        for dtype, count in file.bytes_by_dtype().items():
            total[dtype] = total.get(dtype, 0) + count
    return "+".join(sorted(total, key=lambda name: -total[name]))
