// Events as they come: players leave, are away, come back and come late, hosts set and correct results, the server
// starts anew. Whatever happens tables add up, nobody meets whom he must not, and an event ends when it should.
#include <algorithm>
#include <map>

#include "server/core/tournament/pairing.h"
#include "server/core/tournament/tables.h"
#include "tests/support/sanitized.h"
#include "tests/unit/core/tournament/event_maker.h"

namespace fuhyo::core::tournament {
namespace {

// Of "B+W-", "f+", "(B+)", "rest", "bye absent", by the points of the event; a number at the front is the opponent.
Points points_of(std::string_view cell, const Scoring& scoring) {
  Points sum;
  const bool annulled = cell.contains("(annulled)");
  for (std::size_t i = 0; i < cell.size(); ++i) {
    const std::string_view rest = cell.substr(i);
    if (rest.starts_with('(')) {
      i += rest.find(')');
    } else if (rest.starts_with("bye")) {
      sum += scoring.bye, i += 2;
    } else if (rest.starts_with("absent")) {
      sum += scoring.absent, i += 5;
    } else if (rest.starts_with("f+") || rest.starts_with("f-")) {
      sum += rest[1] == '+' ? scoring.forfeit_win : scoring.forfeit_loss, ++i;
    } else if (rest.starts_with('B') || rest.starts_with('W')) {
      const char sign = rest[1];
      if (sign == '+') sum += scoring.win;
      if (sign == '-') sum += scoring.loss;
      if (sign == '=') sum += rest[0] == 'B' ? scoring.draw_black : scoring.draw_white;
      ++i;
    }
  }
  return annulled ? Points{} : sum;
}

void expect_adds_up(const Table& table, const Scoring& scoring, const std::string& what) {
  for (std::size_t place = 0; place < table.rows.size(); ++place) {
    const TableRow& row = table.rows[place];
    Points rounds, cross = points_of(row.alone(Language::en), scoring);
    for (const RoundCell& cell : row.rounds) {
      const std::string text = cell_text(cell, Language::en);
      rounds += points_of(text.substr(0, cell.annulled ? text.size() : text.find(' ')), scoring);
    }
    for (std::size_t other = 0; other < table.rows.size(); ++other) {
      cross += points_of(marks_text(table.meetings(place, other), Language::en), scoring);
    }
    EXPECT_EQ(to_text(rounds), to_text(row.points)) << what << " rounds\n"
                                                    << table_text(table, View::rounds, Language::en);
    EXPECT_EQ(to_text(cross), to_text(row.points)) << what << " cross\n"
                                                   << table_text(table, View::cross, Language::en);
    if (table.has_alone()) continue;
    EXPECT_EQ(row.alone(Language::en), "");
  }
}

constexpr int kMostSteps = 24;  // open rounds have no end of their own

class RandomEvent {
 public:
  RandomEvent(Format format, std::uint64_t seed)
      : draws_(seed * 7919 + static_cast<std::uint64_t>(format)),
        event_(event_at_random(format, seed)),
        simulation_(event_, {}, {.draws = 0.15, .forfeits = 0.08, .crashes = 0.03, .replays = 0.04}, seed) {}

  void run() {
    for (int steps = 0; steps < kMostSteps; ++steps) {
      happen();
      if (!simulation_.pair() && !come_back()) break;
      correct();
      simulation_.play();
      expect_adds_up(table_of(event_, state(), kFirst), settings().scoring, std::string(to_string(settings().format)));
      restart();
    }
    expect_kept_apart();
    expect_end();
  }

 private:
  bool chance(std::uint64_t one_in) { return draws_.below(one_in) == 0; }
  const EventState& state() const { return simulation_.state(); }
  const DivisionSettings& settings() const { return event_.stages[0].divisions[0].settings; }
  int next() const { return ledger_of(event_, state(), kFirst).rounds + 1; }
  PlayerId anybody() { return state().entrants()[draws_.below(state().entrants().size())].player; }

  Event event_at_random(Format format, std::uint64_t seed) {
    DivisionSettings settings =
        settings_for(format, format == Format::open && chance(3) ? 0 : 3 + static_cast<int>(draws_.below(5)));
    settings.rematches = format == Format::swiss && chance(2);
    settings.games = chance(4) ? 2 : 1;
    settings.third_place = format == Format::knock_out && chance(2);
    if (chance(3)) settings.withdrawn = WithdrawnGames::annul;
    settings.scoring.absent = chance(2) ? kHalfPoint : kNoPoints;
    if (seed % 2 == 0) {  // each for as much as nothing else
      settings.scoring = {.win = {3000}, .draw_black = {900}, .draw_white = {1100}, .loss = {200}};
      settings.scoring.forfeit_win = {2500};
      settings.scoring.forfeit_loss = {-500};
      settings.scoring.bye = {1700};
      settings.scoring.absent = {600};
    }
    if (seed % 4 == 0 && format != Format::knock_out) {
      settings.draws = DrawRule::replay;
      settings.replays = 1;
    }
    const int entrants = format == Format::match ? 2 : 4 + static_cast<int>(draws_.below(8));
    Event event = event_of(entrants, settings);
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
    const bool free = settings().format == Format::swiss || settings().format == Format::open;
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
    const Format format = settings().format;
    if (format != Format::swiss && format != Format::open) return;
    for (std::size_t place = 0; place < ledger.rows.size(); ++place) {
      std::map<std::size_t, int> met;
      for (const RoundCell& cell : ledger.rows[place].cells) met[cell.opponent] += cell.met() ? 1 : 0;
      for (const auto& [other, times] : met) {
        if (format == Format::swiss && !settings().rematches) EXPECT_LE(times, 1) << ledger.rows[place].player;
        const bool apart = std::ranges::binary_search(ledger.rows[place].apart, other);
        EXPECT_TRUE(times == 0 || !apart) << ledger.rows[place].player << " " << ledger.rows[other].player;
      }
    }
  }

  // All rounds have been held, or it is plain why not.
  void expect_end() const {
    const Ledger ledger = ledger_of(event_, state(), kFirst);
    EXPECT_FALSE(ledger.pending());
    if (is_over(event_, state(), kFirst) || settings().rounds == 0) return;
    std::size_t there = 0;
    for (const LedgerRow& row : ledger.rows) there += state().is_away(row.player, 0, next()) ? 0 : 1;
    floodgate::SeededDraws draws(1);
    const auto round = next_round(event_, state(), kFirst, draws);
    ASSERT_FALSE(round) << "it could have gone on";
    if (round.error() == NotYet::too_few) {
      EXPECT_LT(there, 2u);
    } else if (round.error() == NotYet::no_legal_round) {
      EXPECT_FALSE(settings().rematches);
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
