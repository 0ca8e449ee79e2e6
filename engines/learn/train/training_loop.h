// What the trainings of all networks share: a folder with a lock, a checkpoint and a log, from which they resume;
// steps, validations and progress. One thread at a time.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <expected>
#include <filesystem>
#include <fmt/format.h>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>

#include <boost/json.hpp>

#include "engines/jobs/files/file_lock.h"
#include "engines/learn/data/work_folder.h"
#include "engines/learn/train/optimiser.h"
#include "engines/learn/train/same_options.h"
#include "engines/learn/train/train_log.h"
#include "engines/learn/train/trainer.h"

namespace fuhyo::learn {

template <class Options>
class TrainingLoop {
 public:
  TrainingLoop(const TrainingLoop&) = delete;
  TrainingLoop& operator=(const TrainingLoop&) = delete;

 protected:
  using Clock = std::chrono::steady_clock;
  using Failure = std::unexpected<std::string>;
  using Done = std::expected<void, std::string>;

  // `log_lines`: about so many of a training. `digits`: of the epoch in lines of progress.
  TrainingLoop(const Options& options, std::filesystem::path folder, std::uint64_t log_lines, int digits)
      : options_(options), folder_(std::move(folder)), log_lines_(log_lines), digits_(digits) {}
  virtual ~TrainingLoop() = default;

  // A checkpoint is a state and a text: place() as JSON, with `terms`, all that the network depends on, and `seconds`.
  virtual boost::json::object place() const = 0;
  virtual Done write_state(const std::filesystem::path& file, const std::string& text) const = 0;
  virtual std::expected<std::string, std::string> read_state(const std::filesystem::path& file) = 0;  // the text
  virtual Done resume_at(const boost::json::object& place) = 0;  // throws what Boost.JSON throws
  virtual Done begin_anew() = 0;
  virtual std::uint64_t steps_done() const = 0;
  virtual Done step(double rate) = 0;
  virtual std::string losses() = 0;          // for a line of progress
  virtual Done log_losses(double rate) = 0;  // since the last line of the log
  virtual Done validate(bool last) = 0;      // ... and writes the network
  virtual Done validate_again() = 0;         // a training of which no step is left

  // Locks the folder and resumes from its checkpoint, if there is one. To be called once all else is known to be right:
  // of a training that cannot begin there is no folder.
  Done begin() {
    auto lock = take_folder(folder_, "train.lock");
    if (!lock) return Failure(lock.error());
    lock_ = std::move(*lock);
    std::error_code error;
    const bool begun = std::filesystem::exists(folder_ / kCheckpointName, error);
    if (auto ready = begun ? resume() : begin_anew(); !ready) return ready;
    auto log = TrainLog::open(folder_ / kTrainLogName, steps_done());
    if (!log) return Failure(log.error());
    log_ = std::move(*log);
    begun_ = saved_ = told_ = Clock::now();
    told_steps_ = steps_done();
    return {};
  }

  // The steps that are left; a validation and a checkpoint after every `part` of them. False: asked to stop.
  std::expected<bool, std::string> run_steps(std::uint64_t part, const std::stop_token& stop) {
    bool complete = steps_done() == steps();
    if (complete) {
      if (auto validated = validate_again(); !validated) return Failure(validated.error());
    }
    while (!complete && !stop.stop_requested()) {
      if (auto stepped = make_step(); !stepped) return Failure(stepped.error());
      complete = steps_done() == steps();
      const bool due = complete || steps_done() % part == 0;
      if (due) {
        if (auto validated = validate(complete); !validated) return Failure(validated.error());
      }
      if (!due && since(saved_) < options_.checkpoint_s) continue;
      if (auto saved = save(); !saved) return Failure(saved.error());
    }
    if (!complete) {
      if (auto saved = save(); !saved) return Failure(saved.error());
    }
    return complete;
  }

  Done save() {
    const std::string text = boost::json::serialize(place());
    if (auto written = write_state(folder_ / kCheckpointName, text); !written) return written;
    saved_ = Clock::now();
    return {};
  }

  // An error about the checkpoint.
  Failure wrong(std::string_view why) const {
    return Failure(fmt::format("{}: {}", (folder_ / kCheckpointName).string(), why));
  }
  void say(const std::string& line) const {
    if (options_.say) options_.say(line);
  }
  std::uint64_t steps() const { return steps_per_epoch_ * static_cast<std::uint64_t>(options_.epochs); }
  double epoch() const { return static_cast<double>(steps_done()) / static_cast<double>(steps_per_epoch_); }
  double seconds() const { return seconds_before_ + since(begun_); }
  static double since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

  const Options& options_;
  const std::filesystem::path folder_;
  std::uint64_t steps_per_epoch_ = 0;
  std::optional<TrainLog> log_;  // once it has begun

 private:
  Done resume() {
    const auto found = read_state(folder_ / kCheckpointName);
    if (!found) return Failure(found.error());
    boost::system::error_code error;
    const boost::json::value text = boost::json::parse(*found, error);
    if (error || !text.is_object()) return wrong("it does not say what it belongs to");
    try {
      const boost::json::object& then = text.as_object();
      const auto other = differing_option(then.at("terms").as_object(), place().at("terms").as_object());
      if (other) return wrong(*other);
      seconds_before_ = then.at("seconds").template to_number<double>();
      if (auto resumed = resume_at(then); !resumed) return resumed;
    } catch (const std::exception&) {  // Boost.JSON's: a member is missing or of another kind
      return wrong("it does not say what it belongs to");
    }
    say(fmt::format("going on after {} of {} steps", steps_done(), steps()));
    return {};
  }

  Done make_step() {
    if (auto done = step(rate_at(options_.rate, steps_done() + 1, steps())); !done) return done;
    const std::uint64_t step = steps_done();
    const double rate = rate_at(options_.rate, step, steps());
    if (since(told_) >= options_.progress_s) {
      const double speed = static_cast<double>((step - told_steps_) * options_.batch) / since(told_);
      const double left = static_cast<double>((steps() - step) * options_.batch) / std::max(speed, 1.0);
      say(fmt::format("epoch {:.{}f} of {}, step {} of {}: {:.0f} positions/s, {}, rate {:.2e}, {} left", epoch(),
                      digits_, options_.epochs, step, steps(), speed, losses(), rate, duration_text(left)));
      told_ = Clock::now();
      told_steps_ = step;
    }
    return step % std::max<std::uint64_t>(1, steps() / log_lines_) == 0 ? log_losses(rate) : Done();
  }

  std::uint64_t log_lines_;
  int digits_;
  std::optional<jobs::FileLock> lock_;
  std::uint64_t told_steps_ = 0;
  double seconds_before_ = 0;
  Clock::time_point begun_ = Clock::now(), saved_ = begun_, told_ = begun_;
};

}  // namespace fuhyo::learn
