"""Spectators by thousands: processes of the load client (bench_load --follow), and when they had each move."""

import json
import subprocess
from array import array

from before_nodes import CLEAR
from children import dying_with_us
from measures import share


class Followers:
    """So many of them, at the places of `ground`, follow the next games through its proxy when this is made. `accept`:
    a coding."""

    def __init__(self, options, ground, games, count, accept):
        self.folder, self.processes, self.figures = ground.folder, [], []
        next_game = len(ground.witness.games) + 1
        numbers = ",".join(map(str, range(next_game, next_game + games)))
        shares = [count // len(ground.loaders) + (number < count % len(ground.loaders))
                  for number in range(len(ground.loaders))]
        for number, (place, some) in enumerate(zip(ground.loaders, shares)):
            if some == 0:
                continue
            words = [*dying_with_us(), *place.words(), options.bin / "bench_load", "--host", ground.proxy.address,
                     "--port", CLEAR, "--follow", some, "--path", f"/api/v1/events?games={numbers}", "--back-ms",
                     options.back_ms, "--arrivals", self.file(number), "--setup", 300]
            words += ["--accept", accept] if accept else []
            self.processes.append(subprocess.Popen(list(map(str, words)), stdin=subprocess.PIPE,
                                                   stdout=subprocess.PIPE, text=True))
        for process in self.processes:
            if process.stdout.readline() != "ready\n":
                raise SystemExit(f"the load client ended with {process.wait()}")

    def file(self, number):
        return self.folder / f"arrivals{number}"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for process in self.processes:
            process.kill()
            process.wait()
            process.stdin.close()
            process.stdout.close()

    def finish(self, moves):
        """When each has had so many moves; 0: when nothing comes any more."""
        for process in self.processes:
            process.stdin.write(str(moves))
            process.stdin.close()
        self.figures = [json.loads(process.stdout.readline()) for process in self.processes]

    def sum(self, key):
        return sum(figures[key] for figures in self.figures)

    def back_s(self, since_ns):
        """When each of those who were cut followed again."""
        return sorted((at - since_ns) / 1e9 for figures in self.figures for at in figures["back_ns"])

    def arrivals(self):
        """(id of the event of a move, nanoseconds of the steady clock when one had it)"""
        for number, _ in enumerate(self.processes):
            values = array("q")
            values.frombytes(self.file(number).read_bytes())
            yield from zip(values[0::2], values[1::2])


class Lateness:
    """How late the moves came that were to be sent at `due` ({id: nanoseconds}), in ms."""

    def __init__(self, arrivals, due):
        self.each, last = [], {}
        for event, at in arrivals:
            late = (at - due[event]) / 1e6
            self.each.append(late)
            last[event] = max(late, last.get(event, late))
        self.each.sort()
        self.last = sorted(last.values())


def percentiles(values, *parts):
    return ", ".join(f"{share(values, part):.0f}" for part in parts)
