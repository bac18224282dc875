"""Makes superpixels.json: images with known regions, and how well scikit-image's superpixels fit them.

    apt-get install python3-skimage
    /usr/bin/python3 tests/vectors/make-superpixels.py

Two measures, by the definitions of Neubert and Protzel (2012). Achievable segmentation accuracy: the share of correct
pixels if every superpixel takes the true region of most of its pixels. Boundary recall: the share of true boundary
pixels with a superpixel boundary within two pixels; a boundary pixel is one whose right or lower neighbor is in
another region. The file also has the number of connected parts, because quick shift's trees may have islands.
"""

import json
import pathlib
import zlib

import numpy as np
import skimage
from scipy import ndimage
from skimage import measure
from skimage.segmentation import quickshift, slic

HERE = pathlib.Path(__file__).parent
WIDTH, HEIGHT = 96, 72
SETTINGS = [
    {"algorithm": "slic", "segments": 60, "compactness": 10},
    {"algorithm": "slic", "segments": 150, "compactness": 20},
    {"algorithm": "quickshift", "ratio": 0.5, "kernel": 3, "reach": 8},
    {"algorithm": "quickshift", "ratio": 1, "kernel": 4, "reach": 10},
    {"algorithm": "quickshift", "ratio": 0.2, "kernel": 4, "reach": 200},
]


def places():
    return np.mgrid[:HEIGHT, :WIDTH].astype(float)


def colors(random, count):
    """Draws different colors, so that a true border is visible."""
    chosen = []
    while len(chosen) < count:
        color = random.uniform(25, 230, 3)
        if all(np.linalg.norm(color - other) > 60 for other in chosen[-6:]):
            chosen.append(color)
    return np.array(chosen)


def shapes(random, count):
    """Draws ellipses and boxes; later ones cover earlier ones."""
    y, x = places()
    truth = np.zeros((HEIGHT, WIDTH), int)
    for i in range(1, count):
        cx, cy, turn = random.uniform(0, WIDTH), random.uniform(0, HEIGHT), random.uniform(0, np.pi)
        u = ((x - cx) * np.cos(turn) + (y - cy) * np.sin(turn)) / random.uniform(8, 26)
        v = ((y - cy) * np.cos(turn) - (x - cx) * np.sin(turn)) / random.uniform(8, 26)
        truth[(u * u + v * v < 1) if i % 2 else (np.maximum(abs(u), abs(v)) < 0.8)] = i
    return truth


def cells(random, count):
    """Labels each pixel with the nearest of some points."""
    y, x = places()
    px, py = random.uniform(0, WIDTH, count), random.uniform(0, HEIGHT, count)
    return np.argmin((x[..., None] - px) ** 2 + (y[..., None] - py) ** 2, axis=-1)


def bands():
    """Wavy bands, like hills behind hills."""
    y, x = places()
    return sum((y > 12 + 15 * i + 6 * np.sin(x / (9 + 3 * i) + i)).astype(int) for i in range(4))


def paint(random, truth, noise=4, texture=0, shade=0, blur=0):
    """Colors the regions; shade is a gradient within each, texture a fine pattern, blur softens their borders."""
    y, x = places()
    picture = colors(random, truth.max() + 1)[truth]
    picture = ndimage.gaussian_filter(picture, (blur, blur, 0)) if blur else picture
    light = 1 + shade * (x / WIDTH + y / HEIGHT - 1)[..., None]
    pattern = texture * (np.sin(x * 1.3 + 2 * truth) * np.sin(y * 1.1 - truth))[..., None]
    grain = random.normal(size=picture.shape) * noise
    return np.clip(picture * light + pattern + grain, 0, 255).round().astype(np.uint8)


def pictures(random):
    yield "shapes with a little noise", shapes(random, 14), {}
    yield "shapes with texture", shapes(random, 12), {"texture": 12}
    yield "shapes with shading and noise", shapes(random, 10), {"shade": 0.3, "noise": 8}
    yield "many small shapes", shapes(random, 40), {"noise": 3}
    yield "cells with noise", cells(random, 15), {"noise": 10}
    yield "cells with soft borders", cells(random, 12), {"blur": 1.5, "noise": 2}
    yield "cells with texture and shading", cells(random, 20), {"texture": 8, "shade": 0.2}
    yield "hills", bands(), {"shade": 0.35, "noise": 5}
    yield "hills in strong noise", bands(), {"noise": 16}
    yield "cells without any noise", cells(random, 18), {"noise": 0, "shade": 0.15}


def boundary(labels):
    edge = np.zeros(labels.shape, bool)
    edge[:, :-1] |= labels[:, :-1] != labels[:, 1:]
    edge[:-1] |= labels[:-1] != labels[1:]
    return edge


def accuracy(labels, truth):
    return sum(np.bincount(truth[labels == label]).max() for label in np.unique(labels)) / truth.size


def recall(labels, truth):
    near = ndimage.binary_dilation(boundary(labels), np.ones((5, 5)))
    return near[boundary(truth)].mean()


def segment(picture, settings):
    if settings["algorithm"] == "slic":
        return slic(picture, settings["segments"], settings["compactness"], start_label=0)
    return quickshift(picture, settings["ratio"], settings["kernel"], settings["reach"])


def packed(array):
    return zlib.compress(array.astype(np.uint8).tobytes(), 9).hex()


def main():
    random = np.random.default_rng(2023)
    cases = []
    for name, truth, looks in pictures(random):
        picture = paint(random, truth, **looks)
        results = []
        for settings in SETTINGS:
            labels = segment(picture, settings)
            scores = {"count": len(np.unique(labels)), "parts": measure.label(labels, background=-1, connectivity=1).max()}
            scores |= {"accuracy": accuracy(labels, truth), "recall": recall(labels, truth)}
            results.append({**settings, "theirs": {key: round(float(value), 5) for key, value in scores.items()}})
        cases.append({"name": name, "pixels": packed(picture), "truth": packed(truth), "results": results})
    text = {"source": f"scikit-image {skimage.__version__}", "width": WIDTH, "height": HEIGHT, "cases": cases}
    (HERE / "superpixels.json").write_text(json.dumps(text, separators=(",", ":")) + "\n")
    print(len(cases), "pictures")


if __name__ == "__main__":
    main()
