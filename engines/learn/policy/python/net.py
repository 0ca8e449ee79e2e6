"""The network of `network.Shape` in PyTorch while it learns: batch norms unfolded, dlshogi's way to put it together."""

import numpy as np
import torch
from torch import nn
from torch.nn import functional

import network


def _convolution(inputs, outputs, size=3):
    return nn.Conv2d(inputs, outputs, size, padding=size // 2, bias=False)


class Block(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.first, self.first_norm = _convolution(channels, channels), nn.BatchNorm2d(channels)
        self.second, self.second_norm = _convolution(channels, channels), nn.BatchNorm2d(channels)
        nn.init.zeros_(self.second_norm.weight)  # a block at first gives what it is given

    def forward(self, x):
        inner = functional.relu(self.first_norm(self.first(x)))
        return functional.relu(self.second_norm(self.second(inner)) + x)


class Net(nn.Module):
    """planes [n, 62, 9, 9], scalars [n, 57] -> logits [n, 2187], and values before their sigmoid [n]."""

    def __init__(self, shape):
        super().__init__()
        self.shape = shape
        channels, squares = shape.channels, shape.edge ** 2
        self.planes, self.norm = _convolution(shape.planes, channels), nn.BatchNorm2d(channels)
        self.scalars = nn.Linear(shape.scalars, channels, bias=False)
        self.blocks = nn.Sequential(*[Block(channels) for _ in range(shape.blocks)])
        self.policy = _convolution(channels, shape.policy_planes, 1)
        self.policy_bias = nn.Parameter(torch.zeros(shape.policy_planes * squares))
        self.value, self.value_norm = _convolution(channels, shape.value_planes, 1), nn.BatchNorm2d(shape.value_planes)
        self.value_hidden = nn.Linear(shape.value_planes * squares, shape.value_hidden)
        self.value_out = nn.Linear(shape.value_hidden, 1)
        for module in self.modules():
            if isinstance(module, nn.Conv2d) and module.kernel_size == (3, 3):
                nn.init.kaiming_uniform_(module.weight, nonlinearity="relu")
        # The deviations of policy/layout.cpp; nothing but norms has a bias to begin with.
        for layer, deviation in ((self.scalars, 0.1), (self.policy, channels ** -0.5), (self.value, channels ** -0.5),
                                 (self.value_hidden, (2 / (shape.value_planes * squares)) ** 0.5),
                                 (self.value_out, shape.value_hidden ** -0.5)):
            nn.init.uniform_(layer.weight, -deviation * 3 ** 0.5, deviation * 3 ** 0.5)
        for layer in self.value_hidden, self.value_out:
            nn.init.zeros_(layer.bias)

    def forward(self, planes, scalars):
        x = functional.relu(self.norm(self.planes(planes) + self.scalars(scalars)[:, :, None, None]))
        x = self.blocks(x)
        logits = self.policy(x).flatten(1) + self.policy_bias
        hidden = functional.relu(self.value_norm(self.value(x))).flatten(1)
        return logits, self.value_out(functional.relu(self.value_hidden(hidden)))[:, 0]

    def remember(self, part):
        """How much of the norms' statistics is those of the next positions."""
        for module in self.modules():
            if isinstance(module, nn.BatchNorm2d):
                module.momentum = part

    def decayed(self):
        """Weights of layers, which may shrink; and norms and biases, which may not."""
        layers, others = [], []
        for parameter in self.parameters():
            (layers if parameter.dim() > 1 else others).append(parameter)
        return layers, others

    def tensors(self):
        """As files have them: norms folded, numpy arrays by name."""
        def array(parameter):
            return parameter.detach().float().cpu().numpy()

        def folded(layer, norm):
            return network.fold(array(layer.weight), array(norm.weight), array(norm.bias), array(norm.running_mean),
                                array(norm.running_var))
        out = {}
        out["planes.weights"], out["planes.bias"] = folded(self.planes, self.norm)
        out["scalars.weights"], _ = folded(self.scalars, self.norm)
        for number, block in enumerate(self.blocks, 1):
            for name, layer, norm in (("first", block.first, block.first_norm),
                                      ("second", block.second, block.second_norm)):
                key = f"block {number}.{name}"
                out[f"{key}.weights"], out[f"{key}.bias"] = folded(layer, norm)
        out["policy.weights"], out["policy.bias"] = array(self.policy.weight)[:, :, 0, 0], array(self.policy_bias)
        value, out["value.bias"] = folded(self.value, self.value_norm)
        out["value.weights"] = value[:, :, 0, 0]
        for name, layer in ("value hidden", self.value_hidden), ("value out", self.value_out):
            out[f"{name}.weights"], out[f"{name}.bias"] = array(layer.weight), array(layer.bias)
        return {name: np.ascontiguousarray(weights) for name, weights in out.items()}


def losses(logits, values, legal, label, target):
    """Sums over the positions: cross-entropy of the played move and the softmax over legal ones; that of values, where
    they are known; how many of the moves had the highest logit; how many values are known."""
    logits = logits.float().masked_fill(~legal, float("-inf"))
    moves = functional.cross_entropy(logits, label, reduction="sum")
    known = ~torch.isnan(target)
    value = functional.binary_cross_entropy_with_logits(values.float(), torch.nan_to_num(target), reduction="none")
    return moves, (value * known).sum(), (logits.argmax(1) == label).sum(), known.sum()
