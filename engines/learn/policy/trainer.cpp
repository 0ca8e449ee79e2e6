#include "engines/learn/policy/trainer.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <fstream>
#include <optional>
#include <sstream>

#include <boost/json.hpp>

#include "engines/learn/data/whole_file.h"
#include "engines/learn/data/work_folder.h"
#include "engines/learn/policy/checkpoint.h"
#include "engines/learn/policy/choice.h"
#include "engines/learn/policy/order.h"
#include "engines/learn/policy/taken_weights.h"
#include "engines/learn/setting_json.h"
#include "engines/learn/train/choice.h"
#include "engines/learn/train/same_options.h"
#include "engines/learn/train/train_log.h"
#include "engines/record/counted.h"

namespace fuhyo::learn::policy {
namespace {

namespace json = boost::json;
using Clock = std::chrono::steady_clock;
using Failure = std::unexpected<std::string>;
using Done = std::expected<void, std::string>;

constexpr std::uint64_t kLogLines = 2'000;  // about so many of a training

double since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

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

class Training {
 public:
  Training(const TrainOptions& options, SampleSource& source, std::filesystem::path folder)
      : options_(options), source_(source), folder_(std::move(folder)), pool_(options.threads) {}

  std::expected<Trained, std::string> run(const std::stop_token& stop);

 private:
  Done set_up();
  Done take_first_weights();
  Done resume();
  Done open_log();
  Done step();
  Done report();
  Done judge(const nn::Model& model, std::size_t test, bool last);
  Done end_part(bool last);
  Done save();
  std::string place_text() const;
  void say(const std::string& line) const {
    if (options_.say) options_.say(line);
  }
  double seconds() const { return seconds_before_ + since(begun_); }
  std::uint64_t steps_done() const { return learner_->state().steps; }
  std::uint64_t steps() const { return steps_per_epoch_ * static_cast<std::uint64_t>(options_.epochs); }
  double epoch() const { return static_cast<double>(steps_done()) / static_cast<double>(steps_per_epoch_); }

  const TrainOptions& options_;
  SampleSource& source_;
  std::filesystem::path folder_;
  std::optional<jobs::FileLock> lock_;
  ThreadPool pool_;
  const Kernels* kernels_ = nullptr;
  std::optional<Learner> learner_;
  std::optional<Order> order_;
  std::ofstream log_;
  std::vector<Example> examples_;
  std::vector<std::string> faults_;
  std::uint64_t steps_per_epoch_ = 0;
  ValidationResult last_;
  double seconds_before_ = 0;
  Clock::time_point begun_ = Clock::now(), saved_ = begun_, told_ = begun_;
  std::uint64_t told_steps_ = 0;
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
  // Only now: of a training that cannot begin there is no folder.
  auto lock = take_folder(folder_, "train.lock");
  if (!lock) return Failure(lock.error());
  lock_ = std::move(*lock);
  learner_.emplace(*layout, options_.learn, *kernels_, *float_kernels_here().front(), pool_, options_.seed);
  order_.emplace(source_.size(), options_.seed);
  std::error_code error;
  if (std::filesystem::exists(folder_ / kCheckpointName, error)) {
    if (auto resumed = resume(); !resumed) return resumed;
  } else if (auto taken = take_first_weights(); !taken) {
    return taken;
  }
  begun_ = saved_ = told_ = Clock::now();
  told_steps_ = steps_done();
  return open_log();
}

Done Training::take_first_weights() {
  if (options_.from.empty()) return {};
  Learner::State state = learner_->state();
  const auto taken = take_weights(options_.from, learner_->layout(), state);
  if (!taken) return Failure(taken.error());
  say(*taken);
  learner_->restore(std::move(state));
  return {};
}

// Lines of steps that are done again are cut off.
Done Training::open_log() {
  const std::filesystem::path file = folder_ / kLogName;
  std::string kept;
  if (std::error_code error; std::filesystem::exists(file, error)) {
    const auto text = read_file(file);
    if (!text) return Failure(text.error());
    std::istringstream in(*text);
    for (std::string line; std::getline(in, line) && !in.eof();) {
      boost::system::error_code bad;
      const json::value value = json::parse(line, bad);
      if (bad || !value.is_object()) continue;
      const json::value* step = value.get_object().if_contains("step");
      if (step != nullptr && step->is_int64() && static_cast<std::uint64_t>(step->get_int64()) <= steps_done()) {
        kept += line + "\n";
      }
    }
  }
  if (auto written = replace_file(file, kept); !written) return written;
  log_.open(file, std::ios::binary | std::ios::app);
  return {};
}

std::string Training::place_text() const {
  return json::serialize(
      json::object{{"terms", options_object(options_)}, {"data", source_.fingerprint()}, {"seconds", seconds()}});
}

Done Training::resume() {
  const std::filesystem::path file = folder_ / kCheckpointName;
  const auto wrong = [&](std::string_view why) { return Failure(fmt::format("{}: {}", file.string(), why)); };
  auto found = read_checkpoint(file, learner_->layout());
  if (!found) return Failure(found.error());
  boost::system::error_code error;
  const json::value text = json::parse(found->text, error);
  if (error || !text.is_object()) return wrong("it does not say what it belongs to");
  try {
    const json::object& object = text.as_object();
    if (const auto other = differing_option(object.at("terms").as_object(), options_object(options_)))
      return wrong(*other);
    if (object.at("data").as_string() != source_.fingerprint()) return wrong("it was trained with other samples");
    seconds_before_ = object.at("seconds").to_number<double>();
  } catch (const std::exception&) {  // Boost.JSON's: a member is missing or of another kind
    return wrong("it does not say what it belongs to");
  }
  learner_->restore(std::move(found->state));
  say(fmt::format("going on after {} of {} steps", steps_done(), steps()));
  return {};
}

Done Training::save() {
  if (auto written = write_checkpoint(folder_ / kCheckpointName, place_text(), learner_->state()); !written) {
    return written;
  }
  saved_ = Clock::now();
  return {};
}

Done Training::step() {
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
  const Losses losses = learner_->learn(examples_, rate_at(options_.rate, step + 1, steps()));
  told_losses_ += losses;
  logged_losses_ += losses;
  return report();
}

Done Training::report() {
  const std::uint64_t step = steps_done(), each = std::max<std::uint64_t>(1, steps() / kLogLines);
  const double rate = rate_at(options_.rate, step, steps());
  if (since(told_) >= options_.progress_s) {
    const double speed = static_cast<double>((step - told_steps_) * options_.batch) / since(told_);
    const double left = static_cast<double>((steps() - step) * options_.batch) / std::max(speed, 1.0);
    say(fmt::format("epoch {:.3f} of {}, step {} of {}: {:.0f} positions/s, {}, rate {:.2e}, {} left", epoch(),
                    options_.epochs, step, steps(), speed, with_percent("loss", told_losses_), rate,
                    duration_text(left)));
    told_ = Clock::now();
    told_steps_ = step;
    told_losses_ = {};
  }
  if (step % each != 0) return {};
  const auto count = static_cast<double>(std::max<std::size_t>(1, logged_losses_.positions));
  const auto values = static_cast<double>(std::max<std::size_t>(1, logged_losses_.values));
  log_ << json::serialize(json::object{{"kind", "train"},
                                       {"step", step},
                                       {"epoch", epoch()},
                                       {"loss", logged_losses_.policy / count},
                                       {"right", static_cast<double>(logged_losses_.right) / count},
                                       {"value_loss", logged_losses_.value / values},
                                       {"rate", rate},
                                       {"seconds", seconds()}})
       << "\n"
       << std::flush;
  logged_losses_ = {};
  if (!log_) return Failure(fmt::format("{}: cannot be written", (folder_ / kLogName).string()));
  return {};
}

Done Training::judge(const nn::Model& model, std::size_t test, bool last) {
  const std::string name = source_.test_name(test);
  const std::size_t most = last ? SIZE_MAX : options_.validation;
  const auto found = source_.validate(test, most, model, *kernels_->forward, pool_);
  if (!found) return Failure(fmt::format("{}: {}", name, found.error()));
  say(fmt::format("epoch {:.3f} of {} after {}, {}: {}", epoch(), options_.epochs, duration_text(seconds()), name,
                  found->text()));
  json::array bands;
  for (const ValidationResult::Band& band : found->bands) bands.push_back(json::array{band.positions, band.right});
  log_ << json::serialize(json::object{{"kind", "validation"},
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
                                       {"score_loss", found->score_loss}})
       << "\n"
       << std::flush;
  if (test == 0) last_ = *found;
  return {};
}

Done Training::end_part(bool last) {
  const nn::Model model = learner_->model();
  for (std::size_t test = 0; test < source_.tests(); ++test) {
    if (auto judged = judge(model, test, last); !judged) return judged;
  }
  std::string remark = fmt::format("{}, {:.3f} epochs", record::counted(source_.size(), "sample"), epoch());
  if (last_.positions() > 0) {
    remark += fmt::format(", {:.2f} % of {} moves", 100 * last_.accuracy(), last_.positions());
  }
  if (auto written = source_.save(model, remark, folder_ / kNetworkName); !written) return written;
  return save();
}

std::expected<Trained, std::string> Training::run(const std::stop_token& stop) {
  if (auto ready = set_up(); !ready) return Failure(ready.error());
  const std::uint64_t part =
      std::max<std::uint64_t>(1, steps_per_epoch_ / static_cast<std::uint64_t>(options_.validations));
  bool complete = steps_done() == steps();
  if (complete) {
    if (auto ended = end_part(true); !ended) return Failure(ended.error());
  }
  while (!complete && !stop.stop_requested()) {
    if (auto stepped = step(); !stepped) return Failure(stepped.error());
    complete = steps_done() == steps();
    if (complete || steps_done() % part == 0) {
      if (auto ended = end_part(complete); !ended) return Failure(ended.error());
    } else if (since(saved_) >= options_.checkpoint_s) {
      if (auto saved = save(); !saved) return Failure(saved.error());
    }
  }
  if (!complete) {
    if (auto saved = save(); !saved) return Failure(saved.error());
  }
  return Trained{.complete = complete, .samples = source_.size(), .steps = steps_done(), .validation = last_};
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
