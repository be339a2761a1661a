"""Writes an ONNX file with 8-bit weights, scaled per output; activations stay in 32 bits.

    python export.py dish.npz dish.onnx --map foods food
    python export.py aiy.npz aiy.onnx dishes

With `--map` the outputs are those of every cell of 32 pixels, whose average is what the network says of the picture; without
it, the average.
"""

import sys

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from network import trunk_of


def main():
    file, out, *outputs_of = sys.argv[1:]
    is_map = "--map" in outputs_of
    outputs_of = [name for name in outputs_of if name != "--map"]
    weights = dict(np.load(file))
    nodes, made, initializers = [], [], []

    def constant(name):
        values = weights[name].astype(np.float32)
        if values.ndim > 1 and values[0].size >= 32:
            # Eight bits per weight, with a scale per output.
            flat = np.abs(values.reshape(len(values), -1)).max(1)
            scale = np.maximum(flat, 1e-8) / 127
            rounded = np.round(values / scale.reshape(-1, *[1] * (values.ndim - 1))).astype(np.int8)
            initializers.append(numpy_helper.from_array(rounded, name + "_8"))
            initializers.append(numpy_helper.from_array(scale.astype(np.float32), name + "_scale"))
            initializers.append(numpy_helper.from_array(np.zeros(len(values), np.int8), name + "_zero"))
            inputs = [name + "_8", name + "_scale", name + "_zero"]
            made.append(helper.make_node("DequantizeLinear", inputs, [name], axis=0))
        else:
            initializers.append(numpy_helper.from_array(values, name))
        return name

    initializers.append(numpy_helper.from_array(np.float32(0), "zero"))
    initializers.append(numpy_helper.from_array(np.float32(6), "six"))
    value, before = "pixels", None
    for number, step in enumerate(trunk_of(weights)):
        if step.opens:
            before = value
        # With a stride of two, TensorFlow pads more at the end.
        half = step.kernel // 2
        pads = [half - 1, half - 1, half, half] if step.stride == 2 else [half] * 4
        nodes.append(helper.make_node("Conv", [value, constant(f"w{number}"), constant(f"b{number}")], [f"c{number}"],
                                      kernel_shape=[step.kernel] * 2, strides=[step.stride] * 2, pads=pads,
                                      group=step.inputs if step.is_depthwise else 1))
        value = f"c{number}"
        if step.has_ramp:
            nodes.append(helper.make_node("Clip", [value, "zero", "six"], [f"r{number}"]))
            value = f"r{number}"
        if step.closes:
            nodes.append(helper.make_node("Add", [value, before], [f"a{number}"]))
            value = f"a{number}"
    # All outputs in one: the foods, then food or not.
    weights["out_w"] = np.concatenate([weights[name + "_w"] for name in outputs_of])
    weights["out_b"] = np.concatenate([weights[name + "_b"] for name in outputs_of])
    shape = ["n", len(weights["out_w"])]
    if is_map:
        weights["out_w"] = weights["out_w"][:, :, None, None]
        nodes.append(helper.make_node("Conv", [value, constant("out_w"), constant("out_b")], ["out"], kernel_shape=[1, 1]))
        shape += ["rows", "columns"]
    else:
        nodes.append(helper.make_node("GlobalAveragePool", [value], ["pooled"]))
        nodes.append(helper.make_node("Flatten", ["pooled"], ["features"], axis=1))
        nodes.append(helper.make_node("Gemm", ["features", constant("out_w"), constant("out_b")], ["out"], transB=1))
    outputs = [helper.make_tensor_value_info("out", TensorProto.FLOAT, shape)]
    graph = helper.make_graph(made + nodes, "dish", [helper.make_tensor_value_info("pixels", TensorProto.FLOAT, ["n", 3, "height", "width"])],
                              outputs, initializers)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)])
    model.ir_version = 8
    onnx.checker.check_model(model)
    onnx.save(model, out)


if __name__ == "__main__":
    main()
