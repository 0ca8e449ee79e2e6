// SPSA. Pure.
#include "engines/match/tune/spsa.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "engines/match/tune/state_text.h"

namespace fuhyo::match::tune {
namespace {

constexpr std::int64_t kTracePoints = 200;

using Error = std::unexpected<std::string>;

std::expected<void, std::string> check(const SpsaRules& rules) {
  const auto within = [](double value, double min, double max) { return value >= min && value <= max; };
  if (rules.pairs < 1) return Error(fmt::format("pairs: {} is below 1", rules.pairs));
  if (!within(rules.a_ratio, 0, 100)) return Error(fmt::format("A: {} is not within 0 and 100", rules.a_ratio));
  if (!within(rules.alpha, 0, 2)) return Error(fmt::format("alpha: {} is not within 0 and 2", rules.alpha));
  if (!within(rules.gamma, 0, 2)) return Error(fmt::format("gamma: {} is not within 0 and 2", rules.gamma));
  if (!within(rules.scale, 0, 1e3)) return Error(fmt::format("scale: {} is not within 0 and 1000", rules.scale));
  if (!within(rules.mobility, 0, 1e6))
    return Error(fmt::format("mobility: {} is not within 0 and 1e6", rules.mobility));
  return {};
}

std::string rules_line(const SpsaRules& rules) {
  return fmt::format("rules {} {} {} {} {} {} {} {} {} {}\n", static_cast<int>(rules.gains),
                     static_cast<int>(rules.against), static_cast<int>(rules.rounding), rules.seed, rules.pairs,
                     rules.a_ratio, rules.alpha, rules.gamma, rules.scale, rules.mobility);
}

std::expected<SpsaRules, std::string> parse_rules(const StateLine& line) {
  std::string_view rest = line.rest;
  const auto kinds = take_numbers(rest, 3);
  const auto seed = to_natural(usi::next_word(rest));
  const auto pairs = to_count(usi::next_word(rest));
  const auto numbers = take_numbers(rest, 5);
  const auto is_kind = [](double number) { return number == 0 || number == 1; };
  if (!kinds || !seed || !pairs || !numbers || !usi::trim(rest).empty() || !std::ranges::all_of(*kinds, is_kind)) {
    return Error(fmt::format("{}: no rules of SPSA", line.place));
  }
  SpsaRules rules;
  rules.gains = static_cast<SpsaRules::Gains>((*kinds)[0]);
  rules.against = static_cast<SpsaRules::Against>((*kinds)[1]);
  rules.rounding = static_cast<SpsaRules::Rounding>((*kinds)[2]);
  rules.seed = *seed;
  rules.pairs = *pairs;
  rules.a_ratio = (*numbers)[0], rules.alpha = (*numbers)[1], rules.gamma = (*numbers)[2];
  rules.scale = (*numbers)[3], rules.mobility = (*numbers)[4];
  return rules;
}

}  // namespace

SpsaRules yaneuraou_rules() {
  return {.gains = SpsaRules::Gains::yaneuraou,
          .against = SpsaRules::Against::base,
          .rounding = SpsaRules::Rounding::nearest};
}

Spsa::Spsa(Parameters parameters, const SpsaRules& rules)
    : parameters_(std::move(parameters)), rules_(rules), values_(values_of(parameters_)) {}

std::expected<Spsa, std::string> Spsa::begin(Parameters parameters, const SpsaRules& rules) {
  if (const auto checked = check(rules); !checked) return Error(checked.error());
  Spsa spsa(std::move(parameters), rules);
  spsa.trace_.push_back({0, spsa.values_});
  return spsa;
}

Spsa::Gain Spsa::gain(const Parameter& parameter, double pairs) const {
  if (rules_.gains == SpsaRules::Gains::yaneuraou) {
    // Two games, one of each sign, move the value by half the difference of their results.
    return {.reach = parameter.step * rules_.scale, .move = parameter.step * parameter.rate * rules_.mobility / 2};
  }
  const auto all = static_cast<double>(rules_.pairs);
  const double a_offset = std::floor(rules_.a_ratio * all);
  const double reach = parameter.step * std::pow(all / (pairs + 1), rules_.gamma);
  const double end = parameter.rate * parameter.step * parameter.step;
  const double rate = end * std::pow((a_offset + all) / (a_offset + pairs + 1), rules_.alpha) / (reach * reach);
  return {.reach = reach, .move = rate * reach};
}

// Both halves of a trial against the base share their signs.
std::uint64_t Spsa::draw_of(std::uint64_t trial) const {
  return rules_.against == SpsaRules::Against::base ? trial / 2 : trial;
}

double Spsa::to_play(const Parameter& parameter, double value, Random& chance) const {
  const double inside = parameter.clipped(value);
  if (!parameter.integer || rules_.rounding == SpsaRules::Rounding::nearest) return rounded(parameter, inside);
  return rounded(parameter, std::floor(inside + chance.uniform()));
}

void Spsa::make_trials() {
  const double pairs = static_cast<double>(games_) / 2;
  Random chance(rules_.seed, draw_of(next_id_));
  std::vector<double> signs;
  signs.reserve(parameters_.size());
  for (std::size_t i = 0; i < parameters_.size(); ++i) signs.push_back(chance.coin() ? 1 : -1);
  Values plus = values_, minus = values_, base;
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    const Parameter& each = parameters_[i];
    const double reach = each.used ? gain(each, pairs).reach : 0;
    base.push_back(rounded(each, each.value));
    plus[i] = each.used ? to_play(each, values_[i] + signs[i] * reach, chance) : base[i];
    minus[i] = each.used ? to_play(each, values_[i] - signs[i] * reach, chance) : base[i];
  }
  const auto add = [&](Values first, Values second) {
    open_.add({.trial = {next_id_, std::move(first), std::move(second), draw_of(next_id_)}, .made_at = pairs});
    ++next_id_;
  };
  if (rules_.against == SpsaRules::Against::base) {
    add(std::move(plus), base);
    add(std::move(minus), std::move(base));
  } else {
    add(std::move(plus), std::move(minus));
  }
}

Trial Spsa::next() {
  if (auto waiting = open_.hand_out()) return std::move(*waiting);
  make_trials();
  return *open_.hand_out();
}

std::expected<void, std::string> Spsa::report(const TrialResult& result) {
  const auto open = open_.take(result);
  if (!open) return Error(open.error());
  // The second half of a trial against the base is the one with the signs turned round.
  const bool turned = rules_.against == SpsaRules::Against::base && result.id % 2 == 1;
  const auto won = static_cast<double>(turned ? result.losses - result.wins : result.wins - result.losses);
  Random chance(rules_.seed, draw_of(result.id));
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    const double sign = chance.coin() ? 1 : -1;
    const Parameter& each = parameters_[i];
    if (each.used) values_[i] = each.clipped(values_[i] + gain(each, open->made_at).move * won * sign);
  }
  games_ += result.games();
  const std::int64_t period = std::max<std::int64_t>(1, 2 * rules_.pairs / kTracePoints);
  if (games_ / period > trace_.back().games / period) trace_.push_back({games_, values_});
  return {};
}

std::string Spsa::plot() const {
  std::vector<TracePoint> whole = trace_;
  if (whole.back().games < games_) whole.push_back({games_, values_});
  return plot_trace(parameters_, whole);
}

std::string Spsa::save() const {
  std::string text = state_head("spsa", parameters_) + rules_line(rules_);
  text += fmt::format("next {}\ngames {}\nvalues", next_id_, games_);
  append_numbers(text, values_);
  text += '\n';
  for (const OpenTrial& open : open_.all()) text += open_line(open);
  for (const TracePoint& point : trace_) {
    text += fmt::format("trace {}", point.games);
    append_numbers(text, point.values);
    text += '\n';
  }
  return text + "end\n";
}

std::expected<Spsa, std::string> Spsa::load(const StateFile& state) {
  if (state.lines.empty() || state.lines[0].word != "rules") return Error("a state of SPSA begins with its rules");
  const auto rules = parse_rules(state.lines[0]);
  if (!rules) return Error(rules.error());
  if (const auto checked = check(*rules); !checked) return Error(checked.error());
  Spsa spsa(state.parameters, *rules);
  const std::size_t count = spsa.parameters_.size();
  for (const StateLine& line : state.lines) {
    if (line.word == "next" || line.word == "games") {
      const auto number = parse_count(line);
      if (!number) return Error(number.error());
      if (line.word == "next") spsa.next_id_ = static_cast<std::uint64_t>(*number);
      if (line.word == "games") spsa.games_ = *number;
    } else if (line.word == "values") {
      auto values = parse_numbers(line, count);
      if (!values) return Error(values.error());
      spsa.values_ = std::move(*values);
    } else if (line.word == "open") {
      auto open = parse_open(line, count);
      if (!open) return Error(open.error());
      open->trial.openings = spsa.draw_of(open->trial.id);
      spsa.open_.add(std::move(*open));
    } else if (line.word == "trace") {
      auto numbers = parse_numbers(line, count + 1);
      if (!numbers) return Error(numbers.error());
      spsa.trace_.push_back({static_cast<std::int64_t>((*numbers)[0]), {numbers->begin() + 1, numbers->end()}});
    } else if (line.word != "rules") {
      return Error(fmt::format("{}: unknown word '{}'", line.place, line.word));
    }
  }
  if (spsa.trace_.empty()) return Error("a state of SPSA has a trace");
  return spsa;
}

}  // namespace fuhyo::match::tune
