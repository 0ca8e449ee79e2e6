#!/usr/bin/env python3
"""Writes the networks beside this file as PyTorch exports them, and what PyTorch computes with them.

    python3 tests/golden/onnx/make.py        needs PyTorch (Debian: python3-torch)

The networks are of dlshogi's family, narrow and short, with weights at random and batch norms as training leaves them.
NAME.txt has a line a position: the value, then the logits of every 27th label. Inputs are made by a formula, which
tests/golden/onnx_test.cpp follows too.
"""

from pathlib import Path

import torch
from torch import nn

HERE = Path(__file__).resolve().parent
CHANNELS, HIDDEN, BATCH = 12, 6, 3


class SpelledSilu(nn.Module):
    def forward(self, x):
        return x * torch.sigmoid(x)


class Squeeze(nn.Module):
    def __init__(self, act):
        super().__init__()
        self.down, self.up, self.act = nn.Conv2d(CHANNELS, 3, 1), nn.Conv2d(3, CHANNELS, 1), act

    def forward(self, x):
        return x * self.up(self.act(self.down(x.mean((2, 3), keepdim=True)))).sigmoid()


class Block(nn.Module):
    def __init__(self, act, squeeze):
        super().__init__()
        layers = []
        for _ in range(2):
            layers.append(nn.Sequential(nn.Conv2d(CHANNELS, CHANNELS, 3, padding=1, bias=False),
                                        nn.BatchNorm2d(CHANNELS)))
        self.first, self.second, self.act = layers[0], layers[1], act
        self.squeeze = Squeeze(act) if squeeze else None

    def forward(self, x):
        y = self.second(self.act(self.first(x)))
        if self.squeeze:
            y = self.squeeze(self.act(y))
        return self.act(y + x)


class BlockBefore(nn.Module):
    """A norm and an activation before each layer, as in the legacy wideresnet10."""

    def __init__(self, act):
        super().__init__()
        self.norms = nn.ModuleList(nn.BatchNorm2d(CHANNELS) for _ in range(2))
        self.layers = nn.ModuleList(nn.Conv2d(CHANNELS, CHANNELS, 3, padding=1, bias=False) for _ in range(2))
        self.act = act

    def forward(self, x):
        y = x
        for norm, layer in zip(self.norms, self.layers):
            y = layer(self.act(norm(y)))
        return y + x


class Net(nn.Module):
    def __init__(self, act, squeeze, hands, before=False):
        super().__init__()
        self.board3 = nn.Conv2d(62, CHANNELS, 3, padding=1, bias=False)
        self.board1 = nn.Conv2d(62, CHANNELS, 1, bias=False)
        self.hands = nn.Conv2d(hands, CHANNELS, 1, bias=False)
        self.norm, self.act = nn.BatchNorm2d(CHANNELS), act
        self.before = before
        self.blocks = nn.Sequential(*[BlockBefore(act) if before else Block(act, squeeze) for _ in range(2)])
        self.policy = nn.Conv2d(CHANNELS, 27, 1, bias=False)
        self.policy_bias = nn.Parameter(torch.randn(2187))
        self.value = nn.Sequential(nn.Conv2d(CHANNELS, 27, 1, bias=False), nn.BatchNorm2d(27), act, nn.Flatten(),
                                   nn.Linear(2187, HIDDEN), act, nn.Linear(HIDDEN, 1))

    def forward(self, x1, x2):
        x = self.board3(x1) + self.board1(x1) + self.hands(x2)
        # The one norm of the trunk is at its beginning, or at its end.
        x = self.act(self.norm(self.blocks(x))) if self.before else self.blocks(self.act(self.norm(x)))
        return torch.flatten(self.policy(x), 1) + self.policy_bias, torch.sigmoid(self.value(x))


def inputs(hands):
    """Bits of a multiplicative hash, as the test makes them."""
    def bit(i):
        return float((i * 2654435761 & 0xffffffff) >> 28 == 0)
    x1 = torch.tensor([bit(i) for i in range(BATCH * 62 * 81)]).reshape(BATCH, 62, 9, 9)
    x2 = torch.tensor([bit(i + 1) for i in range(BATCH * hands)]).reshape(BATCH, hands, 1, 1).repeat(1, 1, 9, 9)
    return x1, x2


def write(name, act, squeeze, hands, before=False, **options):
    torch.manual_seed(len(name))
    net = Net(act, squeeze, hands, before)
    for module in net.modules():
        if isinstance(module, nn.BatchNorm2d):
            nn.init.uniform_(module.weight, 0.5, 1.5)
            nn.init.normal_(module.bias, 0, 0.3)
            nn.init.normal_(module.running_mean, 0, 0.3)
            nn.init.uniform_(module.running_var, 0.3, 2)
    net.eval()
    x1, x2 = inputs(hands)
    with torch.no_grad():
        policy, value = net(x1, x2)
    names = ["input1", "input2", "output_policy", "output_value"]
    torch.onnx.export(net, (x1, x2), str(HERE / f"{name}.onnx"), input_names=names[:2], output_names=names[2:],
                      dynamic_axes={key: {0: "batch_size"} for key in names}, **options)
    lines = [" ".join(f"{number:.6f}" for number in [value[i].item(), *policy[i, ::27].tolist()]) for i in range(BATCH)]
    (HERE / f"{name}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    write("relu", nn.ReLU(), False, 57)
    write("silu", SpelledSilu(), False, 119)
    write("squeeze", nn.ReLU(), True, 57)
    write("squeeze_silu", SpelledSilu(), True, 57)
    write("before", nn.ReLU(), False, 57, before=True)
    write("unfolded", nn.ReLU(), False, 57, training=torch.onnx.TrainingMode.PRESERVE, do_constant_folding=False)
