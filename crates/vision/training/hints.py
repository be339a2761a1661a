"""Counts how often AIY predicts its dishes for images of our foods: `dish-hints.bin`; and how rarely it takes our foods for one of
its other dishes: `dish-rare.bin`.

    python hints.py PACK MODELS BEFORE.bin

PACK is what `pack_world.py` wrote; MODELS holds `dish-aiy.onnx`. BEFORE.bin is the `dish-hints.bin` of the first 240 foods, which was
counted on more images of these: for them, the mean of both is taken.
"""

import io
import os
import sys

import numpy as np
from PIL import Image

from classes import CLASSES
from fit_others import EARLIER, Labels, pixels, session, softmax

# Images of each food that AIY classifies.
SHOWN = 22


def seen_by_aiy(pack, models):
    """Returns the mean probability of each dish of AIY for each food, and the number of images."""
    aiy, rows = session(models, "dish-aiy.onnx"), np.load(os.path.join(pack, "index.npz"))["rows"]
    named, shown = np.zeros((len(CLASSES), 2024)), np.zeros(len(CLASSES), int)
    for chunk, offset, length, food, _, split in rows:
        if split != 0 or food < 0 or shown[food] >= SHOWN:
            continue
        with open(os.path.join(pack, f"chunk-{chunk}.bin"), "rb") as handle:
            handle.seek(offset)
            image = Image.open(io.BytesIO(handle.read(length))).convert("RGB")
        named[food] += softmax(aiy.run(None, pixels(image, 192))[0][0])
        shown[food] += 1
    return named, shown


def main():
    pack, models, before = sys.argv[1:4]
    named, shown = seen_by_aiy(pack, models)
    share = named / np.maximum(shown, 1)[:, None]
    food_of_dish = ((share + 1e-5) / (share + 1e-5).sum(0, keepdims=True)).T
    earlier = np.fromfile(before, np.uint8).reshape(2024, EARLIER).astype(np.float64)
    earlier *= (1 - food_of_dish[:, EARLIER:].sum(1, keepdims=True)) / np.maximum(earlier.sum(1, keepdims=True), 1e-6)
    food_of_dish[:, :EARLIER] = (food_of_dish[:, :EARLIER] + earlier) / 2
    # Nothing is known about a dish that was hardly predicted.
    food_of_dish[named.sum(0) < 0.15] = 1 / len(CLASSES)
    np.round(food_of_dish * 255).astype(np.uint8).tofile(os.path.join(models, "dish-hints.bin"))
    labels = Labels(models)
    rare = dict(zip(labels.others, np.round(-20 * np.log(share[shown > 0].mean(0) @ labels.fold + 2e-4))))
    np.array([rare.get(name, 0) for name in labels.dishes]).astype(np.uint8).tofile(os.path.join(models, "dish-rare.bin"))


if __name__ == "__main__":
    main()
