"""Averages the weights of two runs, of which the second went on from the first.

    python mix.py first.npz second.npz OUT.npz
"""

import sys

import numpy as np


def main():
    first, second = (dict(np.load(file)) for file in sys.argv[1:3])
    np.savez(sys.argv[3], **{k: (first[k].astype(np.float32) + second[k].astype(np.float32)) / 2 for k in first})


if __name__ == "__main__":
    main()
