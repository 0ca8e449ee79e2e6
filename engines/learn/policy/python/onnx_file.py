"""A network as an ONNX file of dlshogi's shape, for other programs: names and sizes of inputs and outputs are theirs.

Written as protocol buffers field by field, so that no package is needed. Batch norms are folded; hands are planes.
"""

import numpy as np

FLOAT, OPSET, IR_VERSION = 1, 14, 7


def _varint(value):
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7f | 0x80)
        value >>= 7
    return bytes(out) + bytes([value])


def _field(number, value):
    """A number, or bytes (texts, messages)."""
    if isinstance(value, int):
        return _varint(number << 3) + _varint(value)
    data = value.encode() if isinstance(value, str) else value
    return _varint(number << 3 | 2) + _varint(len(data)) + data


def _tensor(name, values):
    values = np.ascontiguousarray(values, "<f4")
    dimensions = b"".join(_field(1, size) for size in values.shape)
    return _field(5, dimensions + _field(2, FLOAT) + _field(8, name) + _field(9, values.tobytes()))


def _value(name, sizes):
    shape = _field(1, _field(2, "batch_size")) + b"".join(_field(1, _field(1, size)) for size in sizes)
    return _field(1, name) + _field(2, _field(1, _field(1, FLOAT) + _field(2, shape)))


def _whole(name, value):
    return _field(5, _field(1, name) + _field(3, value) + _field(20, 2))


def _list(name, values):
    return _field(5, _field(1, name) + b"".join(_field(8, value) for value in values) + _field(20, 7))


class _Graph:
    def __init__(self):
        self.data, self.count = b"", 0

    def constant(self, values):
        self.count += 1
        self.data += _tensor(f"w{self.count}", values)
        return f"w{self.count}"

    def node(self, op, inputs, output="", attributes=b""):
        self.count += 1
        output = output or f"x{self.count}"
        self.data += _field(1, b"".join(_field(1, name) for name in inputs) + _field(2, output) +
                            _field(3, f"{op}_{self.count}") + _field(4, op) + attributes)
        return output

    def convolution(self, x, weights, bias=None):
        size = weights.shape[2]
        names = [x, self.constant(weights)] + ([] if bias is None else [self.constant(bias)])
        return self.node("Conv", names, attributes=_list("kernel_shape", [size, size]) +
                         _list("pads", [size // 2] * 4))

    def dense(self, x, weights, bias):
        return self.node("Gemm", [x, self.constant(weights), self.constant(bias)], attributes=_whole("transB", 1))


def to_onnx(shape, tensors):
    """The bytes of a file."""
    graph = _Graph()

    def layer(name, x):
        return graph.convolution(x, tensors[f"{name}.weights"], tensors[f"{name}.bias"])
    board = layer("planes", "input1")
    hands = graph.convolution("input2", tensors["scalars.weights"][:, :, None, None])
    x = graph.node("Relu", [graph.node("Add", [board, hands])])
    for block in range(1, shape.blocks + 1):
        inner = graph.node("Relu", [layer(f"block {block}.first", x)])
        x = graph.node("Relu", [graph.node("Add", [layer(f"block {block}.second", inner), x])])
    policy = graph.convolution(x, tensors["policy.weights"][:, :, None, None])
    flat = graph.node("Flatten", [policy], attributes=_whole("axis", 1))
    graph.node("Add", [flat, graph.constant(tensors["policy.bias"])], "output_policy")
    maps = graph.convolution(x, tensors["value.weights"][:, :, None, None], tensors["value.bias"])
    value = graph.node("Relu", [maps])
    flat = graph.node("Flatten", [value], attributes=_whole("axis", 1))
    hidden = graph.node("Relu", [graph.dense(flat, tensors["value hidden.weights"], tensors["value hidden.bias"])])
    out = graph.dense(hidden, tensors["value out.weights"], tensors["value out.bias"])
    graph.node("Sigmoid", [out], "output_value")
    ends = _field(2, "policy")
    for name, channels in ("input1", shape.planes), ("input2", shape.scalars):
        ends += _field(11, _value(name, [channels, shape.edge, shape.edge]))
    ends += _field(12, _value("output_policy", [shape.policy_planes * shape.edge ** 2]))
    ends += _field(12, _value("output_value", [1]))
    return _field(1, IR_VERSION) + _field(2, "fuhyo") + _field(7, graph.data + ends) + _field(8, _field(2, OPSET))
