// Ratings of every store: what they read of the archive, and the history by days.

#include "tests/unit/store/contract/contracts.h"

namespace fuhyo::test {

using core::rating::Score;
using store::RatingArchive;

namespace {

core::GameOpened game(std::uint64_t id, std::string black, std::string white) {
  core::GameOpened played = opened(id);
  played.black.id = std::move(black);
  played.white.id = std::move(white);
  return played;
}

core::GameEnded end(std::uint64_t id, core::Outcome outcome) {
  core::GameEnded over = ended(id, 50);
  over.kind = core::EndKind::abnormal;
  over.outcome = outcome;
  return over;
}

}  // namespace

std::size_t RatingContract::read() {
  const auto done = archive_->read_new_games(games_);
  EXPECT_TRUE(done) << done.error();
  return games_.size();
}

TEST_P(RatingContract, ReadsEachGameOnceInWhateverOrderTheyEnd) {
  EXPECT_EQ(read(), 0U);
  write({game(1, "a+1", "b+1"), started(1)});
  write({game(2, "b+1", "c+1"), started(2), end(2, core::Outcome::draw)});
  EXPECT_EQ(read(), 1U);
  EXPECT_EQ(read(), 1U);
  write({end(1, core::Outcome::white_wins)});
  write({game(3, "a+1", "c+1"), started(3), end(3, core::Outcome::black_wins)});
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

// A store may read them by portions.
TEST_P(RatingContract, ReadsManyGames) {
  constexpr std::uint64_t kGames = 5'010;
  write({game(1, "a+1", "b+1"), started(1)});
  for (std::uint64_t id = 2; id <= kGames;) {
    std::vector<core::Fact> facts;
    for (const std::uint64_t end_of_batch = id + 1'000; id < end_of_batch && id <= kGames; ++id) {
      facts.insert(facts.end(), {game(id, "b+1", "c+1"), started(id), end(id, core::Outcome::draw)});
    }
    write(std::move(facts));
  }
  EXPECT_EQ(read(), kGames - 1);
  write({end(1, core::Outcome::white_wins)});
  EXPECT_EQ(read(), kGames);
  EXPECT_EQ(games_.games().back().score, Score::white_wins);
}

TEST_P(RatingContract, LeavesOutWhatIsNotRated) {
  auto demo = game(1, "a+1", "b+1"), unrated = game(2, "a+1", "b+1"), nameless = game(3, "", "b+1");
  demo.room = "demo";
  unrated.rated = false;
  for (const auto& opened : {demo, unrated, nameless}) {
    const std::uint64_t id = core::value(opened.game);
    write({opened, started(id), end(id, core::Outcome::black_wins)});
  }
  write({game(4, "a+1", "b+1"), started(4), end(4, core::Outcome::none)});
  EXPECT_EQ(read(), 0U);
}

TEST_P(RatingContract, KeepsRatesByDay) {
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
  day.rates = {};
  ASSERT_TRUE(archive_->write_day("2026-11-21", day));
  EXPECT_EQ(archive_->last_day_before("2026-11-22"), "2026-11-20") << "a day without rates";
  write({game(1, "a+1", "b+1")});  // the journal goes on beside it
}

}  // namespace fuhyo::test
