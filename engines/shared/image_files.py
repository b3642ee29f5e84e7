"""The images of --save-images: names and texts are those of src/engine/worker/image_files.cpp."""
import os
import re

from PIL import Image, PngImagePlugin

from shared import dtypes, packages, table


def _plain_name(text):
    plain = re.sub(r"[^a-zA-Z0-9._-]", "_", text)
    return "_" + plain if not plain or plain.startswith(".") else plain


def file_name(cell, seed):
    mark = re.fullmatch(r"([a-z]+):(\d+)", cell["device"])
    return (f"{_plain_name(cell['model']['name'])}-{cell['width']}x{cell['height']}-{cell['steps']}steps-seed{seed}"
            f"{'-' + mark[1] + mark[2] if mark else ''}.png")


def _texts(cell, result, image):
    texts = {"prompt": cell["prompts"][0] if len(cell["prompts"]) == 1 else cell["prompts"][image]}
    if cell["negative_prompt"] is not None:
        texts["negative_prompt"] = cell["negative_prompt"]
    texts["seed"] = str(cell["seed"] + image)
    if cell["init_latents"]:
        texts["init_latents"] = cell["init_latents"]
    texts |= {"steps": str(cell["steps"]), "size": f"{cell['width']}x{cell['height']}", "guidance": f"{cell['guidance']:g}"}
    if cell["clip_skip"] > 0:
        texts["clip_skip"] = str(cell["clip_skip"])
    stages = ", ".join(f"{stage} {dtypes.name_of(result['dtype_' + stage])}" for stage in ("unet", "vae", "text"))
    return texts | {"model": cell["model"]["name"], "weights": result["weights_identity"], "dtype": stages,
                    "attention": result.get("attention_used", ""), "batch": str(cell["batch"]),
                    "scheduler": cell["sampler"] + ("_karras" if cell["karras"] else ""), "timestep_spacing": cell["timestep_spacing"],
                    "settings": ", ".join(f"{axis} {cell[axis]}" for axis in ("engine", *table.choices(result["engine"]))),
                    "software": f"sdbench ({result['engine']}: {packages.runtime_version(result['engine'])})"}


def _says(path, texts):
    """True if the file can be read as an image and has exactly these texts."""
    try:
        with Image.open(path) as image:
            image.load()
            return dict(image.text) == texts
    except (OSError, AttributeError):
        return False


def _free_file(path, texts):
    """`path`, or, if another cell's image has that name, the first numbered name without one."""
    free, number = path, 2
    while os.path.exists(free) and not _says(free, texts):
        free, number = f"{path.removesuffix('.png')}-{number}.png", number + 1
    return free


def write(cell, result, pixels):
    """Writes the images and returns the names of the files."""
    os.makedirs(cell["save_images"], exist_ok=True)
    files = []
    for number, image in enumerate(pixels):
        texts = {key: text.replace("\0", "\ufffd") for key, text in _texts(cell, result, number).items()}
        told = PngImagePlugin.PngInfo()
        for key, text in texts.items():
            is_plain = all(" " <= letter <= "~" or letter == "\n" for letter in text)
            told.add_text(key, text) if is_plain else told.add_itxt(key, text.encode(errors="replace").decode())
        path = _free_file(os.path.join(cell["save_images"], file_name(cell, cell["seed"] + number)), texts)
        part = f"{path}.part"
        Image.fromarray(image).save(part, format="PNG", pnginfo=told)
        os.replace(part, path)
        files.append(path)
    return files
