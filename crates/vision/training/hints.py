"""Counts how often AIY predicts its dishes for images of our foods: `dish-hints.bin`.

    python hints.py STAGE MODELS

STAGE is where `pack.py` left its `.pickle` files; MODELS holds `dish-aiy.onnx`.
"""

import io
import os
import pickle
import random
import sys

import numpy as np
import onnxruntime
from PIL import Image

from classes import CLASSES

# Source, and the number of images of each food that AIY classifies.
SHOWN = [("food101_64", 40), ("thai", 12), ("fruit_vegetable_36", 12), ("grocery", 12), ("vegetable_15", 12), ("ecustfd", 12)]


def main():
    stage, models = sys.argv[1:3]
    session = onnxruntime.InferenceSession(os.path.join(models, "dish-aiy.onnx"))
    named, shown = np.zeros((len(CLASSES), 2024)), np.zeros(len(CLASSES))
    random.seed(3)
    for source, most in SHOWN:
        with open(os.path.join(stage, source + ".pickle"), "rb") as handle:
            rows = [row for row in pickle.load(handle) if row[5] == 0 and row[3] >= 0]
        random.shuffle(rows)
        taken = np.zeros(len(CLASSES), int)
        for row in rows:
            if taken[row[3]] >= most:
                continue
            taken[row[3]] += 1
            picture = Image.open(io.BytesIO(row[1])).convert("RGB").resize((192, 192), Image.BICUBIC)
            pixels = np.asarray(picture, np.float32).transpose(2, 0, 1)[None] / 127.5 - 1
            out = session.run(None, {"pixels": pixels})[0][0]
            chances = np.exp(out - out.max())
            named[row[3]] += chances / chances.sum()
            shown[row[3]] += 1
    share = np.where(shown[:, None] > 0, named / np.maximum(shown, 1)[:, None], 0) + 1e-5
    food_of_dish = share / share.sum(0, keepdims=True)
    # Nothing is known about a dish that was hardly predicted.
    food_of_dish[:, named.sum(0) < 0.15] = 1 / len(CLASSES)
    np.round(food_of_dish * 255).astype(np.uint8).T.copy().tofile(os.path.join(models, "dish-hints.bin"))


if __name__ == "__main__":
    main()
