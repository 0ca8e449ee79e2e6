#!/usr/bin/env python3
"""A first shogi engine in one file: it speaks USI, knows the rules, searches, and keeps its time. Needs numpy.
Read it from top to bottom: 1 the board, 2 moves, 3 legal moves, 4 evaluation, 5 search, 6 USI and time."""
import contextlib
import re
import sys
import threading
import time
from collections import Counter

import numpy as np

# ---- 1. The board: files of 11 squares, with a wall around. Black moves towards rank a, which has the lower numbers.
BLACK, WHITE, WALL = 1, -1, 15  # a piece of Black is its kind, one of White -kind; 0 is an empty square
PAWN, LANCE, KNIGHT, SILVER, BISHOP, ROOK, GOLD, KING = range(1, 9)
PROMOTED = 8  # is added to a kind: 9 is a tokin, 13 a horse, 14 a dragon
LETTERS, IN_HAND = " PLNSBRGK", range(PAWN, KING)
VALUES = [0, 90, 315, 405, 495, 855, 990, 540, 0, 540, 540, 540, 540, 945, 1395, 0]
SQUARES = [11 * file + rank for file in range(1, 10) for rank in range(1, 10)]  # 1a, 1b, ... 9i
ROW = {BLACK: [square % 11 for square in range(121)], WHITE: [10 - square % 11 for square in range(121)]}  # 1: farthest
FIRST_ROW = [1, 2, 2, 3] + [1] * 11  # of each kind: on the rows before it could never move again
START = "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1".split()

# What to add to a square for a step of Black; White's steps are the same backwards.
UP, RIGHT, DOWN, LEFT = CROSS = [-1, -11, 1, 11]
DIAGONALS, JUMPS = [UP + RIGHT, UP + LEFT, DOWN + RIGHT, DOWN + LEFT], [2 * UP + RIGHT, 2 * UP + LEFT]
GOLDS, KINGS, NONE = CROSS + DIAGONALS[:2], CROSS + DIAGONALS, []
SLIDES = [NONE, NONE, [UP], NONE, NONE, DIAGONALS, CROSS] + 6 * [NONE] + [DIAGONALS, CROSS, NONE]
STEPS = [NONE, [UP], [UP], JUMPS, [UP] + DIAGONALS, DIAGONALS, CROSS, GOLDS, KINGS] + 4 * [GOLDS] + 2 * [KINGS] + [NONE]

def to_usi(move):
    start, to, promotes = move
    name = [f"{square // 11}{' abcdefghi'[square % 11]}" for square in (max(start, 0), to)]
    return (LETTERS[-start] + "*" if start < 0 else name[0]) + name[1] + "+" * promotes

class Position:
    def __init__(self, board, hands, side):
        self.board, self.hands, self.side = board, hands, side  # hands[side][kind]: how many
        self.in_check = self.attacked(side)

    @staticmethod
    def from_sfen(board_text, side, hands_text):
        board, hands = [WALL] * 121, {BLACK: [0] * 8, WHITE: [0] * 8}
        spaced = re.sub(r"\d", lambda digit: " " * int(digit[0]), board_text)
        ranks = [re.findall(r"\+?.", rank)[::-1] for rank in spaced.split("/")]
        for square, piece in zip(SQUARES, [rank[file] for file in range(9) for rank in ranks]):
            kind = LETTERS.index(piece[-1].upper()) + PROMOTED * (len(piece) - 1)
            board[square] = kind if piece.isupper() else -kind
        for count, piece in re.findall(r"(\d*)([A-Za-z])", hands_text):
            hands[BLACK if piece.isupper() else WHITE][LETTERS.index(piece.upper())] = int(count or 1)
        return Position(board, hands, BLACK if side == "b" else WHITE)

    def attacked(self, side):
        """Whether the king of that side is: by the first piece in a direction that it moves in, too, as it sees it."""
        board, king = self.board, KING * side
        for step in KINGS + JUMPS if king in board else NONE:
            square, reach = board.index(king) + step * side, STEPS
            while not board[square] and step not in JUMPS:
                square, reach = square + step * side, SLIDES
            if board[square] * side < 0 and step in reach[abs(board[square])]:
                return True
        return False

    # ---- 2. Moves: (from, to, promotes); a drop comes from -kind -----------------------------------------------------
    def pseudo_legal_moves(self, captures_only=False):
        """All moves by the way the pieces go; some of them leave the own king attacked."""
        board, side, row, moves = self.board, self.side, ROW[self.side], []
        for start in [square for square in SQUARES if board[square] * side > 0]:
            kind = abs(board[start])
            for step in STEPS[kind]:
                to = start + step * side
                while board[to] * side <= 0 and board[to] != WALL:
                    if kind < GOLD and min(row[start], row[to]) <= 3 and (board[to] or not captures_only):
                        moves.append((start, to, True))
                    if row[to] >= FIRST_ROW[kind] and (board[to] or not captures_only):
                        moves.append((start, to, False))
                    if board[to] or step not in SLIDES[kind]:
                        break
                    to += step * side
        for kind in [kind for kind in IN_HAND if self.hands[side][kind] and not captures_only]:
            nifu = [kind == PAWN and side * PAWN in board[n:n + 11] for n in range(0, 121, 11)]  # two pawns in a file
            moves += [(-kind, to, False) for to in SQUARES
                      if not board[to] and row[to] >= FIRST_ROW[kind] and not nifu[to // 11]]
        return moves

    # ---- 3. Legal moves ----------------------------------------------------------------------------------------------
    def play(self, move):
        """The position after a move, or None if the move is illegal."""
        (start, to, promotes), side = move, self.side
        board, hands = self.board[:], {BLACK: self.hands[BLACK][:], WHITE: self.hands[WHITE][:]}
        if start < 0:
            hands[side][-start] -= 1
            board[to] = -start * side
        else:
            hands[side][abs(board[to]) % PROMOTED] += board[to] != 0
            board[to], board[start] = board[start] + PROMOTED * side * promotes, 0
        after = Position(board, hands, -side)
        pawn_check = start == -PAWN and after.in_check  # is allowed, if it does not mate
        illegal = after.attacked(side) or pawn_check and not any(map(after.play, after.pseudo_legal_moves()))
        return None if illegal else after

    def perft(self, depth):  # how many sequences of so many moves there are: known numbers prove sections 1 to 3 right
        after = [self.play(move) for move in self.pseudo_legal_moves() if depth > 0]
        return sum(p.perft(depth - 1) for p in after if p) if depth > 0 else 1

    # ---- 4. Evaluation -----------------------------------------------------------------------------------------------
    def material(self):
        in_hand = [side * kind for side in (BLACK, WHITE) for kind in IN_HAND for _ in range(self.hands[side][kind])]
        return self.side * sum(VALUES[piece] if piece > 0 else -VALUES[-piece] for piece in self.board + in_hand)

# The numbers of pieces in a network: on the board so much and the square, in a hand so much and how many come before.
ON_BOARD = [0, 90, 252, 414, 576, 900, 1224, 738, 1548, 738, 738, 738, 738, 1062, 1386]
OWN_HAND, OTHER_HAND = [0, 1, 39, 49, 59, 79, 85, 69], [0, 20, 44, 54, 64, 82, 88, 74]

class Network:
    """Of the shape 256x2-32-32. Its inputs are numbers of pieces: each together with the square of the own king
    (HalfKP), or alone, and then the kings are pieces, too (K-P)."""
    def __init__(self, path):
        with open(path, "rb") as file:
            text = file.read(int(np.fromfile(file, "<u4", 3)[2]))  # behind a version and a hash
            self.half_kp = b"HalfKP(Friend)[125388->256x2]" in text
            if not self.half_kp and b"K+P[1710->256x2]" not in text:
                raise ValueError(f"{path} is another kind of network")
            self.bias = np.fromfile(file, "<i2", 258)[2:]  # behind a hash
            self.rows = np.fromfile(file, "<i2", 256 * (81 * 1548 if self.half_kp else 1710)).reshape(-1, 256)
            file.seek(4, 1)  # another hash
            self.layers = [(np.fromfile(file, "<i4", n), np.fromfile(file, "i1", n * m).reshape(n, m).astype(np.int32))
                           for n, m in ((32, 512), (32, 32), (1, 32))]

    def inputs(self, p, side):
        """As one side sees them: White turns the board by 180 degrees."""
        board = [p.board[square] * side for square in SQUARES[::side]]
        numbers = [ON_BOARD[abs(piece)] + 81 * (piece < 0) + square for square, piece in enumerate(board)
                   if piece and not (self.half_kp and abs(piece) == KING)]
        for owner, base in ((side, OWN_HAND), (-side, OTHER_HAND)):
            numbers += [base[kind] + n for kind in IN_HAND for n in range(p.hands[owner][kind])]
        numbers += [0] * ((38 if self.half_kp else 40) - len(numbers))  # what a handicap leaves out has the number 0
        return np.array(numbers) + (1548 * (board.index(KING) if KING in board else 44) if self.half_kp else 0)

    def output(self, p):
        sums = [self.rows[self.inputs(p, side)].sum(0, np.int16) + self.bias for side in (p.side, -p.side)]
        values = np.concatenate(sums).clip(0, 127).astype(np.int32)
        for bias, weights in self.layers[:2]:
            values = (weights @ values + bias >> 6).clip(0, 127)
        return int((self.layers[2][1] @ values + self.layers[2][0])[0])

# ---- 5. Search -------------------------------------------------------------------------------------------------------
MATE, FOREVER, RESERVE_MS = 32000, float("inf"), 200  # kept back of each move, for a busy machine

class Engine:
    def __init__(self):
        self.network, self.options, self.thread = None, {"EvalFile": "nn.bin", "FV_SCALE": "16"}, None
        self.nodes, self.most, self.best_line, self.deadline, self.budget = 0, 0, [], 0, 0
        self.answer("position", ["startpos"])

    def evaluate(self, p):
        """For the side that moves; a pawn is 90. int() rounds towards 0, as other engines do; // would not."""
        return int(self.network.output(p) / int(self.options["FV_SCALE"])) if self.network else p.material()

    def promise(self, p, move, ply):
        """First what was best an iteration ago; then captures, most valuable by least valuable, and promotions."""
        start, to, promotes = move
        mover, captured = abs(p.board[start]) if start >= 0 else -start, abs(p.board[to])
        gain = VALUES[captured] + (VALUES[mover + PROMOTED] - VALUES[mover] if promotes else 0)
        return move in self.best_line[ply:ply + 1], 10 * gain - (VALUES[mover] if captured else 0)

    def negamax(self, game, depth, alpha, beta, ply):
        """With alpha-beta: (the worth of the last position for the side that moves, exact between the two; its line).
        At the end of the depth only captures go on, a few plies (quiescence); but a check is answered."""
        self.nodes += 1
        if self.nodes == self.most or time.monotonic() >= self.deadline:
            raise TimeoutError
        p = game[-1]
        quiescence = depth <= 0 and not (p.in_check and depth > -4)
        if ply and any(before.board == p.board and before.hands == p.hands for before in game[-5::-2]):
            return 0, []  # sennichite, already when a position comes back once
        best, line = self.evaluate(p) if quiescence else ply - MATE, []  # mated, unless there is a legal move
        for move in sorted(p.pseudo_legal_moves(quiescence), key=lambda move: self.promise(p, move, ply), reverse=True):
            if best >= beta or depth <= -6:
                break
            if after := p.play(move):
                value, replies = self.negamax([*game, after], depth - 1, -beta, -max(alpha, best), ply + 1)
                if -value > best:
                    best, line = -value, [move, *replies]
                    self.best_line = line if ply == 0 else self.best_line
        return best, line

    def think(self, max_depth, most, waits):  # deeper and deeper until the time or the nodes (0: any number) are up
        start, self.nodes, self.most, p = time.monotonic(), 0, most, self.game[-1]
        self.best_line = [move for move in p.pseudo_legal_moves() if p.play(move)][:1]
        with contextlib.suppress(TimeoutError):
            for depth in range(1, max_depth + 1):
                value, line = self.negamax(self.game, depth, -MATE, MATE, 0)
                ms = int(1000 * (time.monotonic() - start))
                mate = (MATE if value > 0 else -MATE) - value  # plies
                score = ("mate", mate) if abs(mate) < 1000 else ("cp", int(value * 100 / 90))
                print("info depth", depth, "score", *score, "nodes", self.nodes, "time", ms, "nps",
                      self.nodes * 1000 // (ms + 1), "pv", *map(to_usi, line), flush=True)
                if "mate" in score:
                    break
        while waits and self.deadline == FOREVER:  # an answer before `stop` or `ponderhit` would be wrong
            time.sleep(0.001)
        print("bestmove", " ponder ".join(map(to_usi, self.best_line[:2])) or "resign", flush=True)

    # ---- 6. USI and time ---------------------------------------------------------------------------------------------
    def answer(self, command, words):
        if command == "usi":
            print("id name First engine in Python\nid author you\noption name EvalFile type string default nn.bin\n"
                  "option name FV_SCALE type spin default 16 min 1 max 128\nusiok", flush=True)
        elif command == "setoption":  # name NAME value VALUE
            self.options[words[1]], self.network = " ".join(words[3:]), None
        elif command == "isready":
            try:
                self.network = Network(self.options["EvalFile"])
            except (OSError, ValueError, IndexError) as error:
                print("info string material counts:", error)
            print("readyok", flush=True)
        elif command == "position":
            self.game = [Position.from_sfen(*(words if words[0] == "sfen" else START)[1:4])]
            for word in words:
                for move in [move for move in self.game[-1].pseudo_legal_moves() if to_usi(move) == word]:
                    self.game.append(self.game[-1].play(move))
        elif command == "go":
            limits = Counter({name: int(value) for name, value in zip(words, words[1:]) if value.isdigit()})
            us = "b" if self.game[-1].side == BLACK else "w"
            added = limits["byoyomi"] + limits[us + "inc"] + limits["movetime"]
            total = limits[us + "time"] + added
            self.budget = min(limits[us + "time"] / 40 + added, total - min(RESERVE_MS, total / 2)) / 1000
            waits, ends = "ponder" in words or "infinite" in words, limits["depth"] + limits["nodes"] and not total
            self.deadline = FOREVER if waits or ends else time.monotonic() + self.budget
            self.thread = threading.Thread(target=self.think, args=(limits["depth"] or 100, limits["nodes"], waits))
            self.thread.start()
        elif command == "ponderhit":
            self.deadline = time.monotonic() + self.budget
        elif command == "eval":
            print("eval =", self.evaluate(self.game[-1]), flush=True)
        elif command == "perft":
            print(self.game[-1].perft(int(words[0])), "moves", flush=True)

engine = Engine()
for line in sys.stdin:
    command, *words = line.split() or ["nothing"]
    if command == "quit":
        break
    if command != "ponderhit" and engine.thread:  # whatever else comes ends the search
        engine.deadline = 0
        engine.thread.join()
    engine.answer(command, words)
engine.deadline = 0
