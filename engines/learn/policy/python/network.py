"""Policy and value networks as data, with numpy: our container (engines/nn/INFERENCE.md), FILE.ini beside it, what a
network computes, by the definition. Plain blocks with ReLU only, norms folded: what trainings of shogi make.
"""

import contextlib
import os
import zlib
from dataclasses import astuple, dataclass

import numpy as np

import positions

MAGIC, FLOATS, HALVES = b"FUHYO-NN", 1, 2
LONGEST_REMARK, LARGEST_HALF = 4096, 65504
START = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"


class BadNetwork(ValueError):
    pass


@dataclass(frozen=True)
class Shape:
    """As files have it, in this order."""
    edge: int = 9
    planes: int = positions.PLANES
    scalars: int = positions.SCALARS
    channels: int = 64
    blocks: int = 5
    kind: int = 0        # plain
    activation: int = 0  # ReLU
    squeeze: int = 0
    policy_planes: int = positions.WAYS
    value_planes: int = 16
    value_hidden: int = 128

    def tensors(self):
        """Names and shapes, in the order of a file."""
        wide, squares = self.channels, self.edge ** 2
        out = {"planes.weights": (wide, self.planes, 3, 3), "planes.bias": (wide,),
               "scalars.weights": (wide, self.scalars)}
        for block in range(1, self.blocks + 1):
            for layer in "first", "second":
                out[f"block {block}.{layer}.weights"] = (wide, wide, 3, 3)
                out[f"block {block}.{layer}.bias"] = (wide,)
        out |= {"policy.weights": (self.policy_planes, wide), "policy.bias": (self.policy_planes * squares,),
                "value.weights": (self.value_planes, wide), "value.bias": (self.value_planes,),
                "value hidden.weights": (self.value_hidden, self.value_planes * squares),
                "value hidden.bias": (self.value_hidden,),
                "value out.weights": (1, self.value_hidden), "value out.bias": (1,)}
        return out


def replace(file, data):
    """The whole file at once. If that fails (OSError), the old one is as it was, and nothing else is left."""
    new = f"{file}.new"
    try:
        with open(new, "wb") as target:
            target.write(data)
            target.flush()
            os.fsync(target.fileno())
        os.replace(new, file)
    except OSError:
        with contextlib.suppress(OSError):
            os.remove(new)
        raise


def write_container(file, shape, tensors, remark, precision=HALVES):
    """Replaces the file. Raises BadNetwork for weights that are no numbers, or too large for 16 bits."""
    kind = np.dtype("<f2") if precision == HALVES else np.dtype("<f4")
    numbers = [precision, *astuple(shape)]
    text = remark.encode()[:LONGEST_REMARK]
    data = MAGIC + np.array([*numbers, len(text)], "<u4").tobytes() + text
    for name, size in shape.tensors().items():
        weights = np.asarray(tensors[name], np.float32)
        if weights.shape != size:
            raise BadNetwork(f"{file}: {name} is {weights.shape}, not {size}")
        if not (np.abs(weights) <= (LARGEST_HALF if precision == HALVES else np.finfo(np.float32).max)).all():
            raise BadNetwork(f"{file}: {name} holds what {kind.itemsize * 8} bits cannot")
        data += weights.astype(kind).tobytes()
    replace(file, data + zlib.crc32(data).to_bytes(4, "little"))


def read_container(file):
    """(shape, tensors by name in 32-bit floats, remark). BadNetwork says what is wrong."""
    with open(file, "rb") as source:
        data = source.read()
    head = len(MAGIC) + 4 * 13
    if not data.startswith(MAGIC) or len(data) < head:
        raise BadNetwork(f"{file}: it does not begin as a network does")
    version, *numbers, length = (int(number) for number in np.frombuffer(data, "<u4", 13, len(MAGIC)))
    shape = Shape(*numbers)
    if version not in (FLOATS, HALVES):
        raise BadNetwork(f"{file}: its version is {version}, 1 and 2 are read")
    if shape.kind or shape.activation or max(numbers) > 4096 or length > LONGEST_REMARK:
        raise BadNetwork(f"{file}: only plain blocks with ReLU are read")
    kind, at = np.dtype("<f2") if version == HALVES else np.dtype("<f4"), head + length
    sizes = shape.tensors()
    expected = at + 4 + kind.itemsize * sum(int(np.prod(size)) for size in sizes.values())
    if len(data) != expected:
        raise BadNetwork(f"{file}: it has {len(data)} bytes where its shape has {expected}")
    if zlib.crc32(data[:-4]) != int.from_bytes(data[-4:], "little"):
        raise BadNetwork(f"{file}: it is damaged: its checksum is another one")
    tensors = {}
    for name, size in sizes.items():
        count = int(np.prod(size))
        tensors[name] = np.frombuffer(data, kind, count, at).astype(np.float32).reshape(size)
        at += count * kind.itemsize
    return shape, tensors, data[head:head + length].decode("utf-8", "replace")


def rounded(tensors):
    """As a file with weights of 16 bits keeps them."""
    return {name: np.asarray(weights, np.float16).astype(np.float32) for name, weights in tensors.items()}


def fold(weights, scale, shift, mean, variance, epsilon=1e-5):
    """A layer without bias and the batch norm behind it, as weights and bias of one layer."""
    factor = scale.astype(np.float64) / np.sqrt(variance.astype(np.float64) + epsilon)
    return ((weights * factor.reshape(-1, *[1] * (weights.ndim - 1))).astype(np.float32),
            (shift - mean * factor).astype(np.float32))


def forward(shape, tensors, planes, scalars):
    """Logits [n, 2187] and chances to win [n], by the definition."""
    def relu(x):
        return np.maximum(x, 0)

    def convolve(name, x):
        weights = tensors[f"{name}.weights"]
        windows = np.lib.stride_tricks.sliding_window_view(np.pad(x, ((0, 0), (0, 0), (1, 1), (1, 1))), (3, 3), (2, 3))
        out = np.tensordot(windows, weights, ((1, 4, 5), (1, 2, 3))) + tensors[f"{name}.bias"]
        return np.moveaxis(out, 3, 1)

    def pointwise(name, x):
        return np.moveaxis(np.tensordot(tensors[f"{name}.weights"], x, (1, 1)), 0, 1)
    x = relu(convolve("planes", planes.astype(np.float32)) + (scalars @ tensors["scalars.weights"].T)[:, :, None, None])
    for block in range(1, shape.blocks + 1):
        inner = relu(convolve(f"block {block}.first", x))
        x = relu(convolve(f"block {block}.second", inner) + x)
    logits = pointwise("policy", x).reshape(len(x), -1) + tensors["policy.bias"]
    maps = relu(pointwise("value", x) + tensors["value.bias"][None, :, None, None]).reshape(len(x), -1)
    hidden = relu(maps @ tensors["value hidden.weights"].T + tensors["value hidden.bias"])
    value = (hidden @ tensors["value out.weights"].T + tensors["value out.bias"])[:, 0]
    return logits, 1 / (1 + np.exp(-value))


def opinion(shape, tensors, board, hands, white):
    """(best legal move in USI, chance to win) of one position, as positions.from_sfen() gives it."""
    planes, scalars = positions.inputs(board, hands)
    logits, chances = forward(shape, tensors, planes, scalars)
    legal = positions.legal_labels(board, hands).reshape(1, -1)
    label = int(np.argmax(np.where(legal, logits, -np.inf)[0]))
    return positions.usi_of(label, board[0], white[0]), float(chances[0])


def leave(file, shape, tensors, remark):
    """The container with weights of 16 bits, and beside it FILE.ini, which engines ask when they load the network."""
    write_container(file, shape, tensors, remark)
    move, value = opinion(shape, rounded(tensors), *positions.from_sfen(START))
    replace(f"{file}.ini",
             f"SelfTest_Position={START}\nSelfTest_Move={move}\nSelfTest_Value={value:.4f}\n".encode())
