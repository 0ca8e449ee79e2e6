// A whole championship on the server, under virtual time: 28 entrants, nine Swiss rounds, class A of eight as a double
// round robin; a crash, a restart, a withdrawal, a late entry, a lost connection, a forfeit and a tie of three. Its
// tables are held against the pure half, computed from what was stored, and its points against a count of games by
// hand.
#include <map>
#include <set>

#include "server/core/tournament/standings.h"
#include "server/core/tournament/tables.h"
#include "server/core/tournaments/running_event.h"
#include "tests/support/event_host.h"
#include "tests/unit/core/core_test.h"

namespace fuhyo::test {
namespace {

using core::GameOpened;
using core::Outcome;
using namespace core::tournament;

constexpr int kEntrants = 28, kSwissRounds = 9, kFinalRounds = 14;
constexpr DivisionKey kSwiss{0, 0}, kClassA{1, 0};

std::string name_of(int number) { return fmt::format("p{:02}", number); }

std::string settings() {
  std::string text =
      "name\tcup\ntime\t60-1F\ncountdown-s\t60\ngap-s\t120\nforfeit-s\t300\nentry.late-until\t3\n"
      "stage[0].name\tday1\nstage[0].format\tswiss\nstage[0].rounds\t9\n"
      "stage[1].name\tday2\nstage[1].division[0].name\tA\nstage[1].division[0].take\t8\n"
      "stage[1].division[0].format\tround-robin\nstage[1].division[0].cycles\t2\n";
  for (int number = 1; number < kEntrants; ++number) {
    text += fmt::format("entrant[{0}].name\t{1}\nentrant[{0}].seed\t{2}\n", number - 1, name_of(number), number);
  }
  return text;
}

// The better seed wins; but in the class A the first three beat each other in a ring.
bool black_wins(const GameOpened& game, bool final) {
  const std::string &black = game.black.name, &white = game.white.name;
  const std::set<std::string> ring{"p01", "p02", "p03"};
  if (!final || !ring.contains(black) || !ring.contains(white)) return black < white;
  return (black == "p01" && white == "p02") || (black == "p02" && white == "p03") || (black == "p03" && white == "p01");
}

class Championship : public testing::Test {
 protected:
  void come(int number) {
    if (number % 2 == 0) {
      host.come_csa(name_of(number));
    } else {
      host.come_x1(name_of(number));
    }
  }
  void come_all() {
    for (int number = 1; number <= kEntrants; ++number) {
      if (number != 5 || !withdrawn) come(number);
    }
  }
  void next_round() {
    ++rounds;
    for (int waits = 0; waits < 60 && host.decided<RoundPaired>().size() < rounds; ++waits)
      host.server().advance(10'000);
    ASSERT_THAT(host.decided<RoundPaired>(), SizeIs(rounds));
    host.server().advance(60'000);
  }
  void play_all(bool final) {
    host.play_all([final](const GameOpened& game) { return black_wins(game, final); });
  }

  // A player's connection is lost in mid-game; he comes back and wins or loses as he would have.
  void play_with_a_lost_line() {
    const GameOpened game = host.open_games().front();
    host.agree(game);
    host.server().say(game.black.name, "+7776FU");
    host.server().hang_up(game.white.name);
    host.server().advance(20'000);
    come(std::stoi(game.white.name.substr(1)));
    host.server().say(game.white.name, "AGREE");
    if (game.black.name < game.white.name) {
      host.server().say(game.white.name, "%TORYO");
    } else {
      host.server().say(game.white.name, "-3334FU");
      host.server().say(game.black.name, "%TORYO");
    }
    play_all(false);
  }
  // Half of the games are over, one is not agreed to, the others have begun.
  void play_with_a_crash() {
    const auto games = host.open_games();
    for (std::size_t i = 0; i < games.size() / 2; ++i) host.play(games[i], black_wins(games[i], false));
    for (std::size_t i = games.size() / 2 + 1; i < games.size(); ++i) {
      host.agree(games[i]);
      host.server().say(games[i].black.name, "+7776FU");
    }
    const std::size_t counted = host.results().size();
    host.kill();
    EXPECT_EQ(host.results().size(), counted);
    come_all();
    for (const GameOpened& game : host.open_games()) {
      host.agree(game);
      const bool begun = std::ranges::find(games, game.csa_id, &GameOpened::csa_id) != games.end();
      const bool black = black_wins(game, false);
      if (begun && black) {
        host.server().say(game.white.name, "%TORYO");
      } else if (begun) {
        host.server().say(game.white.name, "-3334FU");
        host.server().say(game.black.name, "%TORYO");
      } else {
        host.finish(game, black);
      }
    }
  }
  void play_with_somebody_missing() {
    for (const GameOpened& game : host.open_games()) {
      EXPECT_NE(game.black.name, "p20");
      EXPECT_NE(game.white.name, "p20");
    }
    play_all(false);
    host.server().advance(300'000);
    EXPECT_EQ(host.results().back().how, How::forfeit);
    come(20);
  }

  void play_swiss() {
    for (int round = 1; round <= kSwissRounds; ++round) {
      SCOPED_TRACE(round);
      if (round == 3) come(28);
      if (round == 6) {
        withdrawn = true;
        ASSERT_TRUE(host.host("withdraw cup p05").ok);
        host.server().hang_up("p20");
      }
      ASSERT_NO_FATAL_FAILURE(next_round());
      if (round == 2) {
        play_with_a_lost_line();
      } else if (round == 4) {
        play_with_a_crash();
      } else if (round == 6) {
        play_with_somebody_missing();
      } else {
        play_all(false);
      }
      EXPECT_THAT(host.open_games(), IsEmpty());
    }
  }
  void play_final() {
    host.server().deliver(core::Stop{});
    host.kill();
    come_all();
    for (int round = 1; round <= kFinalRounds; ++round) {
      SCOPED_TRACE(round);
      ASSERT_NO_FATAL_FAILURE(next_round());
      ASSERT_THAT(host.open_games(), SizeIs(4));
      play_all(true);
    }
  }

  // Of the Swiss, before the final: nobody has met twice, or sat at two boards at once.
  void expect_nobody_twice() const {
    std::set<std::pair<std::string, std::string>> met;
    for (const GameResult& result : host.results()) {
      if (result.how == How::forfeit) continue;
      EXPECT_TRUE(met.insert(std::minmax(result.black, result.white)).second) << result.black << " " << result.white;
    }
    std::set<std::string> plays;
    std::map<core::GameId, GameOpened> open;
    for (const core::Journaled& row : host.journal()) {
      if (const auto* opened = std::get_if<GameOpened>(&row.fact)) {
        EXPECT_TRUE(plays.insert(opened->black.name).second) << opened->csa_id;
        EXPECT_TRUE(plays.insert(opened->white.name).second) << opened->csa_id;
        open.emplace(opened->game, *opened);
      }
      if (std::holds_alternative<core::GameEnded>(row.fact) || std::holds_alternative<core::GameRejected>(row.fact)) {
        const GameOpened& game = open.at(core::game_of(row.fact));
        plays.erase(game.black.name);
        plays.erase(game.white.name);
      }
    }
  }

  // What was stored, folded without a server.
  core::RunningEvent stored() const {
    core::RunningEvent event(32);
    for (const core::Journaled& row : host.journal()) event.keep(row.fact);
    event.settle();
    return event;
  }

  // Points by games as they ended on the boards, by forfeits and by byes; knows nothing of ledgers.
  std::map<std::string, double> count_by_hand(DivisionKey division) const {
    std::map<core::GameId, DivisionKey> division_of;
    for (const auto& game : host.facts<core::TournamentGame>()) division_of[game.game] = game.key.division;
    std::map<core::GameId, GameOpened> opened;
    for (const GameOpened& game : host.facts<GameOpened>()) opened.emplace(game.game, game);
    std::map<std::string, double> points;
    for (const core::GameEnded& ended : host.facts<core::GameEnded>()) {
      if (division_of.at(ended.game) != division) continue;
      const GameOpened& game = opened.at(ended.game);
      points[ended.outcome == Outcome::black_wins ? game.black.name : game.white.name] += 1;
    }
    for (const GameResult& result : host.results()) {
      if (result.how != How::forfeit || result.game.division != division) continue;
      points[result.outcome == Outcome::black_wins ? result.black : result.white] += 1;
    }
    for (const RoundPaired& round : host.decided<RoundPaired>()) {
      for (const Bye& bye : round.byes) {
        if (round.division == division) points[bye.player] += 1;
      }
    }
    return points;
  }

  EventHost host;
  bool withdrawn = false;
  std::size_t rounds = 0;
};

TEST_F(Championship, IsPlayedToItsEndAndCountedRight) {
  ASSERT_TRUE(host.announce(settings()).ok);
  for (int number = 1; number < kEntrants; ++number) come(number);
  ASSERT_TRUE(host.host("start cup").ok);
  ASSERT_NO_FATAL_FAILURE(play_swiss());
  expect_nobody_twice();
  ASSERT_NO_FATAL_FAILURE(play_final());
  EXPECT_EQ(host.facts<core::TournamentPhaseSet>().back().phase, core::TournamentPhase::over);
  EXPECT_EQ(host.facts<core::TournamentPhaseSet>().back().by, "server");

  const core::RunningEvent event = stored();
  for (const DivisionKey division : {kSwiss, kClassA}) {
    const Standings standings = standings_of(event.event(), event.state(), division);
    EXPECT_TRUE(standings.final);
    EXPECT_THAT(standings.rows, SizeIs(division == kSwiss ? kEntrants : 8));
    std::map<std::string, double> points = count_by_hand(division);
    for (const Standing& row : standings.rows) {
      EXPECT_DOUBLE_EQ(static_cast<double>(row.points.milli) / 1000, points[row.player]) << row.player;
    }
    const core::tournament::Table table = table_of(event.event(), event.state(), division);
    EXPECT_EQ(host.table(division == kSwiss ? "cup day1/day1" : "cup A"),
              table_text(table, usual_view(table.format), Language::en));
  }

  const Standings final = standings_of(event.event(), event.state(), kClassA);
  std::set<std::string> first;
  for (const Standing& row : final.rows) {
    if (row.rank == 1) first.insert(row.player);
  }
  EXPECT_THAT(first, ElementsAre("p01", "p02", "p03")) << "a tie of three that nothing parts";
  EXPECT_EQ(final.rows[3].rank, 4);
}

}  // namespace
}  // namespace fuhyo::test
