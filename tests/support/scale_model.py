"""Spectators of a championship before web nodes behind proxies, as queues with the measured cost of an event.

Nodes and proxies are queues; what one move gives a node to write is one piece of work. The last reader of a move is the
last one of the slowest proxy. Time is a number, chance has a seed. What is left out: the network, TLS of what is sent,
pages and pictures, and that processors of one machine disturb each other (but see `spread`).
"""

import heapq
import math
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Inputs:
    """Microseconds of processor, KiB, bytes. The source stands beside each; `assumed`: nobody has measured it."""

    node_event_us: float = 15.0  # an event to a reader who asked for it; docs/figures.md, Spectators
    node_move_us: float = 44.0  # a move, whoever asks for it; one reader, busy machine
    node_back_us: float = 100.0  # who comes back and asks; assumed
    node_places: int = 10_000  # readers at once: HttpOptions::connections
    node_kib: float = 15.5  # a reader; 3,000 readers of every game, busy machine
    node_base_mib: float = 31.0  # a node without readers; the same
    proxy_event_us: float = 15.0  # assumed: as a web node, which writes it, too
    proxy_tls_us: float = 550.0  # a full handshake; docs/figures.md, Logging in
    proxy_kib: float = 32.0  # a stream; assumed (with br by nginx 1,024: a try, busy machine)
    proxy_places: int = 50_000  # streams, of two connections each; assumed
    event_bytes: float = 230.0  # a move as it is (with br 41: a try)
    told_ms: float = 10.0  # until a web node looks, at most; docs/operations/service.md, PostgreSQL
    spread: float = 0.2  # of the logarithm of a piece of work: p99 by p50 of the row with 5,000 readers
    cores: int = 4  # of a machine; a web node writes on one thread
    machine_gib: int = 16
    headroom: float = 0.6  # of processor and memory that is used at most
    last_ms: float = 400.0  # p99 of the last reader, at most


# Seconds from move to move that so many of all moves do not exceed: 14,583 moves of 117 games of engines at
# championships (the collection beside the project), cut at 200 s. The mean is 17 s.
GAPS = ((0, 0), (0.1, 1), (0.2, 1), (0.3, 2), (0.4, 6), (0.5, 11), (0.6, 16), (0.7, 22), (0.8, 28), (0.9, 38),
        (0.95, 48), (0.99, 84), (1, 200))
MEAN_GAP = sum((a[1] + b[1]) / 2 * (b[0] - a[0]) for a, b in zip(GAPS, GAPS[1:]))
BOARDS = 9  # of a wall; the hot game is one of them
HOT = 0.7  # of the readers follow the hot game alone; assumed
BACK_S = (0.5, 1.5)  # when readers of a node that died come back: the `retry` that the server says


def gap(rng):
    at = rng.random()
    low, high = next(pair for pair in zip(GAPS, GAPS[1:]) if at <= pair[1][0])
    return low[1] + (high[1] - low[1]) * (at - low[0]) / (high[0] - low[0])


def first_gap(rng):
    """Until the next move of a game that has been going on: who looks in meets long waits more often."""
    while True:
        whole = gap(rng)
        if rng.random() * GAPS[-1][1] <= whole:
            return whole * rng.random()


def moves(rng, games, seconds, pace):
    """(time, game) in order: each game a move each `pace` seconds, or (0) as games of engines do."""
    found = []
    for game in range(games):
        at = rng.uniform(0, pace) if pace else first_gap(rng)
        while at < seconds:
            found.append((at, game))
            at += pace or gap(rng)
    return sorted(found)


class Queue:
    """A processor, or several that share all work evenly. Seconds."""

    def __init__(self, processors=1, background=0.0):
        self.speed, self.free_at, self.busy = processors * max(1e-6, 1 - background), 0.0, 0.0

    def serve(self, at, work):
        """When it is done; it begins when what came before is done."""
        self.free_at = max(self.free_at, at) + work / self.speed
        self.busy += work
        return self.free_at


@dataclass
class Result:
    last_ms: list = field(default_factory=list)  # a move each: the last of the readers that were not cut
    back_s: list = field(default_factory=list)  # from the death until one follows again
    node_used: float = 0.0  # of one web node's thread, the mean
    proxy_used: float = 0.0  # of all processors of the proxies
    events_per_s: float = 0.0  # to all readers


class Fleet:
    """`everything`: all readers ask for every game, as walls do, and not for those alone that they show."""

    def __init__(self, inputs, rng, readers, nodes, proxies, games, everything=False, pace=0):
        self.inputs, self.rng, self.everything = inputs, rng, everything
        self.shown = games if everything else min(games, BOARDS)
        self.readers = [readers / nodes] * nodes
        self.pace = pace
        # Moves that nobody asks for are an even load.
        self.background = min((games - self.shown) / (pace or MEAN_GAP) * inputs.node_move_us / 1e6, 1)
        self.nodes = [Queue(1, self.background) for _ in range(nodes)]
        self.proxies = [Queue(inputs.cores) for _ in range(proxies)]
        self.gone_node = self.gone_proxy = False

    def wanting(self, readers, game):
        return readers if self.everything or game == 0 else readers * (1 - HOT)

    def some_work(self, us):
        spread = self.inputs.spread
        return us / 1e6 * math.exp(self.rng.gauss(-spread**2 / 2, spread))  # the mean stays

    def move(self, at, game, result):
        inputs, first, last, sent = self.inputs, math.inf, at, 0.0
        for number, (node, readers) in enumerate(zip(self.nodes, self.readers)):
            if number == 0 and self.gone_node:
                continue
            told = at + self.rng.uniform(0, inputs.told_ms / 1e3)
            wanting = self.wanting(readers, game)
            first = min(first, max(told, node.free_at))
            us = wanting * inputs.node_event_us + inputs.node_move_us
            last = max(last, node.serve(told, self.some_work(us)))
            sent += wanting
        end, alive = last, self.proxies[self.gone_proxy:]
        for proxy in alive:
            work = self.some_work(sent / len(alive) * inputs.proxy_event_us)
            end = max(end, proxy.serve(first, work), last + inputs.proxy_event_us / 1e6)
        result.last_ms.append((end - at) * 1e3)
        result.events_per_s += sent

    def come_back(self, at, died_at, weight, result):
        """Some readers, together, by the proxy with the least to do and the node with the fewest readers."""
        inputs, proxies = self.inputs, self.proxies[self.gone_proxy:]
        if proxies:
            us = inputs.proxy_event_us + (inputs.proxy_tls_us if self.gone_proxy else 0)
            at = min(proxies, key=lambda proxy: proxy.free_at).serve(at, weight * us / 1e6)
        node = min(range(self.gone_node, len(self.nodes)), key=lambda number: self.readers[number])
        done = self.nodes[node].serve(at, weight * inputs.node_back_us / 1e6)
        self.readers[node] += weight
        result.back_s.append(done - died_at)

    def die(self, what):
        """How many readers it cuts."""
        if what == "node":
            self.gone_node, cut, self.readers[0] = True, self.readers[0], 0
            return cut
        self.gone_proxy, cut = True, sum(self.readers) / len(self.proxies)
        self.readers = [readers * (1 - 1 / len(self.proxies)) for readers in self.readers]
        return cut

    def play(self, seconds, dies=None):
        """`dies`: "node" or "proxy", the first one, after a third of the time."""
        result, died_at, steps = Result(), seconds / 3, []
        if dies:
            steps.append((died_at, -1, 0))
        steps += [(at, 0, game) for at, game in moves(self.rng, self.shown, seconds, self.pace)]
        heapq.heapify(steps)
        while steps:
            at, kind, value = heapq.heappop(steps)
            if kind == 0:
                self.move(at, value, result)
            elif kind == 1:
                self.come_back(at, died_at, value, result)
            else:
                cut = self.die(dies)
                groups = min(math.ceil(cut), 500)
                for _ in range(groups):
                    heapq.heappush(steps, (at + self.rng.uniform(*BACK_S), 1, cut / groups))
        alive = self.nodes[self.gone_node:]
        result.node_used = sum(node.busy for node in alive) / len(alive) / seconds + self.background
        worked = sum(proxy.busy / proxy.speed for proxy in self.proxies)
        result.proxy_used = worked / max(1, len(self.proxies)) / seconds
        result.events_per_s /= seconds
        result.last_ms.sort()
        result.back_s.sort()
        return result


def audience(rng, peak, hours=10, stay_min=50):
    """(readers at each minute, most that come in a minute) of a day that begins with everybody at the opening and has
    `peak` of them at the end of the deciding game, at nine hours. The shape is assumed."""
    coming = [0.15 + math.exp(-((minute - 30) / 20) ** 2) + 1.2 * math.exp(-((minute - 530) / 45) ** 2)
              for minute in range(hours * 60)]
    here, expected = 0.0, []
    for rate in coming:
        here += rate - here / stay_min
        expected.append(here)
    scale, here, most, day = peak / max(expected), 0.0, 0.0, []
    for rate in coming:
        come = max(0.0, rng.gauss(rate * scale, math.sqrt(rate * scale)))
        here = max(0.0, here + come - rng.gauss(here / stay_min, math.sqrt(here / stay_min)))
        most = max(most, come)
        day.append(here)
    return day, most
