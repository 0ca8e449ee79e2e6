"""Games of fuhyo-cluster against fuhyo-nnue, which is also the referee."""

import collections
import os
import random
import shutil
import signal
import subprocess
import time
from pathlib import Path

from fuhyo_server import processes_of
from harm import Harm, send
from lines import Line
from talk import Fault, Timeline, Usi
from waiting import PATIENCE_S, eventually

OPENINGS = Path(__file__).resolve().parents[3] / "engines/match/openings/balanced_12.txt"
PLIES = 40
REFUSAL = "info string Error! no node is ready"
ENDINGS = ("gameover", "quit", "quit thinking", "quit pondering", "quit getting ready", "end of input", "killed")


class Bed:
    """The cluster of one game after another, its opponent, and who harms it."""

    def __init__(self, options, folder):
        self.options, self.folder = options, folder
        self.root, self.node, self.program = (folder / name for name in ("root", "node", "cluster"))
        for program, copy in (("fuhyo-nnue", self.root), ("fuhyo-nnue", self.node), ("fuhyo-cluster", self.program)):
            shutil.copy(options.bin / program, copy)
        self.openings = [line.split()[2:] for line in OPENINGS.read_text().splitlines() if line.startswith("startpos")]
        self.rival = Usi(options.bin / "fuhyo-nnue", ("Threads", 1), ("USI_Hash", 16), ("USI_OwnBook", "false"))
        self.rival.say("isready")
        self.rival.until("readyok")
        self.timeline, self.harm = Timeline(), Harm(self)
        self.cluster, self.lines, self.lot = None, [], None
        self.thought_ms, self.stopped_ms, self.told = [], [], collections.Counter()

    # ---- the game ----

    def play(self, number):
        self.lot = random.Random(f"{self.options.seed} {number}")
        self.harm.lot = random.Random(f"{self.options.seed} {number} harm")
        self.get_ready()
        moves = list(self.lot.choice(self.openings))
        own, pondered, ending = self.lot.randrange(2), None, "move limit"
        while len(moves) < PLIES:
            if len(moves) % 2 == own:
                best, ponder = self.think(moves, pondered)
                if best in ("resign", "win"):
                    if self.referee(moves) != best:
                        raise Fault(f"{best} without a reason after {' '.join(moves)}")
                    ending = best
                    pondered = None
                    break
                pondered = self.ponder(moves, best, ponder)
                moves.append(best)
            else:
                best = self.referee(moves)
                if pondered and self.lot.random() < 0.5:
                    best = pondered[-1]
                if best in ("resign", "win"):
                    ending = f"{best} of the opponent"
                    break
                moves.append(best)
        if pondered:
            self.stop()
        way = self.end()
        return f"{len(moves)} plies, {ending}; {way}"

    def get_ready(self):
        if not self.cluster:
            self.write_file()
            margin = self.options.byoyomi // 2  # a longer one is taken for that
            self.cluster = Usi(self.program, ("ClusterFile", self.folder / "cluster.toml"), ("NetworkDelay", margin),
                               ("NetworkDelay2", margin), ("RoundUpToFullSecond", "false"),
                               ("MinimumThinkingTime", 100), timeline=self.timeline)
        self.cluster.say("isready")
        self.until_ready()
        self.cluster.say("usinewgame")

    def write_file(self):
        lot, nodes = self.lot, self.lot.randint(2, 4)
        for line in self.lines:
            line.close()
        self.lines = [Line(f"fy{os.getpid()}n{k}", self.node) for k in range(1, nodes)] if self.options.net else []
        text = (f"[cluster]\nexchange = '{lot.choice(('lines', 'depth', 'off'))}'\nexchange_depth = 4\nlist_ms = 50\n"
                f"split = {lot.choice(('true', 'false'))}\nponder_replies = {lot.randint(1, 4)}\n")
        for k in range(nodes):
            role = "root" if k == 0 else lot.choice(("search", "mate")) if k == 3 else "search"
            command = self.root if k == 0 else self.lines[k - 1].command if self.lines else self.node
            text += f"[[node]]\nname = 'n{k}'\nrole = '{role}'\ncommand = '{command}'\nmemory = 16\n"
        (self.folder / "cluster.toml").write_text(text, "utf-8")
        self.told[f"starts with {nodes} nodes"] += 1

    def referee(self, moves):
        """The opponent's reply; a Fault if the last move is illegal."""
        self.rival.say(f"position startpos moves {' '.join(moves)}", "go nodes 400")
        line = self.rival.until("bestmove")[1]
        complaint = [told for told in list(self.rival.told)[-30:] if "Error" in told]
        if complaint:
            raise Fault(f"illegal: {complaint[-1]}")
        return line.split()[1]

    # ---- questions ----

    def clock(self):
        return f"btime 0 wtime 0 byoyomi {self.options.byoyomi}"

    def ask(self, *lines):
        """The moment at which it is asked; faults are drawn for the time in which it answers."""
        self.harm.plan(0.6 * self.options.byoyomi / 1000)  # a little longer than it thinks
        self.cluster.say(*lines)
        return time.monotonic()

    def answer(self, word="bestmove"):
        """Its moment and its words. Sometimes `isready` or `stop` comes in between."""
        seen, asked, draw = {"readyok": 0}, 0, self.lot.random()
        if draw < 0.15:
            self.timeline.rest(self.lot.uniform(0, self.options.byoyomi / 2000))
            self.cluster.say("isready" if draw < 0.1 else "stop")
            asked = draw < 0.1
            self.told["isready while it thinks" if asked else "stop while it thinks"] += 1
        moment, line = self.cluster.until(word, seen)
        if asked and not seen["readyok"]:
            self.until_ready()
        return moment, line.split()

    def until_ready(self):
        """If all its nodes are killed while it gets ready, it says so, and is asked again."""
        while self.cluster.until("readyok", refusal=REFUSAL)[1] == REFUSAL:
            self.told["all gone while it gets ready"] += 1
            self.timeline.forget(self.harm.strike)
            self.cluster.say("isready")

    def think(self, moves, pondered):
        position = f"position startpos moves {' '.join(moves)}"
        if pondered == moves:
            self.told["ponderhit"] += 1
            begun = self.ask("ponderhit")
        else:
            if pondered:
                self.stop()
            self.other_questions(position)
            begun = self.ask(position, f"go {self.clock()}")
        moment, words = self.answer()
        took_ms = (moment - begun) * 1000
        self.thought_ms.append(took_ms)
        if took_ms > self.options.byoyomi and not self.options.quick:
            raise Fault(f"{took_ms:.0f} ms for a move")
        if words[1] not in ("resign", "win"):
            self.referee([*moves, words[1]])
        return words[1], words[3] if len(words) > 3 else None

    def other_questions(self, position):
        draw = self.lot.random()
        if draw < 0.05:
            self.ask(position, "go infinite")
            self.timeline.rest(self.lot.uniform(0, 0.5))
            self.stop()
            self.told["go infinite"] += 1
        elif draw < 0.1:
            self.ask(position, "go mate 300")
            self.cluster.until("checkmate")
            self.told["go mate"] += 1

    def ponder(self, moves, best, reply):
        """The position that it ponders from now on."""
        if not reply or self.lot.random() < 0.3:
            return None
        self.referee([*moves, best, reply])
        self.ask(f"position startpos moves {' '.join((*moves, best, reply))}", f"go ponder {self.clock()}")
        if self.lot.random() < 0.1:
            self.cluster.say("isready")
            self.until_ready()
            self.told["isready while it ponders"] += 1
        self.timeline.rest(self.lot.uniform(0, 0.4))
        return [*moves, best, reply]

    def stop(self):
        begun = time.monotonic()
        self.cluster.say("stop")
        moment, _ = self.cluster.until("bestmove")
        self.stopped_ms.append((moment - begun) * 1000)
        self.told["stop"] += 1

    # ---- the end ----

    def end(self):
        way = self.lot.choice(ENDINGS)
        self.told[way] += 1
        if way == "gameover":
            self.cluster.say("gameover draw")
            return way
        if way == "quit thinking":
            self.cluster.say("position startpos", "go infinite")
        elif way == "quit pondering":
            self.cluster.say("position startpos moves 7g7f 3c3d", f"go ponder {self.clock()}")
        elif way == "quit getting ready":
            self.cluster.say("isready")
        self.timeline.rest(self.lot.uniform(0, 0.3))
        self.leave(way)
        return way

    def leave(self, way):
        if way == "killed":
            self.cluster.process.kill()
        elif way == "end of input":
            self.cluster.process.stdin.close()
        else:
            self.cluster.say("quit")
        try:
            self.cluster.process.wait(PATIENCE_S)
        except subprocess.TimeoutExpired:
            raise Fault(f"it has not ended within {PATIENCE_S} s: {way}") from None
        self.cluster = None
        for line in self.lines:  # what is behind it runs on another machine: nobody ends it from here
            line.mend()
            for pid in processes_of(self.node):
                send(pid, signal.SIGCONT)
        eventually(lambda: not processes_of(self.program, self.root, self.node), f"processes are left over: {way}")

    def close(self):
        for engine in (self.cluster, self.rival):
            if engine:
                engine.end()
        for line in self.lines:
            line.close()
