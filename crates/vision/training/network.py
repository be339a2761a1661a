"""The networks: MobileNetV1 and EfficientNet-Lite2 with the same outputs, and the weights they start from."""

from typing import NamedTuple

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F


class Step(NamedTuple):
    """A convolution of a trunk, and its relation to the others."""

    inputs: int
    outputs: int
    kernel: int
    stride: int
    is_depthwise: bool = False
    has_ramp: bool = True
    # The input of this one is added to the output of the next one that `closes`.
    opens: bool = False
    closes: bool = False


def mobilenet():
    """MobileNetV1, the architecture of AIY."""
    strides = [1, 2, 1, 2, 1, 2, 1, 1, 1, 1, 1, 2, 1]
    widths = [64, 128, 128, 256, 256, 512, 512, 512, 512, 512, 512, 1024, 1024]
    steps, width = [Step(3, 32, 3, 2)], 32
    for stride, out in zip(strides, widths):
        steps += [Step(width, width, 3, stride, is_depthwise=True), Step(width, out, 1, 1)]
        width = out
    return steps


def lite2():
    """EfficientNet-Lite2, which costs about the same."""
    # Kernel, stride, repetitions, expansion, width.
    blocks = [(3, 1, 1, 1, 16), (3, 2, 3, 6, 24), (5, 2, 3, 6, 48), (3, 2, 4, 6, 88), (5, 1, 4, 6, 120),
              (5, 2, 5, 6, 208), (3, 1, 1, 6, 352)]
    steps, width = [Step(3, 32, 3, 2)], 32
    for kernel, first, times, wider, out in blocks:
        for time in range(times):
            stride = first if time == 0 else 1
            inside, again = width * wider, stride == 1 and width == out
            if wider > 1:
                steps.append(Step(width, inside, 1, 1, opens=again))
            steps.append(Step(inside, inside, kernel, stride, is_depthwise=True, opens=again and wider == 1))
            steps.append(Step(inside, out, 1, 1, has_ramp=False, closes=again))
            width = out
    return steps + [Step(width, 1280, 1, 1)]


TRUNKS = {"mobilenet": mobilenet, "lite2": lite2}


def trunk_of(weights):
    """Returns the steps of the trunk that these weights are for."""
    count = sum(name.startswith("w") for name in weights)
    return next(steps for make in TRUNKS.values() if len(steps := make()) == count)


class Layer(nn.Module):
    """A convolution padded as in TensorFlow, a batch norm, and a clipped ReLU."""

    def __init__(self, step):
        super().__init__()
        self.step = step
        padding = 0 if step.stride == 2 else step.kernel // 2
        groups = step.inputs if step.is_depthwise else 1
        self.conv = nn.Conv2d(step.inputs, step.outputs, step.kernel, step.stride, padding, groups=groups, bias=False)
        self.norm = nn.BatchNorm2d(step.outputs, eps=1e-3, momentum=0.02)

    def forward(self, x):
        if self.step.stride == 2:
            less, more = self.step.kernel // 2 - 1, self.step.kernel // 2
            x = F.pad(x, (less, more, less, more))
        x = self.norm(self.conv(x))
        return F.relu6(x) if self.step.has_ramp else x


class Network(nn.Module):
    """Computes `features` of an image from -1 to 1, and the outputs: our foods, AIY's dishes, food or not."""

    def __init__(self, foods, trunk="mobilenet", dishes=2024):
        super().__init__()
        steps = TRUNKS[trunk]()
        self.layers = nn.ModuleList([Layer(step) for step in steps])
        self.foods = nn.Linear(steps[-1].outputs, foods)
        self.dishes = nn.Linear(steps[-1].outputs, dishes)
        self.food = nn.Linear(steps[-1].outputs, 1)
        self.drop = nn.Dropout(0.1)

    def features(self, x):
        before = None
        for layer in self.layers:
            if layer.step.opens:
                before = x
            x = layer(x)
            if layer.step.closes:
                x = x + before
        return x.mean((2, 3))

    def forward(self, x):
        f = self.features(x)
        d = self.drop(f)
        return f, self.foods(d), self.dishes(f), self.food(d)[:, 0]


@torch.no_grad()
def load_weights(network, file):
    """Loads weights with folded batch norms: the same function, with neutral batch norms. Loads the outputs that the
    file has."""
    weights = np.load(file)

    def tensor(name):
        return torch.from_numpy(weights[name].astype(np.float32))

    for number, layer in enumerate(network.layers):
        layer.conv.weight.copy_(tensor(f"w{number}"))
        layer.norm.bias.copy_(tensor(f"b{number}"))
        layer.norm.running_var.fill_(1 - layer.norm.eps)
    for name in ("foods", "dishes", "food"):
        if name + "_w" in weights:
            getattr(network, name).weight.copy_(tensor(name + "_w"))
            getattr(network, name).bias.copy_(tensor(name + "_b"))


@torch.no_grad()
def settle_norms(network, pictures):
    """Sets the statistics of every batch norm to those of these images without changing the outputs."""
    def hook(layer, _, out):
        mean, var = out.float().mean((0, 2, 3)), out.float().var((0, 2, 3))
        norm = layer_of[layer].norm
        scale = norm.weight / (norm.running_var + norm.eps).sqrt()
        shift = norm.bias - norm.running_mean * scale
        norm.running_mean.copy_(mean)
        norm.running_var.copy_(var)
        norm.weight.copy_(scale * (var + norm.eps).sqrt())
        norm.bias.copy_(shift + mean * scale)
    layer_of = {layer.conv: layer for layer in network.layers}
    hooks = [layer.conv.register_forward_hook(hook) for layer in network.layers]
    network.eval()
    network(pictures)
    for one in hooks:
        one.remove()


@torch.no_grad()
def folded(network):
    """Returns the weights with folded batch norms, by name."""
    out = {}
    for number, layer in enumerate(network.layers):
        scale = layer.norm.weight / (layer.norm.running_var + layer.norm.eps).sqrt()
        out[f"w{number}"] = (layer.conv.weight * scale[:, None, None, None]).float().cpu().numpy()
        out[f"b{number}"] = (layer.norm.bias - layer.norm.running_mean * scale).float().cpu().numpy()
    for name in ("foods", "dishes", "food"):
        head = getattr(network, name)
        out[f"{name}_w"] = head.weight.float().cpu().numpy()
        out[f"{name}_b"] = head.bias.float().cpu().numpy()
    return out
