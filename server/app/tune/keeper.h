// Keeps a tuning in its file while it goes on, says how it goes, and writes down what came of it. One thread at a time.
#pragma once

#include <chrono>
#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <string>

#include "engines/jobs/files/file_lock.h"
#include "engines/match/tune/tuner.h"
#include "server/app/commands.h"
#include "server/app/tune/options.h"

namespace fuhyo::app {

template <typename Value>
using TuneResult = std::expected<Value, ExitError>;

// Keeps other processes from the state, if there is one to be kept. The state itself is another file after each saving,
// so the lock is one beside it, STATE.lock.
TuneResult<std::optional<jobs::FileLock>> lock_state(const TuneOptions& options);
// Goes on from the state if there is one, else begins as the flags say.
TuneResult<std::unique_ptr<match::tune::Tuner>> open_tuner(const TuneOptions& options);

class TuneKeeper {
 public:
  TuneKeeper(const TuneOptions& options, match::tune::Tuner& tuner)
      : options_(options), tuner_(tuner), began_(Steady::now()), saved_(began_), games_before_(tuner.games()) {}

  // After a trial was reported: saves and tells, if it is time. `more`: behind what is told.
  TuneResult<void> reported(std::string_view more = {});
  TuneResult<void> save();
  // The table of values on standard output, and the files that were asked for.
  TuneResult<void> finish();

 private:
  using Steady = std::chrono::steady_clock;

  const TuneOptions& options_;
  match::tune::Tuner& tuner_;
  Steady::time_point began_, saved_;
  std::int64_t games_before_, told_ = 0;
};

}  // namespace fuhyo::app
