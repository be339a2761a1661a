"""Reads the weights of one of our networks, or of AIY, back from its ONNX file, as a start or a teacher for more training.

    python read_onnx.py ../models/dish.onnx OUT.npz
"""

import sys

import numpy as np
import onnx
from onnx import numpy_helper


def main():
    graph = onnx.load(sys.argv[1]).graph
    values = {one.name: numpy_helper.to_array(one) for one in graph.initializer}
    weights = {}
    for name, value in values.items():
        if name.endswith("_8"):
            scale = values[name[:-2] + "_scale"].reshape(-1, *[1] * (value.ndim - 1))
            weights[name[:-2]] = value.astype(np.float32) * scale
        elif not name.endswith(("_scale", "_zero")) and name not in ("zero", "six"):
            weights[name] = value.astype(np.float32)
    out, bias = weights.pop("out_w"), weights.pop("out_b")
    if out.ndim == 2:
        weights.update(dishes_w=out, dishes_b=bias)
    else:
        # The last output of ours is food or not.
        out = out[:, :, 0, 0]
        weights.update(foods_w=out[:-1], foods_b=bias[:-1], food_w=out[-1:], food_b=bias[-1:])
    np.savez(sys.argv[2], **{name: value.astype(np.float16) for name, value in weights.items()})


if __name__ == "__main__":
    main()
