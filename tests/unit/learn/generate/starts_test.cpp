// Where games of self-play begin.
#include "engines/learn/generate/starts.h"

#include <map>

#include "engines/shogi/movegen.h"
#include "tests/unit/learn/support.h"

namespace fuhyo::learn {
namespace {

// A tree of five positions from one ply on: 7g7f; 7g7f 3c3d; 7g7f 8c8d; 2g2f; 2g2f 8c8d.
constexpr std::string_view kLines =
    "startpos moves 7g7f 3c3d\n"
    "startpos moves 7g7f\n"
    "startpos moves 2g2f 8c8d\n"
    "startpos moves 7g7f 8c8d\n"
    "startpos moves 7g7f 3c3d\n";

Starts parsed(std::string_view lines, int first_ply, int last_ply, int random_moves = 0) {
  return must(
      Starts::parse(lines, "lines", {.first_ply = first_ply, .last_ply = last_ply, .random_moves = random_moves}));
}

std::map<std::string, int> drawn(const Starts& starts, int draws) {
  std::map<std::string, int> counts;
  for (int i = 0; i < draws; ++i) {
    Random random(1, static_cast<std::uint64_t>(i));
    if (const auto position = starts.draw(random)) ++counts[position->sfen()];
  }
  return counts;
}

TEST(Starts, DrawEachPositionOfTheTreeWithTheSameChance) {
  const Starts starts = parsed(kLines, 1, 2);
  EXPECT_EQ(starts.positions(), 5u);
  const auto counts = drawn(starts, 5'000);
  EXPECT_EQ(counts.size(), 5u);
  for (const auto& [sfen, count] : counts) EXPECT_NEAR(count, 1'000, 150) << sfen;
}

TEST(Starts, KeepToThePliesThatAreAskedFor) {
  const Starts two = parsed(kLines, 2, 2);
  EXPECT_EQ(two.positions(), 3u);
  for (const auto& [sfen, count] : drawn(two, 200)) EXPECT_THAT(sfen, testing::EndsWith(" 3"));
  const Starts root = parsed(kLines, 0, 1);
  EXPECT_EQ(root.positions(), 3u);
  EXPECT_TRUE(drawn(root, 200).contains(std::string(shogi::Position::kStartSfen)));
}

TEST(Starts, TellLinesApartThatBeginElsewhere) {
  const Starts starts = parsed(
      "startpos moves 7g7f\nsfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSN1 b - 1 moves 7g7f\n", 1, 1);
  EXPECT_EQ(starts.positions(), 2u);
}

TEST(Starts, PlayRandomMovesBehindThePosition) {
  const Starts starts = parsed(kLines, 2, 2, 3);
  std::map<int, int> plies;
  for (std::uint64_t i = 0; i < 2'000; ++i) {
    Random random(7, i);
    const auto position = starts.draw(random);
    ASSERT_TRUE(position);
    ++plies[position->ply()];
  }
  EXPECT_EQ(plies.size(), 4u);
  for (const auto& [ply, count] : plies) EXPECT_NEAR(count, 500, 100) << ply;
}

TEST(Starts, WithoutLinesAreRandomMovesAndTheSameForTheSameSeed) {
  const Starts starts({.first_ply = 4, .last_ply = 6, .random_moves = 0});
  EXPECT_EQ(starts.positions(), 0u);
  const auto counts = drawn(starts, 300);
  EXPECT_GT(counts.size(), 290u);
  EXPECT_EQ(counts, drawn(starts, 300));
}

TEST(Starts, NeverHandOutAPositionInWhichNothingCanBeMoved) {
  // Black mates by G*5b, which is the only thing that this line does.
  const Starts starts = parsed("sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1 moves 5i5h\n", 0, 0, 1);
  int none = 0;
  for (std::uint64_t i = 0; i < 2'000; ++i) {
    Random random(3, i);
    const auto position = starts.draw(random);
    none += position ? 0 : 1;
    if (position) EXPECT_GT(shogi::count_legal_moves(*position), 0u);
  }
  EXPECT_GT(none, 0);
}

TEST(Starts, LeaveOutALineInAHundredThatCannotBePlayed) {
  std::string text;
  for (int i = 0; i < 100; ++i) text += i == 41 ? "startpos moves 8d8a\n" : "startpos moves 7g7f\n";
  const StartOptions options{.first_ply = 1, .last_ply = 1, .random_moves = 0};
  const auto starts = must(Starts::parse(text, "a.sfen", options));
  EXPECT_EQ(starts.positions(), 1u);
  EXPECT_THAT(starts.remark(), testing::StartsWith("1 of 100 lines left out; the first, a.sfen:42: move 1, '8d8a'"));
  text += "8d8a\n";
  EXPECT_THAT(Starts::parse(text, "a.sfen", options).error(),
              AllOf(testing::StartsWith("a.sfen:42:"), testing::EndsWith("(and 1 more lines)")));
  EXPECT_TRUE(Starts::parse(kLines, "lines", options)->remark().empty());
}

TEST(Starts, RefuseLinesThatAreNoneOrTooShort) {
  EXPECT_THAT(Starts::parse("startpos moves 7g7f\nnonsense\n", "a.sfen", {}).error(), HasSubstr("a.sfen:2"));
  EXPECT_THAT(Starts::parse(kLines, "a.sfen", {.first_ply = 8, .last_ply = 40}).error(),
              HasSubstr("between 8 and 40 plies"));
  EXPECT_THAT(Starts::read("/nowhere/lines.xz", {}).error(), HasSubstr("/nowhere/lines.xz"));
}

}  // namespace
}  // namespace fuhyo::learn
