// `fuhyo-learn convert` and `inspect` as they are called.
#include <filesystem>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "engines/learn/data/game_file.h"
#include "tests/support/aobazero_record.h"
#include "tests/support/scored_games.h"
#include "tests/support/shell_test.h"

namespace fuhyo::learn {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class DataCommands : public test::ShellTest {
 protected:
  void SetUp() override {
    auto writer = GameWriter::create(folder_.path() / "a.games", "by a test");
    for (const record::ScoredGame& game : test::random_games(20, 4)) ASSERT_TRUE(writer->append(game));
    ASSERT_TRUE(writer->flush());
  }
  int run(const std::string& arguments) { return shell(fmt::format("'{}' {}", FUHYO_LEARN, arguments)); }
};

TEST_F(DataCommands, ConvertThereAndBack) {
  EXPECT_EQ(run("convert a.games -o a.hcpe3"), 0) << said_;
  EXPECT_THAT(said_, AllOf(HasSubstr("a.hcpe3: 20 games, "), HasSubstr("lost: ends of games (")));
  EXPECT_EQ(run("convert a.hcpe3 -o back.games"), 0) << said_;
  EXPECT_THAT(said_, HasSubstr("nothing was lost"));
  EXPECT_EQ(run("convert back.games -o data --to hcpe3"), 0) << said_;
  EXPECT_EQ(folder_.read("data"), folder_.read("a.hcpe3"));
  EXPECT_EQ(run("convert '*.games' --from games -o all.psv"), 0) << said_;
}

TEST_F(DataCommands, ConvertSaysWhatIsWrong) {
  EXPECT_EQ(run("convert a.games -o a.txt"), 64);
  EXPECT_THAT(said_, HasSubstr("a.txt: which format? --to games, psv, hcpe, hcpe3, "));
  EXPECT_EQ(run("convert said -o b.psv"), 64);
  EXPECT_THAT(said_, HasSubstr("said: which format? --from"));
  EXPECT_EQ(run("convert none.psv -o b.games"), 64);
  EXPECT_THAT(said_, HasSubstr("none.psv: there is no such file"));
  EXPECT_EQ(run("convert a.games -o a.games --force"), 64);
  EXPECT_THAT(said_, HasSubstr("cannot be read and written at once"));
  folder_.write("b.psv", "of before");
  EXPECT_EQ(run("convert a.games -o b.psv"), 64);
  EXPECT_THAT(said_, HasSubstr("b.psv: is there already"));
  EXPECT_EQ(run("convert a.games -o b.psv --force"), 0) << said_;
  EXPECT_EQ(run("convert b.psv --from hcpe3 -o c.games"), 1);
  EXPECT_THAT(said_, HasSubstr("b.psv: offset "));
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / "c.games"));
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / "c.games.part"));
  folder_.write("empty.hcpe", "");
  EXPECT_EQ(run("convert empty.hcpe -o c.games"), 1);
  EXPECT_THAT(said_, HasSubstr("empty.hcpe: is empty"));
  EXPECT_EQ(run("shuffle empty.hcpe -o c.hcpe"), 1);
  EXPECT_THAT(said_, HasSubstr("empty.hcpe: is empty"));
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / "c.games") ||
               std::filesystem::exists(folder_.path() / "c.hcpe"));
  ASSERT_EQ(::mkfifo((folder_.path() / "pipe").c_str(), 0600), 0);
  for (const char* format : {"games", "psv"}) {
    EXPECT_EQ(run(fmt::format("convert a.games -o pipe --force --to {}", format)), 1);
    EXPECT_THAT(said_, HasSubstr("pipe: cannot be written: it is not a file"));
  }
  EXPECT_TRUE(std::filesystem::is_fifo(folder_.path() / "pipe"));
  EXPECT_EQ(run("convert a.games -o no/folder.psv"), 1);
  EXPECT_THAT(said_, HasSubstr("cannot be written: No such file"));
}

TEST_F(DataCommands, ConvertReadsAndWritesRecords) {
  EXPECT_EQ(run("convert a.games -o a.csa"), 0) << said_;
  EXPECT_EQ(run("convert a.csa -o b.csa"), 0) << said_;
  EXPECT_EQ(folder_.read("a.csa"), folder_.read("b.csa"));
  EXPECT_EQ(run("convert a.csa -o a.usi"), 0) << said_;
  EXPECT_THAT(said_, AllOf(HasSubstr("a.usi: 20 games"), HasSubstr("lost: scores, of games (")));
  EXPECT_EQ(run("convert a.usi -o a.hcp"), 0) << said_;
  EXPECT_EQ(run("convert a.usi --all-moves -o a.hcpe2"), 0) << said_;
  EXPECT_THAT(said_, ::testing::Not(HasSubstr("moves that were not searched")));
  EXPECT_EQ(run("convert a.usi -o a.kif"), 1);
  EXPECT_THAT(said_, HasSubstr("a.kif: cannot be written: kif holds one game a file"));
  folder_.write("one.usi", "startpos moves 7g7f 3c3d\n");
  for (const char* name : {"one.kif", "one.kifu", "one.ki2", "one.jkf"}) {
    EXPECT_EQ(run(fmt::format("convert one.usi -o {}", name)), 0) << said_;
    EXPECT_EQ(run(fmt::format("convert {} -o back.usi --force", name)), 0) << said_;
    EXPECT_EQ(folder_.read("back.usi"), "position startpos moves 7g7f 3c3d\n") << name;
  }
}

TEST_F(DataCommands, BadRecordsAreCountedOrStopIt) {
  folder_.write("bad.usi", "startpos moves 7g7f\nstartpos moves 7g7e\nstartpos moves\n");
  EXPECT_EQ(run("convert bad.usi -o b.games"), 0) << said_;
  EXPECT_THAT(said_, AllOf(HasSubstr("b.games: 2 games"), HasSubstr("left out: 1\n  bad.usi: game 2: move 1, 7g7e")));
  EXPECT_EQ(run("convert bad.usi -o c.games --strict"), 1);
  EXPECT_THAT(said_, HasSubstr("bad.usi: game 2: move 1, 7g7e, is illegal"));
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / "c.games"));
}

TEST_F(DataCommands, AobazeroSaysWhatBecameOfGames) {
  test::Random random(3);
  std::string text;
  for (const record::ScoredGame& game : test::random_games(40, 9)) {
    text +=
        test::aoba_record(game, {.drawn = {2}, .end = text.empty() ? "%+ILLEGAL_ACTION" : "%TORYO"}, random) + "/\n";
  }
  folder_.write("arch.csa", text + "PI\n+\n+7776FU,'800\n%TORYO\n");
  EXPECT_EQ(run("aobazero arch.csa -o a.hcpe --least 1"), 0) << said_;
  EXPECT_THAT(said_, AllOf(HasSubstr("a.hcpe: "), HasSubstr("out: 1 game with an illegal end, "),
                           HasSubstr("left out: 1\n  arch.csa: game 41: move 1 has no visits")));
  EXPECT_EQ(std::filesystem::file_size(folder_.path() / "a.hcpe") % 38, 0U);
  EXPECT_EQ(run("aobazero arch.csa -o b.hcpe --least 1"), 0);
  EXPECT_EQ(folder_.read("a.hcpe"), folder_.read("b.hcpe"));
  EXPECT_EQ(run("inspect a.hcpe"), 0) << said_;
  EXPECT_EQ(run("aobazero arch.csa -o a.hcpe3 --least 1 --mate 0"), 0) << said_;
  EXPECT_EQ(run("inspect a.hcpe3"), 0) << said_;
  EXPECT_THAT(said_, HasSubstr("candidates and visits, of moves"));
  EXPECT_EQ(run("aobazero arch.csa -o c.hcpe --strict --least 1"), 1);
  EXPECT_THAT(said_, HasSubstr("arch.csa: game 41: "));
  EXPECT_EQ(run("aobazero arch.csa -o a.hcpe"), 64);
  EXPECT_THAT(said_, HasSubstr("is there already"));
  EXPECT_EQ(run("aobazero arch.csa -o d.hcpe --mate 4"), 64);
}

TEST_F(DataCommands, InspectShowsWhatThereIs) {
  EXPECT_EQ(run("inspect a.games --games 1 --scores"), 0);
  EXPECT_THAT(said_, AllOf(HasSubstr("a.games: games\n  made by   by a test\n  game 1    "), HasSubstr("scores"),
                           HasSubstr("games     20")));
  EXPECT_EQ(run("convert a.games -o a.psv"), 0);
  EXPECT_EQ(run("inspect a.psv a.games"), 0);
  EXPECT_THAT(said_, AllOf(HasSubstr("a.psv: psv\n"), HasSubstr("a.games: games\n")));
  std::filesystem::resize_file(folder_.path() / "a.psv", 100);
  EXPECT_EQ(run("inspect a.psv"), 1);
  EXPECT_THAT(said_, AllOf(HasSubstr("a.psv: offset 80: the file ends within a position"), HasSubstr("searched  2")));
  std::filesystem::resize_file(folder_.path() / "a.games", std::filesystem::file_size(folder_.path() / "a.games") - 1);
  EXPECT_EQ(run("inspect ."), 0);
  EXPECT_THAT(said_, HasSubstr("the file ends within a block of games"));
  EXPECT_EQ(run("inspect said"), 1);
  EXPECT_THAT(said_, HasSubstr("said: which format?"));
}

}  // namespace
}  // namespace fuhyo::learn
