"""Makes the networks that detect and read text faster without changing their outputs, apart from rounding.

    python fold_text.py en_PP-OCRv3_det_infer.onnx text-detection.onnx text-detection.txt
    python fold_text.py en_PP-OCRv4_rec.onnx text-recognition.onnx text-recognition.txt

As published, every convolution of the reading network is followed by eight operations on each of its values: a scale, a
shift, a hard swish in four steps, a scale and a shift. Scales and shifts become part of the weights of the convolutions
around them, and the four steps one.

The text file lists the depthwise convolutions in their order, one a line. The program does them itself, many times faster
than the library that runs the rest, and runs the network in parts between them: input, output, kernel, bias, strides down
and across, and the values besides the input that later parts need. Kernels are square, of odd size, padded by half of it.
"""

import sys

import numpy as np
import onnx
from onnx import helper, numpy_helper

# The first version with HardSwish.
OPSET = 14


class Graph:
    """The nodes of a network in order, and its constants by name."""

    def __init__(self, model):
        self.model = model
        self.constants = {tensor.name: numpy_helper.to_array(tensor) for tensor in model.graph.initializer}
        self.nodes = []
        for node in model.graph.node:
            if node.op_type == "Constant":
                self.constants[node.output[0]] = numpy_helper.to_array(node.attribute[0].t)
            else:
                self.nodes.append(node)
        self.output = model.graph.output[0].name

    def users(self, name):
        return [node for node in self.nodes if name in node.input]

    def only_user(self, name, kind=None):
        """Returns the only node that uses a value, if it is of this kind."""
        users = self.users(name)
        if len(users) != 1 or name == self.output or kind and users[0].op_type != kind:
            return None
        return users[0]

    def number(self, node, kind):
        """Returns the constant that a node multiplies by or adds, if it is one number."""
        if node is None or node.op_type != kind:
            return None
        for name in node.input:
            if name in self.constants and self.constants[name].size == 1:
                return float(self.constants[name].reshape(-1)[0])
        return None

    def drop(self, nodes, name, instead):
        """Removes nodes; users of one value use another instead."""
        # By identity, because equal nodes may be different ones.
        gone = {id(node) for node in nodes}
        self.nodes = [node for node in self.nodes if id(node) not in gone]
        for node in self.nodes:
            for at, used in enumerate(node.input):
                if used == name:
                    node.input[at] = instead


def weights(graph, conv):
    """Returns weights and bias of a convolution, in double precision."""
    kernel = graph.constants[conv.input[1]].astype(np.float64)
    has_bias = len(conv.input) > 2
    return kernel, graph.constants[conv.input[2]].astype(np.float64) if has_bias else np.zeros(len(kernel))


def set_weights(graph, conv, kernel, bias):
    names = [conv.output[0] + "_weights", conv.output[0] + "_bias"]
    graph.constants[names[0]], graph.constants[names[1]] = kernel.astype(np.float32), bias.astype(np.float32)
    conv.input[:] = [conv.input[0], *names]


def fold_behind(graph):
    """Folds normalization, scale and shift into the convolution before them."""
    for conv in [node for node in graph.nodes if node.op_type == "Conv"]:
        while (node := graph.only_user(conv.output[0])) is not None:
            kernel, bias = weights(graph, conv)
            if node.op_type == "BatchNormalization":
                scale, shift, mean, variance = (graph.constants[name].astype(np.float64) for name in node.input[1:])
                epsilon = next(attribute.f for attribute in node.attribute if attribute.name == "epsilon")
                scale = scale / np.sqrt(variance + epsilon)
                bias = (bias - mean) * scale + shift
                kernel = kernel * scale.reshape(-1, 1, 1, 1)
            elif (scale := graph.number(node, "Mul")) is not None:
                kernel, bias = kernel * scale, bias * scale
            elif (shift := graph.number(node, "Add")) is not None and not begins_swish(graph, node):
                bias = bias + shift
            else:
                break
            set_weights(graph, conv, kernel, bias)
            graph.drop([node], node.output[0], conv.output[0])


def begins_swish(graph, add):
    return graph.only_user(add.output[0], "Clip") is not None


def join_swish(graph):
    """x * clip(x + 3, 0, 6) / 6"""
    for add in [node for node in graph.nodes if graph.number(node, "Add") == 3.0]:
        clip = graph.only_user(add.output[0], "Clip")
        product = clip and graph.only_user(clip.output[0], "Mul")
        quotient = product and graph.only_user(product.output[0], "Div")
        if not quotient or graph.constants[quotient.input[1]] != 6.0 or add.input[0] not in product.input:
            continue
        swish = helper.make_node("HardSwish", [add.input[0]], [quotient.output[0]])
        graph.nodes.insert(graph.nodes.index(quotient), swish)
        graph.drop([add, clip, product, quotient], "", "")


def fold_before(graph):
    """Folds scale and shift between a hard swish and a convolution into the convolution."""
    for swish in [node for node in graph.nodes if node.op_type == "HardSwish"]:
        multiply = graph.only_user(swish.output[0], "Mul")
        add = multiply and graph.only_user(multiply.output[0], "Add")
        conv = add and graph.only_user(add.output[0], "Conv")
        scale, shift = graph.number(multiply, "Mul"), graph.number(add, "Add")
        if not conv or scale is None or shift is None:
            continue
        kernel, bias = weights(graph, conv)
        is_padded = any(any(attribute.ints) for attribute in conv.attribute if attribute.name == "pads")
        if is_padded:
            # Padding is zero and not shifted, so the shift has to stay outside.
            name = add.output[0] + "_shift"
            graph.constants[name] = np.float32(shift / scale).reshape(1)
            add.input[:] = [swish.output[0], name]
            graph.drop([multiply], "", "")
        else:
            bias = bias + shift * kernel.sum(axis=(1, 2, 3))
            graph.drop([multiply, add], add.output[0], swish.output[0])
        set_weights(graph, conv, kernel * scale, bias)


def drop_ones(graph):
    """Removes multiplications by one, which hide a swish from the inference library."""
    for node in [node for node in graph.nodes if graph.number(node, "Mul") == 1.0]:
        value = next(name for name in node.input if name not in graph.constants)
        graph.drop([node], node.output[0], value)


def modernise(graph):
    """Turns the axes of Squeeze into an input."""
    for node in [node for node in graph.nodes if node.op_type == "Squeeze"]:
        axes = next((attribute for attribute in node.attribute if attribute.name == "axes"), None)
        if axes is None:
            continue
        name = node.output[0] + "_axes"
        graph.constants[name] = np.array(axes.ints, np.int64)
        node.input.append(name)
        node.attribute.remove(axes)


def depthwise(graph, node):
    """Checks whether a node is a depthwise convolution that the program can compute."""
    if node.op_type != "Conv":
        return False
    kernel = graph.constants[node.input[1]]
    settings = {attribute.name: list(attribute.ints) or attribute.i for attribute in node.attribute}
    size = kernel.shape[2]
    return (kernel.shape[1] == 1 and settings["group"] == len(kernel) > 1 and kernel.shape[3] == size and size % 2 == 1
            and settings["pads"] == [size // 2] * 4 and settings["dilations"] == [1, 1])


def parts(graph):
    """Returns one line per depthwise convolution."""
    maker = {name: node for node in graph.nodes for name in node.output}
    part_of = {}

    def claim(name, part):
        """Returns the nodes that a value needs, unless an earlier part has computed them."""
        waiting = [name]
        while waiting:
            node = maker.get(waiting.pop())
            if node is not None and id(node) not in part_of:
                part_of[id(node)] = part
                waiting.extend(node.input)

    deep = [node for node in graph.nodes if depthwise(graph, node)]
    for part, node in enumerate(deep):
        claim(node.input[0], part)
        # Its output is available from the next part on.
        part_of[id(node)] = part
    claim(graph.output, len(deep))
    lines = []
    for part, node in enumerate(deep):
        made = [name for other in graph.nodes if part_of.get(id(other)) == part and other is not node for name in other.output]
        kept = [name for name in made if any(part_of[id(user)] > part for user in graph.users(name))]
        assert all(part_of[id(user)] == part + 1 for user in graph.users(node.output[0])), "used once, at once"
        strides = next(attribute.ints for attribute in node.attribute if attribute.name == "strides")
        lines.append(" ".join([node.input[0], node.output[0], *node.input[1:3], *map(str, strides), *kept]))
    return "".join(line + "\n" for line in lines)


def main():
    source, target, list_of_parts = sys.argv[1:]
    graph = Graph(onnx.load(source))
    drop_ones(graph)
    fold_behind(graph)
    join_swish(graph)
    fold_before(graph)
    modernise(graph)
    for node in graph.nodes:
        if depthwise(graph, node):
            set_weights(graph, node, *weights(graph, node))
    used = {name for node in graph.nodes for name in node.input}
    constants = [numpy_helper.from_array(np.ascontiguousarray(value), name)
                 for name, value in graph.constants.items() if name in used]
    made = helper.make_graph(graph.nodes, "text", graph.model.graph.input, graph.model.graph.output, constants)
    model = helper.make_model(made, opset_imports=[helper.make_opsetid("", OPSET)])
    model.ir_version = 8
    onnx.checker.check_model(model, full_check=True)
    onnx.save(model, target)
    with open(list_of_parts, "w") as file:
        file.write(parts(graph))


if __name__ == "__main__":
    main()
