#include <cstdint>
#include <functional>
#include <set>

#include "server/core/floodgate/min_cost_matching.h"
#include "tests/unit/core/core_test.h"
#include "tests/unit/core/floodgate_field.h"

namespace fuhyo::core::floodgate {
namespace {

// ---- the optimum ----

std::int64_t cost_of(const std::vector<std::int64_t>& cost, const std::vector<std::size_t>& partner) {
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < partner.size(); ++i) {
    EXPECT_LT(partner[i], partner.size());
    EXPECT_NE(partner[i], i);
    EXPECT_EQ(partner[partner[i]], i);
    if (i < partner[i]) sum += cost[i * partner.size() + partner[i]];
  }
  return sum;
}

std::int64_t least_of_all(const std::vector<std::int64_t>& cost, std::size_t n) {
  std::vector<std::int64_t> best(std::size_t{1} << n, INT64_MAX);
  best[0] = 0;
  for (std::size_t done = 0; done + 1 < best.size(); ++done) {
    if (best[done] == INT64_MAX) continue;
    const auto i = static_cast<std::size_t>(std::countr_one(done));
    for (std::size_t j = i + 1; j < n; ++j) {
      if ((done >> j & 1) != 0) continue;
      std::int64_t& sum = best[done | std::size_t{1} << i | std::size_t{1} << j];
      sum = std::min(sum, best[done] + cost[i * n + j]);
    }
  }
  return best.back();
}

TEST(MinCostMatching, IsTheLeastOfAllOnRandomCosts) {
  SeededDraws draws(7);
  for (int trial = 0; trial < 3000; ++trial) {
    const std::size_t n = 2 * (1 + draws.below(6));
    // Few different costs make many ties and blossoms; the largest are near the limit.
    const std::uint64_t range = std::vector<std::uint64_t>{2, 4, 50, 1u << 20, kMostCost}[draws.below(5)];
    std::vector<std::int64_t> cost(n * n);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        cost[i * n + j] = cost[j * n + i] =
            static_cast<std::int64_t>(draws.below(range)) / (range == kMostCost ? 8 : 1);
      }
    }
    ASSERT_EQ(cost_of(cost, min_cost_matching(cost, n)), least_of_all(cost, n)) << "trial " << trial;
  }
}

TEST(MinCostMatching, PairsNobodyAndTwo) {
  EXPECT_THAT(min_cost_matching({}, 0), IsEmpty());
  const std::vector<std::int64_t> cost{0, 9, 9, 0};
  EXPECT_THAT(min_cost_matching(cost, 2), ElementsAre(1, 0));
}

// ---- the method ----

TEST(Matching, PairsNeighboursInRating) {
  const Round round = round_of(1, Method::matching, {1000, 2000, 1010, 2010, 3000, 2990});
  const Pairings pairings = pairings_of(round);
  expect_complete(round, pairings);
  EXPECT_EQ(opponent_of(pairings, round.entrants[0].id), round.entrants[2].id);
  EXPECT_EQ(opponent_of(pairings, round.entrants[1].id), round.entrants[3].id);
  EXPECT_EQ(opponent_of(pairings, round.entrants[4].id), round.entrants[5].id);
}

TEST(Matching, MakesNothingOfNobodyAndASitOutOfOne) {
  for (const Method method : {Method::matching, Method::swiss}) {
    EXPECT_THAT(pairings_of(round_of(1, method, {})),
                AllOf(Field(&Pairings::games, IsEmpty()), Field(&Pairings::sit_outs, IsEmpty())));
    const Round one = round_of(1, method, {1500});
    EXPECT_THAT(pairings_of(one).sit_outs, ElementsAre(SitOut{one.entrants[0].id, SitOutReason::alone}));
  }
}

// Whether everybody (all but one of an odd number) can be paired without a pair of `met`.
bool possible_without(const std::set<std::pair<std::size_t, std::size_t>>& met, std::size_t n) {
  const std::function<bool(std::size_t, bool)> go = [&](std::size_t done, bool out) -> bool {
    const auto i = static_cast<std::size_t>(std::countr_one(done));
    if (i >= n) return true;
    if (!out && go(done | std::size_t{1} << i, true)) return true;
    for (std::size_t j = i + 1; j < n; ++j) {
      if ((done >> j & 1) != 0 || met.contains({i, j})) continue;
      if (go(done | std::size_t{1} << i | std::size_t{1} << j, out)) return true;
    }
    return false;
  };
  return go(0, n % 2 == 0);
}

TEST(Matching, NobodyMeetsTheSameTwiceRunningWhereThatCanBe) {
  SeededDraws draws(3);
  int possible = 0, impossible = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    const std::size_t n = 2 + draws.below(8);
    std::vector<int> rates;
    for (std::size_t i = 0; i < n; ++i) rates.push_back(static_cast<int>(draws.below(4) * 900));
    const Round round = round_of(10, Method::matching, rates);
    History history;
    std::set<std::pair<std::size_t, std::size_t>> met;
    for (std::size_t i = 0; i < n; ++i) {
      if (draws.below(4) == 0) history.sit_out(round.entrants[i].id, 9);
      for (std::size_t j = i + 1; j < n; ++j) {
        if (draws.below(5) < 2) history.record(game(4 + draws.below(5), round.entrants[i], round.entrants[j], 1));
        if (draws.below(5) < 3) continue;
        met.emplace(i, j);
        history.record(game(9, round.entrants[i], round.entrants[j], -1));
      }
    }
    const Pairings pairings = pair(round, history, draws);
    expect_complete(round, pairings);
    const bool again = std::ranges::any_of(
        pairings.games, [&](const auto& paired) { return history.last_met(paired.black, paired.white) == 9; });
    const bool can_be = possible_without(met, n);
    EXPECT_EQ(again, !can_be) << "trial " << trial;
    ++(can_be ? possible : impossible);
  }
  EXPECT_GT(possible, 200);
  EXPECT_GT(impossible, 200);
}

TEST(Matching, TheOneWhoSatOutLeastLatelySitsOut) {
  const Round round = round_of(20, Method::matching, {1500, 1510, 1520, 1530, 2900});
  History history;
  // Rating alone would leave out the last; it sat out already, and so did all others but one, some long ago.
  for (const std::size_t i : {0u, 1u, 3u, 4u}) history.sit_out(round.entrants[i].id, 10 + i);
  EXPECT_THAT(pairings_of(round, history).sit_outs, ElementsAre(SitOut{round.entrants[2].id, SitOutReason::odd}));
}

TEST(Matching, OfThoseWhoSatOutAsOftenTheOneOfLongestAgoSitsOut) {
  const Round round = round_of(20, Method::matching, {1500, 1500, 1500, 1500, 1500});
  History history;
  for (const std::size_t i : {3u, 0u, 4u, 1u, 2u}) history.sit_out(round.entrants[i].id, 10 + (i + 2) % 5);
  EXPECT_THAT(pairings_of(round, history).sit_outs, ElementsAre(SitOut{round.entrants[3].id, SitOutReason::odd}));
  history.sit_out(round.entrants[3].id, 17);
  EXPECT_THAT(pairings_of(round, history).sit_outs, ElementsAre(SitOut{round.entrants[4].id, SitOutReason::odd}));
}

TEST(Matching, ASitOutOfLongAgoIsForgotten) {
  const Round round = round_of(100, Method::matching, {1500, 1510, 2900});
  History history;
  history.sit_out(round.entrants[2].id, 100 - History::kRecentRounds - 1);
  EXPECT_EQ(pairings_of(round, history).sit_outs.at(0).id, round.entrants[2].id);
  history.sit_out(round.entrants[2].id, 100 - History::kRecentRounds);
  EXPECT_NE(pairings_of(round, history).sit_outs.at(0).id, round.entrants[2].id);
}

TEST(Matching, AFillerPlaysWithTheOneWhoWouldSitOut) {
  Round round = round_of(5, Method::matching, {1500, 1510, 2900});
  round.filler = Entrant{"fuhyo+0", "fuhyo"};
  History history;
  history.record(Played{"", round.entrants[2].id, "fuhyo+0", "", "", 4, true});
  const Pairings pairings = pairings_of(round, history);
  expect_complete(round, pairings);
  EXPECT_THAT(pairings.sit_outs, IsEmpty());
  EXPECT_EQ(pairings.games.size(), 2u);
  EXPECT_NE(opponent_of(pairings, round.entrants[2].id), "fuhyo+0") << "a game with the filler counts as a sit-out";
  EXPECT_EQ(std::ranges::count(pairings.games, true, &PairedGame::filler), 1);
  round.entrants.pop_back();
  for (const PairedGame& paired : pairings_of(round, history).games) EXPECT_FALSE(paired.filler) << "an even number";
}

TEST(Matching, WhoHadWhiteMoreHasBlack) {
  const Round round = round_of(8, Method::matching, {1500, 1500});
  const Entrant &a = round.entrants[0], &b = round.entrants[1], other = player(9, 1500);
  History history;
  history.record(game(1, a, other));
  history.record(game(2, b, other));
  history.record(game(3, other, a));
  EXPECT_EQ(pairings_of(round, history).games.at(0).black, a.id);
  history.record(game(4, other, b));
  EXPECT_EQ(history.standing(a.id).balance, history.standing(b.id).balance);
  history.record(game(5, other, a));
  history.record(game(6, a, other));  // both have had as many, but only b had White last
  EXPECT_EQ(pairings_of(round, history).games.at(0).black, b.id);
}

TEST(Matching, ColoursThatNothingDecidesAreDrawn) {
  const Round round = round_of(1, Method::matching, {1500, 1500});
  std::set<std::string> blacks;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    SeededDraws draws(seed);
    blacks.insert(pair(round, {}, draws).games.at(0).black);
  }
  EXPECT_EQ(blacks.size(), 2u);
}

TEST(Matching, TwoWithTheSameExcessOfAColourDoNotMeet) {
  const Round round = round_of(8, Method::matching, {1500, 1500, 2500, 2500});
  const Entrant other = player(9, 1500);
  History history;
  for (std::uint64_t r = 1; r <= 2; ++r) {
    history.record(game(r, round.entrants[0], other));
    history.record(game(r, round.entrants[1], other));
    history.record(game(r, other, round.entrants[2]));
  }
  const Pairings pairings = pairings_of(round, history);
  EXPECT_NE(opponent_of(pairings, round.entrants[0].id), round.entrants[1].id);
  for (const PairedGame& paired : pairings.games) {
    EXPECT_LE(history.standing(paired.black).balance, 1);
    EXPECT_GE(history.standing(paired.white).balance, -1);
  }
}

TEST(Matching, OneOwnersPlayersAreKeptApart) {
  Round round = round_of(1, Method::matching, {1500, 1510, 1600, 1610});
  round.entrants[0].id = "alpha+feed";
  round.entrants[1].id = "omega+feed";  // other names, the same password
  EXPECT_NE(opponent_of(pairings_of(round), "alpha+feed"), "omega+feed");
  round.entrants[1].id = "omega+beef";
  EXPECT_EQ(opponent_of(pairings_of(round), "alpha+feed"), "omega+beef");
  round.entrants[1].id = "alpha+beef";  // alike at the beginning
  EXPECT_NE(opponent_of(pairings_of(round), "alpha+feed"), "alpha+beef");
}

TEST(Matching, AnUnratedPlayerIsTakenForItsLastOpponent) {
  const Round round = round_of(9, Method::matching, {3000, 2990, 1000, 0, 1010, 2980});
  History history;
  history.record(game(1, round.entrants[3], round.entrants[0], 1));  // the unrated one beat the best
  const std::string opponent = opponent_of(pairings_of(round, history), round.entrants[3].id);
  EXPECT_TRUE(opponent != round.entrants[2].id && opponent != round.entrants[4].id) << opponent;
}

TEST(Matching, BothColoursMakesAReturnGameOfEachPair) {
  Round round = round_of(1, Method::matching, {1500, 1510, 2000, 2010, 1700});
  round.settings.both_colours = true;
  round.filler = Entrant{"fuhyo+0", "fuhyo"};
  const Pairings pairings = pairings_of(round);
  ASSERT_EQ(pairings.games.size(), 6u);
  for (std::size_t i = 0; i < 6; i += 2) {
    const PairedGame &first = pairings.games[i], &second = pairings.games[i + 1];
    EXPECT_EQ(first.leg, 1);
    EXPECT_EQ(second, (PairedGame{first.white, first.black, 2, first.filler}));
  }
  expect_complete(round, pairings);
}

TEST(Matching, MoreThanFitTogetherArePairedInBlocks) {
  for (const std::size_t n : {kMostTogether, kMostTogether + 1, 2 * kMostTogether + 1}) {
    std::vector<int> rates;
    for (std::size_t i = 0; i < n; ++i) rates.push_back(1000 + static_cast<int>(i * 7919 % 1000));
    for (const Method method : {Method::matching, Method::swiss}) {
      const Round round = round_of(1, method, rates);
      const Pairings pairings = pairings_of(round);
      expect_complete(round, pairings);
      EXPECT_EQ(pairings.sit_outs.size(), n % 2);
    }
  }
}

TEST(Pairing, ShogiServersMethodsTakeAFillerAndBothColoursToo) {
  for (const Method method : {Method::least_diff_pairing, Method::swiss_pairing, Method::random_pairing,
                              Method::sort_by_rate_with_randomness}) {
    Round round = round_of(1, method, {1500, 1510, 2000, 2010, 1700});
    EXPECT_THAT(pairings_of(round).sit_outs, SizeIs(1));
    round.settings.both_colours = true;
    round.filler = Entrant{"fuhyo+0", "fuhyo"};
    const Pairings pairings = pairings_of(round);
    EXPECT_THAT(pairings.sit_outs, IsEmpty());
    EXPECT_THAT(pairings.games, SizeIs(6));
    EXPECT_EQ(std::ranges::count(pairings.games, true, &PairedGame::filler), 2);
    expect_complete(round, pairings);
  }
}

TEST(Pairing, WhoIsExcludedForWantOfARatingHasNoFiller) {
  Round round = round_of(1, Method::floodgate_zyunisen, {1500, 1510, 0, 0, 1700});
  round.filler = Entrant{"fuhyo+0", "fuhyo"};
  const Pairings pairings = pairings_of(round);
  EXPECT_THAT(pairings.sit_outs, ElementsAre(SitOut{round.entrants[2].id, SitOutReason::unrated},
                                             SitOut{round.entrants[3].id, SitOutReason::unrated}));
  EXPECT_EQ(std::ranges::count(pairings.games, true, &PairedGame::filler), 1);
}

TEST(Pairing, NamesOfMethodsAreShogiServers) {
  for (const Method method :
       {Method::least_diff_pairing, Method::floodgate_zyunisen, Method::swiss_pairing, Method::random_pairing,
        Method::sort_by_rate_with_randomness, Method::matching, Method::swiss}) {
    EXPECT_EQ(parse_method(to_string(method)), method);
  }
  EXPECT_EQ(parse_method("default_factory"), Method::least_diff_pairing);
  EXPECT_EQ(parse_method("Matching"), std::nullopt);
  EXPECT_EQ(parse_method(""), std::nullopt);
}

TEST(Pairing, HumansAreMarkedInTheirNames) {
  EXPECT_TRUE(is_human("taro_human"));
  EXPECT_TRUE(is_human("taro_human@home"));
  EXPECT_FALSE(is_human("taro_humanoid"));
  EXPECT_FALSE(is_human("taro"));
}

}  // namespace
}  // namespace fuhyo::core::floodgate
