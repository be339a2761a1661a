"""Fits the weights of `../src/dish/other_dishes.rs`: what tells a dish that only AIY knows from a food of ours.

    python fit_others.py ../models PACK [MOST]

Uses the validation photos that `pack_world.py` packed, at most MOST of them. Nearly all dishes of these photos are foods of ours. So for each
dish that AIY knows, too, our networks are asked again without their output for it: then it is a dish that only AIY knows. Prints the
weights and the share of correct first guesses for both kinds.
"""

import io
import os
import sys

import numpy as np
import onnxruntime
from PIL import Image, ImageOps

# As in `../src/dish/scores.rs`.
TEMPERATURE, AGREEMENT, HINT_WEIGHT = 0.65, 1.3, 0.7
# Foods from this one on are dishes of the world.
EARLIER = 240
# Lower than the regression gives, so that few of our foods are lost.
SHIFT = -2.5
# The weight of how rarely AIY takes our foods for a dish. The simulated dishes are all equally rare, so it cannot be fitted on them.
RARE_WEIGHT = 0.8


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


def looked_at(models, pack, most):
    """Returns the outputs of the first and the second network and of AIY for each validation photo, and the food that it shows."""
    networks = [session(models, file) for file in ("dish.onnx", "dish-second.onnx", "dish-aiy.onnx")]
    rows = np.load(os.path.join(pack, "index.npz"))["rows"]
    seen = []
    for chunk, offset, length, food, _, split in rows[(rows[:, 5] == 1) & (rows[:, 3] >= 0)][:most]:
        with open(os.path.join(pack, f"chunk-{chunk}.bin"), "rb") as handle:
            handle.seek(offset)
            image = Image.open(io.BytesIO(handle.read(length))).convert("RGB")
        one, other = (network.run(None, pixels(image, 256))[0][0].mean((1, 2))[:-1] for network in networks[:2])
        seen.append((one, other, softmax(networks[2].run(None, pixels(image, 192))[0][0]), food))
    return [np.array(column) for column in zip(*seen)]


def judged(one, other, dishes, right, labels, without=None):
    """Returns a row per photo: the four numbers, how likely our networks and AIY find their first guess, and which is right."""
    hints, fold, ours, rare = labels.hints, labels.fold, labels.ours, labels.rare
    names = labels.others
    if without is not None:
        one, other, hints, ours = one.copy(), other.copy(), hints.copy(), ours.copy()
        one[:, without], other[:, without], hints[:, without] = -30, -30, 0
        mine = np.array([name == labels.foods[without] for name in labels.dishes])
        fold, names, ours[mine] = np.c_[fold, mine], names + [labels.foods[without]], False
        rare = np.r_[rare, np.median(rare)]
    hint = HINT_WEIGHT * np.log(dishes @ hints + 0.003)
    foods, both = softmax((one + hint) / TEMPERATURE), softmax(((one + other) / 2 + hint) * AGREEMENT / TEMPERATURE)
    foods = np.where(foods.max(1, keepdims=True) < 0.9, both, foods)
    others = dishes @ fold
    likely = others.max(1)
    return np.c_[np.log(likely + 1e-4) - np.log(1 - likely + 1e-2), np.log(softmax(one).max(1)),
                 np.log(dishes[:, ours].sum(1) + 1e-3), rare[others.argmax(1)], foods.max(1), likely / others.sum(1),
                 foods.argmax(1) == right, [names[at] == labels.foods[food] for at, food in zip(others.argmax(1), right)]]


def fitted(rows):
    """Logistic regression where exactly one of both is right; both kinds count the same."""
    rows = rows[rows[:, 6] != rows[:, 7]]
    middle, spread = rows[:, :3].mean(0), rows[:, :3].std(0) + 1e-6
    x, target = np.c_[(rows[:, :3] - middle) / spread, np.ones(len(rows))], rows[:, 7]
    share = np.where(target == 1, 1 / max(target.sum(), 1), 1 / max((1 - target).sum(), 1))
    weights = np.zeros(4)
    for _ in range(6000):
        slope = x.T @ (share * (1 / (1 + np.exp(-x @ weights - RARE_WEIGHT * rows[:, 3])) - target))
        weights -= 0.5 * (slope + 1e-2 * np.r_[weights[:3], 0])
    scaled = weights[:3] / spread
    return np.r_[scaled, RARE_WEIGHT], weights[3] - (scaled * middle).sum()


def main():
    models, pack = sys.argv[1:3]
    labels = Labels(models)
    one, other, dishes, right = looked_at(models, pack, int(sys.argv[3]) if len(sys.argv) > 3 else None)
    known = judged(one, other, dishes, right, labels)
    unknown = [judged(one[right == food], other[right == food], dishes[right == food], right[right == food], labels, food)
               for food in np.unique(right[right >= EARLIER]) if labels.foods[food] in labels.dishes]
    unknown = np.concatenate(unknown)
    weights, always = fitted(np.concatenate([known, unknown]))
    print("weights", np.round(weights, 2), "always", round(always + SHIFT, 2))
    for name, rows in (("foods of ours", known), ("dishes that only AIY knows", unknown)):
        chance = 1 / (1 + np.exp(-(rows[:, :4] @ weights + always + SHIFT)))
        both = np.where(chance * rows[:, 5] > (1 - chance) * rows[:, 4], rows[:, 7], rows[:, 6])
        print(f"{name:28} {len(rows):4}  ours {rows[:, 6].mean():.3f}  AIY {rows[:, 7].mean():.3f}  both {both.mean():.3f}")


if __name__ == "__main__":
    main()
