"""The files of a checkpoint: which files a component uses, what records call them, and their content."""
import hashlib
import json
import os
import pathlib
import struct

from shared.failure import CellFailure

COMPONENTS = ("text_encoder", "text_encoder_2", "unet", "vae")  # the order in which they make an identity
_NAMES = {"F64": "fp64", "F32": "fp32", "F16": "fp16", "BF16": "bf16", "F8_E4M3": "fp8_e4m3", "F8_E5M2": "fp8_e5m2"}


class File:
    """A safetensors file's header. Its length is not trusted beyond the end of the file."""

    def __init__(self, path):
        self.path = pathlib.Path(path)
        with open(path, "rb") as file:
            first, whole = file.read(8), os.fstat(file.fileno()).st_size
            size = struct.unpack("<Q", first)[0] if len(first) == 8 else whole
            if size > whole - 8:
                raise CellFailure("error", f"{path} must be a safetensors file, but has {whole} bytes, fewer than its header says; download it again")
            self.header = file.read(size)

    def refuse_wrapper_names(self):
        """sdbench's own worker removes these prefixes. diffusers does not, and would leave weights that it does not find at random values."""
        names = [name for name in json.loads(self.header) if name != "__metadata__"]
        if any("_orig_mod." in name for name in names) or (names and all(name.startswith("module.") for name in names)):
            raise CellFailure("error", f"{self.path} must have diffusers' names, but has those of a wrapper of PyTorch (module., _orig_mod.); take "
                                       "them off and save it again, or run it with --engine tuned")

    def bytes_by_dtype(self):
        found = {}
        for name, tensor in json.loads(self.header).items():
            if name != "__metadata__":
                begin, end = tensor["data_offsets"]
                dtype = _NAMES.get(tensor["dtype"], tensor["dtype"].lower())
                found[dtype] = found.get(dtype, 0) + end - begin
        return found

    def identity(self):
        """The name in the Hugging Face cache, else properties that change when the file is rewritten: the same as in sdbench's own worker."""
        target = self.path.resolve()
        if target.parent.name == "blobs":
            return f"blob:{target.name}"
        status = os.stat(self.path)
        seconds, nanoseconds = divmod(status.st_mtime_ns, 10**9)
        return "meta:" + hashlib.sha256(self.header + f"|{status.st_size}|{seconds}.{nanoseconds}".encode()).hexdigest()


def component_files(root, component):
    """(variant, files), the same as sdbench's own worker uses (component_files.h); None if the checkpoint lacks this component."""
    folder = pathlib.Path(root) / component
    is_text = component.startswith("text_encoder")
    base = "model" if is_text else "diffusion_pytorch_model"
    for variant in ("", "fp32", "bf16", "fp16"):
        mark = f".{variant}" if variant else ""
        file = folder / f"{base}{mark}.safetensors"
        index, old, other = (folder / f"{base}{name}.json" for name in (f".safetensors.index{mark}", f".safetensors{mark}.index",
                                                                        f"{mark}.safetensors.index"))
        name = next((name for name in ([file, index, old, other] if is_text else [index, old, file, other]) if name.exists()), None)
        if name is None:
            continue
        paths = [file] if name == file else [folder / each for each in sorted(set(json.loads(name.read_text())["weight_map"].values()))]
        if all(path.exists() for path in paths):
            return variant, [File(path) for path in paths]
    return None


def files_by_component(weights):
    """{"unet": [File, …]}. A single file contains all components, under the name ""."""
    if weights["kind"] == "single_file":
        return {"": [File(weights["path"])]}
    if weights["kind"] != "folder":
        raise CellFailure("error", f"weights of another engine must be files, but are {weights['description']}; write them with sdbench "
                                   "export-weights, and name the folder with --weights")
    found = {name: component_files(weights["path"], name) for name in COMPONENTS}
    files = {name: each[1] for name, each in found.items() if each}
    if "unet" not in files or "vae" not in files or "text_encoder" not in files:
        raise CellFailure("error", f"{weights['path']} must be a diffusers folder with .safetensors files of text_encoder, unet and vae, but has "
                                   f"those of {', '.join(files) or 'nothing'}; name another folder with --weights")
    return files


def identity(weights):
    """The name of a checkpoint in records."""
    files = files_by_component(weights)
    if "" in files:
        return files[""][0].identity()
    lines = [(name, file.identity()) for name, each in files.items() for file in each]
    kind = "blobs" if all(each.startswith("blob:") for _, each in lines) else "meta"
    return f"{kind}:" + hashlib.sha256("".join(f"{name}={each}\n" for name, each in lines).encode()).hexdigest()


def stored_dtypes(files):
    """Text like "fp16" or "fp8_e4m3+fp16": the dtype with the most bytes first."""
    total = {}
    for file in (file for each in files.values() for file in each):
        for dtype, count in file.bytes_by_dtype().items():
            total[dtype] = total.get(dtype, 0) + count
    return "+".join(sorted(total, key=lambda name: -total[name]))
