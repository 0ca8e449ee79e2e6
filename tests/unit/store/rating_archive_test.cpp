// What ratings read of the archive, and the history by days.
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "server/store/store.h"
#include "tests/unit/store/journal_script.h"

namespace fuhyo::store {
namespace {

using core::rating::Score;

// A journal with an archive beside it, as a running server has them.
class RatingArchiveTest : public testing::Test {
 protected:
  RatingArchiveTest() {
    core::Recovery recovered;
    auto opened = store_->open_journal(listener_.events(), recovered);
    EXPECT_TRUE(opened) << opened.error();
    journal_ = std::move(*opened);
    auto archive = store_->open_ratings();
    EXPECT_TRUE(archive) << archive.error();
    archive_ = std::move(*archive);
  }

  void write(std::vector<core::Fact> facts) {
    journal_->append(script_.step(std::move(facts)));
    ASSERT_TRUE(listener_.wait_durable(script_.last()));
  }
  static core::GameOpened game(std::uint64_t id, std::string black, std::string white) {
    core::GameOpened opened = test::opened(id);
    opened.room = "main";
    opened.rated = true;
    opened.black.id = std::move(black);
    opened.white.id = std::move(white);
    return opened;
  }
  static core::GameEnded end(std::uint64_t id, core::Outcome outcome) {
    core::GameEnded ended = test::ended(id, 50);
    ended.kind = core::EndKind::abnormal;
    ended.outcome = outcome;
    ended.plies = 50;
    return ended;
  }
  std::size_t read() {
    const auto done = archive_->read_new_games(games_);
    EXPECT_TRUE(done) << done.error();
    return games_.size();
  }

  test::TemporaryFolder folder_;
  test::Listener listener_;
  test::Script script_;
  std::unique_ptr<Store> store_ = *make_store("sqlite:" + folder_.file("fuhyo.db"));
  std::unique_ptr<QueuedJournal> journal_;
  std::unique_ptr<RatingArchive> archive_;
  core::rating::Games games_;
};

TEST_F(RatingArchiveTest, ReadsEachGameOnceInWhateverOrderTheyEnd) {
  EXPECT_EQ(read(), 0U);
  write({game(1, "a+1", "b+1"), test::started(1)});
  write({game(2, "b+1", "c+1"), test::started(2), end(2, core::Outcome::draw)});
  EXPECT_EQ(read(), 1U);
  EXPECT_EQ(read(), 1U);
  write({end(1, core::Outcome::white_wins)});
  write({game(3, "a+1", "c+1"), test::started(3), end(3, core::Outcome::black_wins)});
  EXPECT_EQ(read(), 3U) << "game 1 ended after game 2 was read";
  EXPECT_EQ(read(), 3U);
  const auto& games = games_.games();
  EXPECT_EQ(games[0].score, Score::draw);
  EXPECT_EQ(games[1].score, Score::white_wins);
  EXPECT_EQ(games_.players()[games[1].black], "a+1");
  EXPECT_TRUE(games[1].abnormal);
  EXPECT_EQ(games[1].plies, 50);
  EXPECT_EQ(games[1].ended, end(1, core::Outcome::draw).at);
}

TEST_F(RatingArchiveTest, LeavesOutWhatIsNotRated) {
  auto demo = game(1, "a+1", "b+1"), unrated = game(2, "a+1", "b+1"), nameless = game(3, "", "b+1");
  demo.room = "demo";
  unrated.rated = false;
  for (const auto& opened : {demo, unrated, nameless}) {
    const std::uint64_t id = core::value(opened.game);
    write({opened, test::started(id), end(id, core::Outcome::black_wins)});
  }
  write({game(4, "a+1", "b+1"), test::started(4), end(4, core::Outcome::none)});
  EXPECT_EQ(read(), 0U);
}

TEST_F(RatingArchiveTest, KeepsRatesByDay) {
  EXPECT_EQ(archive_->last_day_before("2026-11-30"), "");
  core::rating::RatedDay day;
  day.rates = {{"a+1", {1200.5, 30}}, {"b+1", {800, 0}}};
  ASSERT_TRUE(archive_->write_day("2026-11-20", day));
  day.rates = {{"a+1", {1210, 29}}};
  ASSERT_TRUE(archive_->write_day("2026-11-21", day));
  day.rates = {{"a+1", {1211, 28}}};
  ASSERT_TRUE(archive_->write_day("2026-11-21", day)) << "a day may be written again";
  EXPECT_EQ(archive_->last_day_before("2026-11-22"), "2026-11-21");
  EXPECT_EQ(archive_->last_day_before("2026-11-21"), "2026-11-20");
  using DayRate = RatingArchive::DayRate;
  EXPECT_EQ(archive_->days_of("a+1", 10), (std::vector<DayRate>{{"2026-11-20", 1200.5, 30}, {"2026-11-21", 1211, 28}}));
  EXPECT_EQ(archive_->days_of("a+1", 1), (std::vector<DayRate>{{"2026-11-21", 1211, 28}}));
  EXPECT_EQ(archive_->days_of("b+1", 10), (std::vector<DayRate>{{"2026-11-20", 800, 0}}));
  EXPECT_TRUE(archive_->days_of("c+1", 10)->empty());
  write({game(1, "a+1", "b+1")});  // the journal goes on beside it
}

TEST(RatingArchiveFile, MustExist) { EXPECT_FALSE((*make_store("sqlite:/no/such/folder/fuhyo.db"))->open_ratings()); }

}  // namespace
}  // namespace fuhyo::store
