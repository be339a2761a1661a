"""Reads the weights and labels from AIY's `food.tflite`.

    python read_aiy.py food.tflite OUT      writes OUT/aiy.npz and OUT/aiy-labels.txt
"""

import sys
import zipfile

import numpy as np
import tflite


def main():
    file, out = sys.argv[1:3]
    model = tflite.Model.GetRootAsModel(open(file, "rb").read(), 0)
    graph = model.Subgraphs(0)

    def values(index):
        tensor = graph.Tensors(int(index))
        data = model.Buffers(tensor.Buffer()).DataAsNumpy()
        return np.frombuffer(data.tobytes(), np.float32).reshape([int(n) for n in tensor.ShapeAsNumpy()])

    weights, number = {}, 0
    for index in range(graph.OperatorsLength()):
        operator = graph.Operators(index)
        code = model.OperatorCodes(operator.OpcodeIndex())
        code = max(code.BuiltinCode(), code.DeprecatedBuiltinCode())
        if code not in (tflite.BuiltinOperator.CONV_2D, tflite.BuiltinOperator.DEPTHWISE_CONV_2D):
            continue
        kernel, bias = values(operator.Inputs(1)), values(operator.Inputs(2))
        if code == tflite.BuiltinOperator.CONV_2D:
            kernel = kernel.transpose(0, 3, 1, 2)
        else:
            kernel = kernel.transpose(3, 0, 1, 2)
        if kernel.shape[0] == 2024:
            weights["dishes_w"], weights["dishes_b"] = kernel[:, :, 0, 0], bias
        else:
            weights[f"w{number}"], weights[f"b{number}"] = kernel, bias
            number += 1
    np.savez(out + "/aiy.npz", **{k: v.astype(np.float32) for k, v in weights.items()})
    labels = zipfile.ZipFile(file).read("probability-labels-en.txt").decode()
    open(out + "/aiy-labels.txt", "w").write(labels)
    print(number, "convolutions", len(labels.splitlines()), "labels")


if __name__ == "__main__":
    main()
