#!/usr/bin/env python3
"""The checker finds what it is for: each planted violation is found by its name, and an honest run has none.

    checker_test.py
"""

import unittest

from checker import check, tally
from evidence import Evidence, read_record
from history import History
from stored import ENDED, MOVED, OPENED, STARTED, Row

ID = "cup+g-600-10+alice+bob+20261121190000"
SFEN = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"
MOVES = ["+7776FU,T1", "-3334FU,T0", "+2726FU,T3", "-4344FU,T0"]
SENT_AFTER_S = [1.2, 0.1, 3.4, 0.2]


def opened_payload():
    return "\t".join(["1", "main", ID, "g-600-10", "alice", "alice+t", "0", "bob", "", "0", "600", "10", "0", "0", "0",
                      "256", SFEN, "0", "2026/11/21 19:00:00", "1", "0", "0", "0", "0", "0"])


def facts():
    rows = [Row(1, OPENED, 1, opened_payload()), Row(2, STARTED, 1, "1\t0")]
    left = {"+": 600, "-": 600}
    for ply, move in enumerate(MOVES, 1):
        csa, spent = move.split(",T")
        left[csa[0]] -= int(spent)
        rows.append(Row(2 + ply, MOVED, 1, f"1\t{ply}\t{csa}\t{spent}\t{left[csa[0]]}\t0\t"))
    return [*rows, Row(7, ENDED, 1, "1\ttoryo\tblack_wins\t4\t%TORYO\t0\t\tP1\\n\t0\t2026/11/21 19:00:05")]


RECORD = (f"V2\nN+alice\nN-bob\n$EVENT:{ID}\n+\n" + "".join(move.replace(",", "\n") + "\n" for move in MOVES)
          + "%TORYO\n'summary:toryo:alice win:bob lose\n")
LISTING = f"2026/11/21 19:00:05\ttoryo\twin\talice+t\tbob\tlose\t2026/11/21/{ID}.csa\t4"


class Clock:
    now = 100.0

    def __call__(self):
        return self.now


class Run:
    """A game of two players, a watcher and a web page, all of it as it should be; a test spoils one thing."""

    def __init__(self):
        self.clock = Clock()
        self.history = History(self.clock)
        self.alice, self.bob = (self.history.session(name, "player") for name in ("alice", "bob"))
        self.watcher, self.page = self.history.session("eve", "watcher"), self.history.session("page", "stream")
        self.rows = facts()
        self.archive = [{"csa_id": ID, "end_kind": "toryo", "outcome": "black_wins", "plies": 4,
                         "moves": " ".join(MOVES)}]
        self.records, self.listing = [read_record(RECORD)], [LISTING]
        self.options = {}
        self.play()

    def play(self):
        for session, sign in ((self.alice, "+"), (self.bob, "-")):
            name = "alice" if sign == "+" else "bob"
            self.say(session, f"LOGIN {name} g-600-10,t")
            self.hear(session, f"LOGIN:{name} OK", "BEGIN Game_Summary", f"Game_ID:{ID}", f"Your_Turn:{sign}",
                      "BEGIN Position", "P1-KY", "END Position", "END Game_Summary", "START:" + ID)
        self.hear(self.watcher, f"##[MONITOR2][{ID}] V2")
        self.hear(self.page, 'opened {"game":{"id":1,"csa_id":"%s","moves":[]}}' % ID)
        for ply, (move, after_s) in enumerate(zip(MOVES, SENT_AFTER_S), 1):
            self.clock.now += after_s
            mover = self.alice if move[0] == "+" else self.bob
            self.say(mover, move.split(",")[0])
            self.clock.now += 0.01
            self.hear(self.alice, move)
            self.hear(self.bob, move)
            self.hear(self.watcher, *(f"##[MONITOR2][{ID}] {part}" for part in move.split(",")))
            self.hear(self.page, 'moved {"id":1,"ply":%d,"move":"%s"}' % (ply, move))
        self.say(self.bob, "%TORYO")
        self.hear(self.alice, "%TORYO", "#RESIGN", "#WIN")
        self.hear(self.bob, "%TORYO", "#RESIGN", "#LOSE")
        self.hear(self.page, 'ended {"id":1,"outcome":"black"}')
        for session in (self.alice, self.bob):
            self.history.add(session, "closed")

    def say(self, session, *lines):
        for line in lines:
            self.history.add(session, "sent", line)

    def hear(self, session, *lines):
        for line in lines:
            self.history.add(session, "seen", line)

    def change_event(self, session, old, new):
        """Of the first event with that text; nothing in its place where `new` is None."""
        events = self.history.events
        at = next(i for i, event in enumerate(events) if event.session == session and event.text == old)
        events[at:at + 1] = [] if new is None else [events[at]._replace(text=new)]

    def number(self, rows):
        """They are the journal, without gaps."""
        self.rows = [row._replace(seq=number) for number, row in enumerate(rows, 1)]

    def found(self):
        evidence = Evidence(self.history, self.rows, self.archive, self.records, self.listing, judge=self.judge,
                            **self.options)
        return {violation.check for violation in check(evidence)}, evidence

    judge = staticmethod(lambda texts: ["ok" for _ in texts])


def says(session, old, new):
    """Of a session, by its name: the first event with that text has another one."""
    return lambda run: run.change_event(getattr(run, session), old, new)


def swap_two_moves(run):
    rows = run.rows
    rows[2], rows[4] = rows[2]._replace(payload=rows[4].payload.replace("\t3\t", "\t1\t", 1)), rows[4]._replace(
        payload=rows[2].payload.replace("\t1\t", "\t3\t", 1))


def leave_a_move_to_the_other_side(run):
    run.change_event(run.alice, "+2726FU", None)
    run.say(run.bob, "+2726FU")


def keep_a_move_from_the_watcher(run):
    for part in MOVES[1].split(","):
        run.change_event(run.watcher, f"##[MONITOR2][{ID}] {part}", None)


def tell_before_it_was_sent(run):
    events = run.history.events
    at = next(i for i, event in enumerate(events) if event.kind == "seen" and event.text == MOVES[2])
    events[at] = events[at]._replace(at=events[at].at - 3)


def charge_more_than_was_used(run):
    events = run.history.events
    for number, event in enumerate(events):
        if "2726FU" in event.text and event.kind == "sent":
            events[number] = event._replace(at=event.at - 3)
    run.options["slack_s"] = 0.5


def log_in_twice(run):
    twin = run.history.session("alice", "player")
    run.say(twin, "LOGIN alice g-600-10,t")
    run.hear(twin, "LOGIN:alice OK")
    run.clock.now += 1
    run.say(run.alice, "")
    run.hear(run.alice, "")


def payload(at, change):
    def spoil(run):
        run.rows[at] = run.rows[at]._replace(payload=change(run.rows[at].payload))
    return spoil


# What is spoiled, how, and by which names it is found.
PLANTED = {
    "a dropped row": (lambda run: run.rows.pop(5), "lost_move sequence"),
    "a dropped row without a gap": (lambda run: run.number(run.rows[:5] + run.rows[6:]), "lost_move"),
    "a lost game": (lambda run: run.rows.clear(), "lost_move"),
    "swapped rows": (swap_two_moves, "one_order"),
    "a phantom": (lambda run: run.number([*run.rows[:6], Row(0, MOVED, 1, "1\t5\t+2625FU\t0\t595\t0\t"),
                                          *run.rows[6:]]), "phantom"),
    "a move that the other side sent": (leave_a_move_to_the_other_side, "phantom"),
    "a ply twice": (lambda run: run.number([*run.rows[:4], *run.rows[3:]]), "twice"),
    "a move after the end": (lambda run: run.number([*run.rows[:5], *run.rows[6:], run.rows[5]]), "sequence"),
    "a second result": (lambda run: run.rows.append(run.rows[-1]._replace(seq=8)), "one_result"),
    "results that differ": (says("bob", "#LOSE", "#WIN"), "one_result"),
    "a result that is not stored": (lambda run: run.rows.pop(), "one_result liveness archive"),
    "a page with another result": (says("page", 'ended {"id":1,"outcome":"black"}', 'ended {"id":1,"outcome":"white"}'),
                                   "one_result"),
    "a watcher who misses a move": (keep_a_move_from_the_watcher, "one_order"),
    "a page that shows another move": (says("page", 'moved {"id":1,"ply":2,"move":"-3334FU,T0"}',
                                            'moved {"id":1,"ply":2,"move":"-8384FU,T0"}'), "one_order"),
    "told before it was sent": (tell_before_it_was_sent, "real_time"),
    "another time told than stored": (says("bob", "+2726FU,T3", "+2726FU,T2"), "clock"),
    "a clock that does not add up": (payload(4, lambda _: "1\t3\t+2726FU\t3\t597\t0\t"), "clock"),
    "charged more than was used": (charge_more_than_was_used, "fair_time"),
    "lost by rule": (payload(-1, lambda text: text.replace("toryo", "time up")), "honest one_result archive record"),
    "an illegal move": (lambda run: setattr(run, "judge", lambda texts: ["illegal 3 +2726FU" for _ in texts]),
                        "legality"),
    "an archive that lacks a move": (lambda run: run.archive[0].update(moves=" ".join(MOVES[:3])), "archive"),
    "archived twice": (lambda run: run.archive.append(dict(run.archive[0])), "archive"),
    "a torn record": (lambda run: setattr(run, "records", [read_record(RECORD[:RECORD.index("+2726FU")])]), "record"),
    "no record": (lambda run: run.records.clear(), "record"),
    "listed twice": (lambda run: run.listing.append(LISTING), "record"),
    "two sessions of one name": (log_in_twice, "sessions"),
}


class PlantedViolations(unittest.TestCase):
    def setUp(self):
        self.run_ = Run()

    def test_an_honest_run_has_none(self):
        found, evidence = self.run_.found()
        self.assertEqual(found, set())
        self.assertEqual(tally(evidence)["acknowledged moves"], 4)

    def test_each_is_found_by_its_name(self):
        for name, (spoil, checks) in PLANTED.items():
            with self.subTest(name):
                run = Run()
                spoil(run)
                self.assertLessEqual(set(checks.split()), run.found()[0])

    def test_a_watch_that_stood_still_is_not_believed(self):
        charge_more_than_was_used(self.run_)
        sent = next(event.at for event in self.run_.history.events if event.text == "+2726FU")
        self.run_.history.stalls.append((sent - 3, sent))
        self.assertNotIn("fair_time", self.run_.found()[0])

    def test_pause_is_charged(self):
        events = self.run_.history.events
        sent = next(event for event in events if event.kind == "sent" and event.text == "+2726FU")
        self.run_.history.events = [
            event._replace(at=event.at + 5) if event.at >= sent.at and "2726FU" not in event.text else event
            for event in events]
        self.assertEqual(self.run_.found()[0], {"fair_time"})  # White's watch says 5 s, T0 is stored
        self.run_.history.events.append(sent._replace(session=-1, kind="mark", text="away: stopped"))
        self.run_.history.events.append(sent._replace(session=-1, at=sent.at + 5, kind="mark", text="back"))
        self.assertEqual(self.run_.found()[0], set())


if __name__ == "__main__":
    unittest.main()
