// What a game server keeps: its folders and keys, the store, and what is made of the store's journal, behind it. On the
// core's thread.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <vector>

#include "server/app/config/config.h"
#include "server/app/serve/log.h"
#include "server/app/serve/position_service.h"
#include "server/app/serve/rating_service.h"
#include "server/app/serve/start_error.h"
#include "server/app/serve/store_key.h"
#include "server/store/records/folder.h"
#include "server/store/store.h"

namespace fuhyo::app {

class Storage {
 public:
  using Publish = std::function<void(const std::vector<core::Transaction>&)>;  // on the journal's thread
  using OnRatings = std::function<void(std::shared_ptr<const core::PlayerRatings>)>;

  Storage(const ServeConfig& config, Log& log) : config_(config), log_(log) {}

  // In this order. What is committed is published before it is followed here.
  Started make_folders();
  Started open_store(core::JournalEvents events, Publish publish, core::Recovery& recovered);
  // `accept_key`: the store goes on with the key that is there, or a new one, whatever it was used with.
  Started open_keys(const core::Recovery& recovered, bool accept_key);
  Started open_services(OnRatings on_ratings);  // what is made of finished games. `on_ratings` comes on any thread

  // Of a start that is refused: what it has made goes, of folders those that hold nothing.
  void take_back();
  // False: the store is away, and what was not durable is lost. From now on nobody is called, and nothing published.
  bool close();

  store::Store& store() { return *store_; }
  store::QueuedJournal& journal() { return *journal_; }
  const Keys& keys() const { return keys_; }
  void ask_for_ratings() { ratings_->ask(); }
  bool records_up() const { return !records_->is_failing(); }

 private:
  void note_missing(const std::filesystem::path& path);
  void follow(std::vector<core::Transaction> transactions);

  const ServeConfig& config_;
  Log& log_;
  std::vector<std::filesystem::path> made_;  // by this start
  Keys keys_;
  std::unique_ptr<store::Store> store_;
  // Followers of the journal, and then the journal: it is closed first, so that none of them misses its last
  // transactions.
  std::unique_ptr<store::JournalReader> reader_;
  std::unique_ptr<store::RecordsFolder> records_;
  std::unique_ptr<RatingService> ratings_;
  std::unique_ptr<PositionService> positions_;
  std::unique_ptr<store::QueuedJournal> journal_;
};

}  // namespace fuhyo::app
