"""Files of samples (*.samples; engines/learn/policy/sample_file.h has the format), read into arrays at once."""

import numpy as np

import positions

MAGIC, VERSION, LONGEST_TEXT = b"FuhyoPS\n", 1, 1 << 16
NO_SCORE, NO_RESULT = -32768, 255
SAMPLE = np.dtype([("position", "u1", 32), ("move", "<u2"), ("score", "<i2"), ("result", "u1"), ("nothing", "u1"),
                   ("ply", "<u2")])


class BadFile(ValueError):
    pass


def _crc32c_tables():
    """Tables for eight bytes at a time."""
    table = np.arange(256, dtype=np.uint32)
    for _ in range(8):
        table = (table >> 1) ^ np.where(table & 1, np.uint32(0x82f63b78), np.uint32(0))
    return table


def _times_zeros(crc_of_bit, length):
    """The matrix (32 columns) of what `length` zero bytes behind do to a checksum, by squaring that of one byte."""
    def apply(matrix, vector):
        bits = (vector[:, None] >> np.arange(32, dtype=np.uint32)) & 1
        return np.bitwise_xor.reduce(np.where(bits, matrix[None, :], np.uint32(0)), 1)
    result = np.uint32(1) << np.arange(32, dtype=np.uint32)
    power = crc_of_bit
    while length:
        if length & 1:
            result = apply(power, result)
        power = apply(power, power)
        length >>= 1
    return result


def crc32c(data):
    """CRC-32C (Castagnoli). Many parts of the bytes at once, put together at the end: a loop of Python over bytes would
    take minutes for a file of samples."""
    table = _crc32c_tables()
    bits = np.uint32(1) << np.arange(32, dtype=np.uint32)
    one_byte = (bits >> 8) ^ table[bits & 0xff]
    data = np.frombuffer(data, np.uint8)
    lanes = min(1 << 14, max(1, len(data) // 64))
    length = len(data) // lanes
    rows = data[:lanes * length].reshape(lanes, length).T.copy()
    sums = np.zeros(lanes, np.uint32)
    sums[0] = 0xffffffff
    for row in rows:
        sums = (sums >> 8) ^ table[(sums ^ row) & 0xff]
    matrix, total = _times_zeros(one_byte, length), sums[:1]
    for lane in range(1, lanes):
        chosen = matrix[(total[0] >> np.arange(32, dtype=np.uint32) & 1).astype(bool)]
        total = sums[lane:lane + 1] ^ (np.bitwise_xor.reduce(chosen) if len(chosen) else np.uint32(0))
    for byte in data[lanes * length:]:
        total = (total >> 8) ^ table[(total ^ byte) & 0xff]
    return int(total[0] ^ np.uint32(0xffffffff))


def read_samples(file):
    """(samples as an array of SAMPLE, how they were made, their checksum). BadFile says what is wrong."""
    with open(file, "rb") as source:
        data = source.read()

    def wrong(what):
        return BadFile(f"{file}: {what}")

    def number(at, size):
        return int.from_bytes(data[at:at + size], "little")
    head = len(MAGIC) + 8
    if not data.startswith(MAGIC):
        raise wrong("no file of samples")
    if len(data) < head:
        raise wrong("it ends within its head")
    if number(len(MAGIC), 4) != VERSION:
        raise wrong(f"its version is {number(len(MAGIC), 4)}, {VERSION} is read")
    length = number(len(MAGIC) + 4, 4)
    if length > LONGEST_TEXT:
        raise wrong(f"its text has {length} bytes, at most {LONGEST_TEXT} are read")
    if len(data) < head + length + 12:
        raise wrong("it ends within its head")
    count, first = number(head + length, 8), head + length + 8
    room = len(data) - first - 4
    if room != count * SAMPLE.itemsize:
        raise wrong(f"it says that it has {count} samples of {SAMPLE.itemsize} bytes, and has {room} bytes for them")
    computed, written = crc32c(data[:-4]), number(len(data) - 4, 4)
    if computed != written:
        raise wrong(f"it is damaged: its checksum is {computed:08x} where {written:08x} is written")
    samples = np.frombuffer(data, SAMPLE, count, first)
    bad = (samples["nothing"] != 0) | ((samples["result"] > 2) & (samples["result"] != NO_RESULT))
    if bad.any():
        raise wrong(f"sample {int(np.argmax(bad))} says what no sample says")
    return samples, data[head:head + length].decode("utf-8", "replace"), computed


def write_samples(file, made_by, samples):
    """The same file again, byte for byte."""
    text = made_by.encode()[:LONGEST_TEXT]
    data = (MAGIC + VERSION.to_bytes(4, "little") + len(text).to_bytes(4, "little") + text +
            len(samples).to_bytes(8, "little") + np.ascontiguousarray(samples, SAMPLE).tobytes())
    with open(file, "wb") as target:
        target.write(data + crc32c(data).to_bytes(4, "little"))


def value_targets(samples, lam):
    """lam sigmoid(score / 600) + (1 - lam) result; what is known of the two; NaN if nothing is."""
    score = 1 / (1 + np.exp(-samples["score"].astype(np.float64) / 600))
    result = samples["result"] / 2
    scored, known = samples["score"] != NO_SCORE, samples["result"] != NO_RESULT
    both = lam * score + (1 - lam) * result
    return np.where(scored & known, both, np.where(scored, score, np.where(known, result, np.nan))).astype(np.float32)


def examples(samples, lam):
    """What a network is shown and should say: planes, scalars, legal labels [n, 2187], the played label, the value
    (NaN: unknown). ValueError for a sample whose move is not legal."""
    board, hands, white = positions.unpack(samples["position"])
    views = positions.Views(board)
    planes, scalars = positions.inputs(board, hands, views)
    legal = positions.legal_labels(board, hands, views)
    label = positions.labels_of(samples["move"], white)
    rows = np.arange(len(samples))
    good = label >= 0
    good[good] = legal.reshape(len(samples), -1)[rows[good], label[good]]
    if not good.all():
        index = int(np.argmin(good))
        raise positions.BadPosition(index, f"its move {samples['move'][index]:#06x} is not legal")
    return planes, scalars, legal.reshape(len(samples), -1), label, value_targets(samples, lam)
