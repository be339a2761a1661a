"""Averages the weights of two runs, one of which continued the other.

    python mix.py first.npz 0.4 second.npz 0.6 OUT.npz [--food -0.2]

Outputs that only the second has are taken from it. `--food` is added to the log odds of food.
"""

import argparse

import numpy as np


def main():
    parser = argparse.ArgumentParser()
    for name, kind in (("first", str), ("one", float), ("second", str), ("other", float), ("out", str)):
        parser.add_argument(name, type=kind)
    parser.add_argument("--food", type=float, default=0.0)
    options = parser.parse_args()
    first, second = dict(np.load(options.first)), dict(np.load(options.second))
    mixed = {}
    for key in first:
        both, new = len(first[key]), second[key].astype(np.float32)
        mixed[key] = np.concatenate([options.one * first[key].astype(np.float32) + options.other * new[:both], new[both:]])
    mixed["food_b"] = mixed["food_b"] + np.float32(options.food)
    np.savez(options.out, **mixed)


if __name__ == "__main__":
    main()
