"""Fits the weights of `../src/dish/other_dishes.rs`: what tells a dish that only AIY knows from a food of ours.

    python fit_others.py ../models CHOOSE_FOLDER... -- REPORT_FOLDER...

Each folder is one source, with one folder per food as for the example `dish_accuracy`. The weights are fitted on the first sources;
for all, the share of correct first guesses is printed: of our networks alone, of the better of both, and of both together.
"""

import os
import sys

import numpy as np
import onnxruntime
from PIL import Image, ImageOps

# Lower than the regression gives, so that few of our foods are lost.
SHIFT = -2.5


def softmax(values):
    powers = np.exp(values - values.max(-1, keepdims=True))
    return powers / powers.sum(-1, keepdims=True)


def session(models, file):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    return onnxruntime.InferenceSession(os.path.join(models, file), options)


def pixels(image, side):
    square = ImageOps.fit(image, (side, side), Image.BICUBIC)
    return {"pixels": np.asarray(square, np.float32).transpose(2, 0, 1)[None] / 127.5 - 1}


class Labels:
    """The names of both label spaces."""

    def __init__(self, models):
        def lines(file):
            with open(os.path.join(models, file), encoding="utf-8") as handle:
                return handle.read().split("\n")

        self.foods = [line.split("\t")[1] for line in lines("dish-classes.tsv") if line]
        self.dishes = lines("dish-aiy-names.txt")[:2024]
        ours = set(self.foods) | {line.split("\t")[0] for line in lines("dish-kinds.tsv")}
        self.others = sorted({name for name in self.dishes if name and name not in ours})
        column = {name: at for at, name in enumerate(self.others)}
        self.fold = np.zeros((2024, len(column)), np.float32)
        for at, name in enumerate(self.dishes):
            if name in column:
                self.fold[at, column[name]] = 1
        self.ours = np.array([name in ours and name != "" for name in self.dishes])
        # `rare.py` writes it, and needs the other labels for that.
        file = os.path.join(models, "dish-rare.bin")
        rare = np.fromfile(file, np.uint8) / 20 if os.path.exists(file) else np.zeros(2024)
        self.rare = np.array([rare[self.dishes.index(name)] for name in self.others])
        self.hints = np.fromfile(os.path.join(models, "dish-hints.bin"), np.uint8).reshape(2024, -1) / 255


def look(folder, networks, labels):
    """Returns a row per photo: the four numbers, how likely our networks and AIY find their first guess, and which is right."""
    first, second, aiy = networks
    rows = []
    for food in sorted(os.listdir(folder)):
        right = food.replace("_", " ").split(" or ")
        for file in sorted(os.listdir(os.path.join(folder, food))):
            try:
                image = ImageOps.exif_transpose(Image.open(os.path.join(folder, food, file))).convert("RGB")
            except OSError:
                continue
            one, other = (net.run(None, pixels(image, 256))[0][0].mean((1, 2))[:-1] for net in (first, second))
            dishes = softmax(aiy.run(None, pixels(image, 192))[0][0])
            hint = 0.5 * np.log(dishes @ labels.hints + 0.003)
            foods = softmax((one + hint) / 0.7)
            if foods.max() < 0.9:
                foods = softmax(((one + other) / 2 + hint) * 1.3 / 0.7)
            others = dishes @ labels.fold
            likely = others.max()
            rows.append([np.log(likely + 1e-4) - np.log(1 - likely + 1e-2), np.log(softmax(one).max()),
                         np.log(dishes[labels.ours].sum() + 1e-3), labels.rare[others.argmax()], foods.max(), likely / others.sum(),
                         labels.foods[foods.argmax()] in right, labels.others[others.argmax()] in right])
    return np.array(rows, np.float64)


def fitted(rows):
    """Logistic regression where exactly one of both is right; both kinds count the same."""
    rows = rows[rows[:, 6] != rows[:, 7]]
    middle, spread = rows[:, :4].mean(0), rows[:, :4].std(0) + 1e-6
    x, target = np.c_[(rows[:, :4] - middle) / spread, np.ones(len(rows))], rows[:, 7]
    share = np.where(target == 1, 1 / max(target.sum(), 1), 1 / max((1 - target).sum(), 1))
    weights = np.zeros(5)
    for _ in range(4000):
        slope = x.T @ (share * (1 / (1 + np.exp(-x @ weights)) - target))
        weights -= 0.5 * (slope + 1e-2 * np.r_[weights[:4], 0])
    scaled = weights[:4] / spread
    return scaled, weights[4] - (scaled * middle).sum()


def main():
    models, *folders = sys.argv[1:]
    at = folders.index("--")
    labels = Labels(models)
    networks = [session(models, file) for file in ("dish.onnx", "dish-second.onnx", "dish-aiy.onnx")]
    seen = {folder: look(folder, networks, labels) for folder in folders if folder != "--"}
    weights, always = fitted(np.concatenate([seen[folder] for folder in folders[:at]]))
    print("weights", np.round(weights, 2), "always", round(always + SHIFT, 2))
    for folder, rows in seen.items():
        chance = 1 / (1 + np.exp(-(rows[:, :4] @ weights + always + SHIFT)))
        both = np.where(chance * rows[:, 5] > (1 - chance) * rows[:, 4], rows[:, 7], rows[:, 6])
        print(f"{os.path.basename(folder):24} {len(rows):4}  ours {rows[:, 6].mean():.3f}  "
              f"either {np.maximum(rows[:, 6], rows[:, 7]).mean():.3f}  both {both.mean():.3f}")


if __name__ == "__main__":
    main()
