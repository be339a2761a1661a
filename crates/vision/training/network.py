"""The network: MobileNetV1 with three outputs, and the weights it starts from."""

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

STRIDES = [1, 2, 1, 2, 1, 2, 1, 1, 1, 1, 1, 2, 1]
WIDTHS = [64, 128, 128, 256, 256, 512, 512, 512, 512, 512, 512, 1024, 1024]


class Layer(nn.Module):
    """A convolution padded as TensorFlow pads it, a batch norm, a bounded ramp."""

    def __init__(self, inputs, outputs, kernel, stride, groups=1):
        super().__init__()
        self.conv = nn.Conv2d(inputs, outputs, kernel, stride, 0 if stride == 2 else kernel // 2, groups=groups, bias=False)
        self.norm = nn.BatchNorm2d(outputs, eps=1e-3, momentum=0.02)
        self.stride = stride

    def forward(self, x):
        if self.stride == 2:
            x = F.pad(x, (0, 1, 0, 1))
        return F.relu6(self.norm(self.conv(x)))


class Network(nn.Module):
    """`features` of a picture from -1 to 1, and the outputs: our foods, AIY's dishes, food or not."""

    def __init__(self, foods, dishes=2024):
        super().__init__()
        layers, width = [Layer(3, 32, 3, 2)], 32
        for stride, out in zip(STRIDES, WIDTHS):
            layers += [Layer(width, width, 3, stride, width), Layer(width, out, 1, 1)]
            width = out
        self.layers = nn.Sequential(*layers)
        self.foods = nn.Linear(1024, foods)
        self.dishes = nn.Linear(1024, dishes)
        self.food = nn.Linear(1024, 1)
        self.drop = nn.Dropout(0.1)

    def features(self, x):
        return self.layers(x).mean((2, 3))

    def forward(self, x):
        f = self.features(x)
        d = self.drop(f)
        return f, self.foods(d), self.dishes(f), self.food(d)[:, 0]


def load_aiy(network, file):
    """Takes over weights with their batch norms folded in: the same function, with a neutral batch norm."""
    weights = np.load(file)
    with torch.no_grad():
        for number, layer in enumerate(network.layers):
            layer.conv.weight.copy_(torch.from_numpy(weights[f"w{number}"].astype(np.float32)))
            layer.norm.bias.copy_(torch.from_numpy(weights[f"b{number}"].astype(np.float32)))
            layer.norm.running_var.fill_(1 - layer.norm.eps)
        network.dishes.weight.copy_(torch.from_numpy(weights["dishes_w"].astype(np.float32)))
        network.dishes.bias.copy_(torch.from_numpy(weights["dishes_b"].astype(np.float32)))


@torch.no_grad()
def load_heads(network, file):
    """Takes over our own outputs from an earlier run."""
    weights = np.load(file)
    for name in ("foods", "food"):
        getattr(network, name).weight.copy_(torch.from_numpy(weights[name + "_w"].astype(np.float32)))
        getattr(network, name).bias.copy_(torch.from_numpy(weights[name + "_b"].astype(np.float32)))


@torch.no_grad()
def settle_norms(network, pictures):
    """Gives every batch norm the statistics of these pictures without changing what the network computes."""
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
    """The weights with their batch norms folded in, by name."""
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
