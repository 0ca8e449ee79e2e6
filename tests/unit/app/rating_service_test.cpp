// The rating service: from the archive to the core and to players.yaml, and from a file of the operator.
#include "server/app/serve/rating_service.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <mutex>
#include <string>
#include <vector>

#include "server/store/shogi_server/players_file.h"
#include "server/store/store.h"
#include "tests/support/patience.h"
#include "tests/support/temporary_folder.h"

namespace fuhyo::app {
namespace {

using namespace std::chrono_literals;
using Table = std::shared_ptr<const core::PlayerRatings>;

constexpr core::Wall kNow{1'795'219'200 * core::kSecond};  // 2026-11-21 00:00 UTC

// What the service handed on.
class Ear {
 public:
  std::function<void(Table)> hook() {
    return [this](Table table) {
      const std::lock_guard lock(mutex_);
      tables_.push_back(std::move(table));
      changed_.notify_all();
    };
  }
  std::function<void(std::string_view)> warn() {
    return [this](std::string_view text) {
      const std::lock_guard lock(mutex_);
      warnings_ += std::string(text) + "\n";
      changed_.notify_all();
    };
  }
  Table wait(std::size_t count) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, test::kPatience, [&] { return tables_.size() >= count; });
    return tables_.size() >= count ? tables_[count - 1] : std::make_shared<const core::PlayerRatings>();
  }
  std::string wait_warning() {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, test::kPatience, [&] { return !warnings_.empty(); });
    return warnings_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Table> tables_;
  std::string warnings_;
};

class RatingServiceTest : public testing::Test {
 protected:
  RatingServiceTest() {
    core::Recovery recovered;
    auto opened = store_->open_journal({.durable = [this](core::Seq seq) { durable(seq); }}, recovered);
    EXPECT_TRUE(opened) << opened.error();
    journal_ = std::move(*opened);
  }

  // A game that ended so many days before kNow, and a minute. Durable when this returns.
  void play(const std::string& winner, const std::string& loser, int days_ago) {
    const core::GameId id{++games_};
    core::GameOpened opened{
        .game = id, .room = "main", .csa_id = fmt::format("e+g-1-1+a+b+{}", 20260000000000 + games_), .rated = true};
    opened.black.id = winner;
    opened.white.id = loser;
    opened.start_sfen = "startpos";
    core::GameEnded ended{.game = id, .kind = core::EndKind::toryo, .outcome = core::Outcome::black_wins, .plies = 80};
    ended.at = {kNow.us - (days_ago * 86'400LL + 60) * core::kSecond};
    core::Transaction transaction;
    for (core::Fact fact : {core::Fact(opened), core::Fact(core::GameStarted{.game = id}), core::Fact(ended)}) {
      transaction.push_back({core::Seq{++seq_}, std::move(fact)});
    }
    journal_->append(std::move(transaction));
    std::unique_lock lock(mutex_);
    EXPECT_TRUE(committed_.wait_for(lock, test::kPatience, [this] { return durable_ == core::Seq{seq_}; }));
  }
  // b+1 wins every fourth of twenty games.
  void play_twenty(int days_ago) {
    for (int i = 0; i < 20; ++i) play(i % 4 == 0 ? "b+1" : "a+1", i % 4 == 0 ? "a+1" : "b+1", days_ago);
  }
  void durable(core::Seq seq) {
    const std::lock_guard lock(mutex_);
    durable_ = seq;
    committed_.notify_all();
  }
  RatingService::Options options(RatingService::Source source = RatingService::Source::computed) {
    return {.source = source,
            .players_file = folder_.path() / "players.yaml",
            .pace = 5ms,
            .look = 5ms,
            .now = [] { return kNow; },
            .on_ratings = ear_.hook(),
            .warn = ear_.warn()};
  }
  std::unique_ptr<store::RatingArchive> archive() {
    auto archive = store_->open_ratings();
    EXPECT_TRUE(archive) << archive.error();
    return std::move(*archive);
  }
  void write_file(const std::string& text) { folder_.write("players.yaml", text); }
  std::string file_text() { return folder_.read("players.yaml"); }
  // The days of a player, once there are so many.
  std::vector<store::RatingArchive::DayRate> wait_days(const std::string& player, std::size_t count) {
    const auto reader = archive();
    std::vector<store::RatingArchive::DayRate> days;
    EXPECT_TRUE(test::eventually([&] {
      days = reader->days_of(player, 1000).value_or(days);
      return days.size() >= count;
    }));
    return days;
  }

  test::TemporaryFolder folder_;
  Ear ear_;
  const std::unique_ptr<store::Store> store_ = *store::make_store("sqlite:" + (folder_.path() / "fuhyo.db").string());
  std::unique_ptr<store::QueuedJournal> journal_;
  std::uint64_t games_ = 0, seq_ = 0;
  std::mutex mutex_;
  std::condition_variable committed_;
  core::Seq durable_{};  // guarded by mutex_
};

TEST_F(RatingServiceTest, ComputesWritesHandsOnAndKeepsEveryDay) {
  play_twenty(3);
  std::vector<store::RatingArchive::DayRate> days;
  {
    RatingService service(options(), archive());
    const Table table = ear_.wait(1);
    ASSERT_EQ(table->players.size(), 2U);
    EXPECT_GT(table->players.at("a+1").rate, table->players.at("b+1").rate + 150);
    days = wait_days("a+1", 5);
  }
  const auto written = store::read_players(file_text(), "players.yaml");
  ASSERT_TRUE(written) << to_string(written.error());
  EXPECT_EQ(*written, *ear_.wait(1));
  ASSERT_EQ(days.size(), 5U) << "the day of the games, three days after it, and today";
  EXPECT_EQ(days.front().day, "2026-11-17");
  EXPECT_EQ(days.back().day, "2026-11-21");
  EXPECT_GT(days.back().error, 0);
}

TEST_F(RatingServiceTest, ComputesAgainWhenGamesHaveEnded) {
  play_twenty(3);
  RatingService service(options(), archive());
  const double before = ear_.wait(1)->players.at("a+1").rate;
  for (int i = 0; i < 5; ++i) play("b+1", "a+1", 0);
  service.ask();
  EXPECT_LT(ear_.wait(2)->players.at("a+1").rate, before);
}

// What was kept before the day was over, and the days on which nobody played.
TEST_F(RatingServiceTest, CompletesThePastDaysWhenADayHasPassed) {
  play_twenty(3);
  std::atomic<std::int64_t> now_us = kNow.us;
  auto with_clock = options();
  with_clock.now = [&now_us] { return core::Wall{now_us}; };
  RatingService service(std::move(with_clock), archive());
  const auto before = wait_days("a+1", 5);
  ASSERT_EQ(before.size(), 5U);
  play("b+1", "a+1", -1);  // an hour ...
  play("a+1", "b+1", -5);
  now_us = kNow.us + 6 * 86'400 * core::kSecond;
  service.ask();
  const auto after = wait_days("a+1", 11);
  ASSERT_EQ(after.size(), 11U);
  EXPECT_EQ(after.back().day, "2026-11-27");
  EXPECT_LT(after[4].rate, before[4].rate) << "of the day on which b+1 won later";
  EXPECT_GT(after[9].rate, after[7].rate) << "of the day on which a+1 won";
}

TEST_F(RatingServiceTest, TakesATableThatWasBroughtAlongUntilItHasItsOwn) {
  write_file("players:\n  0:\n    guest+1: {rate: 1234}\n");
  RatingService service(options(), archive());
  EXPECT_EQ(ear_.wait(1)->players.at("guest+1").rate, 1234);
  play("a+1", "b+1", 1);
  service.ask();
  EXPECT_TRUE(file_text().contains("1234"));
  play_twenty(1);
  service.ask();
  EXPECT_TRUE(ear_.wait(2)->players.contains("a+1"));
  EXPECT_FALSE(ear_.wait(2)->players.contains("guest+1"));
}

TEST_F(RatingServiceTest, DoesNotThrowAFileAwayThatItCannotRead) {
  write_file("players: [\n");
  play("a+1", "b+1", 1);
  {
    RatingService service(options(), archive());
    EXPECT_TRUE(ear_.wait_warning().contains("players.yaml")) << ear_.wait_warning();
    EXPECT_EQ(ear_.wait(1)->players.at("a+1").group, core::kUnratedGroup);
  }
  EXPECT_EQ(file_text(), "players: [\n");
  play_twenty(1);
  const RatingService service(options(), archive());
  EXPECT_EQ(ear_.wait(2)->players.at("a+1").group, 0);
}

// Six pairs, and everybody of one always beats whom he meets of the next.
TEST_F(RatingServiceTest, SaysOnceWhyRatingsStayAsTheyWere) {
  write_file("players:\n  0:\n    guest+1: {rate: 1234}\n");
  const auto id = [](int tier, int player) { return fmt::format("t{}p{}+1", tier, player); };
  for (int tier = 0; tier < 6; ++tier) {
    for (int i = 0; i < 20; ++i) play(id(tier, i % 2), id(tier, 1 - i % 2), 1);
    for (int i = 0; i < 5 && tier > 0; ++i) play(id(tier - 1, 0), id(tier, 1), 1);
  }
  RatingService service(options(), archive());
  EXPECT_TRUE(ear_.wait_warning().contains("no finite rating fits")) << ear_.wait_warning();
  EXPECT_TRUE(ear_.wait(1)->players.contains("guest+1"));
  const std::string first = ear_.wait_warning();
  service.ask();
  for (int tier = 1; tier < 6; ++tier) play(id(tier, 1), id(tier - 1, 0), 1);
  service.ask();
  EXPECT_EQ(ear_.wait(2)->players.size(), 12U) << "and then they go on";
  EXPECT_EQ(ear_.wait_warning(), first);
}

TEST_F(RatingServiceTest, FollowsTheFileOfTheOperator) {
  write_file("players:\n  0:\n    guest+1: {rate: 1}\n");
  const RatingService service(options(RatingService::Source::file), archive());
  EXPECT_EQ(ear_.wait(1)->players.at("guest+1").rate, 1);
  EXPECT_EQ(wait_days("guest+1", 1).at(0), (store::RatingArchive::DayRate{"2026-11-21", 1, 0})) << "for the pages";
  const auto later = std::filesystem::last_write_time(folder_.path() / "players.yaml") + 2s;
  write_file("players:\n  0:\n    guest+1: {rate: many}\n");
  std::filesystem::last_write_time(folder_.path() / "players.yaml", later);
  EXPECT_TRUE(ear_.wait_warning().contains("players.yaml:3: rate: 'many' is no number")) << ear_.wait_warning();
  write_file("players:\n  0:\n    guest+1: {rate: 2}\n");
  std::filesystem::last_write_time(folder_.path() / "players.yaml", later + 2s);
  EXPECT_EQ(ear_.wait(2)->players.at("guest+1").rate, 2);
  EXPECT_EQ(wait_days("guest+1", 1).at(0).rate, 2);
}

}  // namespace
}  // namespace fuhyo::app
