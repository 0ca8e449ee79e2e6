"""Boards of shogi for many positions at a time, with numpy: hcp (engines/record/hcp.h) and SFEN unpacked.

Boards are arrays [positions, 9 files, 9 ranks] as the side to move sees them: it goes towards rank 0, and for White
everything is turned round. Kinds: 1 pawn, lance, knight, silver, bishop, rook, 7 gold, 8 king, 9 promoted pawn, lance,
knight, silver, 13 horse, 14 dragon; the opponent's are THEIRS more.
"""

import re

import numpy as np

PAWN, LANCE, KNIGHT, SILVER, BISHOP, ROOK, GOLD, KING = range(1, 9)
PROMOTED = 8  # more than the kind that was promoted; gold and king have none
THEIRS = 14


class BadPosition(ValueError):
    """Says which of many positions is none, and why."""

    def __init__(self, index, why):
        super().__init__(f"position {index}: {why}")
        self.index = index


# ---- hcp ----

# Codes, lowest bit first, and their lengths; then comes a bit for the colour, and one for promotion (not of gold).
_CODES = {PAWN: ((0x01, 2), (0x00, 2), (0x02, 3)), LANCE: ((0x03, 4), (0x01, 4), (0x09, 5)),
          KNIGHT: ((0x07, 4), (0x03, 4), (0x0b, 5)), SILVER: ((0x0b, 4), (0x05, 4), (0x0d, 5)),
          BISHOP: ((0x1f, 6), (0x1f, 6), (0x0f, 7)), ROOK: ((0x3f, 6), (0x3f, 6), (0x2f, 7)),
          GOLD: ((0x0f, 5), (0x07, 4), (0x1d, 5))}
_SET = [0, 18, 4, 4, 4, 2, 2, 4]  # pieces of a kind in a set


def _lookups():
    """What the next eight bits say: the piece (0: none) and the length of its code (0: no code begins so)."""
    board, hand = np.zeros((256, 2), np.int16), np.zeros((256, 2), np.int16)

    def enter(table, bits, length, piece):
        table[bits::1 << length] = piece, length
    enter(board, 0, 1, 0)
    for kind, (on_board, in_hand, in_box) in _CODES.items():
        for side in 0, 1:
            bits, length = on_board[0] | side << on_board[1], on_board[1] + 1
            piece = kind + THEIRS * side
            if kind == GOLD:
                enter(board, bits, length, piece)
            else:
                enter(board, bits, length + 1, piece)
                enter(board, bits | 1 << length, length + 1, piece + PROMOTED)
            enter(hand, in_hand[0] | side << in_hand[1], in_hand[1] + 1, piece)
            enter(hand, in_box[0] | side << in_box[1], in_box[1] + 1, 0)
    return board, hand


_ON_BOARD, _IN_HAND = _lookups()


def _fail_where(bad, why):
    if bad.any():
        raise BadPosition(int(np.argmax(bad)), why)


def unpack(hcp):
    """hcp [n, 32] of bytes -> boards [n, 9, 9], hands [n, 2, 8] (own first), whether White is to move [n].

    Raises BadPosition for bytes that hold no position. What positions of games cannot be (two pawns on a file, a king
    that can be taken) is not looked for."""
    hcp = np.ascontiguousarray(hcp, np.uint8).reshape(-1, 32)
    count, rows = len(hcp), np.arange(len(hcp))
    stream = np.zeros((count, 36), np.int32)  # a byte and the next one
    stream[:, :32] = hcp
    stream[:, :31] |= hcp[:, 1:].astype(np.int32) << 8
    at = np.zeros(count, np.int64)

    def peek():
        return stream[rows, np.minimum(at >> 3, 33)] >> (at & 7) & 0xff
    white = (peek() & 1).astype(bool)
    at += 1
    board, kings = np.zeros((count, 81), np.int16), []
    for side in 0, 1:
        square = peek() & 0x7f
        at += 7
        _fail_where(square > 81, "a king stands beside the board")
        there = square < 81
        board[rows[there], square[there]] = KING + THEIRS * side
        kings.append(square)
    _fail_where((kings[0] == kings[1]) & (kings[0] < 81), "both kings stand on one square")
    for square in range(81):
        piece, length = _ON_BOARD[peek()].T
        is_king = board[:, square] > 0
        _fail_where((length == 0) & ~is_king, "a square holds no known piece")
        board[:, square] = np.where(is_king, board[:, square], piece)
        at += np.where(is_king, 0, length)
    hands = np.zeros((count, 2, 8), np.int16)
    while (at < 256).any():
        piece, length = _IN_HAND[peek()].T
        left = at < 256
        _fail_where((length == 0) & left, "a hand holds no known piece")
        held = left & (piece > 0)
        np.add.at(hands, (rows[held], (piece[held] > THEIRS).astype(int), (piece[held] - 1) % THEIRS + 1), 1)
        at += np.where(left, length, 0)
    kinds = np.where(board > 0, (board - 1) % THEIRS + 1, 0)
    kinds = np.where((kinds > KING), kinds - PROMOTED, kinds)
    for kind in range(PAWN, KING):
        _fail_where((kinds == kind).sum(1) + hands[:, :, kind].sum(1) > _SET[kind], "more pieces than a set has")
    board[white] = swapped(board[white, ::-1])
    hands[white] = hands[white, ::-1]
    return board.reshape(count, 9, 9), hands, white


def from_sfen(sfen):
    """Board [1, 9, 9], hands [1, 2, 8] and whether White is to move [1] of a position that is taken to be one."""
    rows, turn, held = sfen.split()[:3]
    board, hands = np.zeros((1, 9, 9), np.int16), np.zeros((1, 2, 8), np.int16)

    def kind_of(letter):
        return "PLNSBRGK".index(letter.upper()) + 1
    for rank, row in enumerate(rows.split("/")):
        file, promoted = 8, 0
        for letter in row:
            if letter == "+":
                promoted = PROMOTED
            elif letter.isdigit():
                file -= int(letter)
            else:
                board[0, file, rank] = kind_of(letter) + promoted + (THEIRS if letter.islower() else 0)
                file, promoted = file - 1, 0
    for count, letter in re.findall(r"(\d*)([A-Za-z])", held):
        hands[0, int(letter.islower()), kind_of(letter)] = int(count or 1)
    if turn == "w":
        board, hands = swapped(board[:, ::-1, ::-1]), hands[:, ::-1]
    return board, hands, np.array([turn == "w"])


def swapped(board):
    """The pieces' owners exchanged."""
    return np.where(board > THEIRS, board - THEIRS, np.where(board > 0, board + THEIRS, 0)).astype(board.dtype)
