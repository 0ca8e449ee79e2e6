#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sstream>

#include "tests/unit/shogi/boards.h"

namespace fuhyo::shogi {
namespace {

using ::testing::Contains;
using ::testing::Not;
using Texts = std::set<std::string>;

constexpr std::string_view kMostMoves = "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1";
constexpr std::string_view kMostMovesWithoutKings = "R8/3S1S1S1/5B3/9/9/9/9/9/2L3L1L b RBGSNLP 1";

TEST(MoveGeneration, ReachesTheKnownMaximum) {
  EXPECT_EQ(legal_moves(at(kMostMoves)).size(), 593U);
  EXPECT_EQ(count_legal_moves(at(kMostMoves)), 593U);
  EXPECT_EQ(legal_moves(at(kMostMovesWithoutKings)).size(), 597U);
}

TEST(MoveGeneration, WritesNothingBehindItsRoom) {
  for (const std::string_view sfen : {kMostMoves, kMostMovesWithoutKings}) {
    std::vector<Move> room(MAX_LEGAL_MOVES + 64, Move::from_bits(0xabcd));
    generate<GenKind::LEGAL>(at(sfen), room.data());
    for (std::size_t i = MAX_LEGAL_MOVES; i < room.size(); ++i) ASSERT_EQ(room[i].bits(), 0xabcd);
  }
}

TEST(MoveGeneration, SearchLeavesOutPointlessNonPromotions) {
  constexpr std::string_view kPieces = "k8/2P1L4/1R4BS1/9/9/9/9/N8/4K4 b - 1", kLance = "k8/9/9/9/4L4/9/9/9/4K4 b - 1";
  constexpr std::tuple<std::string_view, const char*, bool, bool> kMoves[] = {
      {kPieces, "8c8d", true, false},  {kPieces, "8c8d+", true, true}, {kPieces, "3c5e", true, false},
      {kPieces, "2c2b", true, true},  // a silver may well not promote
      {kPieces, "7b7a", false, false}, {kPieces, "7b7a+", true, true}, {kLance, "5e5b", true, false},
      {kLance, "5e5c", true, true},    {kLance, "5e5b+", true, true}};
  for (const auto& [sfen, move, legal, searched] : kMoves) {
    EXPECT_EQ(texts<GenKind::LEGAL>(at(sfen)).contains(move), legal) << move;
    EXPECT_EQ(texts<GenKind::SEARCH>(at(sfen)).contains(move), searched) << move;
  }
}

TEST(MoveGeneration, CapturesAreCapturesAndPawnPromotions) {
  const Position position = at("4k4/1P7/2p6/2R6/9/9/9/9/4K4 b G 1");
  EXPECT_EQ(texts<GenKind::CAPTURES>(position), (Texts{"7d7c+", "8b8a+"}));
  EXPECT_THAT(texts<GenKind::QUIETS>(position), Contains("G*5e"));
  EXPECT_THAT(texts<GenKind::QUIETS>(position), Not(Contains("8b8a+")));
}

TEST(MoveGeneration, WithoutKingsAndWithoutPieces) {
  EXPECT_TRUE(legal_moves(at("9/9/9/9/9/9/9/9/9 b - 1")).empty());
  EXPECT_EQ(legal_moves(at("9/9/9/9/9/9/9/9/9 b P 1")).size(), 72U);
  EXPECT_EQ(legal_moves(at("9/9/9/9/4R4/9/9/9/9 b - 1")).size(), 16U + 3U);
}

// Move lists of 3000 positions, by a generator that leaves the same pointless moves out as SEARCH does but knows no
// drop-pawn mate. Two of them have one.
TEST(MoveGeneration, AgreesWithRecordedLists) {
  std::ifstream file(std::string(FUHYO_SOURCE_DIR) + "/../shared/data/perft/legal_moves.txt");
  if (!file) GTEST_SKIP() << "no ../shared";
  std::size_t positions = 0, pawn_drop_mates = 0;
  for (std::string sfen, line; std::getline(file, sfen) && std::getline(file, line); ++positions) {
    std::istringstream words(line);
    std::size_t count = 0;
    words >> count;
    Texts expected;
    for (std::string word; words >> word;) expected.insert(word);
    ASSERT_EQ(expected.size(), count);
    const Position position = at(sfen);
    pawn_drop_mates += std::erase_if(
        expected, [&](const std::string& text) { return position.why_illegal(usi(text)) == Illegal::drop_pawn_mate; });
    ASSERT_EQ(texts<GenKind::SEARCH>(position), expected) << sfen;
  }
  EXPECT_EQ(positions, 3000U);
  EXPECT_EQ(pawn_drop_mates, 2U);
}

}  // namespace
}  // namespace fuhyo::shogi
