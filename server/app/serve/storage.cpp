#include "server/app/serve/storage.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "server/app/commands.h"
#include "server/app/serve/file_modes.h"
#include "server/app/serve/host_facts.h"
#include "server/secrets/keyed_hash.h"

namespace fuhyo::app {
namespace {

// So far back reaches the history of ratings.
constexpr std::int64_t kTwelveYears_us = 12LL * 366 * 86'400 * core::kSecond;

bool any_game_ended(const std::vector<core::Transaction>& transactions) {
  return std::ranges::any_of(transactions, [](const core::Transaction& transaction) {
    return std::ranges::any_of(
        transaction, [](const core::Journaled& row) { return std::holds_alternative<core::GameEnded>(row.fact); });
  });
}

}  // namespace

Started Storage::make_folders() {
  std::vector<std::filesystem::path> folders = {config_.data};
  for (const auto& logs : {config_.wire_log, config_.player_logs}) {
    if (!logs.empty()) folders.push_back(logs);
  }
  for (const auto& folder : folders) {
    note_missing(folder);
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error) {
      return start_failed(kExitCannotCreate, fmt::format("cannot create {}: {}", folder.string(), error.message()));
    }
  }
  const std::uint32_t mode = file_mode(config_.records_mode);
  note_missing(config_.records_folder());
  const auto made = store::make_folder(config_.records_folder(), mode);
  if (!made) return start_failed(kExitCannotCreate, made.error());
  for (const auto& fault :
       {too_open(config_.data, config_.records_folder()), out_of_reach(config_.data, config_.records_folder(), mode)}) {
    if (fault) log_.warning(*fault);
  }
  return {};
}

// What is about to be made, the outermost first.
void Storage::note_missing(const std::filesystem::path& path) {
  std::error_code ignored;
  std::vector<std::filesystem::path> missing;
  for (auto each = path; !each.empty() && !std::filesystem::exists(each, ignored); each = each.parent_path()) {
    missing.push_back(each);
  }
  made_.insert(made_.end(), missing.rbegin(), missing.rend());
}

Started Storage::open_store(core::JournalEvents events, Publish publish, core::Recovery& recovered) {
  events.committed = [this, publish = std::move(publish)](std::vector<core::Transaction> transactions) {
    publish(transactions);
    follow(std::move(transactions));
  };
  store::JournalLimits limits;
  limits.keep_us = std::int64_t{config_.journal_days} * 86'400 * core::kSecond;
  limits.keep_rows = config_.journal_rows;
  auto store =
      store::make_store(config_.store_address(), {.limits = limits, .unsafe = config_.unsafe, .warn = log_.warner()});
  if (!store) return start_failed(kExitUsage, store.error());
  store_ = std::move(*store);
  std::vector<std::string> missing = store_->files();
  std::erase_if(missing, [](const std::string& file) { return std::filesystem::exists(file); });
  auto journal = store_->open_journal(std::move(events), recovered);
  if (!journal) return start_failed(kExitIo, journal.error());
  journal_ = std::move(*journal);
  // Another server may have made and left it meanwhile.
  if (recovered.last == core::Seq{}) made_.insert(made_.end(), missing.begin(), missing.end());
  auto reader = store_->open_reader();
  if (!reader) return start_failed(kExitIo, reader.error());
  reader_ = std::move(*reader);
  store::RecordsOptions options{.folder = config_.records_folder(), .mode = file_mode(config_.records_mode)};
  options.log = log_.warner();
  auto records = store::RecordsFolder::open(std::move(options), *reader_);
  if (!records) return start_failed(kExitCannotCreate, records.error());
  records_ = std::move(*records);
  return {};
}

void Storage::follow(std::vector<core::Transaction> transactions) {
  if (any_game_ended(transactions)) {
    if (ratings_) ratings_->ask();
    if (positions_) positions_->ask();
  }
  records_->follow(std::move(transactions));
}

Started Storage::open_keys(const core::Recovery& recovered, bool accept_key) {
  const std::string kept = kept_fingerprint(recovered);
  for (const char* file : {"secret.key", "reconnect.key"}) note_missing(config_.data / file);
  auto key = open_store_key(config_.data / "secret.key", store_->name(), kept, accept_key);
  if (!key) return std::unexpected(std::move(key.error()));
  keys_.secrets = std::move(*key);
  if (!kept.empty() && key_fingerprint(keys_.secrets) != kept) log_.warning("the store goes on with another key");
  if (!config_.reconnect_tokens) return {};
  auto secret = secrets::secret_of(config_.data / "reconnect.key");
  if (!secret) return start_failed(kExitCannotCreate, secret.error());
  keys_.reconnect = std::move(*secret);
  return {};
}

Started Storage::open_services(OnRatings on_ratings) {
  auto archive = store_->open_ratings();
  if (!archive) return start_failed(kExitIo, archive.error());
  ratings_ = std::make_unique<RatingService>(
      RatingService::Options{
          .source = config_.ratings_from_file ? RatingService::Source::file : RatingService::Source::computed,
          .players_file = config_.data / "players.yaml",
          .zone = local_time_zone({wall_now().us - kTwelveYears_us}),
          .now = wall_now,
          .on_ratings = std::move(on_ratings),
          .warn = log_.warner()},
      std::move(*archive));
  auto positions = store_->open_positions();
  if (!positions) return start_failed(kExitIo, positions.error());
  positions_ = std::make_unique<PositionService>(std::move(*positions), log_.warner());
  return {};
}

// The lock of the store is kept until its journal goes, so that no other server has begun to use any of it.
void Storage::take_back() {
  if (journal_) journal_->close();
  std::error_code ignored;
  for (; !made_.empty(); made_.pop_back()) std::filesystem::remove(made_.back(), ignored);
}

bool Storage::close() {
  const bool whole = !journal_ || journal_->close();
  ratings_.reset();
  positions_.reset();
  if (records_) records_->close();
  return whole;
}

}  // namespace fuhyo::app
