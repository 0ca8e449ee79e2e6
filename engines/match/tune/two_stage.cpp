// Tuning in two stages. Pure.
#include "engines/match/tune/two_stage.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <utility>

#include "engines/match/tune/axis.h"
#include "engines/match/tune/random.h"
#include "engines/match/tune/state_text.h"

namespace fuhyo::match::tune {
namespace {

using Error = std::unexpected<std::string>;

std::expected<void, std::string> check(const Parameters& parameters, const TwoStageRules& rules) {
  if (rules.tpe.startup < 1) return Error("startup: 0 is below 1");
  if (!(rules.tpe.gamma > 0 && rules.tpe.gamma <= 10)) {
    return Error(fmt::format("gamma: {} is not above 0 and at most 10", rules.tpe.gamma));
  }
  if (rules.tpe.candidates < 1 || rules.tpe.candidates > 10'000) {
    return Error(fmt::format("candidates: {} is not within 1 and 10000", rules.tpe.candidates));
  }
  if (std::ranges::none_of(parameters, &Parameter::used)) return Error("no parameter is used");
  return {};
}

// Of the mean score of a batch. The rate of draws is that of all games, and a win and a loss are added to each batch:
// one that was won whole is not without noise.
double noise(const TrialResult& result, double draws) {
  const auto games = static_cast<double>(result.games());
  const double score = (result.score() * games + 1) / (games + 2);
  return std::max(0.01, score * (1 - score) - draws / 4) / games;
}

double draw_rate(const std::vector<TwoStage::Sample>& samples) {
  std::int64_t draws = 0, games = 0;
  for (const auto& [values, result] : samples) draws += result.draws, games += result.games();
  return games > 0 ? static_cast<double>(draws) / static_cast<double>(games) : 0;
}

}  // namespace

std::expected<TwoStage, std::string> TwoStage::begin(Parameters parameters, const TwoStageRules& rules) {
  if (const auto checked = check(parameters, rules); !checked) return Error(checked.error());
  return TwoStage(std::move(parameters), rules);
}

Values TwoStage::start() const {
  Values values;
  for (const Parameter& each : parameters_) values.push_back(rounded(each, each.value));
  return values;
}

Trial TwoStage::next() {
  if (auto waiting = open_.hand_out()) return std::move(*waiting);
  std::vector<Tried> tried;
  tried.reserve(samples_.size());
  for (const auto& [values, result] : samples_) tried.push_back({values, result.score()});
  Random chance(rules_.seed, next_id_);
  open_.add({.trial = {.id = next_id_, .plus = propose(parameters_, tried, rules_.tpe, chance), .minus = start()}});
  ++next_id_;
  return *open_.hand_out();
}

std::expected<void, std::string> TwoStage::report(const TrialResult& result) {
  auto open = open_.take(result);
  if (!open) return Error(open.error());
  games_ += result.games();
  samples_.push_back({std::move(open->trial.plus), result});
  return {};
}

std::vector<double> TwoStage::units(const Values& values) const {
  std::vector<double> result;
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    if (parameters_[i].used) result.push_back(Axis(parameters_[i]).unit(values[i]));
  }
  return result;
}

GaussianProcess TwoStage::fitted() const {
  // That the beginning scores one half against itself needs no game.
  std::vector<GpSample> samples{{.at = units(start()), .value = 0.5, .variance = 1e-6}};
  const double draws = draw_rate(samples_);
  const std::size_t left_out = samples_.size() < kMaxGpSamples ? 0 : samples_.size() + 1 - kMaxGpSamples;
  for (const auto& [values, result] :
       std::vector(samples_.begin() + static_cast<std::ptrdiff_t>(left_out), samples_.end())) {
    samples.push_back({.at = units(values), .value = result.score(), .variance = noise(result, draws)});
  }
  auto process = GaussianProcess::fit(std::move(samples),
                                      {.kernel = rules_.kernel, .one_length = rules_.one_length, .seed = rules_.seed});
  return std::move(process).value();  // such samples are never refused
}

TwoStage::Choice TwoStage::choose() const {
  if (samples_.empty()) return {start(), 0.5, 0};
  return choose(fitted());
}

TwoStage::Choice TwoStage::choose(const GaussianProcess& process) const {
  const std::vector<double> best = process.highest({units(start())});
  Values values = start();
  for (std::size_t i = 0, k = 0; i < parameters_.size(); ++i) {
    if (parameters_[i].used) values[i] = Axis(parameters_[i]).value(best[k++]);
  }
  const auto [mean, variance] = process.predict(units(values));
  return {std::move(values), mean, std::sqrt(variance)};
}

std::string TwoStage::summary() const {
  const Choice choice = choose();
  const double score = std::clamp(choice.score, 0.001, 0.999);
  return fmt::format("predicted score {:.4f} +- {:.4f} against the start ({:+.1f} Elo)", choice.score,
                     2 * choice.deviation, -400 * std::log10(1 / score - 1));
}

std::string TwoStage::plot() const {
  constexpr int kPoints = 60;
  if (samples_.empty()) return plot_slices({}, {});
  const GaussianProcess process = fitted();
  const Choice choice = choose(process);
  const double draws = draw_rate(samples_);
  Parameters shown;
  std::vector<Slice> slices;
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    const Parameter& each = parameters_[i];
    if (!each.used) continue;
    Slice slice{.samples = {}, .curve = {}, .chosen = choice.values[i]};
    for (const auto& [values, result] : samples_) {
      slice.samples.push_back({values[i], result.score(), std::sqrt(noise(result, draws))});
    }
    Values values = choice.values;
    for (int point = 0; point <= kPoints; ++point) {
      values[i] = each.min + (each.max - each.min) * point / kPoints;
      const auto [mean, variance] = process.predict(units(values));
      slice.curve.push_back({values[i], mean, std::sqrt(variance)});
    }
    shown.push_back(each);
    slices.push_back(std::move(slice));
  }
  return plot_slices(shown, slices);
}

std::string TwoStage::save() const {
  const TpeRules& tpe = rules_.tpe;
  std::string text = state_head("two-stage", parameters_);
  text += fmt::format("rules {} {} {} {} {} {} {}\n", rules_.seed, tpe.startup, tpe.gamma, tpe.candidates,
                      tpe.forgetting, static_cast<int>(rules_.kernel), rules_.one_length ? 1 : 0);
  text += fmt::format("next {}\n", next_id_);
  for (const OpenTrial& open : open_.all()) text += open_line(open);
  for (const auto& [values, result] : samples_) {
    text += fmt::format("sample {} {} {} {}", result.id, result.wins, result.draws, result.losses);
    append_numbers(text, values);
    text += '\n';
  }
  return text + "end\n";
}

std::expected<void, std::string> TwoStage::read(const StateLine& line) {
  std::string_view rest = line.rest;
  const auto natural = [&rest] { return to_count(usi::next_word(rest)); };
  if (line.word == "next") {
    const auto number = parse_count(line);
    if (!number) return Error(number.error());
    next_id_ = static_cast<std::uint64_t>(*number);
  } else if (line.word == "open") {
    auto open = parse_open(line, parameters_.size());
    if (!open) return Error(open.error());
    open_.add(std::move(*open));
  } else if (line.word == "sample") {
    const auto id = natural(), wins = natural(), draws = natural(), losses = natural();
    auto values = take_numbers(rest, parameters_.size());
    if (!id || !wins || !draws || !losses || *wins + *draws + *losses == 0 || !values || !usi::trim(rest).empty()) {
      return Error(fmt::format("{}: no sample", line.place));
    }
    samples_.push_back({std::move(*values), {static_cast<std::uint64_t>(*id), *wins, *draws, *losses}});
    games_ += samples_.back().result.games();
  } else {
    return Error(fmt::format("{}: unknown word '{}'", line.place, line.word));
  }
  return {};
}

std::expected<TwoStage, std::string> TwoStage::load(const StateFile& state) {
  if (state.lines.empty() || state.lines[0].word != "rules") return Error("a state begins with its rules");
  std::string_view rest = state.lines[0].rest;
  const auto seed = to_natural(usi::next_word(rest));
  const auto numbers = take_numbers(rest, 6);
  const auto is_count = [](double number) { return number >= 0 && number <= 1e9 && number == std::floor(number); };
  if (!seed || !numbers || !usi::trim(rest).empty() || !is_count((*numbers)[0]) || !is_count((*numbers)[2]) ||
      !is_count((*numbers)[3])) {
    return Error(fmt::format("{}: no rules of the two-stage way", state.lines[0].place));
  }
  const TwoStageRules rules{.seed = *seed,
                            .tpe = {.startup = static_cast<std::size_t>((*numbers)[0]),
                                    .gamma = (*numbers)[1],
                                    .candidates = static_cast<std::size_t>((*numbers)[2]),
                                    .forgetting = static_cast<std::size_t>((*numbers)[3])},
                            .kernel = (*numbers)[4] == 0 ? GpRules::Kernel::matern52 : GpRules::Kernel::rbf,
                            .one_length = (*numbers)[5] != 0};
  auto begun = begin(state.parameters, rules);
  if (!begun) return begun;
  for (const StateLine& line : state.lines) {
    if (line.word == "rules") continue;
    if (const auto read = begun->read(line); !read) return Error(read.error());
  }
  return begun;
}

}  // namespace fuhyo::match::tune
