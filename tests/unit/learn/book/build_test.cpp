// A book that grows: the same graph however often it is stopped, by however many threads.
#include "engines/learn/book/build.h"

#include <atomic>

#include "engines/learn/book/export.h"
#include "engines/learn/book/searcher.h"
#include "tests/unit/learn/book/fake_search.h"
#include "tests/unit/learn/support.h"

namespace fuhyo::learn {
namespace {

struct Outcome {
  std::expected<BookBuilt, std::string> built;
  std::string book;
  std::size_t searched = 0;
  int looks = 0;  // of this call
};

class BuildBook : public FolderTest {
 protected:
  BuildBook() { games_.add(shogi::Position(), {}), games_.keep(1); }

  // With a stop behind so many searches of this call, or an error.
  Outcome build(const std::string& file, std::size_t positions, int threads = 1, int stop_after = -1,
                int fail_after = -1) {
    BookGraph graph({.ply_cost = 5, .last_ply = last_ply_}, games_);
    std::stop_source stop;
    std::atomic<int> looked = 0;
    const Searcher searcher = [&](const shogi::Position& position,
                                  const std::stop_token&) -> std::expected<SearchResult, std::string> {
      const int count = looked++;
      if (count == fail_after) return std::unexpected("the engine has failed");
      if (count == stop_after) stop.request_stop();
      return test::fake_search(position);
    };
    const BuildOptions options{.positions = positions,
                               .threads = threads,
                               .file = folder_ / file,
                               .searches = "fake",
                               .every_s = 3'600,
                               .say = into(said_)};
    auto built = build_book(graph, options, [&] { return searcher; }, stop.get_token());
    return {std::move(built), book::db_text(book_of(graph, {.margin = 1'000})), graph.searched(), looked};
  }

  GameMoves games_{10};
  int last_ply_ = 40;
  std::vector<std::string> said_;
};

TEST_F(BuildBook, SearchesAsManyAsAreWanted) {
  for (const std::size_t positions : {1U, 2U, 33U, 700U}) {
    const Outcome outcome = build(std::to_string(positions), positions);
    EXPECT_TRUE(must(outcome.built).complete);
    EXPECT_EQ(outcome.searched, positions);
    EXPECT_EQ(outcome.built->fresh, positions);
  }
}

TEST_F(BuildBook, IsTheSameWithAnyNumberOfThreads) { EXPECT_EQ(build("one", 500).book, build("four", 500, 4).book); }

TEST_F(BuildBook, GoesOnAsIfItHadNeverBeenStopped) {
  const Outcome whole = build("whole", 300);
  std::uint64_t fresh = 0, stops = 0;
  for (bool complete = false; !complete; ++stops) {
    ASSERT_LT(stops, 1'000U);
    const Outcome part = build("parts", 300, 2, 7 + static_cast<int>(stops) % 50);
    fresh += must(part.built).fresh;
    complete = part.built->complete;
    if (complete) EXPECT_EQ(part.book, whole.book);
  }
  EXPECT_GT(stops, 6U);
  EXPECT_EQ(fresh, 300U);
}

TEST_F(BuildBook, GoesOnAfterAKillInTheMiddleOfARecord) {
  const Outcome whole = build("whole", 100);
  const std::string bytes = folder_.read("whole");
  folder_.write("killed", bytes.substr(0, bytes.size() / 2 + 3));
  const Outcome rest = build("killed", 100);
  EXPECT_GT(must(rest.built).fresh, 40U);
  EXPECT_LT(rest.built->fresh, 60U);
  EXPECT_EQ(rest.book, whole.book);
  EXPECT_THAT(said_, testing::Contains(HasSubstr("not written to its end")));
}

TEST_F(BuildBook, MoreMayBeAskedForLater) {
  const Outcome whole = build("whole", 400);
  ASSERT_EQ(build("more", 90).built->fresh, 90U);
  const Outcome more = build("more", 400);
  EXPECT_EQ(more.built->fresh, 310U);
  EXPECT_EQ(more.book, whole.book);
  // And fewer: what is known is not forgotten.
  const Outcome fewer = build("more", 90);
  EXPECT_EQ(fewer.built->fresh, 0U);
  EXPECT_EQ(fewer.searched, 90U);
  EXPECT_EQ(build("more", 400).built->fresh, 0U);
}

TEST_F(BuildBook, EndsWhereNothingIsLeft) {
  last_ply_ = 2;
  const Outcome outcome = build("a", 500);
  EXPECT_TRUE(must(outcome.built).complete);
  EXPECT_LE(outcome.searched, 13U);
  EXPECT_THAT(said_, testing::Contains(HasSubstr("no more positions")));
}

TEST_F(BuildBook, SaysWhatWentWrongAndKeepsWhatWasFound) {
  const Outcome failed = build("a", 100, 2, -1, 50);
  EXPECT_EQ(failed.built.error(), "the engine has failed");
  EXPECT_GT(failed.looks, 50);  // how far the other thread comes meanwhile is nobody's promise
  const Outcome rest = build("a", 100);
  EXPECT_EQ(must(rest.built).fresh, 100U - static_cast<unsigned>(failed.looks - 1)) << "all but the one that failed";
  EXPECT_EQ(rest.book, build("whole", 100).book);
  if (!fs::exists("/dev/full")) GTEST_SKIP();
  fs::create_symlink("/dev/full", folder_ / "full");
  EXPECT_THAT(build("full", 10).built.error(), AllOf(HasSubstr("full: cannot be written"), HasSubstr("No space left")));
}

TEST(BookLook, TheSamePositionIsAnsweredAlike) {
  const SearcherOptions options{.nodes = 2'000, .lines = 3, .hash_mb = 1};
  const auto searcher = must(make_searcher(options)), other = must(make_searcher(options));
  const shogi::Position start;
  const SearchResult first = must(searcher(start, {}));
  ASSERT_EQ(first.lines.size(), 3U);
  for (const SearchLine& line : first.lines) {
    EXPECT_TRUE(start.is_legal(line.move));
    EXPECT_GT(line.depth, 0);
  }
  EXPECT_GE(first.lines[0].value, first.lines[1].value);
  shogi::Position next = start;
  next.do_move(first.lines[0].move);
  EXPECT_TRUE(!first.lines[0].reply || next.is_legal(first.lines[0].reply));
  must(other(next, {}));
  EXPECT_EQ(must(other(start, {})), first);
}

TEST(BookLook, EndsOfGamesAndMates) {
  const auto searcher = must(make_searcher({.nodes = 1'000, .lines = 2, .hash_mb = 1}));
  const auto at = [&](std::string_view sfen) { return must(searcher(position_of(sfen), {})); };
  const SearchResult mated = at("4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1");
  EXPECT_TRUE(mated.lines.empty());
  EXPECT_EQ(mated.ended, -kMateValue);
  const SearchResult mates = at("4k4/9/4P4/9/9/9/9/9/4K4 b G 1");
  ASSERT_FALSE(mates.lines.empty());
  EXPECT_EQ(mates.lines[0].value, kMateValue - 1);
}

TEST(BookLook, SaysThatThereIsNoSuchNetwork) {
  const SearcherOptions options{.network = "/nonexistent/nn.bin"};
  EXPECT_THAT(text_of_searches(options).error(), HasSubstr("/nonexistent/nn.bin"));
  EXPECT_FALSE(make_searcher(options));
}

}  // namespace
}  // namespace fuhyo::learn
