#include "server/core/tournament/swiss.h"

#include <algorithm>
#include <gtest/gtest-spi.h>
#include <map>
#include <optional>
#include <set>

#include "tests/support/sanitized.h"
#include "tests/unit/core/tournament/event_maker.h"

namespace fuhyo::core::tournament {
namespace {

// ---- what must hold of every Swiss, read from its decisions alone ----

struct History {
  std::map<PlayerId, std::set<PlayerId>> met;
  std::map<PlayerId, std::string> colours;  // "BWB"
  std::map<PlayerId, int> byes;             // and forfeit wins
};

History history_of(const DivisionState& division) {
  History history;
  for (const auto& [key, result] : division.results) {
    if (result.how == How::forfeit) {
      if (result.outcome != Outcome::none) {
        ++history.byes[result.outcome == Outcome::black_wins ? result.black : result.white];
      }
      continue;
    }
    if (result.outcome == Outcome::none) continue;
    EXPECT_TRUE(history.met[result.black].insert(result.white).second) << result.black << " " << result.white;
    EXPECT_TRUE(history.met[result.white].insert(result.black).second);
    history.colours[result.black] += 'B';
    history.colours[result.white] += 'W';
  }
  for (const auto& [number, round] : division.rounds) {
    for (const Bye& bye : round.byes) ++history.byes[bye.player];
  }
  return history;
}

TEST(Swiss, NobodyMeetsTwiceRestsTwiceOrHasAColourThreeTimesRunning) {
  int doubtful = 0, rounds = 0;
  for (std::uint64_t seed = 1; seed <= (test::kSanitized ? 20 : 300); ++seed) {
    const int members = 8 + static_cast<int>(seed * 7 % 33);
    const int most = std::min(9, members / 2);
    const Event event = event_of(members, settings_for(Format::swiss, most));
    const PlayedOut simulation(event, {}, {.draws = 0.1, .replays = 0.02}, seed);
    ASSERT_TRUE(is_over(event, simulation.state(), kFirst)) << seed;
    const DivisionState& division = simulation.state().division(kFirst);
    const History history = history_of(division);
    for (const auto& [who, byes] : history.byes) doubtful += byes > 1 ? 1 : 0;
    for (const auto& [who, colours] : history.colours) {
      const auto blacks = std::ranges::count(colours, 'B');
      const bool bad =
          colours.contains("BBB") || colours.contains("WWW") || std::abs(2 * blacks - std::ssize(colours)) > 2;
      doubtful += bad ? 1 : 0;
    }
    rounds += static_cast<int>(division.rounds.size());
    for (const auto& [number, round] : division.rounds) expect_complete(round, static_cast<std::size_t>(members));
  }
  EXPECT_LE(doubtful, rounds / 100) << "of " << rounds;
}

TEST(Swiss, TheFirstRoundFoldsTheFieldAndColoursAlternateByBoards) {
  const Event event = event_of(8, settings_for(Format::swiss, 3));
  Simulation simulation(event, {}, {}, 1);
  simulation.pair();
  simulation.pair();
  const RoundPaired& round = simulation.state().division(kFirst).rounds.at(1);
  ASSERT_EQ(round.pairings.size(), 4u);
  for (int board = 0; board < 4; ++board) {
    const Pairing& pairing = round.pairings[static_cast<std::size_t>(board)];
    EXPECT_EQ(std::minmax(pairing.black, pairing.white), std::minmax(player(board + 1), player(board + 5)));
    EXPECT_EQ(pairing.black == player(board + 1), board % 2 == (round.pairings[0].black == player(1) ? 0 : 1));
  }
}

TEST(Swiss, RandomRoundsAreDrawnAndKeepToTheRules) {
  DivisionSettings settings = settings_for(Format::swiss, 7);
  settings.random_rounds = 3;
  std::set<PlayerId> opponents;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const Event event = event_of(16, settings);
    const PlayedOut simulation(event, {}, {.draws = 0}, seed);
    const DivisionState& division = simulation.state().division(kFirst);
    history_of(division);
    for (const Pairing& pairing : division.rounds.at(1).pairings) {
      if (pairing.black == "p1") opponents.insert(pairing.white);
      if (pairing.white == "p1") opponents.insert(pairing.black);
    }
  }
  EXPECT_GE(opponents.size(), 12u) << "of fifteen";
}

TEST(Swiss, AHostLetsThemMeetAgainAsLateAndAsRarelyAsCanBe) {
  for (const bool by_settings : {false, true}) {
    DivisionSettings settings = settings_for(Format::swiss, 7);
    settings.rematches = by_settings;
    const Event event = event_of(4, settings);
    Simulation simulation(event, {}, {.draws = 0}, 2);
    while (simulation.step()) continue;
    floodgate::SeededDraws draws(1);
    if (!by_settings) {
      EXPECT_EQ(simulation.stuck(), NotYet::no_legal_round);
      EXPECT_EQ(simulation.state().division(kFirst).rounds.size(), 3u);
      const auto round = next_round(event, simulation.state(), kFirst, draws, Rematches::allowed);
      ASSERT_TRUE(round);
      EXPECT_EQ(std::ranges::count(round->doubts, Doubt::rematch, &Doubtful::what), 2);
      ASSERT_TRUE(simulation.decide(round->round));
      simulation.play();
      while (simulation.step()) continue;  // the host has said it once
    }
    std::map<std::pair<PlayerId, PlayerId>, int> met;
    for (const auto& [number, round] : simulation.state().division(kFirst).rounds) {
      for (const Pairing& pairing : round.pairings) {
        const int times = ++met[std::minmax(pairing.black, pairing.white)];
        EXPECT_EQ(times, (number + 2) / 3) << "round " << number;
      }
    }
    EXPECT_EQ(simulation.state().division(kFirst).rounds.size(), 7u);
  }
}

TEST(Swiss, SmallFieldsArePairedToTheirLastRound) {
  for (int members = 3; members <= 12; ++members) {
    const int most = members - 1 + members % 2;
    for (int rounds = 1; rounds <= most; ++rounds) {
      const Event event = event_of(members, settings_for(Format::swiss, rounds));
      for (std::uint64_t seed = 1; seed <= (test::kSanitized ? 2 : 10); ++seed) {
        const PlayedOut simulation(event, {}, {.draws = 0.1}, seed);
        ASSERT_TRUE(is_over(event, simulation.state(), kFirst)) << members << " " << rounds << " " << seed;
        for (const auto& [who, byes] : history_of(simulation.state().division(kFirst)).byes) EXPECT_EQ(byes, 1) << who;
      }
    }
  }
}

TEST(Swiss, ADivisionThatIsTooSmallForItsRoundsIsDoubtful) {
  for (const auto& [members, rounds] : {std::pair(4, 4), std::pair(5, 6), std::pair(4, 3), std::pair(5, 5)}) {
    const Event event = event_of(members, settings_for(Format::swiss, rounds));
    floodgate::SeededDraws draws(1);
    const auto formed = form_division(event, EventState(event), kFirst, draws);
    ASSERT_TRUE(formed);
    EXPECT_EQ(formed->doubts.size(), rounds > members - 1 + members % 2 ? 1u : 0u) << members;
  }
}

// The bye of FIDE's rules: of the lowest who had none.
// Nothing is waited for that cannot come: the stage is over, and the next one goes on without who has left.
TEST(Swiss, IsOverWhenFewerThanTwoAreLeft) {
  Event event = event_of(6, settings_for(Format::swiss, 5));
  Simulation simulation(event, {}, {.draws = 0}, 1);
  simulation.step();
  simulation.step();
  for (int number = 2; number <= 6; ++number) {
    EXPECT_FALSE(is_over(event, simulation.state(), kFirst)) << number;
    ASSERT_TRUE(simulation.decide(Withdrawn{.player = player(number), .stage = 0, .from = 2}));
  }
  EXPECT_TRUE(is_over(event, simulation.state(), kFirst));
  EXPECT_FALSE(is_played_out(event, simulation.state(), kFirst));
  EXPECT_FALSE(simulation.step());
  EXPECT_FALSE(simulation.stuck());
  event.entry.late_until = 3;
  EXPECT_FALSE(is_over(event, simulation.state(), kFirst)) << "somebody may still come";
  event.entry.late_until = 0;
  ASSERT_TRUE(simulation.decide(Returned{.player = "p2", .stage = 0, .from = 2}));
  EXPECT_FALSE(is_over(event, simulation.state(), kFirst));
}

TEST(Swiss, TheByeGoesToTheLowestWhoHadNone) {
  for (const auto& [members, rounds] : {std::pair(13, 5), std::pair(5, 3), std::pair(5, 2)}) {
    const Event event = event_of(members, settings_for(Format::swiss, rounds));
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
      Simulation simulation(event, {}, {.draws = 0.1}, seed);
      std::set<PlayerId> rested;
      for (int round = 1; simulation.pair() && (round == 1 ? simulation.pair() : true); ++round) {
        const Ledger ledger = ledger_of(event, simulation.state(), kFirst);
        const auto& byes = simulation.state().division(kFirst).rounds.at(round).byes;
        ASSERT_EQ(byes.size(), 1u);
        const LedgerRow& rests = ledger.rows[ledger.find(byes[0].player).value()];
        const auto before = [&](const LedgerRow& row) {
          return round == 1 ? Points{} : row.cells[static_cast<std::size_t>(round) - 2].total;
        };
        for (const LedgerRow& row : ledger.rows) {
          if (!rested.contains(row.player)) {
            EXPECT_LE(before(rests), before(row)) << members << ", seed " << seed << ", round " << round;
          }
        }
        rested.insert(rests.player);
        simulation.play();
      }
      EXPECT_EQ(rested.size(), static_cast<std::size_t>(rounds));
    }
  }
}

// ---- against every way to pair ----

// A field in the middle of an event, as its decisions say it.
struct Scene {
  SwissField field;
  std::vector<std::size_t> partner;  // as next_round() paired it; the field's size: has the bye
};

Quality sum_of(const SwissField& field, const std::vector<std::size_t>& partner) {
  Quality sum{};
  for (std::size_t a = 0; a < partner.size(); ++a) {
    if (partner[a] < a) continue;
    const Quality one = partner[a] == partner.size() ? field.bye(a) : field.pair(a, partner[a]);
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += one[i];
  }
  return sum;
}

void for_each_pairing(std::vector<std::size_t>& partner, const auto& see) {
  const std::size_t size = partner.size(), open = size + 1;
  const auto first = std::ranges::find(partner, open);
  if (first == partner.end()) return see();
  const auto a = static_cast<std::size_t>(first - partner.begin());
  if (size % 2 == 1 && std::ranges::find(partner, size) == partner.end()) {
    partner[a] = size;
    for_each_pairing(partner, see);
  }
  for (std::size_t b = a + 1; b < size; ++b) {
    if (partner[b] != open) continue;
    partner[a] = b;
    partner[b] = a;
    for_each_pairing(partner, see);
    partner[b] = open;
  }
  partner[a] = open;
}

// How many rounds without a rematch can follow one another: every way is tried. `used`: bits of pairs of places, the
// bye being the place after the last; with `second_byes` it is never used up.
class RoundsToCome {
 public:
  RoundsToCome(std::size_t members, bool second_byes) : members_(members), second_byes_(second_byes) {}

  // nullopt: the pairing itself is used already.
  std::optional<std::uint64_t> after(std::uint64_t used, const std::vector<std::size_t>& partner) const {
    for (std::size_t a = 0; a < partner.size(); ++a) {
      const bool bye = partner[a] == members_;
      if (partner[a] < a || (bye && second_byes_)) continue;
      const std::uint64_t bit = std::uint64_t{1} << (a * 8 + partner[a] - 1);
      if ((used & bit) != 0) return std::nullopt;
      used |= bit;
    }
    return used;
  }
  bool can_follow(std::uint64_t used, int rounds) {
    if (rounds == 0) return true;
    const auto [known, added] = known_.try_emplace({used, rounds}, false);
    if (!added) return known->second;
    bool can = false;
    std::vector<std::size_t> partner(members_, members_ + 1);
    for_each_pairing(partner, [&] {
      if (can) return;
      const auto next = after(used, partner);
      can = next && can_follow(*next, rounds - 1);
    });
    return known_[{used, rounds}] = can;
  }

 private:
  std::size_t members_;
  bool second_byes_;
  std::map<std::pair<std::uint64_t, int>, bool> known_;
};

// The pairings that line 2 of next_round()'s list leaves: those that leave the most rounds.
std::vector<std::vector<std::size_t>> pairings_that_last(const SwissField& field, int ahead) {
  const std::size_t members = field.members.size();
  std::uint64_t used = 0;
  for (std::size_t a = 0; a < members; ++a) {
    for (std::size_t b = a + 1; b <= members; ++b) {
      const bool met = b < members ? field.met[a][b] > 0 : field.members[a].byes > 0;
      if (met) used |= std::uint64_t{1} << (a * 8 + b - 1);
    }
  }
  std::vector<std::vector<std::size_t>> all, lasting;
  std::vector<std::size_t> partner(members, members + 1);
  for_each_pairing(partner, [&] { all.push_back(partner); });
  for (int rounds = ahead; rounds > 0 && lasting.empty(); --rounds) {
    for (const bool second_byes : {false, true}) {
      RoundsToCome to_come(members, second_byes);
      for (const auto& one : all) {
        const auto after = to_come.after(used, one);
        if (after && to_come.can_follow(*after, rounds)) lasting.push_back(one);
      }
      if (!lasting.empty()) break;
    }
  }
  return lasting.empty() ? all : lasting;
}

std::vector<std::size_t> partners(const SwissField& field, const Ledger& ledger, const RoundPaired& round) {
  std::map<PlayerId, std::size_t> place;
  for (std::size_t i = 0; i < field.members.size(); ++i) place[ledger.rows[field.members[i].place].player] = i;
  std::vector<std::size_t> partner(field.members.size(), field.members.size());
  for (const Pairing& pairing : round.pairings) {
    partner[place.at(pairing.black)] = place.at(pairing.white);
    partner[place.at(pairing.white)] = place.at(pairing.black);
  }
  return partner;
}

// Legal without asking the production code: no rematch, no second bye, no third colour or balance of three, given some
// choice of colours for every pair.
bool could_play(const History& history, const PlayerId& who, char colour) {
  const auto found = history.colours.find(who);
  const std::string colours = (found == history.colours.end() ? "" : found->second) + colour;
  const auto blacks = std::ranges::count(colours, 'B');
  return !colours.ends_with(std::string(3, colour)) && std::abs(2 * blacks - std::ssize(colours)) <= 2;
}
bool is_legal(const History& history, const SwissField& field, const Ledger& ledger,
              const std::vector<std::size_t>& partner) {
  const auto who = [&](std::size_t i) { return ledger.rows[field.members[i].place].player; };
  for (std::size_t a = 0; a < partner.size(); ++a) {
    if (partner[a] == partner.size()) {
      if (history.byes.contains(who(a))) return false;
      continue;
    }
    const PlayerId x = who(a), y = who(partner[a]);
    if (history.met.contains(x) && history.met.at(x).contains(y)) return false;
    const bool black = could_play(history, x, 'B') && could_play(history, y, 'W');
    const bool white = could_play(history, x, 'W') && could_play(history, y, 'B');
    if (!black && !white) return false;
  }
  return true;
}

TEST(Swiss, TheRoundIsTheBestOfAllAndLegalWheneverOneIs) {
  int compared = 0, illegal = 0;
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    const int members = 4 + static_cast<int>(seed % 5);
    DivisionSettings settings = settings_for(Format::swiss, members - 1 + members % 2);
    settings.rematches = true;
    const Event event = event_of(members, settings);
    Simulation simulation(event, {}, {.draws = 0.2, .forfeits = 0.05}, seed);
    while (simulation.step()) {
      const EventState& state = simulation.state();
      const Ledger ledger = ledger_of(event, state, kFirst);
      floodgate::SeededDraws draws(seed);
      const auto next = next_round(event, state, kFirst, draws);
      if (!next) break;
      Field field{.state = state, .ledger = ledger, .division = kFirst, .round = ledger.rounds + 1};
      for (std::size_t place = 0; place < ledger.rows.size(); ++place) field.present.push_back(place);
      const SwissField swiss = swiss_field(field, draws);
      std::vector<std::size_t> made = partners(swiss, ledger, next->round);
      const auto candidates = pairings_that_last(swiss, settings.rounds - field.round);
      std::optional<Quality> best;
      for (const auto& one : candidates) best = std::min(best.value_or(sum_of(swiss, one)), sum_of(swiss, one));
      ASSERT_EQ(sum_of(swiss, made), best) << seed << " round " << field.round;
      ++compared;
      History history;
      {
        testing::TestPartResultArray ignored;  // rematches are expected here, once nothing else is left
        testing::ScopedFakeTestPartResultReporter quiet(&ignored);
        history = history_of(state.division(kFirst));
      }
      const bool ours = is_legal(history, swiss, ledger, made);
      bool possible = false;
      for (const auto& one : candidates) possible |= is_legal(history, swiss, ledger, one);
      EXPECT_EQ(ours, possible) << seed << " round " << field.round;
      illegal += possible ? 0 : 1;
    }
  }
  EXPECT_GE(compared, 500);
  EXPECT_GE(illegal, 20) << "the corner was reached";
}

TEST(Swiss, LargeEventsArePairedToTheirEnd) {
  for (const auto& [members, rounds] : {std::pair(28, 9), std::pair(test::kSanitized ? 60 : 200, 15)}) {
    const Event event = event_of(members, settings_for(Format::swiss, rounds));
    const PlayedOut simulation(event);
    EXPECT_TRUE(is_over(event, simulation.state(), kFirst))
        << members << (simulation.stuck() ? to_string(*simulation.stuck()) : "");
    history_of(simulation.state().division(kFirst));
  }
}

}  // namespace
}  // namespace fuhyo::core::tournament
