// Lines of text books, turned positions, and the choice among moves.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>

#include "engines/book/choice.h"
#include "engines/book/db_line.h"
#include "engines/book/flip.h"
#include "engines/shogi/movegen.h"
#include "engines/shogi/usi_move.h"

namespace fuhyo::book {
namespace {

using shogi::Position;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

shogi::Move move_of(std::string_view text) { return *shogi::parse_usi_move(text); }

// ---- lines ----

TEST(DbLine, Moves) {
  const Line line = parse_db_line("7g7f 3c3d -12 32 4000000000");
  EXPECT_EQ(line.kind, LineKind::move);
  EXPECT_EQ(
      line.move,
      (BookMove{.move = move_of("7g7f"), .reply = move_of("3c3d"), .value = -12, .depth = 32, .count = 4'000'000'000}));
}

TEST(DbLine, WhatFollowsTheMoveMayBeMissing) {
  const BookMove bare{.move = move_of("P*5e"), .count = 1};
  for (const std::string_view text :
       {"P*5e", "P*5e none", "P*5e None 0", "P*5e none none none 1", "P*5e none 0 0\r", "P*5e none  ", "P*5e none   1",
        "P*5e none 0 0 1 a remark", "P*5e # remark", "P*5e none // remark", "P*5e none 0 # remark"}) {
    const Line line = parse_db_line(text);
    EXPECT_EQ(line.kind, LineKind::move) << text;
    EXPECT_EQ(line.move, bare) << text;
  }
  EXPECT_EQ(parse_db_line("8h2b+ none none none 103").move.count, 103U);
}

TEST(DbLine, WhatIsNoMove) {
  for (const std::string_view text :
       {"", "\r", "#YANEURAOU-DB2016 1.00", "# remark", "// remark", "none none 0 0 0", "resign none 0 0 0"}) {
    EXPECT_EQ(parse_db_line(text).kind, LineKind::none) << text;
  }
  for (const std::string_view text :
       {"7g7", "7g7f 3c3", "7g7f 3c3d x", "7g7f 3c3d 1 x", "7g7f 3c3d 1 1 -1", "7g7f 3c3d 99999999999", "hello", "sfen",
        "sfen ", "\xff\xfe", "sfenlnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"}) {
    EXPECT_EQ(parse_db_line(text).kind, LineKind::damaged) << text;
  }
}

TEST(DbLine, Positions) {
  constexpr std::string_view kKey = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b -";
  for (const auto& [end, ply] : std::map<std::string, std::optional<int>>{
           {"", {}}, {" 1", 1}, {" 300\r", 300}, {" 12  ", 12}, {"  # remark", {}}}) {
    const std::string text = "sfen " + std::string(kKey) + end;
    const Line line = parse_db_line(text);
    EXPECT_EQ(line.kind, LineKind::position) << text;
    EXPECT_EQ(line.position.key, kKey) << text;
    EXPECT_EQ(line.position.ply, ply) << text;
  }
  for (const std::string_view text :
       {"sfen 9/9/9/9/9/9/9/9 b - 1", "sfen 9/9/9/9/9/9/9/9/91 b - 1", "sfen 9/9/9/9/9/9/9/9/9 x - 1",
        "sfen 9/9/9/9/9/9/9/9/9 b", "sfen 9/9/9/9/9/9/9/9/9 b ? 1", "sfen 9/9/9/9/9/9/9/9/9 b - x",
        "sfen 9/9/9/9/9/9/9/9/9 b - -1", "sfen 9/9/9/9/9/9/9/9/8x b - 1"}) {
    EXPECT_EQ(parse_db_line(text).kind, LineKind::damaged) << text;
  }
}

TEST(DbLine, HandsCountInAnyOrder) {
  const std::string board = "4k4/9/9/9/9/9/9/9/4K4 b ";
  EXPECT_TRUE(same_key(board + "RB2Pr", board + "r2PBR"));
  EXPECT_TRUE(same_key(board + "RBPP", board + "2PBR"));
  EXPECT_EQ(digest_of_key(board + "RB2Pr"), digest_of_key(board + "r2PBR"));
  for (const std::string& other :
       {board + "RB2P", board + "RB2pr", board + "RB3Pr", board + "-", std::string("4k4/9/9/9/9/9/9/9/4K4 w RB2Pr"),
        std::string("4k4/9/9/9/9/9/9/9/3K5 b RB2Pr")}) {
    EXPECT_FALSE(same_key(board + "RB2Pr", other)) << other;
    EXPECT_NE(digest_of_key(board + "RB2Pr"), digest_of_key(other)) << other;
  }
}

// ---- the other side of the board ----

TEST(Flip, PositionsAndMoves) {
  const auto position = Position::from_sfen("ln5n1/5gks1/p3Npp+P1/2pp1b2l/8p/Prg3PR1/3PPPN2/2S1KG3/L+p1G2S1L w SP4p 9");
  const auto turned = flipped(*position);
  ASSERT_TRUE(turned);
  EXPECT_EQ(turned->sfen(), "l1s2g1+Pl/3gk1s2/2nppp3/1rp3GRp/P8/L2B1PP2/1+pPPn3P/1SKG5/1N5NL b 4Psp 9");
  EXPECT_EQ(flipped(*turned)->sfen(), position->sfen());
  EXPECT_EQ(flipped(move_of("7g7f")), move_of("3c3d"));
  EXPECT_EQ(flipped(move_of("8h2b+")), move_of("2b8h+"));
  EXPECT_EQ(flipped(move_of("P*1a")), move_of("P*9i"));
  EXPECT_FALSE(flipped(shogi::Move{}));
}

TEST(Flip, WhatIsLegalStaysSo) {
  std::mt19937 random(11);
  Position position;
  for (int ply = 0; ply < 200; ++ply) {
    const auto moves = shogi::legal_moves(position);
    if (moves.empty()) break;
    const auto turned = flipped(position);
    ASSERT_TRUE(turned);
    EXPECT_EQ(turned->ply(), position.ply());
    EXPECT_EQ(shogi::legal_moves(*turned).size(), moves.size());
    for (const shogi::Move move : moves) EXPECT_TRUE(turned->is_legal(flipped(move)));
    position.do_move(moves[random() % moves.size()]);
  }
}

// ---- the choice ----

BookMove with(std::string_view move, int value, int depth, std::uint64_t count) {
  return {.move = move_of(move), .value = value, .depth = depth, .count = count};
}

std::map<std::string, int> chosen(const Entry& entry, const ChoiceRules& rules, int times = 4'000) {
  Random random(5);
  std::map<std::string, int> result;
  for (int i = 0; i < times; ++i) {
    const Choice choice = choose(entry, rules, random);
    ++result[choice.move ? shogi::to_usi(choice.move->move) : "none"];
  }
  return result;
}

TEST(Choice, BestIsWhatWasPlayedMostThenWhatIsWorthMost) {
  Entry entry = {with("1g1f", 1, 0, 2), with("2g2f", 5, 0, 1), with("3g3f", 2, 0, 2), with("4g4f", 1, 0, 2)};
  sort_by_merit(entry);
  std::vector<std::string> order;
  for (const BookMove& move : entry) order.push_back(shogi::to_usi(move.move));
  EXPECT_THAT(order, ElementsAre("3g3f", "1g1f", "4g4f", "2g2f"));
}

TEST(Choice, AllAlikeOrByCount) {
  const Entry entry = {with("1g1f", 0, 20, 90), with("2g2f", 0, 20, 10), with("3g3f", 0, 20, 0)};
  for (const auto& [move, times] : chosen(entry, {})) EXPECT_NEAR(times, 1'333, 150) << move;
  auto by_count = chosen(entry, {.by_count = true});
  EXPECT_NEAR(by_count["1g1f"], 3'600, 150);
  EXPECT_NEAR(by_count["2g2f"], 400, 150);
  EXPECT_EQ(by_count.count("3g3f"), 0U);
  // Where the book counts nothing, all are alike.
  EXPECT_EQ(chosen({with("1g1f", 0, 20, 0), with("2g2f", 0, 20, 0)}, {.by_count = true}).size(), 2U);
}

TEST(Choice, NarrowLeavesOutWhatWasPlayedInLessThanATenth) {
  const Entry entry = {with("1g1f", 0, 20, 80), with("2g2f", 0, 20, 11), with("3g3f", 0, 20, 10)};
  EXPECT_EQ(chosen(entry, {.narrow = true}).size(), 2U);  // 10 of 101 are less
  EXPECT_EQ(chosen(entry, {}).size(), 3U);
  Random random;
  EXPECT_THAT(choose(entry, {.narrow = true}, random).notes, ElementsAre(HasSubstr("NarrowBook: 2 of 3")));
  const Entry even = {with("1g1f", 0, 20, 80), with("2g2f", 0, 20, 10), with("3g3f", 0, 20, 10)};
  EXPECT_EQ(chosen(even, {.narrow = true}).size(), 3U);
}

TEST(Choice, EvaluationMayFallBehindByDiffAndNotBelowTheLimit) {
  const Entry entry = {with("1g1f", 50, 20, 9), with("2g2f", 20, 20, 8), with("3g3f", 19, 20, 7),
                       with("4g4f", 500, 20, 1)};
  EXPECT_EQ(chosen(entry, {.eval_diff = 30, .eval_limit = -99'999}).size(), 3U);  // 19 is one too far behind
  EXPECT_EQ(chosen(entry, {.eval_diff = 31, .eval_limit = -99'999}).size(), 4U);
  EXPECT_EQ(chosen(entry, {.eval_diff = 99'999, .eval_limit = 50}).size(), 2U);
  EXPECT_EQ(chosen(entry, {.eval_diff = 99'999, .eval_limit = 501}).begin()->first, "none");
}

TEST(Choice, TheFirstMoveSaysHowDeepTheBookIs) {
  const Entry entry = {with("1g1f", 50, 16, 9), with("2g2f", 50, 1, 8)};
  EXPECT_EQ(chosen(entry, {.depth_limit = 16}).size(), 2U);
  EXPECT_EQ(chosen(entry, {.depth_limit = 0}).size(), 2U);
  Random random;
  const Choice none = choose(entry, {.depth_limit = 17}, random);
  EXPECT_FALSE(none.move);
  EXPECT_THAT(none.notes, ElementsAre(HasSubstr("BookDepthLimit 17")));
  EXPECT_THAT(choose({}, {}, random).notes, IsEmpty());
}

}  // namespace
}  // namespace fuhyo::book
