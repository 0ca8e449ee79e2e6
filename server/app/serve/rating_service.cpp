#include "server/app/serve/rating_service.h"

#include <algorithm>
#include <fmt/format.h>
#include <sys/resource.h>
#include <system_error>
#include <unistd.h>
#include <utility>
#include <vector>

#include "server/core/rating/history.h"
#include "server/store/records/disk.h"
#include "server/store/shogi_server/players_file.h"

namespace fuhyo::app {
namespace {

namespace rating = core::rating;

constexpr std::int64_t kRatingDay_s = 86'400;
constexpr std::int64_t kMostPastDays = 3'660;  // ten years of graphs
constexpr int kRestPerWork = 20;
constexpr int kLowestPriority = 19;

// Counted from 1970-01-01.
std::int64_t local_day(core::Wall wall, const core::TimeZone& zone) {
  const core::CivilTime time = core::civil(wall, zone);
  return core::days_from_civil(time.year, time.month, time.day);
}

std::string name_of_day(std::int64_t day) {
  const core::CivilTime date = core::civil(day * kRatingDay_s);
  return fmt::format("{:04}-{:02}-{:02}", date.year, date.month, date.day);
}

}  // namespace

RatingService::RatingService(Options options, std::unique_ptr<store::RatingArchive> archive)
    : options_(std::move(options)), archive_(std::move(archive)), asked_(true), thread_([this] { run(); }) {}

RatingService::~RatingService() {
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
  }
  wake_.notify_all();
  thread_.join();
}

void RatingService::ask() {
  {
    const std::lock_guard lock(mutex_);
    asked_ = true;
  }
  wake_.notify_all();
}

bool RatingService::wanted() {
  const std::lock_guard lock(mutex_);
  return asked_ || closing_;
}

void RatingService::run() {
  // Players feel the core; nobody feels this.
  ::setpriority(PRIO_PROCESS, static_cast<id_t>(::gettid()), kLowestPriority);
  const bool computes = options_.source == Source::computed && archive_ != nullptr;
  while (wait()) {
    if (!computes) {
      read_file();
      continue;
    }
    const auto begin = std::chrono::steady_clock::now();
    compute();
    const auto end = std::chrono::steady_clock::now();
    if (computed_) complete_days();
    rest(end + std::max<std::chrono::nanoseconds>(options_.pace, kRestPerWork * (end - begin)));
  }
}

bool RatingService::wait() {
  std::unique_lock lock(mutex_);
  const auto wanted = [this] { return asked_ || closing_; };
  if (options_.source == Source::file)
    wake_.wait_for(lock, options_.look, wanted);  // nobody tells of a file
  else
    wake_.wait(lock, wanted);
  asked_ = false;
  return !closing_;
}

// Games that end meanwhile are rated together, so that ratings never take more than a twentieth of a processor.
void RatingService::rest(std::chrono::steady_clock::time_point until) {
  std::unique_lock lock(mutex_);
  wake_.wait_until(lock, until, [this] { return closing_; });
}

void RatingService::compute() {
  if (auto read = archive_->read_new_games(games_); !read) {
    options_.warn(fmt::format("ratings cannot read the archive: {}", read.error()));
    return;
  }
  const core::Wall now = options_.now();
  auto rated =
      rating::rate_as_shogi_server(games_, {.base = now, .with_errors = true}, computed_ ? &ratings_ : nullptr);
  if (!rated) {
    if (!std::exchange(refused_, true)) options_.warn(fmt::format("ratings stay as they were: {}", rated.error()));
    if (!handed_on_) read_file();
    return;
  }
  refused_ = false;
  // Before anybody has games enough here, a table that was brought along is better than an empty one.
  if (rated->exact.empty() && !computed_ && (handed_on_ || read_file())) return;
  computed_ = true;
  keep_day(local_day(now, options_.zone), rating::rated_day(*rated, now));
  // Nor is a file that cannot be read thrown away for a table with nobody in it.
  const bool worth_it = !rated->exact.empty() || !std::filesystem::exists(options_.players_file);
  take(std::move(rated->table));
  if (worth_it) write_file();
}

// The newest day that was kept may have been kept before it was over, and days without a game were not kept at all:
// once a day, and at the start, they are. Of an archive that was moved over these are all its days. Goes on next time
// if there is something better to do.
void RatingService::complete_days() {
  const std::int64_t today = local_day(options_.now(), options_.zone);
  if (next_day_ == today || games_.size() == 0) return;
  const auto last = archive_->last_day_before(name_of_day(today));
  if (!last) return options_.warn(fmt::format("ratings cannot read their history: {}", last.error()));
  const auto oldest = std::ranges::min_element(games_.games(), {}, &rating::PlayedGame::ended);
  next_day_ = std::max({next_day_, local_day(oldest->ended, options_.zone), today - kMostPastDays});
  core::PlayerRatings former;
  for (; next_day_ < today; ++next_day_) {
    if (name_of_day(next_day_) < *last) continue;
    if (wanted()) return;
    const core::Wall end = core::wall_at_local((next_day_ + 1) * kRatingDay_s, options_.zone);
    auto rated = rating::rate_as_shogi_server(games_, {.base = end, .with_errors = true},
                                              former.players.empty() ? nullptr : &former);
    if (!rated || rated->exact.empty()) continue;
    if (!keep_day(next_day_, rating::rated_day(*rated, end))) return;
    former = std::move(rated->table);
  }
}

bool RatingService::keep_day(std::int64_t day, const rating::RatedDay& rated) {
  const std::string name = name_of_day(day);
  const auto kept = archive_->write_day(name, rated);
  if (!kept) options_.warn(fmt::format("the ratings of {} are not kept: {}", name, kept.error()));
  return kept.has_value();
}

bool RatingService::read_file() {
  std::error_code error;
  const auto time = std::filesystem::last_write_time(options_.players_file, error);
  if (error || time == file_time_) return false;  // none, or as it was
  file_time_ = time;
  const auto text = store::read_file(options_.players_file);
  if (!text) {
    options_.warn(fmt::format("ratings stay as they were: {}", text.error()));
    return false;
  }
  auto read = store::read_players(*text, options_.players_file.string());
  if (!read) {
    options_.warn(fmt::format("ratings stay as they were: {}", to_string(read.error())));
    return false;
  }
  const bool any =
      std::ranges::any_of(read->players, [](const auto& entry) { return entry.second.group != core::kUnratedGroup; });
  if (!any && options_.source == Source::computed) return false;
  if (const core::Wall now = options_.now(); any && archive_ != nullptr) {
    keep_day(local_day(now, options_.zone), rating::rated_day(*read, now));  // the pages show what was kept
  }
  take(std::move(*read));
  return any;
}

void RatingService::take(core::PlayerRatings ratings) {
  if (handed_on_ && ratings == ratings_) return;
  ratings_ = std::move(ratings);
  handed_on_ = true;
  options_.on_ratings(std::make_shared<const core::PlayerRatings>(ratings_));
}

void RatingService::write_file() {
  const std::string text = store::write_players(ratings_, options_.zone);
  if (text == written_ && std::filesystem::exists(options_.players_file)) return;
  if (const auto written = store::replace_file(options_.players_file, text); !written) {
    return options_.warn(fmt::format("ratings are in force and not on the disk: {}", written.error()));
  }
  written_ = text;
}

}  // namespace fuhyo::app
