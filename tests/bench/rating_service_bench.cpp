// How fast the rating service of a running server is: from its start to the first ratings, from one more game to the
// next ratings, how long it takes to keep every past day, and what memory it takes. The archive is a made one of
// 100,000 games of 500 players in two years, or with the argument "small" of 200 games (as for rating_bench).
#include <condition_variable>
#include <cstdio>
#include <malloc.h>
#include <mutex>
#include <thread>

#include "server/app/serve/rating_service.h"
#include "server/store/results/list.h"
#include "server/store/shogi_server/finished_record.h"
#include "server/store/store.h"
#include "tests/bench/measure.h"
#include "tests/bench/server_process.h"
#include "tests/support/list_maker.h"
#include "tests/support/temporary_folder.h"

namespace {

namespace app = fuhyo::app;
namespace core = fuhyo::core;
namespace store = fuhyo::store;
using fuhyo::bench::Clock, fuhyo::bench::fail, fuhyo::bench::seconds_since, fuhyo::bench::sure;

constexpr core::Wall kNow{1'767'225'600 * core::kSecond};  // 2026-01-01 00:00:00 UTC
// As many moves as a game has, so that rows are as long as they are.
constexpr int kMoves = 110;

std::vector<store::FinishedGame> made_games(const fuhyo::test::ListPlan& plan) {
  const std::string text = fuhyo::test::make_list(plan);
  std::vector<store::FinishedGame> games;
  for (std::string_view rest = text; !rest.empty(); rest.remove_prefix(rest.find('\n') + 1)) {
    const auto line = store::parse_result_line(rest.substr(0, rest.find('\n')));
    if (!line) continue;
    auto game = store::finished_game(*line, {});
    if (!game) continue;
    game->opened.csa_id = "made+" + std::to_string(games.size());
    for (int i = 0; i < kMoves; ++i) game->moves += i % 2 == 0 ? "+2726FU,T10 " : "-8384FU,T10 ";
    games.push_back(std::move(*game));
  }
  return games;
}

void add_games(store::Store& store, std::vector<store::FinishedGame> games) {
  const auto archive = sure(store.begin_import(false));
  for (store::FinishedGame& game : games) sure(archive->add(game));
  sure(archive->commit());
}

// Of this process, without what is free.
double memory_mib() {
  ::malloc_trim(0);
  return static_cast<double>(fuhyo::bench::look_at(::getpid())->rss_kib) / 1'024;
}

// When the service handed something on.
class Ear {
 public:
  void heard() {
    const std::lock_guard lock(mutex_);
    ++count_;
    changed_.notify_all();
  }
  void wait(int count) {
    std::unique_lock lock(mutex_);
    if (!changed_.wait_for(lock, std::chrono::minutes(5), [&] { return count_ >= count; })) fail("no ratings came");
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int count_ = 0;
};

void measure(const std::string& file, const fuhyo::test::ListPlan& plan) {
  const auto store = *store::make_store("sqlite:" + file);
  core::Recovery recovered;
  const auto journal = sure(store->open_journal({}, recovered));
  std::vector<store::FinishedGame> games = made_games(plan);
  store::FinishedGame last = std::move(games.back());
  games.pop_back();
  last.ended.at = {kNow.us - core::kSecond};
  const std::size_t count = games.size();
  add_games(*store, std::move(games));
  Ear ear;
  app::RatingService::Options options{.players_file = std::filesystem::path(file).parent_path() / "players.yaml"};
  options.pace = std::chrono::milliseconds(0);
  options.now = [] { return kNow; };
  options.on_ratings = [&ear](const auto&) { ear.heard(); };
  const double before_mib = memory_mib();
  auto start = Clock::now();
  app::RatingService service(std::move(options), sure(store->open_ratings()));
  ear.wait(1);
  std::printf("%zu games: first ratings after %.3f s\n", count, seconds_since(start));
  std::printf("memory: %.1f MiB, then %.1f MiB\n", before_mib, memory_mib());
  const auto days = sure(store->open_ratings());
  const auto yesterday = [&] { return days->last_day_before("2026-01-01").value_or(""); };
  while (yesterday() != "2025-12-31") std::this_thread::sleep_for(std::chrono::milliseconds(5));
  std::printf("every past day kept after %.1f s\n", seconds_since(start));
  std::this_thread::sleep_for(std::chrono::microseconds(50 * count));  // its rest, which grows with its work
  add_games(*store, {std::move(last)});
  start = Clock::now();
  service.ask();
  ear.wait(2);
  std::printf("one more game: next ratings after %.3f s\n", seconds_since(start));
}

}  // namespace

int main(int argc, char** argv) {
  const bool small = argc > 1 && std::string_view(argv[1]) == "small";
  const fuhyo::test::TemporaryFolder folder;
  measure(folder.file("fuhyo.db"), small ? fuhyo::test::small_list() : fuhyo::test::huge_list());
}
