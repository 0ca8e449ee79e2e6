// Ratings of a running server, on a thread of its own: read from the archive when games have ended, computed as
// shogi-server's mk_rate does, written to DATA/players.yaml, kept day by day, and handed on. Or read from a
// players.yaml that the operator keeps, or brought along. Players and games never wait for it.
#pragma once

#include <chrono>
#include <condition_variable>
#include <expected>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

#include "server/core/civil_time.h"
#include "server/core/rating/games.h"
#include "server/core/rating/shogi_server.h"
#include "server/core/rating/table.h"
#include "server/store/rating_archive.h"

namespace fuhyo::app {

class RatingService {
 public:
  enum class Source : std::uint8_t { computed, file };
  struct Options {
    Source source = Source::computed;
    std::filesystem::path players_file;      // DATA/players.yaml
    core::TimeZone zone;                     // of its days and times
    std::chrono::milliseconds pace{2'000};   // rest after a computation; 20 times as long as it took, if that is more
    std::chrono::milliseconds look{10'000};  // a file is looked at so often, and when asked
    std::function<core::Wall()> now;         // wall time
    std::function<void(std::shared_ptr<const core::PlayerRatings>)> on_ratings;  // on the service's thread
    std::function<void(std::string_view)> warn = [](std::string_view) {};        // likewise
  };

  // Begins at once. `archive`: null if there is none, for Source::file: no day is kept.
  RatingService(Options options, std::unique_ptr<store::RatingArchive> archive);
  ~RatingService();  // ends what it is doing, which may take a moment
  RatingService(const RatingService&) = delete;
  RatingService& operator=(const RatingService&) = delete;

  // A game has ended, or somebody wants to know. Any thread; returns at once.
  void ask();

 private:
  void run();
  bool wait();  // until there is something to do; false: it ends
  void rest(std::chrono::steady_clock::time_point until);
  void compute();
  void complete_days();
  bool keep_day(std::int64_t day, const core::rating::RatedDay& rated);
  bool read_file();  // true: a table with rated players was read
  void take(core::PlayerRatings ratings);
  void write_file();
  bool wanted();  // asked for again, or closing

  const Options options_;
  const std::unique_ptr<store::RatingArchive> archive_;
  core::rating::Games games_;    // the thread's, like all up to mutex_
  core::PlayerRatings ratings_;  // handed on last
  bool handed_on_ = false;
  bool computed_ = false;      // ratings_ are of games_, not of a file
  bool refused_ = false;       // and stay as they are: no finite ratings fit
  std::int64_t next_day_ = 0;  // since 1970; no day before it lacks
  std::filesystem::file_time_type file_time_{};
  std::string written_;  // of the file, if it is ours

  std::mutex mutex_;
  std::condition_variable wake_;
  bool asked_ = false, closing_ = false;  // guarded by mutex_
  std::thread thread_;
};

}  // namespace fuhyo::app
