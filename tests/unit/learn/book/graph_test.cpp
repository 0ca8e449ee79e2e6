// The graph of a book: what is searched next, what games are worth, and what is exported.
#include "engines/learn/book/export.h"
#include "tests/unit/learn/support.h"

namespace fuhyo::learn {
namespace {

using ::testing::IsEmpty;

std::vector<shogi::Move> moves_of(std::initializer_list<std::string_view> texts) {
  std::vector<shogi::Move> out;
  for (const auto text : texts) out.push_back(move_of(text));
  return out;
}

shogi::Position position_after(std::initializer_list<std::string_view> texts) {
  shogi::Position position;
  for (const auto text : texts) position.do_move(move_of(text));
  return position;
}

record::PackedSfen after(std::initializer_list<std::string_view> texts) { return *record::pack(position_after(texts)); }

SearchLine line(std::string_view move, int value, int depth = 9) {
  return {.move = move_of(move), .value = static_cast<std::int16_t>(value), .depth = static_cast<std::uint16_t>(depth)};
}

class BookGraphTest : public testing::Test {
 protected:
  BookGraphTest() {
    start_.add(shogi::Position(), {});
    start_.keep(1);
  }
  GameMoves start_{10};
};
using ExportBook = BookGraphTest;

TEST(GameMovesTest, CountsPositionsHoweverTheyAreReached) {
  GameMoves games(4);
  games.add(shogi::Position(), moves_of({"7g7f", "3c3d", "2g2f", "8c8d", "2f2e"}));
  games.add(shogi::Position(), moves_of({"2g2f", "3c3d", "7g7f", "4c4d"}));
  games.add(shogi::Position(), moves_of({"2g2f", "8c8d"}));
  games.keep(1);
  EXPECT_EQ(games.games(), 3U);
  EXPECT_THAT(games.of(shogi::Position()),
              testing::UnorderedElementsAre(GameMove{move_of("7g7f"), 1}, GameMove{move_of("2g2f"), 2}));
  EXPECT_EQ(games.of(position_after({"7g7f", "3c3d", "2g2f"})).size(), 2U);
  EXPECT_THAT(games.of(position_after({"7g7f", "3c3d", "2g2f", "8c8d"})), IsEmpty());  // beyond its plies
}

TEST(GameMovesTest, ForgetsWhatIsRare) {
  GameMoves games(4);
  for (int i = 0; i < 3; ++i) games.add(shogi::Position(), moves_of({"7g7f", "3c3d"}));
  games.add(shogi::Position(), moves_of({"2g2f"}));
  games.keep(3);
  EXPECT_THAT(games.of(shogi::Position()), ElementsAre(GameMove{move_of("7g7f"), 3}));
  EXPECT_EQ(games.starts().size(), 1U);
  GameMoves few(4);
  few.add(shogi::Position(), moves_of({"7g7f"}));
  few.keep(2);
  EXPECT_TRUE(few.starts().empty());
  EXPECT_THAT(few.of(shogi::Position()), IsEmpty());
}

TEST_F(BookGraphTest, BeginsAtTheStart) {
  BookGraph graph({}, start_);
  EXPECT_THAT(graph.next(9), ElementsAre(after({})));
  EXPECT_EQ(graph.searched(), 0U);
}

TEST_F(BookGraphTest, WhatGaveUpTheLeastComesFirst) {
  BookGraph graph({.ply_cost = 20}, start_);
  ASSERT_TRUE(graph.add(after({}), {.lines = {line("7g7f", 60), line("2g2f", 55), line("9g9f", 10)}}));
  EXPECT_THAT(graph.next(9), ElementsAre(after({"7g7f"}), after({"2g2f"}), after({"9g9f"})));
  EXPECT_THAT(graph.next(1), ElementsAre(after({"7g7f"})));
  // A reply behind the best move costs 20 and its loss: nearer than 9g9f up to 29, and not at 31.
  ASSERT_TRUE(graph.add(after({"7g7f"}), {.lines = {line("3c3d", -60), line("8c8d", -89), line("4a3b", -91)}}));
  EXPECT_THAT(graph.next(9), ElementsAre(after({"2g2f"}), after({"7g7f", "3c3d"}), after({"7g7f", "8c8d"}),
                                         after({"9g9f"}), after({"7g7f", "4a3b"})));
}

TEST_F(BookGraphTest, LossesAreThoseOfValuesThatCameBack) {
  BookGraph graph({.ply_cost = 20}, start_);
  ASSERT_TRUE(graph.add(after({}), {.lines = {line("7g7f", 60), line("2g2f", 55)}}));
  // The best move turns out to be worth 0: now the other one is the best, and this one gives up 55.
  ASSERT_TRUE(graph.add(after({"7g7f"}), {.lines = {line("3c3d", 0)}}));
  EXPECT_EQ(graph.values()[0].value, 55);
  EXPECT_THAT(graph.next(9), ElementsAre(after({"2g2f"}), after({"7g7f", "3c3d"})));
}

TEST_F(BookGraphTest, WhatIsPlayedOftenIsNear) {
  GameMoves games(10);
  for (int i = 0; i < 8; ++i) games.add(shogi::Position(), moves_of({i < 6 ? "9g9f" : "1g1f"}));
  games.keep(2);
  const SearchResult found{.lines = {line("7g7f", 100), line("2g2f", 80), line("9g9f", 0)}};
  BookGraph graph({.ply_cost = 20, .rarity = 30}, games);
  ASSERT_TRUE(graph.add(after({}), found));
  // 9g9f: three quarters of the games, 12; 1g1f, which no search names: a quarter, 60; the others their losses.
  EXPECT_THAT(graph.next(9), ElementsAre(after({"7g7f"}), after({"9g9f"}), after({"2g2f"}), after({"1g1f"})));
  BookGraph strict({.ply_cost = 20, .rarity = 10'000}, games);
  ASSERT_TRUE(strict.add(after({}), found));
  EXPECT_EQ(strict.next(9)[1], after({"2g2f"}));
}

TEST_F(BookGraphTest, PositionsMeet) {
  BookGraph graph({}, start_);
  for (const auto& [first, third] : {std::pair{"7g7f", "2g2f"}, {"2g2f", "7g7f"}}) {
    ASSERT_TRUE(graph.add(after({}), {.lines = {line("7g7f", 0), line("2g2f", 0)}}));
    ASSERT_TRUE(graph.add(after({first}), {.lines = {line("3c3d", 0)}}));
    ASSERT_TRUE(graph.add(after({first, "3c3d"}), {.lines = {line(third, 0)}}));
  }
  EXPECT_EQ(graph.nodes().size(), 6U);
  EXPECT_THAT(graph.next(9), ElementsAre(after({"7g7f", "3c3d", "2g2f"})));
  EXPECT_EQ(graph.searched(), 5U);
}

TEST_F(BookGraphTest, LimitsAndWhatIsOver) {
  BookGraph graph({.last_ply = 1}, start_);
  ASSERT_TRUE(graph.add(after({}), {.lines = {line("7g7f", 0)}}));
  EXPECT_THAT(graph.next(9), ElementsAre(after({"7g7f"})));
  ASSERT_TRUE(graph.add(after({"7g7f"}), {.lines = {line("3c3d", 0)}}));
  EXPECT_THAT(graph.next(9), IsEmpty());
  BookGraph other({}, start_);
  ASSERT_TRUE(other.add(after({}), {.lines = {line("7g7f", 0), line("2g2f", -50)}}));
  ASSERT_TRUE(other.add(after({"7g7f"}), {.lines = {}, .ended = kMateValue - 1}));
  EXPECT_EQ(other.values()[0].value, -50);
  EXPECT_EQ(other.value_of(other.nodes()[0].edges[0], other.values()), 2 - kMateValue);
}

TEST_F(BookGraphTest, RefusesAMoveThatIsNotLegal) {
  BookGraph graph({}, start_);
  EXPECT_THAT(graph.add(after({}), {.lines = {line("7g7e", 0)}}).error(), HasSubstr("7g7e is not legal"));
  EXPECT_EQ(graph.searched(), 0U);
}

TEST_F(ExportBook, BestFirstWithinTheMargin) {
  BookGraph graph({}, start_);
  SearchLine first = line("7g7f", 60, 12);
  first.reply = move_of("8c8d");
  ASSERT_TRUE(graph.add(after({}), {.lines = {first, line("2g2f", 55, 11), line("6g6f", 20), line("9g9f", 10)}}));
  ASSERT_TRUE(graph.add(after({"2g2f"}), {.lines = {line("3c3d", -70, 15)}}));
  const auto book = book_of(graph, {.margin = 50});
  ASSERT_EQ(book.size(), 2U);
  const book::Entry expected = {
      {.move = move_of("2g2f"), .reply = move_of("3c3d"), .value = 70, .depth = 16, .count = 1},
      {.move = move_of("7g7f"), .reply = move_of("8c8d"), .value = 60, .depth = 12, .count = 1},
      {.move = move_of("6g6f"), .value = 20, .depth = 9, .count = 1}};
  EXPECT_EQ(book[0].moves, expected);
  EXPECT_EQ(book[0].position.ply(), 0);
  EXPECT_EQ(book[1].position.ply(), 1);
  EXPECT_EQ(book_of(graph, {.margin = 9})[0].moves.size(), 1U);
  EXPECT_EQ(book_of(graph, {.margin = 10})[0].moves.size(), 2U);
  EXPECT_EQ(book_of(graph, {.last_ply = 0}).size(), 1U);
}

TEST_F(ExportBook, CountsOfGamesIfWanted) {
  GameMoves games(10);
  for (int i = 0; i < 4; ++i) games.add(shogi::Position(), moves_of({"2g2f"}));
  games.add(shogi::Position(), moves_of({"1g1f"}));  // which no search names: it has no value
  games.keep(1);
  BookGraph graph({}, games);
  ASSERT_TRUE(graph.add(after({}), {.lines = {line("7g7f", 60), line("2g2f", 55)}}));
  const auto book = book_of(graph, {.counts = true});
  ASSERT_EQ(book[0].moves.size(), 2U);
  EXPECT_EQ(book[0].moves[0].count, 0U);
  EXPECT_EQ(book[0].moves[1].count, 4U);
}

}  // namespace
}  // namespace fuhyo::learn
