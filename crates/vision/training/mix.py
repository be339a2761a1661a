"""Averages the weights of two runs, one of which continued the other.

    python mix.py first.npz 0.4 second.npz 0.6 OUT.npz
"""

import sys

import numpy as np


def main():
    first, second = dict(np.load(sys.argv[1])), dict(np.load(sys.argv[3]))
    one, other = float(sys.argv[2]), float(sys.argv[4])
    mixed = {k: one * first[k].astype(np.float32) + other * second[k].astype(np.float32) for k in first}
    np.savez(sys.argv[5], **mixed)


if __name__ == "__main__":
    main()
