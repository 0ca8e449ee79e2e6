// The engine with an opening book, as a GUI talks to it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engines/nnue/engine.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/usi/conversation.h"

namespace fuhyo::nnue {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string say(const std::string& input) {
  Engine engine;
  return test::converse(engine, "USI_Hash 1\nThreads 1\n" + input + "quit\n");
}

class NnueBook : public ::testing::Test {
 protected:
  // A move that no search would play.
  NnueBook() {
    folder.write("a.db", "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\n5i5h 5a5b 0 32 1\n");
  }
  std::string book(const std::string& name) const {
    return "setoption name BookDir value " + folder.path().string() + "\nsetoption name BookFile value " + name + "\n";
  }
  test::TemporaryFolder folder;
};

TEST_F(NnueBook, PlaysFromItAtOnceAndPonders) {
  const std::string out =
      say(book("a.db") + "isready\ngo btime 60000 wtime 60000\ngo ponder btime 1 wtime 1\nponderhit\n");
  EXPECT_THAT(out, HasSubstr("a.db: 1 position\nreadyok\n"));
  EXPECT_THAT(out, HasSubstr("pv 5i5h 5a5b (100.00%)\n"));
  EXPECT_THAT(out, HasSubstr("bestmove 5i5h ponder 5a5b\n"));
  EXPECT_THAT(out.substr(out.find("bestmove") + 1), HasSubstr("bestmove 5i5h ponder 5a5b\n"));
}

TEST_F(NnueBook, ThinksForItselfInAnAnalysisAndInBench) {
  const std::string out = say(book("a.db") + "isready\ngo infinite\nstop\ngo depth 1 searchmoves 7g7f 2g2f\n");
  EXPECT_THAT(out, Not(HasSubstr("5i5h 5a5b")));
  const std::string work = say(book("a.db") + "bench 1\n");
  EXPECT_THAT(work, HasSubstr("nodes: "));
  EXPECT_THAT(work, Not(HasSubstr("bestmove 5i5h ponder 5a5b")));
}

TEST_F(NnueBook, IsReadyWithoutTheBookThatWasNamed) {
  const std::string out = say(book("b.db") + "isready\ngo depth 1\n");
  EXPECT_THAT(out, HasSubstr("info string Error! "));
  EXPECT_THAT(out, HasSubstr("b.db: there is no such file; playing without a book\nreadyok\n"));
  EXPECT_THAT(out, HasSubstr("bestmove "));
}

}  // namespace
}  // namespace fuhyo::nnue
