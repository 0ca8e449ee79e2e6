// Events as they come: players leave, are away, come back and come late, hosts set and correct results, the server
// starts anew. Whatever happens tables add up, nobody meets whom he must not, and an event ends when it should.
#include <algorithm>
#include <map>
#include <set>

#include "server/core/tournament/pairing.h"
#include "tests/support/sanitized.h"
#include "tests/unit/core/tournament/event_maker.h"
#include "tests/unit/core/tournament/table_sums.h"

namespace fuhyo::core::tournament {
namespace {

constexpr int kMostSteps = 24;  // open rounds have no end of their own

class RandomEvent {
 public:
  RandomEvent(Format format, std::uint64_t seed)
      : draws_(seed * 7919 + static_cast<std::uint64_t>(format)),
        event_(event_at_random(format)),
        simulation_(event_, {}, {.draws = 0.15, .forfeits = 0.08, .crashes = 0.03, .replays = 0.04}, seed) {}

  void run() {
    for (int steps = 0; steps < kMostSteps; ++steps) {
      happen();
      if (!simulation_.pair() && !come_back()) break;
      correct();
      simulation_.play();
      expect_adds_up(table_of(event_, state(), kFirst), terms().scoring, std::string(to_string(terms().format)));
      restart();
    }
    expect_kept_apart();
    expect_end();
  }

 private:
  bool chance(std::uint64_t one_in) { return draws_.below(one_in) == 0; }
  const EventState& state() const { return simulation_.state(); }
  const Terms& terms() const { return event_.stages[0].divisions[0].terms; }
  int next() const { return ledger_of(event_, state(), kFirst).rounds + 1; }
  PlayerId anybody() { return state().entrants()[draws_.below(state().entrants().size())].player; }

  Event event_at_random(Format format) {
    Terms terms = terms_for(format, format == Format::open && chance(3) ? 0 : 3 + static_cast<int>(draws_.below(5)));
    terms.rematches = format == Format::swiss && chance(2);
    terms.games = chance(4) ? 2 : 1;
    terms.third_place = format == Format::knock_out && chance(2);
    if (chance(3)) terms.withdrawn = WithdrawnGames::annul;
    terms.scoring.absent = chance(2) ? kHalfPoint : kNoPoints;
    const int entrants = format == Format::match ? 2 : 4 + static_cast<int>(draws_.below(8));
    Event event = event_of(entrants, terms);
    if (chance(2)) event.entry.late_until = 2;
    for (Entrant& entrant : event.entrants) {
      if (chance(3)) entrant.groups = {std::to_string(draws_.below(4))};
    }
    return event;
  }

  // Between two rounds.
  void happen() {
    if (!state().is_formed(kFirst)) return;
    if (chance(4)) {
      const int until = chance(2) ? 0 : next();
      (void)simulation_.decide(Withdrawn{.player = anybody(), .stage = 0, .from = next(), .until = until});
    }
    if (chance(5)) (void)simulation_.decide(Returned{.player = anybody(), .stage = 0, .from = next()});
    const PlayerId late = "late" + std::to_string(next());
    const Joined joined{.division = kFirst, .member = {.player = late, .lot = 100 + next()}, .from = next()};
    const bool free = terms().format == Format::swiss || terms().format == Format::open;
    if (!chance(4) || !free || next() > event_.entry.late_until) return;
    if (simulation_.decide(Entered{{.player = late, .title = {}, .rate = 2000}})) (void)simulation_.decide(joined);
  }

  // Nothing can be paired: who is away only now may come back.
  bool come_back() {
    if (is_over(event_, state(), kFirst) || chance(10)) return false;
    for (const Entrant& entrant : state().entrants()) {
      if (state().left(entrant.player)) continue;
      (void)simulation_.decide(Returned{.player = entrant.player, .stage = 0, .from = next()});
    }
    return simulation_.pair();
  }

  // A host sets the result of a game, whatever was known of it.
  void correct() {
    const auto& rounds = state().division(kFirst).rounds;
    if (rounds.empty() || !chance(2)) return;
    const RoundPaired round = rounds.rbegin()->second;
    if (round.pairings.empty()) return;
    const std::size_t board = draws_.below(round.pairings.size());
    const Outcome outcome = chance(2) ? Outcome::draw : chance(2) ? Outcome::black_wins : Outcome::none;
    (void)simulation_.decide(
        GameResult{.game = {.division = kFirst, .round = round.round, .board = static_cast<int>(board) + 1},
                   .black = round.pairings[board].black,
                   .white = round.pairings[board].white,
                   .outcome = outcome,
                   .how = outcome != Outcome::none ? How::adjudicated
                          : chance(2)              ? How::voided
                                                   : How::forfeit,
                   .end = {},
                   .record = {}});
  }

  void restart() const {
    EventState again(event_);
    for (const Decision& decision : simulation_.decisions()) again.apply(decision);
    ASSERT_EQ(again, state());
  }

  void expect_kept_apart() const {
    const Ledger ledger = ledger_of(event_, state(), kFirst);
    const Format format = terms().format;
    if (format != Format::swiss && format != Format::open) return;
    for (std::size_t line = 0; line < ledger.lines.size(); ++line) {
      std::map<std::size_t, int> met;
      for (const Turn& turn : ledger.lines[line].turns) met[turn.opponent] += turn.met() ? 1 : 0;
      for (const auto& [other, times] : met) {
        if (format == Format::swiss && !terms().rematches) EXPECT_LE(times, 1) << ledger.lines[line].player;
        const bool apart = std::ranges::binary_search(ledger.lines[line].apart, other);
        EXPECT_TRUE(times == 0 || !apart) << ledger.lines[line].player << " " << ledger.lines[other].player;
      }
    }
  }

  // All rounds have been held, or it is plain why not.
  void expect_end() const {
    const Ledger ledger = ledger_of(event_, state(), kFirst);
    EXPECT_FALSE(ledger.pending());
    if (is_over(event_, state(), kFirst) || terms().rounds == 0) return;
    std::size_t there = 0;
    for (const Line& line : ledger.lines) there += state().is_away(line.player, 0, next()) ? 0 : 1;
    floodgate::SeededDraws draws(1);
    const auto round = next_round(event_, state(), kFirst, draws);
    ASSERT_FALSE(round) << "it could have gone on";
    if (round.error() == NotYet::too_few) {
      EXPECT_LT(there, 2u);
    } else if (round.error() == NotYet::no_legal_round) {
      EXPECT_FALSE(terms().rematches);
    } else {
      EXPECT_EQ(round.error(), NotYet::apart);
    }
  }

  floodgate::SeededDraws draws_;
  Event event_;
  Simulation simulation_;
};

class RandomEvents : public testing::TestWithParam<Format> {};

TEST_P(RandomEvents, AddUpKeepApartAndEnd) {
  for (std::uint64_t seed = 1; seed <= (test::kSanitized ? 10 : 50) && !HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    RandomEvent(GetParam(), seed).run();
  }
}

INSTANTIATE_TEST_SUITE_P(Formats, RandomEvents,
                         testing::Values(Format::round_robin, Format::swiss, Format::knock_out, Format::gauntlet,
                                         Format::match, Format::open));

}  // namespace
}  // namespace fuhyo::core::tournament
