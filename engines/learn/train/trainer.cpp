#include "engines/learn/train/trainer.h"

#include <algorithm>
#include <fmt/format.h>
#include <optional>

#include <boost/json.hpp>

#include "engines/jobs/fingerprint.h"
#include "engines/learn/data/whole_file.h"
#include "engines/learn/setting_json.h"
#include "engines/learn/train/checkpoint.h"
#include "engines/learn/train/choice.h"
#include "engines/learn/train/export.h"
#include "engines/learn/train/feeder.h"
#include "engines/learn/train/training_loop.h"
#include "engines/record/counted.h"

namespace fuhyo::learn {
namespace {

namespace json = boost::json;
using Failure = std::unexpected<std::string>;
using Done = std::expected<void, std::string>;

json::object options_object(TrainOptions options) {
  json::object object{{"features", options.shape.features}}, comparison;
  JsonWriter to_object(object, JsonKeys::as_named), to_comparison(comparison, JsonKeys::as_named);
  fields(to_object, options);
  if (options.comparison.any()) fields(to_comparison, options.comparison);
  object["comparison"] = std::move(comparison);
  return object;
}

class Training final : TrainingLoop<TrainOptions> {
 public:
  Training(const TrainOptions& options, std::vector<DataSet> sets, std::filesystem::path folder)
      : TrainingLoop(options, std::move(folder), 1'000, 2),
        sampler_(std::move(sets), options.sampler),
        pool_(options.threads) {}

  std::expected<Trained, std::string> run(const std::stop_token& stop);

 private:
  Done set_up(const std::stop_token& stop);
  Done take_first_weights(Model& model);
  Done look_at_games(const std::stop_token& stop);
  Done look_at_comparisons();

  Done begin_anew() override { return feeder_->begin({}); }
  json::object place() const override;
  Done write_state(const std::filesystem::path& file, const std::string& text) const override {
    return write_checkpoint(file, text, *learner_);
  }
  std::expected<std::string, std::string> read_state(const std::filesystem::path& file) override;
  Done resume_at(const json::object& place) override;
  std::uint64_t steps_done() const override { return learner_->steps(); }
  Done step(double rate) override;
  std::string losses() override;
  Done log_losses(double rate) override;
  Done validate(bool last) override;
  Done validate_again() override {
    last_ = validation_->run(*learner_);
    return {};
  }

  std::string from_;  // tells apart the networks whose weights are the first ones
  Sampler sampler_;
  Comparisons comparisons_;
  ThreadPool pool_;
  std::optional<Learner> learner_;
  std::optional<Feeder> feeder_;
  std::optional<Validation> validation_;
  std::uint64_t games_ = 0, samples_ = 0;
  ValidationResult last_;
  Clock::time_point lined_;
  Losses loss_sum_;  // since the last line of the log
  std::uint64_t loss_steps_ = 0;
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
  feeder_.emplace(sampler_, comparisons_, learner_->model().features(),
                  FeedOptions{.batch = options_.batch,
                              .lambda = options_.lambda,
                              .seed = options_.sampler.seed,
                              .comparison = options_.comparison},
                  pool_.size() > 1);
  auto begun = begin();
  lined_ = Clock::now();
  return begun;
}

json::object Training::place() const {
  const DataPlace& place = feeder_->place();
  return {{"terms", options_object(options_)},
          {"games", games_},
          {"samples", samples_},
          {"pass", place.pass},
          {"given", place.given},
          {"seconds", seconds()},
          {"from", from_},
          {"strong_moves", comparisons_.moves()},
          {"loss_sum", loss_sum_.positions},
          {"comparison_loss_sum", loss_sum_.comparisons},
          {"loss_steps", loss_steps_}};
}

std::expected<std::string, std::string> Training::read_state(const std::filesystem::path& file) {
  auto found = read_checkpoint(file, learner_->model());
  if (!found) return Failure(found.error());
  learner_->restore(std::move(found->state));
  return std::move(found->text);
}

Done Training::resume_at(const json::object& place) {
  if (place.at("games").to_number<std::uint64_t>() != games_ ||
      place.at("samples").to_number<std::uint64_t>() != samples_) {
    return wrong(fmt::format("it was trained with {} games, here are {}", json::serialize(place.at("games")), games_));
  }
  if (place.at("from").as_string() != from_) return wrong("it began with the weights of another network");
  if (place.at("strong_moves").to_number<std::uint64_t>() != comparisons_.moves()) {
    return wrong(fmt::format("it was trained with {} strong moves, here are {}",
                             json::serialize(place.at("strong_moves")), comparisons_.moves()));
  }
  loss_sum_ = {place.at("loss_sum").to_number<double>(), place.at("comparison_loss_sum").to_number<double>()};
  loss_steps_ = place.at("loss_steps").to_number<std::uint64_t>();
  return feeder_->begin({place.at("pass").to_number<std::uint64_t>(), place.at("given").to_number<std::uint64_t>()});
}

Done Training::step(double rate) {
  const auto batch = feeder_->next();
  if (!batch) return Failure(batch.error());
  const Losses losses = learner_->learn(**batch, rate, options_.rate.first);
  loss_sum_.positions += losses.positions;
  loss_sum_.comparisons += losses.comparisons;
  ++loss_steps_;
  return {};
}

std::string Training::losses() {
  return fmt::format("loss {:.5f}", loss_sum_.positions / static_cast<double>(std::max<std::uint64_t>(loss_steps_, 1)));
}

Done Training::log_losses(double rate) {
  const auto steps_here = static_cast<double>(loss_steps_);
  const TrainLine line{.step = steps_done(),
                       .epoch = epoch(),
                       .loss = loss_sum_.positions / steps_here,
                       .comparison_loss = loss_sum_.comparisons / steps_here,
                       .rate = rate,
                       .seconds = seconds(),
                       .per_second = steps_here * static_cast<double>(options_.batch) / since(lined_)};
  lined_ = Clock::now();
  loss_sum_ = {};
  loss_steps_ = 0;
  return log_->add(line);
}

Done Training::validate(bool /*last*/) {
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
  return replace_file(folder_ / kNetworkName, network_file(learner_->model()));
}

std::expected<Trained, std::string> Training::run(const std::stop_token& stop) {
  if (auto ready = set_up(stop); !ready) return Failure(ready.error());
  if (!feeder_) return Trained{};  // stopped while games were looked at
  const auto complete = run_steps(steps_per_epoch_, stop);
  if (!complete) return Failure(complete.error());
  return Trained{
      .complete = *complete, .games = games_, .samples = samples_, .steps = steps_done(), .validation = last_};
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
