// `fuhyo-learn convert` and `inspect` as they are called.
#include <sys/stat.h>

#include "tests/support/aobazero_record.h"
#include "tests/unit/learn/support.h"

namespace fuhyo::learn {
namespace {

class DataCommands : public LearnCommand {
 protected:
  DataCommands() { write_games(folder_ / "a.games", test::random_games(20, 4)); }
  bool there(const std::string& name) const { return fs::exists(folder_ / name); }
};

TEST_F(DataCommands, ConvertThereAndBack) {
  expect(0, "convert a.games -o a.hcpe3", AllOf(HasSubstr("a.hcpe3: 20 games, "), HasSubstr("lost: ends of games (")));
  expect(0, "convert a.hcpe3 -o back.games", HasSubstr("nothing was lost"));
  expect(0, "convert back.games -o data --to hcpe3");
  EXPECT_EQ(folder_.read("data"), folder_.read("a.hcpe3"));
  expect(0, "convert '*.games' --from games -o all.psv");
}

TEST_F(DataCommands, ConvertSaysWhatIsWrong) {
  expect(64, "convert a.games -o a.txt", HasSubstr("a.txt: which format? --to games, psv, hcpe, hcpe3, "));
  expect(64, "convert said -o b.psv", HasSubstr("said: which format? --from"));
  expect(64, "convert none.psv -o b.games", HasSubstr("none.psv: there is no such file"));
  expect(64, "convert a.games -o a.games --force", HasSubstr("cannot be read and written at once"));
  folder_.write("b.psv", "of before");
  expect(64, "convert a.games -o b.psv", HasSubstr("b.psv: is there already"));
  expect(0, "convert a.games -o b.psv --force");
  expect(1, "convert b.psv --from hcpe3 -o c.games", HasSubstr("b.psv: offset "));
  EXPECT_FALSE(there("c.games") || there("c.games.part"));
  folder_.write("empty.hcpe", "");
  expect(1, "convert empty.hcpe -o c.games", HasSubstr("empty.hcpe: is empty"));
  expect(1, "shuffle empty.hcpe -o c.hcpe", HasSubstr("empty.hcpe: is empty"));
  EXPECT_FALSE(there("c.games") || there("c.hcpe"));
  ASSERT_EQ(::mkfifo((folder_ / "pipe").c_str(), 0600), 0);
  for (const char* format : {"games", "psv"}) {
    expect(1, fmt::format("convert a.games -o pipe --force --to {}", format),
           HasSubstr("pipe: cannot be written: it is not a file"));
  }
  EXPECT_TRUE(fs::is_fifo(folder_ / "pipe"));
  expect(1, "convert a.games -o no/folder.psv", HasSubstr("cannot be written: No such file"));
}

TEST_F(DataCommands, ConvertReadsAndWritesRecords) {
  expect(0, "convert a.games -o a.csa");
  expect(0, "convert a.csa -o b.csa");
  EXPECT_EQ(folder_.read("a.csa"), folder_.read("b.csa"));
  expect(0, "convert a.csa -o a.usi", AllOf(HasSubstr("a.usi: 20 games"), HasSubstr("lost: scores, of games (")));
  expect(0, "convert a.usi -o a.hcp");
  expect(0, "convert a.usi --all-moves -o a.hcpe2", ::testing::Not(HasSubstr("moves that were not searched")));
  expect(1, "convert a.usi -o a.kif", HasSubstr("a.kif: cannot be written: kif holds one game a file"));
  folder_.write("one.usi", "startpos moves 7g7f 3c3d\n");
  for (const char* name : {"one.kif", "one.kifu", "one.ki2", "one.jkf"}) {
    expect(0, fmt::format("convert one.usi -o {}", name));
    expect(0, fmt::format("convert {} -o back.usi --force", name));
    EXPECT_EQ(folder_.read("back.usi"), "position startpos moves 7g7f 3c3d\n") << name;
  }
}

TEST_F(DataCommands, BadRecordsAreCountedOrStopIt) {
  folder_.write("bad.usi", "startpos moves 7g7f\nstartpos moves 7g7e\nstartpos moves\n");
  expect(0, "convert bad.usi -o b.games",
         AllOf(HasSubstr("b.games: 2 games"), HasSubstr("left out: 1\n  bad.usi: game 2: move 1, 7g7e")));
  expect(1, "convert bad.usi -o c.games --strict", HasSubstr("bad.usi: game 2: move 1, 7g7e, is illegal"));
  EXPECT_FALSE(there("c.games"));
}

TEST_F(DataCommands, AobazeroSaysWhatBecameOfGames) {
  test::Random random(3);
  std::string text;
  for (const record::ScoredGame& game : test::random_games(40, 9)) {
    text +=
        test::aoba_record(game, {.drawn = {2}, .end = text.empty() ? "%+ILLEGAL_ACTION" : "%TORYO"}, random) + "/\n";
  }
  folder_.write("arch.csa", text + "PI\n+\n+7776FU,'800\n%TORYO\n");
  expect(0, "aobazero arch.csa -o a.hcpe --least 1",
         AllOf(HasSubstr("a.hcpe: "), HasSubstr("out: 1 game with an illegal end, "),
               HasSubstr("left out: 1\n  arch.csa: game 41: move 1 has no visits")));
  EXPECT_EQ(fs::file_size(folder_ / "a.hcpe") % 38, 0U);
  expect(0, "aobazero arch.csa -o b.hcpe --least 1");
  EXPECT_EQ(folder_.read("a.hcpe"), folder_.read("b.hcpe"));
  expect(0, "inspect a.hcpe");
  expect(0, "aobazero arch.csa -o a.hcpe3 --least 1 --mate 0");
  expect(0, "inspect a.hcpe3", HasSubstr("candidates and visits, of moves"));
  expect(1, "aobazero arch.csa -o c.hcpe --strict --least 1", HasSubstr("arch.csa: game 41: "));
  expect(64, "aobazero arch.csa -o a.hcpe", HasSubstr("is there already"));
  expect(64, "aobazero arch.csa -o d.hcpe --mate 4");
}

TEST_F(DataCommands, InspectShowsWhatThereIs) {
  expect(0, "inspect a.games --games 1 --scores",
         AllOf(HasSubstr("a.games: games\n  made by   by a test\n  game 1    "), HasSubstr("scores"),
               HasSubstr("games     20")));
  expect(0, "convert a.games -o a.psv");
  expect(0, "inspect a.psv a.games", AllOf(HasSubstr("a.psv: psv\n"), HasSubstr("a.games: games\n")));
  fs::resize_file(folder_ / "a.psv", 100);
  expect(1, "inspect a.psv",
         AllOf(HasSubstr("a.psv: offset 80: the file ends within a position"), HasSubstr("searched  2")));
  fs::resize_file(folder_ / "a.games", fs::file_size(folder_ / "a.games") - 1);
  expect(0, "inspect .", HasSubstr("the file ends within a block of games"));
  expect(1, "inspect said", HasSubstr("said: which format?"));
}

}  // namespace
}  // namespace fuhyo::learn
