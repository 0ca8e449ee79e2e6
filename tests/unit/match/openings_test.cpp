// Files and folders of openings.
#include "engines/match/openings.h"

#include <algorithm>
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engines/shogi/usi_move.h"
#include "tests/support/temporary_folder.h"

namespace fuhyo::match {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

constexpr std::string_view kLines =
    "# four openings\n"
    "startpos moves 7g7f\n"
    "\n"
    "2g2f\n"
    "7g7f 3c3d | Yokofu\n"
    "7g7f 3c3d 2g2f 8c8d\n";

constexpr std::string_view kRecords =
    "V2.2\nN+a\nN-b\nPI\n+\n+7776FU\nT1\n-3334FU\n+2726FU\n%TORYO\n/\nV2.2\nPI\n+\n+2726FU\n-8384FU\n%CHUDAN\n";

std::vector<std::string> texts_of(const std::expected<OpeningSet, std::string>& set) {
  std::vector<std::string> out;
  if (!set) return {set.error()};
  for (const Opening& opening : set->openings) {
    std::string text = opening.name + ":";
    for (const shogi::Move move : opening.game.moves) text += " " + shogi::to_usi(move);
    out.push_back(text);
  }
  return out;
}

TEST(Openings, KeepTheOrderOfTheirFile) {
  const auto set = parse_openings(kLines, "a.sfen", {});
  EXPECT_THAT(texts_of(set), testing::ElementsAre(": 7g7f", ": 2g2f", "Yokofu: 7g7f 3c3d", ": 7g7f 3c3d 2g2f 8c8d"));
  EXPECT_EQ(set->repeated, 0u);
}

TEST(Openings, CountTheOnesThatLeadToTheSamePosition) {
  EXPECT_EQ(parse_openings("7g7f 3c3d 2g2f\n2g2f 3c3d 7g7f\n2g2f\n", "a", {})->repeated, 1u);
  const auto cut = parse_openings(kLines, "a.sfen", {.max_plies = 1});
  EXPECT_THAT(texts_of(cut), testing::ElementsAre(": 7g7f", ": 2g2f", "Yokofu: 7g7f", ": 7g7f"));
  EXPECT_EQ(cut->repeated, 2u);
}

TEST(Openings, AreShuffledTheSameWayEverywhere) {
  const OpeningOptions options{.seed = 20261122};
  const auto set = texts_of(parse_openings(kLines, "a.sfen", options));
  EXPECT_THAT(set, testing::ElementsAre(": 7g7f", ": 7g7f 3c3d 2g2f 8c8d", ": 2g2f", "Yokofu: 7g7f 3c3d"));
  auto sorted = set, in_order = texts_of(parse_openings(kLines, "a.sfen", {}));
  std::ranges::sort(sorted);
  std::ranges::sort(in_order);
  EXPECT_EQ(sorted, in_order);
}

TEST(Openings, BeginWhereTheyAreToldTo) {
  EXPECT_THAT(texts_of(parse_openings(kLines, "a", {.first = 3})),
              testing::ElementsAre(": 7g7f 3c3d 2g2f 8c8d", ": 7g7f", ": 2g2f", "Yokofu: 7g7f 3c3d"));
  EXPECT_THAT(parse_openings(kLines, "a", {.first = 4}).error(), HasSubstr("there are 4"));
}

TEST(Openings, NameTheLineThatIsNone) {
  EXPECT_THAT(parse_openings("7g7f\n\n7g7e\n", "dir/a.sfen", {}).error(), testing::StartsWith("dir/a.sfen:3: "));
  EXPECT_THAT(parse_openings("# nothing\n", "a.sfen", {}).error(), "a.sfen: there is no opening in it");
  EXPECT_THAT(parse_openings("", "a.sfen", {}).error(), "a.sfen: there is no opening in it");
}

TEST(Openings, ReadLinesOfOtherSystems) {
  EXPECT_EQ(parse_openings("\xEF\xBB\xBF"
                           "7g7f\r\n2g2f",
                           "a", {})
                ->openings.size(),
            2u);
}

TEST(Openings, ReadRecords) {
  for (const char* name : {"dir/ab.csa", "dir/AB.CSA", "dir/ab.txt"}) {  // the last one by what is in it
    const auto set = parse_openings(kRecords, name, {});
    ASSERT_TRUE(set) << set.error();
    const std::string stem = fs::path(name).stem().string();
    EXPECT_THAT(texts_of(set), testing::ElementsAre(stem + "#1: 7g7f 3c3d 2g2f", stem + "#2: 2g2f 8c8d"));
  }
  EXPECT_THAT(texts_of(parse_openings(kRecords, "a.csa", {.max_plies = 2})),
              testing::ElementsAre("a#1: 7g7f 3c3d", "a#2: 2g2f 8c8d"));
}

TEST(Openings, NameTheRecordThatIsNone) {
  EXPECT_THAT(parse_openings("V2.2\nPI\n+\n+7776XX\n-3334FU\n", "a.csa", {}).error(), testing::StartsWith("a.csa:4: "));
  // A pawn that goes backwards: carried out by records, forbidden by the rules; not seen behind the cut.
  const std::string foul = "V2.2\nPI\n+\n+7776FU\n-3332FU\n+2726FU\n";
  EXPECT_THAT(texts_of(parse_openings(foul, "a.csa", {}))[0], HasSubstr("a.csa: game 1: move 2, '3c3b', is illegal"));
  EXPECT_TRUE(parse_openings(foul, "a.csa", {.max_plies = 1}));
}

TEST(Openings, ReadFilesAndFolders) {
  const test::TemporaryFolder folder;
  for (const char* const inner : {"a", "b", "c"}) fs::create_directories(folder / inner);
  const fs::path lines = folder.write("lines.sfen", std::string(kLines));
  folder.write("b/second.csa", "V2.2\nPI\n+\n+2726FU\n%CHUDAN\n");
  folder.write("a/first.csa", "V2.2\nPI\n+\n+7776FU\n%CHUDAN\n");
  EXPECT_EQ(read_openings(lines, {})->openings.size(), 4u);
  EXPECT_THAT(texts_of(read_openings(folder.path(), {})), testing::ElementsAre("first: 7g7f", "second: 2g2f"));

  const fs::path bad = folder.write("b/third.csa", "V2.2\nPI\n+\n+2726XX\n%CHUDAN\n");
  EXPECT_THAT(texts_of(read_openings(folder.path(), {}))[0], testing::StartsWith(bad.string() + ":4: "));
  EXPECT_THAT(texts_of(read_openings(folder / "none", {}))[0], HasSubstr("cannot be read"));
  EXPECT_THAT(texts_of(read_openings(folder.write("empty", ""), {}))[0], HasSubstr("no opening"));
  EXPECT_THAT(texts_of(read_openings(folder / "c", {}))[0], HasSubstr("no opening"));
}

}  // namespace
}  // namespace fuhyo::match
