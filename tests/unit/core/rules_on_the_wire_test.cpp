// The rules of shogi as two clients meet them: a position, the moves sent, and how the game ends by the last of them.
// Repetitions are in rulebook_test.cpp, other rules of declaration in declaration_rules_test.cpp.
#include <optional>
#include <sstream>

#include "tests/unit/core/core_test.h"

namespace fuhyo::test {
namespace {

using core::EndKind;
using core::Outcome;

struct Case {
  const char* what;
  const char* sfen;
  const char* lines;           // separated by blanks; each by the side to move
  std::optional<EndKind> end;  // by the last line; nothing: the game goes on
};

// Who sends `line` loses by everything but a good declaration and a fourfold repetition.
Outcome outcome(EndKind end, bool by_black) {
  if (end == EndKind::sennichite) return Outcome::draw;
  return (end == EndKind::kachi) == by_black ? Outcome::black_wins : Outcome::white_wins;
}

void play(const Case& c) {
  SCOPED_TRACE(fmt::format("{}: {} in {}", c.what, c.lines, c.sfen));
  VirtualServer server;
  server.login_x1("host");
  server.say("host", fmt::format("%%SETBUOYSFEN buoy_x-300-10 sfen {}", c.sfen));
  ASSERT_EQ(server.heard("host").front(), "##[SETBUOYSFEN] +OK");
  server.start_game("black", "white", "buoy_x-300-10");
  bool black = std::string_view(c.sfen).find(" b ") != std::string_view::npos;
  std::istringstream lines(c.lines);
  for (std::string line; lines >> line; black = !black) {
    ASSERT_THAT(server.facts<core::GameEnded>(), IsEmpty()) << "ended before " << line;
    server.say(black ? "black" : "white", line);
  }
  const auto found = server.facts<core::GameEnded>();
  ASSERT_EQ(found.size(), c.end ? 1U : 0U) << (found.empty() ? "" : found.front().reason);
  if (!c.end) return;
  EXPECT_EQ(core::summary_type(found.front().kind), core::summary_type(*c.end)) << found.front().reason;
  EXPECT_EQ(found.front().outcome, outcome(*c.end, !black));
}

// What each rule says is tested with engines/shogi; here that the server asks, and of the position that players see.
TEST(RulesOnTheWire, AreThoseOfTheGame) {
  using enum EndKind;
  constexpr const char* kZone = "k1K6/9/P2R5/1P7/2P6/9/9/9/9 b - 1";
  constexpr const char* kHand = "k1K6/9/9/9/9/9/9/9/9 b P2L3N 1";
  constexpr const char* kStart = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
  const Case cases[] = {
      {"promotion into the zone", kZone, "+8483TO", {}},
      {"before it", kZone, "+7574TO", illegal_move},
      {"a pawn on the last rank must", "k1K6/1P7/9/9/9/9/9/9/9 b - 1", "+8281FU", illegal_move},
      {"a promoted piece stays promoted", "k1K6/9/9/9/4+R4/9/9/9/9 b - 1", "+5554HI", illegal_move},
      {"White promotes as it takes", "k1K6/9/6b2/9/9/9/2N6/9/9 w - 1", "-3377UM", {}},
      {"a captured horse is a bishop", kStart, "+7776FU -3334FU +8822UM -3122GI +9796FU -0055KA", {}},
      {"and no horse", kStart, "+7776FU -3334FU +8822UM -3122GI +9796FU -0055UM", illegal_move},
      {"a knight on the last rank but one", kHand, "+0022KE", illegal_move},
      {"two pawns on a file", "k1K6/7P1/9/9/9/9/9/9/9 b P 1", "+0026FU", illegal_move},
      {"two pawns side by side", "k1K6/7P1/9/9/9/9/9/9/9 b P 1", "+0036FU", {}},
      {"mate by dropping a pawn", "k1K6/9/1+R7/9/9/9/9/9/9 b P 1", "+0092FU", uchifuzume},
      {"check by dropping a pawn", "k1K6/9/1R7/9/9/9/9/9/9 b P 1", "+0092FU", {}},
      {"mate by a pawn in a game", "ln1g1k1nl/2+P6/4gg1p1/2p1ppp2/1+rSK3PP/p1PGSPP1L/3+r5/9/LN7 w 5P2SBNpb 1",
       "-0064FU", uchifuzume},
      {"check by a pawn in a game",
       "1s1gk1s1l/4p4/K1pp1pgp1/GN+r1s3p/9/P3L2P1/1P2P4/1S7/LN6+b w BGNL3Prn5p 1",
       "-0092FU",
       {}},
      {"in check by a knight", "k1K5l/9/1N7/9/9/9/9/9/9 w - 1", "-1112KY", oute_kaihimore},
      {"the king walks into check", "k1K5l/9/9/1R7/9/9/9/9/9 w - 1", "-9182OU", oute_kaihimore},
      {"a declaration with nine pieces", "RRBBK4/PPPPP4/9/9/9/9/9/9/9 b 3P 1", "%KACHI", illegal_kachi},
      {"in check", "R1BBK3r/PPPPPPP2/9/9/9/9/9/9/9 b 6P 1", "%KACHI", illegal_kachi},
      {"in a game", "+P+P1+P+PK1+P1/8G/3+P+S+P+P+P+L/9/8+B/3g+s+r3/+p1+p+s1+p+p+p1/+r2+n+pk+p+p1/1+p7 w 2GNbs2n3l 1",
       "%KACHI", kachi}};
  for (const Case& c : cases) play(c);
}

}  // namespace
}  // namespace fuhyo::test
