#!/usr/bin/env python3
"""The checker finds what it is for: each planted violation is found by its name, and an honest run has none.

    checker_test.py
"""

import copy
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

    def found(self):
        evidence = Evidence(self.history, self.rows, self.archive, self.records, self.listing, judge=self.judge,
                            **self.options)
        return {violation.check for violation in check(evidence)}, evidence

    judge = staticmethod(lambda texts: ["ok" for _ in texts])


def renumbered(rows):
    return [row._replace(seq=number) for number, row in enumerate(rows, 1)]


class PlantedViolations(unittest.TestCase):
    def setUp(self):
        self.run_ = Run()

    def expect(self, *names):
        found, _ = self.run_.found()
        self.assertLessEqual(set(names), found, f"found {found}")

    def test_an_honest_run_has_none(self):
        found, evidence = self.run_.found()
        self.assertEqual(found, set())
        self.assertEqual(tally(evidence)["acknowledged moves"], 4)

    def test_dropped_row(self):
        del self.run_.rows[5]
        self.expect("lost_move", "sequence")

    def test_dropped_last_row_without_a_gap(self):
        self.run_.rows = renumbered(self.run_.rows[:5] + self.run_.rows[6:])
        self.expect("lost_move")

    def test_lost_game(self):
        self.run_.rows = []
        self.expect("lost_move")

    def test_swapped_rows(self):
        rows = self.run_.rows
        rows[2], rows[4] = rows[2]._replace(payload=rows[4].payload.replace("\t3\t", "\t1\t", 1)), rows[4]._replace(
            payload=rows[2].payload.replace("\t1\t", "\t3\t", 1))
        self.expect("one_order")

    def test_phantom(self):
        rows = self.run_.rows
        rows.insert(6, Row(0, MOVED, 1, "1\t5\t+2625FU\t0\t595\t0\t"))
        self.run_.rows = renumbered(rows)
        self.expect("phantom")

    def test_move_that_the_other_side_sent(self):
        self.run_.change_event(self.run_.alice, "+2726FU", None)
        self.run_.say(self.run_.bob, "+2726FU")
        self.expect("phantom")

    def test_ply_twice(self):
        rows = self.run_.rows
        rows.insert(4, rows[3])
        self.run_.rows = renumbered(rows)
        self.expect("twice")

    def test_move_after_the_end(self):
        rows = self.run_.rows
        rows.append(rows.pop(5))
        self.run_.rows = renumbered(rows)
        self.expect("sequence")

    def test_second_result(self):
        self.run_.rows.append(self.run_.rows[-1]._replace(seq=8))
        self.expect("one_result")

    def test_results_that_differ(self):
        self.run_.change_event(self.run_.bob, "#LOSE", "#WIN")
        self.expect("one_result")

    def test_result_that_is_not_stored(self):
        self.run_.rows.pop()
        self.expect("one_result", "liveness", "archive")

    def test_page_with_another_result(self):
        self.run_.change_event(self.run_.page, 'ended {"id":1,"outcome":"black"}', 'ended {"id":1,"outcome":"white"}')
        self.expect("one_result")

    def test_watcher_misses_a_move(self):
        for part in MOVES[1].split(","):
            self.run_.change_event(self.run_.watcher, f"##[MONITOR2][{ID}] {part}", None)
        self.expect("one_order")

    def test_page_shows_another_move(self):
        self.run_.change_event(self.run_.page, 'moved {"id":1,"ply":2,"move":"-3334FU,T0"}',
                               'moved {"id":1,"ply":2,"move":"-8384FU,T0"}')
        self.expect("one_order")

    def test_told_before_it_was_sent(self):
        events = self.run_.history.events
        at = next(i for i, event in enumerate(events) if event.kind == "seen" and event.text == MOVES[2])
        events[at] = events[at]._replace(at=events[at].at - 3)
        self.expect("real_time")

    def test_time_told_is_not_the_time_stored(self):
        self.run_.change_event(self.run_.bob, "+2726FU,T3", "+2726FU,T2")
        self.expect("clock")

    def test_clock_does_not_add_up(self):
        self.run_.rows[4] = self.run_.rows[4]._replace(payload="1\t3\t+2726FU\t3\t597\t0\t")
        self.expect("clock")

    def test_charged_more_than_was_used(self):
        events = self.run_.history.events
        for number, event in enumerate(events):
            if "2726FU" in event.text and event.kind == "sent":
                events[number] = event._replace(at=event.at - 3)
        self.run_.options["slack_s"] = 0.5
        self.expect("fair_time")

    def test_a_watch_that_stood_still_is_not_believed(self):
        self.test_charged_more_than_was_used()
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

    def test_lost_by_rule(self):
        self.run_.rows[-1] = self.run_.rows[-1]._replace(payload=self.run_.rows[-1].payload.replace("toryo", "time up"))
        self.expect("honest", "one_result", "archive", "record")

    def test_illegal(self):
        self.run_.judge = lambda texts: ["illegal 3 +2726FU" for _ in texts]
        self.expect("legality")

    def test_archive_lacks_a_move(self):
        self.run_.archive[0]["moves"] = " ".join(MOVES[:3])
        self.expect("archive")

    def test_archived_twice(self):
        self.run_.archive.append(copy.copy(self.run_.archive[0]))
        self.expect("archive")

    def test_record_is_torn(self):
        self.run_.records = [read_record(RECORD[:RECORD.index("+2726FU")])]
        self.expect("record")

    def test_record_is_missing(self):
        self.run_.records = []
        self.expect("record")

    def test_listed_twice(self):
        self.run_.listing.append(LISTING)
        self.expect("record")

    def test_two_sessions_of_one_name(self):
        twin = self.run_.history.session("alice", "player")
        self.run_.say(twin, "LOGIN alice g-600-10,t")
        self.run_.hear(twin, "LOGIN:alice OK")
        self.run_.clock.now += 1
        self.run_.say(self.run_.alice, "")
        self.run_.hear(self.run_.alice, "")
        self.expect("sessions")


if __name__ == "__main__":
    unittest.main()
