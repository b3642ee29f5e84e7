"""PSNR, SSIM and squared errors of images equal scikit-image's.

SDBENCH_IMAGE_METRICS_PROBE names the program that runs ours (image_metrics_probe.cpp).
"""

import json
import os
import subprocess

import numpy as np
import pytest
from skimage.metrics import mean_squared_error, normalized_root_mse, peak_signal_noise_ratio, structural_similarity


def photo(random, height, width):
    """Smooth areas, edges and a little noise, as a picture has."""
    y, x = np.mgrid[:height, :width] / max(height, width)
    waves = [127 + 90 * np.sin(9 * x + phase) * np.cos(7 * y - phase) for phase in (0, 1, 2)]
    edges = np.where((x * 5).astype(int) % 2 == 0, 25, -25)[..., None]
    return np.stack(waves, -1) + edges + random.normal(0, 3, (height, width, 3))


def as_bytes(image):
    return np.clip(np.round(image), 0, 255).astype(np.uint8)


def changed(random, image, how):
    return {"rounding": lambda: image + random.normal(0, 0.6, image.shape),
            "noise": lambda: image + random.normal(0, 20, image.shape),
            "other": lambda: random.uniform(0, 255, image.shape),
            "darker": lambda: image * 0.7,
            "inverted": lambda: 255 - image}[how]()


def ours(folder, image, reference):
    (folder / "a").write_bytes(image.tobytes())
    (folder / "b").write_bytes(reference.tobytes())
    height, width, _ = image.shape
    done = subprocess.run([os.environ["SDBENCH_IMAGE_METRICS_PROBE"], str(width), str(height), folder / "a", folder / "b"],
                          capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize("how", ["rounding", "noise", "other", "darker", "inverted"])
@pytest.mark.parametrize("height, width", [(7, 7), (8, 16), (64, 64), (96, 130), (512, 512)])
def test_metrics_of_two_images_are_scikit_images(tmp_path, how, height, width):
    random = np.random.default_rng([height, width])
    picture = photo(random, height, width)
    reference, image = as_bytes(picture), as_bytes(changed(random, picture, how))
    got = ours(tmp_path, image, reference)
    close = lambda value: pytest.approx(float(value), abs=1e-6, rel=1e-9)
    assert got["psnr_db"] == close(peak_signal_noise_ratio(reference, image, data_range=255))
    assert got["ssim"] == close(structural_similarity(reference, image, channel_axis=-1, data_range=255))
    assert got["mse"] == close(mean_squared_error(reference, image))
    assert got["nmse"] == close(normalized_root_mse(reference, image) ** 2)
    assert got["max_error"] == np.abs(reference.astype(int) - image.astype(int)).max()


def test_equal_images_have_no_error_and_an_infinite_psnr(tmp_path):
    image = as_bytes(photo(np.random.default_rng(0), 40, 30))
    assert ours(tmp_path, image, image) == {"mse": 0, "nmse": 0, "max_error": 0, "psnr_db": None, "ssim": 1}
