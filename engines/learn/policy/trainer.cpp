#include "engines/learn/policy/trainer.h"

#include <algorithm>
#include <fmt/format.h>
#include <optional>
#include <utility>

#include <boost/json.hpp>

#include "engines/learn/policy/checkpoint.h"
#include "engines/learn/policy/choice.h"
#include "engines/learn/policy/order.h"
#include "engines/learn/policy/taken_weights.h"
#include "engines/learn/setting_json.h"
#include "engines/learn/train/choice.h"
#include "engines/learn/train/training_loop.h"
#include "engines/record/counted.h"

namespace fuhyo::learn::policy {
namespace {

namespace json = boost::json;
using Failure = std::unexpected<std::string>;
using Done = std::expected<void, std::string>;

json::object options_object(TrainOptions options) {
  json::object object;
  JsonWriter writer(object, JsonKeys::as_named);
  fields(writer, options);
  return object;
}

std::string with_percent(const std::string& name, const Losses& losses) {
  const auto count = static_cast<double>(std::max<std::size_t>(1, losses.positions));
  std::string out =
      fmt::format("{} {:.4f}, {:.1f} %", name, losses.policy / count, 100 * static_cast<double>(losses.right) / count);
  if (losses.values > 0) out += fmt::format(", values {:.4f}", losses.value / static_cast<double>(losses.values));
  return out;
}

class Training final : TrainingLoop<TrainOptions> {
 public:
  Training(const TrainOptions& options, SampleSource& source, std::filesystem::path folder)
      : TrainingLoop(options, std::move(folder), 2'000, 3), source_(source), pool_(options.threads) {}

  std::expected<Trained, std::string> run(const std::stop_token& stop);

 private:
  Done set_up();
  Done judge(const nn::Model& model, std::size_t test, bool last);

  Done begin_anew() override;
  json::object place() const override {
    return {{"terms", options_object(options_)}, {"data", source_.fingerprint()}, {"seconds", seconds()}};
  }
  Done write_state(const std::filesystem::path& file, const std::string& text) const override {
    return write_checkpoint(file, text, learner_->state());
  }
  std::expected<std::string, std::string> read_state(const std::filesystem::path& file) override;
  Done resume_at(const json::object& place) override;
  std::uint64_t steps_done() const override { return learner_->state().steps; }
  Done step(double rate) override;
  std::string losses() override;
  Done log_losses(double rate) override;
  Done validate(bool last) override;
  Done validate_again() override {
    logged_ = true;
    auto validated = validate(true);
    return validated ? save() : validated;
  }

  SampleSource& source_;
  ThreadPool pool_;
  const Kernels* kernels_ = nullptr;
  std::optional<Learner> learner_;
  std::optional<Order> order_;
  std::vector<Example> examples_;
  std::vector<std::string> faults_;
  ValidationResult last_;
  bool logged_ = false;  // the log has the validation of this step
  Losses told_losses_, logged_losses_;
};

Done Training::set_up() {
  const auto layout = Layout::make(options_.shape);
  if (!layout) return Failure(layout.error());
  if (auto fits = source_.fits(options_.shape); !fits) return fits;
  const auto kernels = choose_kernels(options_.kernels);
  if (!kernels) return Failure(kernels.error());
  kernels_ = *kernels;
  if (auto done = source_.read([this](const std::string& line) { say(line); }); !done) return done;
  steps_per_epoch_ = source_.size() / options_.batch;
  if (steps_per_epoch_ == 0) {
    return Failure(fmt::format("{} samples are less than a batch of {}", source_.size(), options_.batch));
  }
  learner_.emplace(*layout, options_.learn, *kernels_, *float_kernels_here().front(), pool_, options_.seed);
  order_.emplace(source_.size(), options_.seed);
  return begin();
}

Done Training::begin_anew() {
  if (options_.from.empty()) return {};
  Learner::State state = learner_->state();
  const auto taken = take_weights(options_.from, learner_->layout(), state);
  if (!taken) return Failure(taken.error());
  say(*taken);
  learner_->restore(std::move(state));
  return {};
}

std::expected<std::string, std::string> Training::read_state(const std::filesystem::path& file) {
  auto found = read_checkpoint(file, learner_->layout());
  if (!found) return Failure(found.error());
  learner_->restore(std::move(found->state));
  return std::move(found->text);
}

Done Training::resume_at(const json::object& place) {
  if (place.at("data").as_string() != source_.fingerprint()) return wrong("it was trained with other samples");
  return {};
}

Done Training::step(double rate) {
  const std::uint64_t step = steps_done(), epoch = step / steps_per_epoch_;
  order_->go_to(epoch);
  examples_.resize(options_.batch);
  faults_.assign(options_.batch, {});
  constexpr std::size_t kPart = 32;
  pool_.run((options_.batch + kPart - 1) / kPart, [&](std::size_t part, std::size_t) {
    for (std::size_t i = part * kPart; i < std::min(options_.batch, (part + 1) * kPart); ++i) {
      const std::size_t place = step % steps_per_epoch_ * options_.batch + i;
      const auto filled =
          source_.fill(order_->sample(place), order_->symmetry(place, source_.symmetries()), examples_[i]);
      if (!filled) faults_[i] = filled.error();
    }
  });
  const auto fault = std::ranges::find_if(faults_, [](const std::string& text) { return !text.empty(); });
  if (fault != faults_.end()) return Failure(*fault);
  const Losses losses = learner_->learn(examples_, rate);
  told_losses_ += losses;
  logged_losses_ += losses;
  return {};
}

std::string Training::losses() { return with_percent("loss", std::exchange(told_losses_, {})); }

Done Training::log_losses(double rate) {
  const auto count = static_cast<double>(std::max<std::size_t>(1, logged_losses_.positions));
  const auto values = static_cast<double>(std::max<std::size_t>(1, logged_losses_.values));
  const std::string line = json::serialize(json::object{{"kind", "train"},
                                                        {"step", steps_done()},
                                                        {"epoch", epoch()},
                                                        {"loss", logged_losses_.policy / count},
                                                        {"right", static_cast<double>(logged_losses_.right) / count},
                                                        {"value_loss", logged_losses_.value / values},
                                                        {"rate", rate},
                                                        {"seconds", seconds()}});
  logged_losses_ = {};
  return log_->add_line(line);
}

Done Training::judge(const nn::Model& model, std::size_t test, bool last) {
  const std::string name = source_.test_name(test);
  const std::size_t most = last ? SIZE_MAX : options_.validation;
  const auto found = source_.validate(test, most, model, *kernels_->forward, pool_);
  if (!found) return Failure(fmt::format("{}: {}", name, found.error()));
  say(fmt::format("epoch {:.3f} of {} after {}, {}: {}", epoch(), options_.epochs, duration_text(seconds()), name,
                  found->text()));
  if (test == 0) last_ = *found;
  if (logged_) return {};
  json::array bands;
  for (const ValidationResult::Band& band : found->bands) bands.push_back(json::array{band.positions, band.right});
  return log_->add_line(json::serialize(json::object{{"kind", "validation"},
                                                     {"test", name},
                                                     {"step", steps_done()},
                                                     {"epoch", epoch()},
                                                     {"seconds", seconds()},
                                                     {"positions", found->positions()},
                                                     {"accuracy", found->accuracy()},
                                                     {"loss", found->move_loss},
                                                     {"bands", bands},
                                                     {"values", found->values},
                                                     {"value_loss", found->value_loss},
                                                     {"result_loss", found->result_loss},
                                                     {"score_loss", found->score_loss}}));
}

Done Training::validate(bool last) {
  const nn::Model model = learner_->model();
  for (std::size_t test = 0; test < source_.tests(); ++test) {
    if (auto judged = judge(model, test, last); !judged) return judged;
  }
  std::string remark = fmt::format("{}, {:.3f} epochs", record::counted(source_.size(), "sample"), epoch());
  if (last_.positions() > 0) {
    remark += fmt::format(", {:.2f} % of {} moves", 100 * last_.accuracy(), last_.positions());
  }
  return source_.save(model, remark, folder_ / kNetworkName);
}

std::expected<Trained, std::string> Training::run(const std::stop_token& stop) {
  if (auto ready = set_up(); !ready) return Failure(ready.error());
  const std::uint64_t part =
      std::max<std::uint64_t>(1, steps_per_epoch_ / static_cast<std::uint64_t>(options_.validations));
  const auto complete = run_steps(part, stop);
  if (!complete) return Failure(complete.error());
  return Trained{.complete = *complete, .samples = source_.size(), .steps = steps_done(), .validation = last_};
}

}  // namespace

std::string text_of_steps(const TrainOptions& train) {
  return fmt::format("{}; value {} from {} planes; {} passes of {} by {}, rate {} to {} after {}, values {}, decay {}",
                     train.shape.name(), train.shape.value_hidden, train.shape.value_planes, train.epochs, train.batch,
                     train.learn.pass, train.rate.first, train.rate.last, train.rate.warm_up, train.learn.value_weight,
                     train.learn.decay);
}

std::expected<Trained, std::string> train(const TrainOptions& options, SampleSource& source,
                                          const std::filesystem::path& folder, const std::stop_token& stop) {
  if (options.learn.pass < 2 || options.batch == 0 || options.batch % options.learn.pass != 0) {
    return Failure(
        fmt::format("a batch of {} is no multiple of a pass of {} boards", options.batch, options.learn.pass));
  }
  if (options.epochs < 1 || options.validations < 1 || options.threads < 1 || options.threads > kMostLanes) {
    return Failure(fmt::format("a training has epochs, validations and 1 to {} threads", kMostLanes));
  }
  return Training(options, source, folder).run(stop);
}

}  // namespace fuhyo::learn::policy
