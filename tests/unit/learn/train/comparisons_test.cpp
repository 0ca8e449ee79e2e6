// Strong moves and those beside them.
#include "engines/learn/train/comparisons.h"

#include <set>

#include "engines/shogi/movegen.h"
#include "games.h"
#include "tests/unit/learn/support.h"

namespace fuhyo::learn {
namespace {

using match::tune::Random;

std::expected<Comparisons, std::string> made(const ComparisonOptions& options, std::string_view lines) {
  auto tree = LineTree::parse(lines, "lines", options.first_ply, options.last_ply);
  if (!tree) return std::unexpected(tree.error());
  return Comparisons::make(options, std::move(*tree));
}

using Pieces = std::set<decltype(Sample::pieces)>;

// Of each comparison: different positions, all of the other side, as many as were asked for, and the first one is that
// after the move of the line.
TEST(Comparisons, SetTheMoveOfTheLineBesideOthers) {
  const ComparisonOptions options{.lines = "lines", .choices = 8, .first_ply = 1, .last_ply = 20};
  const std::string lines = test::lines_of_pawn_movers(3, 200, 20);
  const auto comparisons = must(made(options, lines));
  const LineTree tree = *LineTree::parse(lines, "lines", 1, 20);
  EXPECT_EQ(comparisons.moves(), tree.size());
  Pieces of_lines;
  for (std::uint64_t i = 0; i < tree.size(); ++i) {
    const LinePosition place = tree[i];
    shogi::Position position = place.start;
    for (const shogi::Move move : place.moves) position.do_move(move);
    of_lines.insert(sample_of(position)->pieces);
  }
  int others_of_lines = 0;
  for (std::uint64_t i = 0; i < 300; ++i) {
    Random random(1, i), same(1, i);
    const auto drawn = comparisons.draw(random);
    EXPECT_EQ(drawn, comparisons.draw(same));
    ASSERT_EQ(drawn.size(), 8u);
    EXPECT_TRUE(of_lines.contains(drawn[0].pieces));
    Pieces different;
    for (const Sample& sample : drawn) {
      different.insert(sample.pieces);
      EXPECT_EQ(sample.turn, drawn[0].turn);
      if (of_lines.contains(sample.pieces)) ++others_of_lines;
    }
    // Moves of a king change none of these.
    EXPECT_GE(different.size(), 6u);
  }
  EXPECT_LT(others_of_lines, 300 * 5);
}

// One of 64 is held back, and none of those is learnt from.
TEST(Comparisons, KeepSomeFromLearning) {
  const ComparisonOptions options{.lines = "lines", .choices = 4, .first_ply = 1, .last_ply = 30};
  const auto comparisons = must(made(options, test::lines_of_pawn_movers(4, 150)));
  const auto firsts = [&](bool held_back) {
    Pieces found;
    for (std::uint64_t i = 0; i < 2'000; ++i) {
      Random random(2, i);
      const auto drawn = held_back ? comparisons.draw_held_back(random) : comparisons.draw(random);
      found.insert(drawn[0].pieces);
    }
    return found;
  };
  const auto learnt = firsts(false), kept = firsts(true);
  EXPECT_GT(learnt.size(), 10 * kept.size());
  int both = 0;
  for (const auto& one : kept) both += learnt.contains(one) ? 1 : 0;
  // The same pieces may stand there after another past.
  EXPECT_LE(both, static_cast<int>(kept.size()) / 4);
}

TEST(Comparisons, SayWhatTheyLack) {
  const std::string lines = test::lines_of_pawn_movers(1, 50);
  EXPECT_THAT(made({.lines = "a", .choices = 12}, lines).error(), HasSubstr("12 moves to a comparison"));
  EXPECT_THAT(made({.lines = "a", .choices = 512}, lines).error(), HasSubstr("512 moves to a comparison"));
  EXPECT_THAT(made({.lines = "a", .choices = 256}, lines).error(),
              HasSubstr("a: too few positions with 256 quiet moves"));
  EXPECT_THAT(made({.lines = "a"}, "startpos moves 7g7f 3c3d\n").error(), HasSubstr("no line has a position"));
  EXPECT_THAT(Comparisons::read({.lines = "/nowhere"}).error(), HasSubstr("/nowhere"));
}

}  // namespace
}  // namespace fuhyo::learn
