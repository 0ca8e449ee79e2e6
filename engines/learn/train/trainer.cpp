#include "engines/learn/train/trainer.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <optional>

#include <boost/json.hpp>

#include "engines/jobs/fingerprint.h"
#include "engines/learn/data/whole_file.h"
#include "engines/learn/data/work_folder.h"
#include "engines/learn/setting_json.h"
#include "engines/learn/train/checkpoint.h"
#include "engines/learn/train/choice.h"
#include "engines/learn/train/export.h"
#include "engines/learn/train/feeder.h"
#include "engines/learn/train/same_options.h"
#include "engines/learn/train/train_log.h"
#include "engines/record/counted.h"

namespace fuhyo::learn {
namespace {

namespace json = boost::json;
using Clock = std::chrono::steady_clock;
using Failure = std::unexpected<std::string>;
using Done = std::expected<void, std::string>;

constexpr std::uint64_t kLogLines = 1'000;  // about so many of a training

double since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

json::object options_object(TrainOptions options) {
  json::object object{{"features", options.shape.features}}, comparison;
  JsonWriter to_object(object, JsonKeys::as_named), to_comparison(comparison, JsonKeys::as_named);
  fields(to_object, options);
  if (options.comparison.any()) fields(to_comparison, options.comparison);
  object["comparison"] = std::move(comparison);
  return object;
}

class Training {
 public:
  Training(const TrainOptions& options, std::vector<DataSet> sets, std::filesystem::path folder)
      : options_(options),
        folder_(std::move(folder)),
        sampler_(std::move(sets), options.sampler),
        pool_(options.threads) {}

  std::expected<Trained, std::string> run(const std::stop_token& stop);

 private:
  Done set_up(const std::stop_token& stop);
  Done take_first_weights(Model& model);
  Done look_at_games(const std::stop_token& stop);
  Done look_at_comparisons();
  Done resume();
  Done step();
  Done end_epoch();
  Done save();
  Done report_line();
  std::string place_text() const;
  void say(const std::string& line) const {
    if (options_.say) options_.say(line);
  }
  double seconds() const { return seconds_before_ + since(begun_); }
  double epoch() const { return static_cast<double>(learner_->steps()) / static_cast<double>(steps_per_epoch_); }
  std::uint64_t steps() const { return steps_per_epoch_ * static_cast<std::uint64_t>(options_.epochs); }

  const TrainOptions& options_;
  std::filesystem::path folder_;
  std::optional<jobs::FileLock> lock_;  // of the folder
  std::string from_;                    // tells apart the networks whose weights are the first ones
  Sampler sampler_;
  Comparisons comparisons_;
  ThreadPool pool_;
  std::optional<Learner> learner_;
  std::optional<Feeder> feeder_;
  std::optional<Validation> validation_;
  std::optional<TrainLog> log_;
  std::uint64_t games_ = 0, samples_ = 0, steps_per_epoch_ = 0;
  ValidationResult last_;
  double seconds_before_ = 0;
  Clock::time_point begun_ = Clock::now(), saved_ = begun_, told_ = begun_, lined_ = begun_;
  Losses loss_sum_;  // since the last line of the log
  std::uint64_t loss_steps_ = 0;
  std::uint64_t told_steps_ = 0;
};

Done Training::look_at_games(const std::stop_token& stop) {
  const auto begin = Clock::now();
  const auto survey = sampler_.survey(options_.validation, options_.positions, stop);
  if (!survey) return Failure(survey.error());
  if (stop.stop_requested()) return {};
  for (const std::uint64_t games : survey->games) games_ += games;
  samples_ = survey->samples;
  say(fmt::format("{} in {}: {} a pass; {} held back, {} and {} of them", record::counted(games_, "game"),
                  duration_text(since(begin)), record::counted(samples_, "position"),
                  record::counted(survey->held_back, "game"), record::counted(survey->validation.size(), "position"),
                  record::counted(survey->positions.size(), "move")));
  if (samples_ < options_.batch)
    return Failure(fmt::format("{} of {}, less than a batch of {}", record::counted(samples_, "position"),
                               record::counted(games_, "game"), options_.batch));
  steps_per_epoch_ = samples_ / options_.batch;
  validation_.emplace(*survey, options_.lambda);
  return look_at_comparisons();
}

Done Training::look_at_comparisons() {
  const ComparisonOptions& options = options_.comparison;
  if (!options.any()) return {};
  if (options_.batch % options.choices != 0) {
    return Failure(
        fmt::format("a batch of {} is no multiple of the {} moves of a comparison", options_.batch, options.choices));
  }
  auto comparisons = Comparisons::read(options);
  if (!comparisons) return Failure(comparisons.error());
  comparisons_ = std::move(*comparisons);
  if (!comparisons_.remark().empty()) say(comparisons_.remark());
  say(fmt::format("{} strong moves, {} of them in each step", comparisons_.moves(), options.each_step));
  validation_->add(comparisons_, options);
  return {};
}

Done Training::take_first_weights(Model& model) {
  if (options_.from.empty()) return {};
  const auto bytes = read_file(options_.from);
  if (!bytes) return Failure(bytes.error());
  jobs::Fingerprint print;
  print.add(*bytes);
  from_ = print.text();
  auto taken = take_weights(model, *bytes);
  if (!taken) return Failure(fmt::format("{}: {}", options_.from, taken.error()));
  return {};
}

Done Training::set_up(const std::stop_token& stop) {
  const auto kernels = choose_float_kernels(options_.kernels);
  if (!kernels) return Failure(kernels.error());
  auto model = Model::make(options_.shape, options_.sampler.seed);
  if (!model) return Failure(model.error());
  if (auto taken = take_first_weights(*model); !taken) return taken;
  learner_.emplace(std::move(*model), options_.method, **kernels, pool_);
  if (auto looked = look_at_games(stop); !looked || stop.stop_requested()) return looked;
  // Only now: of a training that cannot begin there is no folder.
  auto lock = take_folder(folder_, "train.lock");
  if (!lock) return Failure(lock.error());
  lock_ = std::move(*lock);
  feeder_.emplace(sampler_, comparisons_, learner_->model().features(),
                  FeedOptions{.batch = options_.batch,
                              .lambda = options_.lambda,
                              .seed = options_.sampler.seed,
                              .comparison = options_.comparison},
                  pool_.size() > 1);
  std::error_code error;
  if (std::filesystem::exists(folder_ / kCheckpointName, error)) {
    if (auto resumed = resume(); !resumed) return resumed;
  } else if (auto begun = feeder_->begin({}); !begun) {
    return begun;
  }
  auto log = TrainLog::open(folder_ / kTrainLogName, learner_->steps());
  if (!log) return Failure(log.error());
  log_ = std::move(*log);
  begun_ = saved_ = told_ = lined_ = Clock::now();
  told_steps_ = learner_->steps();
  return {};
}

std::string Training::place_text() const {
  const DataPlace& place = feeder_->place();
  return json::serialize(json::object{{"terms", options_object(options_)},
                                      {"games", games_},
                                      {"samples", samples_},
                                      {"pass", place.pass},
                                      {"given", place.given},
                                      {"seconds", seconds()},
                                      {"from", from_},
                                      {"strong_moves", comparisons_.moves()},
                                      {"loss_sum", loss_sum_.positions},
                                      {"comparison_loss_sum", loss_sum_.comparisons},
                                      {"loss_steps", loss_steps_}});
}

Done Training::resume() {
  const std::filesystem::path file = folder_ / kCheckpointName;
  const auto wrong = [&](std::string_view why) { return Failure(fmt::format("{}: {}", file.string(), why)); };
  auto found = read_checkpoint(file, learner_->model());
  if (!found) return Failure(found.error());
  boost::system::error_code error;
  const json::value text = json::parse(found->text, error);
  if (error || !text.is_object()) return wrong("it does not say what it belongs to");
  try {
    const json::object& object = text.as_object();
    if (const auto other = differing_option(object.at("terms").as_object(), options_object(options_)))
      return wrong(*other);
    if (object.at("games").to_number<std::uint64_t>() != games_ ||
        object.at("samples").to_number<std::uint64_t>() != samples_) {
      return wrong(
          fmt::format("it was trained with {} games, here are {}", json::serialize(object.at("games")), games_));
    }
    if (object.at("from").as_string() != from_) return wrong("it began with the weights of another network");
    if (object.at("strong_moves").to_number<std::uint64_t>() != comparisons_.moves()) {
      return wrong(fmt::format("it was trained with {} strong moves, here are {}",
                               json::serialize(object.at("strong_moves")), comparisons_.moves()));
    }
    seconds_before_ = object.at("seconds").to_number<double>();
    loss_sum_ = {object.at("loss_sum").to_number<double>(), object.at("comparison_loss_sum").to_number<double>()};
    loss_steps_ = object.at("loss_steps").to_number<std::uint64_t>();
    learner_->restore(std::move(found->state));
    say(fmt::format("going on after {} of {} steps", learner_->steps(), steps()));
    return feeder_->begin(
        {object.at("pass").to_number<std::uint64_t>(), object.at("given").to_number<std::uint64_t>()});
  } catch (const std::exception&) {  // Boost.JSON's: a member is missing or of another kind
    return wrong("it does not say what it belongs to");
  }
}

Done Training::save() {
  if (auto written = write_checkpoint(folder_ / kCheckpointName, place_text(), *learner_); !written) return written;
  saved_ = Clock::now();
  return {};
}

Done Training::step() {
  const auto batch = feeder_->next();
  if (!batch) return Failure(batch.error());
  const double rate = rate_at(options_.rate, learner_->steps() + 1, steps());
  const Losses losses = learner_->learn(**batch, rate, options_.rate.first);
  loss_sum_.positions += losses.positions;
  loss_sum_.comparisons += losses.comparisons;
  ++loss_steps_;
  return report_line();
}

Done Training::report_line() {
  const std::uint64_t step = learner_->steps(), each = std::max<std::uint64_t>(1, steps() / kLogLines);
  if (since(told_) >= options_.progress_s) {
    const double speed = static_cast<double>((step - told_steps_) * options_.batch) / since(told_);
    const double left = static_cast<double>((steps() - step) * options_.batch) / std::max(speed, 1.0);
    say(fmt::format("epoch {:.2f} of {}, step {} of {}: {:.0f} positions/s, loss {:.5f}, rate {:.2e}, {} left", epoch(),
                    options_.epochs, step, steps(), speed,
                    loss_sum_.positions / static_cast<double>(std::max<std::uint64_t>(loss_steps_, 1)),
                    rate_at(options_.rate, step, steps()), duration_text(left)));
    told_ = Clock::now();
    told_steps_ = step;
  }
  if (step % each != 0) return {};
  const auto steps_here = static_cast<double>(loss_steps_);
  const TrainLine line{.step = step,
                       .epoch = epoch(),
                       .loss = loss_sum_.positions / steps_here,
                       .comparison_loss = loss_sum_.comparisons / steps_here,
                       .rate = rate_at(options_.rate, step, steps()),
                       .seconds = seconds(),
                       .per_second = steps_here * static_cast<double>(options_.batch) / since(lined_)};
  lined_ = Clock::now();
  loss_sum_ = {};
  loss_steps_ = 0;
  return log_->add(line);
}

Done Training::end_epoch() {
  last_ = validation_->run(*learner_);
  std::string line = fmt::format(
      "epoch {:.0f} of {} after {}: validation loss {:.5f} (scores {:.5f} above {:.5f}, results {:.5f}), winners "
      "{:.1f} "
      "%, moves {:.1f} %",
      epoch(), options_.epochs, duration_text(seconds()), last_.loss, last_.score_loss, last_.score_least,
      last_.result_loss, 100 * last_.accuracy, 100 * last_.agreement);
  if (last_.comparisons > 0) {
    line += fmt::format("; comparisons {:.5f}, strong moves {:.1f} %", last_.comparison_loss,
                        100 * last_.comparison_agreement);
  }
  say(line);
  if (auto added = log_->add(learner_->steps(), epoch(), seconds(), last_); !added) return added;
  if (auto written = replace_file(folder_ / kNetworkName, network_file(learner_->model())); !written) return written;
  return save();
}

std::expected<Trained, std::string> Training::run(const std::stop_token& stop) {
  if (auto ready = set_up(stop); !ready) return Failure(ready.error());
  if (!feeder_) return Trained{};  // stopped while games were looked at
  if (learner_->steps() == steps()) last_ = validation_->run(*learner_);
  while (learner_->steps() < steps() && !stop.stop_requested()) {
    if (auto stepped = step(); !stepped) return Failure(stepped.error());
    if (learner_->steps() % steps_per_epoch_ == 0) {
      if (auto ended = end_epoch(); !ended) return Failure(ended.error());
    } else if (since(saved_) >= options_.checkpoint_s) {
      if (auto saved = save(); !saved) return Failure(saved.error());
    }
  }
  const bool complete = learner_->steps() == steps();
  if (!complete) {
    if (auto saved = save(); !saved) return Failure(saved.error());
  }
  return Trained{
      .complete = complete, .games = games_, .samples = samples_, .steps = learner_->steps(), .validation = last_};
}

}  // namespace

std::string to_text(const TrainOptions& options) { return json::serialize(options_object(options)); }

std::expected<Trained, std::string> train(const TrainOptions& options, std::vector<DataSet> sets,
                                          const std::filesystem::path& folder, const std::stop_token& stop) {
  if (options.batch == 0 || options.epochs < 1 || options.sampler.per_game < 1 || options.threads == 0) {
    return Failure("a training has batches, epochs, positions of each game and threads, at least one of each");
  }
  return Training(options, std::move(sets), folder).run(stop);
}

}  // namespace fuhyo::learn
