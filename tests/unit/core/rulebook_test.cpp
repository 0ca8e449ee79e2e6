// By whose rules a room or an event judges repetitions, and a mate by the move that reaches the limit.
#include "server/core/games/finished_game.h"
#include "server/core/record_text.h"
#include "tests/unit/core/event_test.h"

namespace fuhyo::test {
namespace {

using core::Outcome;
using core::Rulebook;

constexpr std::string_view kMates = "k1K6/9/1R7/9/9/9/9/9/9 b G 1";  // by a gold dropped on 8b
// White's king walks to and fro before Black's rook.
constexpr std::string_view kRook = "k2K5/2R6/9/9/9/9/9/9/9 b - 1";
constexpr std::string_view kKings = "k1K6/9/9/9/9/9/9/9/9 b - 1";

class Rulebooks : public RoomGame {
 protected:
  // Until the game is over: "end after so many lines: winner".
  std::string play(std::string_view lines) {
    std::size_t said = 0;
    while (!lines.empty() && !end()) {
      const std::string line(lines.substr(0, lines.find(' ')));
      lines.remove_prefix(std::min(lines.size(), line.size() + 1));
      server().say(line.starts_with('+') ? "A" : "B", line);
      ++said;
    }
    if (!end()) return "goes on";
    const std::string_view winner = end()->outcome == Outcome::black_wins   ? "Black"
                                    : end()->outcome == Outcome::white_wins ? "White"
                                                                            : "nobody";
    return fmt::format("{} after {}: {}", core::summary_type(end()->kind), said, winner);
  }
};

TEST_F(Rulebooks, AMateByTheMoveThatReachesTheLimit) {
  struct Case {
    std::string_view settings, sfen, lines, end;
  };
  constexpr std::string_view kWhiteMates = "9/9/9/9/9/9/1r7/9/K1k6 w g 1";
  for (const Case& c : {Case{"rules=official max-moves=1", kMates, "+0082KI", "toryo after 1: Black"},
                        Case{"rules=shogi-server max-moves=1", kMates, "+0082KI", "max_moves after 1: nobody"},
                        Case{"max-moves=1", kMates, "+0082KI", "max_moves after 1: nobody"},
                        Case{"rules=official max-moves=1", kWhiteMates, "-0088KI", "toryo after 1: White"},
                        Case{"rules=official max-moves=1", kMates, "+0092KI", "max_moves after 1: nobody"},
                        Case{"rules=official max-moves=2", kMates, "+0082KI", "goes on"},
                        Case{"rules=official max-moves=0", kMates, "+0082KI", "goes on"}}) {
    SCOPED_TRACE(fmt::format("{}: {}", c.settings, c.lines));
    host = EventHost();
    begin(c.settings, c.sfen);
    EXPECT_EQ(play(c.lines), c.end);
  }
}

TEST_F(Rulebooks, AMateAtTheLimitIsToldAsAResignation) {
  begin("rules=official max-moves=1", kMates);
  EXPECT_THAT(server().reply("A", "+0082KI"), ElementsAre("+0082KI,T0", "%TORYO", "#RESIGN", "#WIN", "[EOF]"));
  EXPECT_THAT(server().heard("B"), ElementsAre("+0082KI,T0", "%TORYO", "#RESIGN", "#LOSE", "[EOF]"));
  ASSERT_TRUE(end());
  EXPECT_EQ(end()->plies, 1);
  EXPECT_EQ(end()->reason, "mated by move 1, the last one");
  EXPECT_THAT(core::record_end(opened(), *end()), StartsWith("%TSUMI\n'P1"));
  EXPECT_THAT(core::record_head(opened()), HasSubstr("'Rules:official\n$EVENT"));
}

TEST_F(Rulebooks, Repetitions) {
  constexpr std::string_view kWalk = "+7172OU -9192OU +7271OU -9291OU ";
  constexpr std::string_view kCheck = "+7271HI -9192OU +7172HI -9291OU ";
  // The start again without a check, then checks alone.
  const std::string quiet_first = "+7274HI -9181OU +7472HI -8191OU ";
  const auto times = [](std::string_view moves, int n) {
    std::string text;
    for (int i = 0; i < n; ++i) text += moves;
    return text;
  };
  struct Case {
    std::string_view rules, sfen;
    std::string lines;
    std::string_view end;
  };
  for (const Case& c :
       {Case{"official", kKings, times(kWalk, 4), "sennichite after 12: nobody"},
        Case{"shogi-server", kKings, times(kWalk, 4), "sennichite after 13: nobody"},
        Case{"official", kRook, times(kCheck, 4), "oute_sennichite after 12: White"},
        Case{"shogi-server", kRook, times(kCheck, 4), "oute_sennichite after 13: White"},
        Case{"official", kRook, quiet_first + times(kCheck, 4), "sennichite after 12: nobody"},
        Case{"shogi-server", kRook, quiet_first + times(kCheck, 4), "oute_sennichite after 16: White"}}) {
    SCOPED_TRACE(fmt::format("{}: {}", c.rules, c.lines));
    host = EventHost();
    begin(fmt::format("rules={}", c.rules), c.sfen);
    EXPECT_EQ(play(c.lines), c.end);
  }
}

TEST_F(Rulebooks, OutliveACrashAndAChangeOfTheRoom) {
  begin("rules=official max-moves=3", kMates);
  EXPECT_EQ(play("+7172OU -9192OU"), "goes on");
  set_room("rules=");
  host.kill();
  both_come();
  both_agree();
  EXPECT_EQ(play("+0082KI"), "toryo after 1: Black");
}

TEST_F(Rulebooks, OfAnEventAreTheOfficialOnesUnlessItSaysOtherwise) {
  hold({"ann", "bob"});
  EXPECT_EQ(only_game().rulebook, Rulebook::official);
  host = EventHost();
  hold({"ann", "bob"}, "rules\tshogi-server\n");
  EXPECT_EQ(only_game().rulebook, Rulebook::shogi_server);
}

TEST_F(Rulebooks, OfTheMainRoomAreThoseOfShogiServer) {
  server().start_game("A", "B", "any-60-0");
  EXPECT_EQ(opened().rulebook, Rulebook::shogi_server);
  EXPECT_THAT(core::record_head(opened()), Not(HasSubstr("Rules")));
}

TEST(RulebookTerms, AreKeptByTheArchive) {
  core::GameOpened opened;
  EXPECT_EQ(core::special_terms(opened), "");
  opened.rulebook = Rulebook::official;
  opened.declaration = shogi::DeclarationRule::TRY;
  EXPECT_EQ(core::special_terms(opened), "declaration=try rules=official");
  core::GameOpened back;
  core::take_special_terms(back, core::special_terms(opened));
  EXPECT_EQ(back, opened);
  core::take_special_terms(back, "rules=newer");
  EXPECT_EQ(back, opened);
}

}  // namespace
}  // namespace fuhyo::test
