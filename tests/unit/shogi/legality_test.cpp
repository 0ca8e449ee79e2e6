#include <gtest/gtest.h>

#include "tests/unit/shogi/boards.h"

namespace fuhyo::shogi {
namespace {

constexpr std::string_view kStart = Position::kStartSfen;

using Judged = std::initializer_list<std::pair<std::string_view, Illegal>>;

void expect_judged(std::string_view sfen, Judged moves) {
  for (const auto& [move, why] : moves) EXPECT_EQ(at(sfen).why_illegal(usi(move)), why) << move << " in " << sfen;
}

TEST(Legality, NamesTheRuleThatIsBroken) {
  using enum Illegal;
  // A piece of the opponent, one that is not held, over an own pawn, far from the zone.
  expect_judged(kStart, {{"7g7f", none},
                         {"5e5d", no_piece},
                         {"3c3d", no_piece},
                         {"P*5e", no_piece},
                         {"2h2g", occupied},
                         {"2h2f", unreachable},
                         {"7g7e", unreachable},
                         {"7g7f+", cannot_promote}});
  expect_judged("4k4/9/9/9/9/9/9/9/4K4 b P 1", {{"P*5e", none}, {"P*5i", occupied}});
  // Promotion: also out of the zone, but not of a gold, a dragon, a king.
  expect_judged(
      "4k4/9/S8/+R2G5/9/9/9/9/4K4 b - 1",
      {{"9c9b+", none}, {"9c9b", none}, {"9c8d+", none}, {"6d6c+", cannot_promote}, {"9d8c+", cannot_promote}});
  expect_judged("9/9/4K4/9/9/9/9/9/k8 b - 1", {{"5c5b+", cannot_promote}});
  // Pieces that could never move again.
  expect_judged("8k/P8/9/2N1N4/9/9/9/9/4K4 b LNP 1", {{"9b9a", dead_end},
                                                      {"9b9a+", none},
                                                      {"5d4b", dead_end},
                                                      {"5d4b+", none},
                                                      {"L*5a", dead_end},
                                                      {"L*5b", none},
                                                      {"N*5b", dead_end},
                                                      {"N*5c", none},
                                                      {"P*5a", dead_end}});
  expect_judged("4k4/9/9/9/9/9/9/9/K8 w np 1", {{"N*5h", dead_end}, {"P*5i", dead_end}});
  // Two pawns: not with the opponent's, nor with a promoted one.
  expect_judged("8k/9/9/4p4/+P8/9/8P/9/4K4 b P 1", {{"P*1f", two_pawns}, {"P*5e", none}, {"P*9f", none}});
}

TEST(Legality, OfTheKing) {
  using enum Illegal;
  // Off the pin and along it; in the rook's line; between and beside; what is unprotected and what is not; two checks.
  expect_judged("4k4/9/4r4/9/9/9/4G4/9/4K4 b - 1", {{"5g4g", king_in_check}, {"5g5f", none}});
  expect_judged("4k4/4r4/9/9/9/9/9/4K4/9 b G 1", {{"5h5i", king_in_check}});
  expect_judged("4k4/4r4/9/9/9/9/9/9/4K4 b G 1", {{"5i4i", none}, {"G*5e", none}, {"G*4e", king_in_check}});
  expect_judged("4k4/9/9/9/9/9/9/4g4/4K4 b - 1", {{"5i5h", none}});
  expect_judged("4k4/9/9/9/9/9/4l4/4g4/4K4 b - 1", {{"5i5h", king_in_check}});
  expect_judged("4k4/4r4/9/9/9/9/3n5/9/3GK4 b R 1", {{"R*5h", king_in_check}});
}

TEST(Legality, OfMateByDroppingAPawn) {
  constexpr std::tuple<std::string_view, bool, std::string_view> kDrops[] = {
      {"7lk/9/7S1/9/9/9/9/9/4K4 b P 1", true, "a mate"},
      {"8k/9/7S1/9/9/9/9/9/4K4 b P 1", false, "the king flees"},
      {"7lk/9/9/9/9/9/9/9/4K4 b P 1", false, "the king takes"},
      {"6glk/9/7S1/9/9/9/9/9/4K4 b P 1", true, "nobody reaches the pawn"},
      {"7gk/9/7S1/9/9/9/9/9/4K4 b P 1", false, "the gold takes"},
      {"R6gk/9/7S1/9/9/9/9/9/4K4 b P 1", true, "the gold is pinned"},
  };
  for (const auto& [sfen, mate, why] : kDrops) {
    SCOPED_TRACE(why);
    expect_judged(sfen, {{"P*1b", mate ? Illegal::drop_pawn_mate : Illegal::none}});
  }
  expect_judged("4k4/9/9/9/9/9/7s1/9/7LK w p 1", {{"P*1h", Illegal::drop_pawn_mate}});
  const Position moved = at("7lk/9/7SP/9/9/9/9/9/4K4 b - 1");
  EXPECT_TRUE(legal_moves(after(moved, "1c1b")).empty()) << "moving a pawn may mate";
}

TEST(Legality, AnswersForAny16Bits) {
  for (const std::string_view sfen :
       {kStart, std::string_view("l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1"),
        std::string_view("9/9/9/9/9/9/9/9/9 b RB 1")}) {
    const Position position = at(sfen);
    const MoveList<GenKind::LEGAL> moves(position);
    std::size_t legal = 0;
    for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
      const Move move = Move::from_bits(static_cast<std::uint16_t>(bits));
      const bool is_legal = position.is_legal(move);
      ASSERT_EQ(is_legal, moves.contains(move)) << bits;
      legal += is_legal ? 1 : 0;
    }
    EXPECT_EQ(legal, moves.size());
  }
}

TEST(Legality, EveryReasonHasWords) {
  EXPECT_EQ(to_string(Illegal::none), "");
  for (int i = 1; i <= static_cast<int>(Illegal::drop_pawn_mate); ++i) {
    EXPECT_GT(to_string(static_cast<Illegal>(i)).size(), 10U) << i;
    EXPECT_NE(to_string(static_cast<Illegal>(i)), "unknown");
  }
}

TEST(GivesCheck, DirectlyByDropAndByUncovering) {
  constexpr std::tuple<std::string_view, std::string_view, bool> kMoves[] = {
      {"4k4/9/9/9/9/9/9/9/4K4 b G 1", "G*5b", true},     {"4k4/9/9/9/9/9/9/9/4K4 b G 1", "G*5c", false},
      {"4k4/9/2N6/9/9/9/9/9/4K4 b - 1", "7c6a+", true},  {"4k4/9/9/9/4G4/9/9/4R4/K8 b - 1", "5e4e", true},
      {"4k4/9/9/9/4G4/9/9/4R4/K8 b - 1", "5e5d", false},  // stays on the line
      {"4k4/9/9/9/9/9/1R7/9/4K4 b - 1", "8g8a+", true},  {"9/9/9/9/9/9/9/9/4K4 b G 1", "G*5b", false},  // nobody there
  };
  for (const auto& [sfen, move, check] : kMoves) EXPECT_EQ(at(sfen).gives_check(usi(move)), check) << sfen << move;
}

}  // namespace
}  // namespace fuhyo::shogi
