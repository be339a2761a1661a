"""Averages the weights of two runs, one of which continued the other.

    python mix.py first.npz 0.4 second.npz 0.6 OUT.npz

Outputs that only the second has are taken from it.
"""

import sys

import numpy as np


def main():
    first, second = dict(np.load(sys.argv[1])), dict(np.load(sys.argv[3]))
    one, other = float(sys.argv[2]), float(sys.argv[4])
    mixed = {}
    for key in first:
        both, new = len(first[key]), second[key].astype(np.float32)
        mixed[key] = np.concatenate([one * first[key].astype(np.float32) + other * new[:both], new[both:]])
    np.savez(sys.argv[5], **mixed)


if __name__ == "__main__":
    main()
