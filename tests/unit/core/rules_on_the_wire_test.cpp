// The rules of shogi as two clients meet them: a position, the moves sent, and how the game ends by the last of them.
// The cases are those that a rule is most often got wrong in, among them two that games between programs ended in.
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

std::vector<core::GameEnded> ends(const VirtualServer& server) {
  std::vector<core::GameEnded> found;
  for (const core::Journaled& row : server.journal()) {
    if (const auto* end = std::get_if<core::GameEnded>(&row.fact)) found.push_back(*end);
  }
  return found;
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
    ASSERT_TRUE(ends(server).empty()) << "ended before " << line;
    server.say(black ? "black" : "white", line);
  }
  const auto found = ends(server);
  ASSERT_EQ(found.size(), c.end ? 1U : 0U) << (found.empty() ? "" : found.front().reason);
  if (!c.end) return;
  EXPECT_EQ(core::summary_type(found.front().kind), core::summary_type(*c.end)) << found.front().reason;
  EXPECT_EQ(found.front().outcome, outcome(*c.end, !black));
}

void play_all(std::initializer_list<Case> cases) {
  for (const Case& c : cases) play(c);
}

TEST(RulesOnTheWire, Promotion) {
  using enum EndKind;
  constexpr const char* kZone = "k1K6/9/P2R5/1P7/2P6/9/9/9/9 b - 1";
  play_all({{"inside the zone", kZone, "+9392TO", {}},
            {"into it", kZone, "+8483TO", {}},
            {"before it", kZone, "+7574TO", illegal_move},
            {"out of it", kZone, "+6364RY", {}},
            {"a pawn on the last rank must", "k1K6/1P7/9/9/9/9/9/9/9 b - 1", "+8281FU", illegal_move},
            {"a promoted piece stays promoted", "k1K6/9/9/9/4+R4/9/9/9/9 b - 1", "+5554HI", illegal_move},
            {"a dragon steps aslant", "k1K6/9/9/9/4+R4/9/9/9/9 b - 1", "+5544RY", {}},
            {"by one square", "k1K6/9/9/9/4+R4/9/9/9/9 b - 1", "+5533RY", illegal_move},
            {"a rook does not", "k1K6/9/9/9/4R4/9/9/9/9 b - 1", "+5544HI", illegal_move},
            {"White promotes as it takes", "k1K6/9/6b2/9/9/9/2N6/9/9 w - 1", "-3377UM", {}}});
}

// Black's bishop is taken as a horse and comes back as a bishop.
TEST(RulesOnTheWire, ACapturedPieceIsUnpromoted) {
  using enum EndKind;
  constexpr const char* kTaken = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
  play_all({{"dropped as it was", kTaken, "+7776FU -3334FU +8822UM -3122GI +9796FU -0055KA", {}},
            {"dropped promoted", kTaken, "+7776FU -3334FU +8822UM -3122GI +9796FU -0055UM", illegal_move}});
}

TEST(RulesOnTheWire, Drops) {
  using enum EndKind;
  constexpr const char* kHand = "k1K6/9/9/9/9/9/9/9/9 b P2L3N 1";
  play_all({{"a pawn that could not move", kHand, "+0011FU", illegal_move},
            {"and one that can", kHand, "+0012FU", {}},
            {"a lance", kHand, "+0011KY", illegal_move},
            {"and one that can", kHand, "+0012KY", {}},
            {"a knight on the last rank", kHand, "+0011KE", illegal_move},
            {"a knight on the last but one", kHand, "+0022KE", illegal_move},
            {"and one that can move", kHand, "+0033KE", {}},
            {"promoted", kHand, "+0033NK", illegal_move},
            {"two pawns on a file", "k1K6/7P1/9/9/9/9/9/9/9 b P 1", "+0026FU", illegal_move},
            {"two pawns side by side", "k1K6/7P1/9/9/9/9/9/9/9 b P 1", "+0036FU", {}}});
}

// Black drops a pawn before White's king, which stands in the corner but for two cases.
TEST(RulesOnTheWire, MateByDroppingAPawn) {
  using enum EndKind;
  play_all(
      {{"a rook does not hold the pawn", "k1K6/9/1R7/9/9/9/9/9/9 b P 1", "+0092FU", {}},
       {"a dragon does", "k1K6/9/1+R7/9/9/9/9/9/9 b P 1", "+0092FU", uchifuzume},
       {"the king steps back", "9/k1K6/9/1+R7/9/9/9/9/9 b P 1", "+0093FU", {}},
       {"into the bishop's line", "9/k1K6/2B6/1+R7/9/9/9/9/9 b P 1", "+0093FU", uchifuzume},
       {"a rook takes the pawn", "k1K6/3r5/1+R7/9/9/9/9/9/9 b P 1", "+0092FU", {}},
       {"a pawn is in the rook's way", "k1K6/2Pr5/1+R7/9/9/9/9/9/9 b P 1", "+0092FU", uchifuzume},
       {"a silver does not step straight back", "k1K6/9/s+R7/9/9/9/9/9/9 b P 1", "+0092FU", uchifuzume},
       {"a gold does", "k1K6/9/g+R7/9/9/9/9/9/9 b P 1", "+0092FU", {}},
       {"and a promoted silver", "k1K6/9/+s+R7/9/9/9/9/9/9 b P 1", "+0092FU", {}},
       {"in a game: one", "ln1g1k1nl/2+P6/4gg1p1/2p1ppp2/1+rSK3PP/p1PGSPP1L/3+r5/9/LN7 w 5P2SBNpb 1", "-0064FU",
        uchifuzume},
       {"in a game: none", "1s1gk1s1l/4p4/K1pp1pgp1/GN+r1s3p/9/P3L2P1/1P2P4/1S7/LN6+b w BGNL3Prn5p 1", "-0092FU", {}}});
}

// White moves a lance, whatever happens to the king.
TEST(RulesOnTheWire, AKingLeftInCheck) {
  using enum EndKind;
  play_all({{"by a knight", "k1K5l/9/1N7/9/9/9/9/9/9 w - 1", "-1112KY", oute_kaihimore},
            {"by a gold, aslant", "k3K3l/1G7/9/9/9/9/9/9/9 w - 1", "-1112KY", oute_kaihimore},
            {"by a dragon, aslant", "k3K3l/1+R7/9/9/9/9/9/9/9 w - 1", "-1112KY", oute_kaihimore},
            {"a rook does not check aslant", "k3K3l/1R7/9/9/9/9/9/9/9 w - 1", "-1112KY", {}},
            {"by a rook, along the rank", "k1RK4l/9/9/9/9/9/9/9/9 w - 1", "-1112KY", oute_kaihimore},
            {"the king walks into it", "k1K5l/9/9/1R7/9/9/9/9/9 w - 1", "-9182OU", oute_kaihimore}});
}

// The start position itself is not counted: the fourth time is the one after the first move.
TEST(RulesOnTheWire, Repetition) {
  using enum EndKind;
  constexpr const char* kRook = "k2K5/2R6/9/9/9/9/9/9/9 b - 1";
  play_all({{"kings walk to and fro",
             "k1K6/9/9/9/9/9/9/9/9 b - 1",
             "+7172OU -9192OU +7271OU -9291OU +7172OU -9192OU +7271OU -9291OU +7172OU -9192OU +7271OU -9291OU",
             {}},
            {"and once more", "k1K6/9/9/9/9/9/9/9/9 b - 1",
             "+7172OU -9192OU +7271OU -9291OU +7172OU -9192OU +7271OU -9291OU +7172OU -9192OU +7271OU -9291OU +7172OU",
             sennichite},
            {"by checks alone", kRook,
             "+7271HI -9192OU +7172HI -9291OU +7271HI -9192OU +7172HI -9291OU +7271HI -9192OU +7172HI -9291OU +7271HI",
             oute_sennichite},
            {"with one quiet move", kRook,
             "+7271HI -9192OU +7172HI -9291OU +7271HI -9192OU +7174HI -9291OU +7471HI -9192OU +7172HI -9291OU +7271HI",
             sennichite}});
}

TEST(RulesOnTheWire, Declaration) {
  using enum EndKind;
  play_all(
      {{"Black with 28 points", "RRBBK4/PPPPPP3/9/9/9/9/9/9/9 b 2P 1", "%KACHI", kachi},
       {"with 27", "RRBBK4/PPPPPP3/9/9/9/9/9/9/9 b P 1", "%KACHI", illegal_kachi},
       {"with nine pieces", "RRBBK4/PPPPP4/9/9/9/9/9/9/9 b 3P 1", "%KACHI", illegal_kachi},
       {"White with 27 points", "9/9/9/9/9/9/9/pppppp3/rrbbk4 w p 1", "%KACHI", kachi},
       {"with 26", "9/9/9/9/9/9/9/pppppp3/rrbbk4 w - 1", "%KACHI", illegal_kachi},
       {"with nine pieces", "9/9/9/9/9/9/9/ppppp4/rrbbk4 w 2p 1", "%KACHI", illegal_kachi},
       {"without check", "R1BBK4/PPPPPPP2/8r/9/9/9/9/9/9 b 6P 1", "%KACHI", kachi},
       {"in check", "R1BBK3r/PPPPPPP2/9/9/9/9/9/9/9 b 6P 1", "%KACHI", illegal_kachi},
       {"in a game", "+P+P1+P+PK1+P1/8G/3+P+S+P+P+P+L/9/8+B/3g+s+r3/+p1+p+s1+p+p+p1/+r2+n+pk+p+p1/1+p7 w 2GNbs2n3l 1",
        "%KACHI", kachi}});
}

}  // namespace
}  // namespace fuhyo::test
