"""The simulation of ./dev bench scale_plan, against cases that were counted by hand."""

import random
import sys
import unittest
from dataclasses import replace
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "bench"))
from scale_model import BACK_S, Fleet, Inputs, Queue, Result, audience, moves  # noqa: E402
from scale_plan import LISTS, Case  # noqa: E402

# Without chance, an event for 15 us of a node, 20 us of a proxy of one core.
PLAIN = replace(Inputs(), spread=0, told_ms=0, node_event_us=15, node_move_us=0, proxy_event_us=20, proxy_tls_us=0,
                node_back_us=100, cores=1)


def fleet(nodes=1, proxies=0, readers=1_000, games=1, pace=1.0, inputs=PLAIN):
    return Fleet(inputs, random.Random(1), readers, nodes, proxies, games, pace=pace)


def told(some, *moves_at):
    """When the last reader has each of these (time, game), in ms after it."""
    result = Result()
    for at, game in moves_at:
        some.move(at, game, result)
    return [round(late, 6) for late in result.last_ms]


class ScaleModelTest(unittest.TestCase):
    def test_the_last_of_a_thousand_waits_for_all_of_them(self):
        self.assertEqual(told(fleet(), (0, 0), (1, 0)), [15, 15])

    def test_two_nodes_share_them(self):
        self.assertEqual(told(fleet(nodes=2), (0, 0)), [7.5])

    def test_a_move_waits_for_those_before_it(self):
        self.assertEqual(told(fleet(), (0, 0), (0.010, 0), (0.020, 0)), [15, 20, 25])

    def test_three_in_ten_ask_for_a_game_of_the_wall(self):
        self.assertEqual(told(fleet(games=2), (0, 1)), [300 * 0.015])

    def test_a_slower_proxy_begins_with_the_node_and_ends_after_it(self):
        self.assertEqual(told(fleet(proxies=1), (0, 0)), [20])
        self.assertEqual(told(fleet(proxies=2), (0, 0)), [15.02])

    def test_moves_that_nobody_asks_for_take_their_share_of_a_node(self):
        # 409 games with a move a second, nine of them shown: 400 x 1 ms is 40 % of the thread.
        some = fleet(games=409, inputs=replace(PLAIN, node_move_us=1_000))
        self.assertAlmostEqual(some.background, 0.4)
        self.assertEqual(told(some, (0, 0)), [round(16 / 0.6, 6)])

    def test_a_node_that_dies_cuts_its_readers_and_all_come_back(self):
        some = fleet(nodes=4, proxies=2)
        result = some.play(9, dies="node")
        self.assertEqual(some.readers[0], 0)
        self.assertAlmostEqual(sum(some.readers), 1_000)
        self.assertEqual(len(result.back_s), 250)
        self.assertGreaterEqual(result.back_s[0], BACK_S[0])
        self.assertLess(result.back_s[-1], BACK_S[1] + 0.2)

    def test_a_queue_shares_work_among_its_processors(self):
        queue = Queue(processors=4)
        self.assertEqual([queue.serve(0, 2), queue.serve(0, 2), queue.serve(5, 2)], [0.5, 1, 5.5])

    def test_engines_move_every_17_seconds(self):
        found = moves(random.Random(1), 100, 3_400, 0)
        self.assertEqual(found, sorted(found))
        self.assertAlmostEqual(len(found) / (100 * 3_400 / 17), 1, delta=0.05)

    def test_the_fullest_minute_has_as_many_as_were_said(self):
        day, most = audience(random.Random(1), 100_000)
        self.assertAlmostEqual(max(day) / 100_000, 1, delta=0.02)
        self.assertGreater(day.index(max(day)), 480)
        self.assertLess(most, 10_000)


class ScalePlanTest(unittest.TestCase):
    def test_places_and_processor_say_how_many_nodes(self):
        few = replace(Inputs(), node_places=10_000, node_event_us=15, node_move_us=0, headroom=0.6)
        self.assertEqual(Case(20_000, 1, False, pace=1).fewest(few)[0], 3)  # two by places, and one that may die
        self.assertEqual(Case(20_000, 100, True, pace=1).fewest(few)[0], 51)  # 400 readers a node: 100 x 15 us each
        self.assertEqual(Case(100, 100, False).fewest(few), (1, 0))

    def test_traffic_is_paid_by_steps(self):
        large, cheap = LISTS
        self.assertAlmostEqual(large.traffic(60, 1), 9.9 * 80.8 + 40 * 76.4 + 10 * 62.9)
        self.assertEqual([cheap.traffic(30, 1), cheap.traffic(60, 2), cheap.traffic(60, 4)], [10, 20, 0])


if __name__ == "__main__":
    unittest.main()
