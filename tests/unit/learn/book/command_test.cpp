// `fuhyo-learn book` as it is called, and fuhyo-nnue playing from what it makes.
#include <csignal>

#include "engines/book/open.h"
#include "tests/unit/learn/support.h"

namespace fuhyo::learn {
namespace {

using BookCommand = LearnCommand;

constexpr const char* kGames =
    "startpos moves 2g2f 8c8d 2f2e 8d8e\nstartpos moves 2g2f 8c8d 7g7f 8d8e\nstartpos moves 7g7f 3c3d 2g2f 8c8d\n";

TEST_F(BookCommand, MakesABookThatTheEnginePlaysFrom) {
  folder_.write("a.sfen", kGames);
  expect(0, "book b -n 40 -j 2 --nodes 300 --hash 1 -g a.sfen --least 1",
         AllOf(HasSubstr("3 games, "), HasSubstr("40 of 40 positions"), HasSubstr("b/book.ybb: 40 pos")));
  const auto text = book::open_book(folder_ / "b/book.db", true),
             binary = book::open_book(folder_ / "b/book.ybb", true);
  ASSERT_TRUE(text && binary);
  EXPECT_TRUE(text->notes.empty());
  const book::Query start{.position = shogi::Position(), .ply = 1};
  book::Entry entry = text->book->find(start);
  ASSERT_FALSE(entry.empty());
  for (book::BookMove& move : entry) move.count = 0, move.reply = {};
  EXPECT_EQ(binary->book->find(start), entry);

  for (const char* file : {"book.db", "book.ybb"}) {
    folder_.write("usi", fmt::format("setoption name USI_Hash value 1\nsetoption name BookDir value b\n"
                                     "setoption name BookFile value {}\nsetoption name BookDepthLimit value 0\n"
                                     "setoption name BookEvalBlackLimit value -999\nisready\nposition startpos\n"
                                     "go nodes 100000000\nquit\n",
                                     file));
    EXPECT_EQ(shell(fmt::format("'{}' <usi", FUHYO_NNUE)), 0);
    EXPECT_THAT(said_, AllOf(HasSubstr("40 positions"), HasSubstr("nodes 0"), HasSubstr("bestmove "))) << said_;
  }
}

TEST_F(BookCommand, GoesOnAfterItWasStoppedOrKilled) {
  const std::string asked = "-n 40 -j 1 --nodes 1000 --hash 1 --every 1";
  expect(0, "book whole " + asked);
  for (const char* signal : {"TERM", "KILL", "INT"}) {
    // Some searches later, however slow they are; if it is done before that, that is no fault.
    folder_.write("interrupt", R"(
      size() { stat -c %s parts/book.searches 2>/dev/null || echo 0; }
      signal=$1; shift; enough=$(($(size) + 100))
      "$@" & program=$!
      while kill -0 $program 2>/dev/null && [ $(size) -lt $enough ]; do sleep 0.02; done
      kill -s $signal $program 2>/dev/null; wait $program)");
    const int code = shell(fmt::format("sh interrupt {} '{}' book parts {}", signal, FUHYO_LEARN, asked));
    EXPECT_THAT(code, testing::AnyOf(0, 130, 128 + SIGKILL)) << said_;
  }
  expect(0, "book parts " + asked, HasSubstr("searched before: "));
  EXPECT_EQ(folder_.read("parts/book.db"), folder_.read("whole/book.db"));
  EXPECT_EQ(folder_.read("parts/book.ybb"), folder_.read("whole/book.ybb"));
}

TEST_F(BookCommand, SaysWhatIsWrong) {
  expect(64, "book b -n 0");
  expect(64, "book b -n 5 --lines 33");
  expect(1, "book b -n 5 -g none.sfen", HasSubstr("none.sfen"));
  folder_.write("bad.sfen", "startpos moves 7g7e\nhello\n");
  expect(1, "book b -n 5 -g bad.sfen", HasSubstr("are these games?"));
  folder_.write("a.sfen", kGames);
  expect(1, "book b -n 5 -g a.sfen", HasSubstr("no position begins 10 of 3 games"));
  expect(0, "book b -n 2 --nodes 100 --hash 1");
  expect(1, "book b -n 2 --nodes 101 --hash 1",
         AllOf(HasSubstr("b/book.searches: holds other searches"), HasSubstr("101 nodes")));
  expect(1, "book said -n 2 --nodes 100");
  fs::create_directories(folder_ / "c/book.db");
  expect(1, "book c -n 2 --nodes 100 --hash 1", HasSubstr("c/book.db: cannot be written"));
}

}  // namespace
}  // namespace fuhyo::learn
