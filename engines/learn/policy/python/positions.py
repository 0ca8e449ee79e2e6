"""Positions of shogi for many at a time, with numpy: dlshogi's input planes, labels of all legal moves.

What engines/record/hcp.h and engines/mcts/shogi (planes.h, labels.h) say, written a second time for arrays; these are
the definition. Boards are those of boards.py.
"""

import numpy as np

from boards import (BISHOP, GOLD, KING, KNIGHT, LANCE, PAWN, PROMOTED, ROOK, SILVER, THEIRS, BadPosition, from_sfen,
                    swapped, unpack)

__all__ = ["BadPosition", "PROMOTED", "from_sfen", "unpack"]  # for those who know positions only by this

PLANES, SCALARS, WAYS, LABELS = 62, 57, 27, 2187
HORSE, DRAGON = 13, 14

# Ways to move, as steps of file and rank: eight along lines, then the knight's two.
STEPS = [(0, -1), (1, -1), (-1, -1), (1, 0), (-1, 0), (0, 1), (1, 1), (-1, 1), (1, -2), (-1, -2)]
LINES, BOARD_WAYS, FIRST_DROP = 8, 10, 20
OPPOSITE = [STEPS.index((-f, -r)) for f, r in STEPS[:LINES]]
MIRRORED = [STEPS.index((-f, r)) for f, r in STEPS]
MIRRORED_WAYS = MIRRORED + [BOARD_WAYS + way for way in MIRRORED] + list(range(FIRST_DROP, WAYS))
_GOLD_STEPS = {0, 1, 2, 3, 4, 5}
_STEPPERS = {PAWN: {0}, SILVER: {0, 1, 2, 6, 7}, GOLD: _GOLD_STEPS, KING: set(range(LINES)), 9: _GOLD_STEPS,
             10: _GOLD_STEPS, 11: _GOLD_STEPS, 12: _GOLD_STEPS, HORSE: {0, 3, 4, 5}, DRAGON: {1, 2, 6, 7}}
_RIDERS = {LANCE: {0}, BISHOP: {1, 2, 6, 7}, HORSE: {1, 2, 6, 7}, ROOK: {0, 3, 4, 5}, DRAGON: {0, 3, 4, 5}}
# Pieces in hand as inputs: kind, and how many are counted at most.
HAND = [(PAWN, 8), (LANCE, 4), (KNIGHT, 4), (SILVER, 4), (GOLD, 4), (BISHOP, 2), (ROOK, 2)]


def _bit(piece):
    return 1 << (piece - 1)


# A square's pieces, or the pieces that reach it, as bits: 28 kinds, and marks that travel with a piece.
_OWN, _THEIR = (1 << THEIRS) - 1, ((1 << THEIRS) - 1) << THEIRS
_FROM_ZONE, _SIGHT = 1 << 28, 1 << 29  # it may promote, as it comes from the zone; a line from the own king


def _bits_along(movers, way):
    """Bits of the pieces of both sides that move `way`, as the side to move sees it."""
    turned = OPPOSITE[way]
    turned = MIRRORED[turned]  # theirs go the other way; left and right are alike
    return (sum(_bit(kind) for kind, ways in movers.items() if way in ways) |
            sum(_bit(kind + THEIRS) for kind, ways in movers.items() if turned in ways))


STEP_BITS = [_bits_along(_STEPPERS, way) for way in range(LINES)]
RIDE_BITS = [_bits_along(_RIDERS, way) | _SIGHT for way in range(LINES)]


# ---- what pieces reach ----

def _shift(maps, step):
    out = np.zeros_like(maps)
    files, ranks = step
    out[:, max(files, 0):9 + min(files, 0), max(ranks, 0):9 + min(ranks, 0)] = (
        maps[:, max(-files, 0):9 + min(-files, 0), max(-ranks, 0):9 + min(-ranks, 0)])
    return out


def _along(bits, blank, way):
    """The bits of whoever reaches each square `way`: at most one piece, and the own king's line of sight."""
    reach = _shift(bits & np.uint32(STEP_BITS[way] | _FROM_ZONE), STEPS[way])
    # A mark without its piece is none.
    reach[(reach & np.uint32(_OWN | _THEIR)) == 0] = 0
    riders = bits & np.uint32(RIDE_BITS[way] | _FROM_ZONE)
    riders[(riders & np.uint32(RIDE_BITS[way])) == 0] = 0
    for _ in range(8):
        riders = _shift(riders, STEPS[way])
        if not riders.any():
            break
        reach |= riders
        riders &= blank
    return reach


class Views:
    """Boards, and which pieces reach which squares along which way."""

    def __init__(self, board):
        self.board = board
        pieces = np.where(board > 0, np.uint32(1) << np.maximum(board - 1, 0).astype(np.uint32), 0).astype(np.uint32)
        own = (pieces & np.uint32(_OWN)) != 0
        pieces[:, :, :3] |= np.where(own[:, :, :3], np.uint32(_FROM_ZONE), np.uint32(0))
        pieces |= np.where(board == KING, np.uint32(_SIGHT), np.uint32(0))
        self.pieces, self.own, self.empty = pieces, own, board == 0
        self.blank = np.where(self.empty, np.uint32(0xffffffff), np.uint32(0))
        self.lines = [_along(pieces, self.blank, way) for way in range(LINES)]
        knights, theirs = pieces & np.uint32(_bit(KNIGHT) | _FROM_ZONE), pieces & np.uint32(_bit(KNIGHT + THEIRS))
        knights[(knights & np.uint32(_bit(KNIGHT))) == 0] = 0
        self.knights = [_shift(knights, step) for step in STEPS[LINES:]]
        self.their_knights = [_shift(theirs, (files, -ranks)) for files, ranks in STEPS[LINES:]]
        self.king = board == KING

    def reaches(self):
        return self.lines + self.knights + self.their_knights

    def in_check(self):
        return self.checks().any(1)

    def checks(self):
        """[n, 10]: whether the own king is attacked along each line, and by each of two knights."""
        ways = self.lines + self.their_knights
        return np.stack([(((way & np.uint32(_THEIR)) != 0) & self.king).any((1, 2)) for way in ways], 1)


def inputs(board, hands, views=None):
    """Planes [n, 62, 9, 9] of zeros and ones (bytes), and scalars [n, 57] (32-bit floats)."""
    views = views or Views(board)
    count = len(board)
    planes = np.zeros((count, PLANES, 9, 9), np.uint8)
    reached = np.zeros(board.shape, np.uint32)
    for way in views.reaches():
        reached |= way
    for side, mine in (0, _OWN), (1, _THEIR):
        first = side * PLANES // 2
        for kind in range(1, THEIRS + 1):
            piece = kind + THEIRS * side
            planes[:, first + kind - 1] = board == piece
            planes[:, first + THEIRS + kind - 1] = (reached & np.uint32(_bit(piece))) != 0
        times = np.zeros(board.shape, np.uint8)
        for way in views.reaches():
            times += (way & np.uint32(mine)) != 0
        for least in 1, 2, 3:
            planes[:, first + 2 * THEIRS + least - 1] = times >= least
    scalars, at = np.zeros((count, SCALARS), np.float32), 0
    for side in 0, 1:
        for kind, most in HAND:
            scalars[:, at:at + most] = np.arange(most) < hands[:, side, kind, None]
            at += most
    scalars[:, at] = views.in_check()
    return planes, scalars


# ---- legal moves ----

def legal_labels(board, hands, views=None, pawn_mates=True):
    """[n, 27, 9, 9]: whether each label is a legal move's. `pawn_mates`: leave out pawns dropped to give mate."""
    views = views or Views(board)
    count = len(board)
    out = np.zeros((count, WAYS, 9, 9), bool)
    checks, king = views.checks(), views.king
    attacked = np.zeros(board.shape, bool)
    for way in views.lines + views.their_knights:
        attacked |= (way & np.uint32(_THEIR)) != 0
    # Where a move ends a check: on the line to the one piece that gives it, or where that stands.
    allowed = np.ones(board.shape, bool)
    for way in range(LINES):
        checked = checks[:, way]
        allowed[checked] &= (views.lines[OPPOSITE[way]][checked] & np.uint32(_SIGHT)) != 0
    for knight in 0, 1:
        checked = checks[:, LINES + knight]
        files, ranks = STEPS[LINES + knight]
        allowed[checked] &= _shift(king[checked], (-files, ranks))
    allowed &= (checks.sum(1) < 2)[:, None, None]
    _board_moves(views, out, allowed, attacked, checks)
    _drops(views, hands, out, allowed)
    if pawn_mates:
        _forbid_pawn_mates(board, hands, out)
    return out


def _pinned(views):
    """By line: own pieces that may move along it only."""
    pins = []
    for way in range(LINES):
        rider = (views.lines[way] & np.uint32(RIDE_BITS[way] & _THEIR)) != 0
        seen = (views.lines[OPPOSITE[way]] & np.uint32(_SIGHT)) != 0
        pins.append(views.own & ~views.king & rider & seen)
    return pins


def _board_moves(views, out, allowed, attacked, checks):
    pins = _pinned(views)
    anywhere = np.logical_or.reduce(pins)
    stays = np.nonzero(anywhere.any((1, 2)))[0]  # positions with a pinned piece
    for way in range(BOARD_WAYS):
        reach = (views.lines + views.knights)[way]
        mine = (reach & np.uint32(_OWN)) != 0
        mine &= ~views.own
        by_king = (reach & np.uint32(_bit(KING))) != 0
        moves = mine & ~by_king & allowed
        if len(stays):
            moves[stays] &= ~_held_back(views, pins, anywhere, stays, way)
        if way < LINES:
            # A rider that gives check along this line reaches beyond the king.
            beyond = (((views.lines[way] & np.uint32(RIDE_BITS[way] & _THEIR)) != 0) & views.king).any((1, 2))
            out[:, way] |= mine & by_king & ~attacked & ~beyond[:, None, None]
        promotable = (reach & np.uint32(sum(_bit(kind) for kind in range(PAWN, GOLD)))) != 0
        zone = (reach & np.uint32(_FROM_ZONE)) != 0
        zone[:, :, :3] = True
        out[:, BOARD_WAYS + way] = moves & promotable & zone
        stuck = (reach & np.uint32(_bit(PAWN) | _bit(LANCE) | _bit(KNIGHT))) != 0  # ... once it is on the last rank
        stuck[:, :, 1] &= (reach[:, :, 1] & np.uint32(_bit(KNIGHT))) != 0
        stuck[:, :, 2:] = False
        out[:, way] |= moves & ~stuck


def _held_back(views, pins, anywhere, where, way):
    """Squares that pinned pieces reach `way` without being allowed to leave their line."""
    bound = anywhere[where].copy()
    if way >= LINES:
        knights = bound & (views.board[where] == KNIGHT)
        return _shift(knights, STEPS[way])
    bound &= ~(pins[way][where] | pins[OPPOSITE[way]][where])
    bits = np.where(bound, views.pieces[where], np.uint32(0))
    return (_along(bits, views.blank[where], way) & np.uint32(_OWN)) != 0


def _drops(views, hands, out, allowed):
    free = views.empty & allowed
    for kind in range(PAWN, KING):
        squares = free & (hands[:, 0, kind] > 0)[:, None, None]
        if kind in (PAWN, LANCE):
            squares[:, :, 0] = False
        if kind == KNIGHT:
            squares[:, :, :2] = False
        if kind == PAWN:
            squares &= ~(views.board == PAWN).any(2)[:, :, None]
        out[:, FIRST_DROP + kind - PAWN] = squares


def _forbid_pawn_mates(board, hands, out):
    before_king = _shift(board == KING + THEIRS, (0, 1))
    checks = out[:, FIRST_DROP] & before_king
    where = np.nonzero(checks.any((1, 2)))[0]
    if not len(where):
        return
    after = board[where].copy()
    after[checks[where]] = PAWN
    turned = swapped(after[:, ::-1, ::-1])
    mates = ~legal_labels(turned, hands[where][:, ::-1], pawn_mates=False).any((1, 2, 3))
    out[where, FIRST_DROP] &= ~(checks[where] & mates[:, None, None])


# ---- labels ----

def _way_between():
    table = np.full((81, 81), -1, np.int16)
    for start in range(81):
        for end in range(81):
            files, ranks = end // 9 - start // 9, end % 9 - start % 9
            if ranks == -2 and abs(files) == 1:
                table[start, end] = LINES + (files < 0)
            elif start != end:
                table[start, end] = STEPS.index((np.sign(files), np.sign(ranks)))
    return table


WAY_BETWEEN = _way_between()
DROPPED = 80  # the origin of a drop is this and the kind


def labels_of(moves, white):
    """Labels of moves in Apery's 16 bits; -1 for numbers that no move has."""
    moves = np.asarray(moves, np.int64)
    end, start, promotes = moves & 0x7f, moves >> 7 & 0x7f, moves >> 14 & 1
    good = (end < 81) & (start <= DROPPED + GOLD) & (moves >> 15 == 0) & ~((start > DROPPED) & (promotes > 0))
    end, origin = np.where(good, end, 0), np.where(good & (start <= DROPPED), start, 0)
    end, origin = np.where(white, 80 - end, end), np.where(white, 80 - origin, origin)
    along = WAY_BETWEEN[origin, end]
    good &= (start > DROPPED) | (along >= 0)
    way = np.where(start > DROPPED, FIRST_DROP + start - DROPPED - PAWN, along + BOARD_WAYS * promotes)
    return np.where(good, way * 81 + end, -1)


def usi_of(label, board, white):
    """The legal move of a label on one board, in USI."""
    way, square = divmod(int(label), 81)
    files, ranks = divmod(square, 9)

    def name(file, rank):
        if white:
            file, rank = 8 - file, 8 - rank
        return f"{file + 1}{'abcdefghi'[rank]}"
    if way >= FIRST_DROP:
        return f"{'PLNSBRG'[way - FIRST_DROP]}*{name(files, ranks)}"
    step = STEPS[way % BOARD_WAYS]
    file, rank = files - step[0], ranks - step[1]
    while way % BOARD_WAYS < LINES and board[file, rank] == 0:
        file, rank = file - step[0], rank - step[1]
    return name(file, rank) + name(files, ranks) + ("+" if way >= BOARD_WAYS else "")
