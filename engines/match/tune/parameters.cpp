// Parameters out of text and into it. Pure.
#include "engines/match/tune/parameters.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fmt/format.h>
#include <optional>
#include <unordered_set>

#include "engines/match/tune/state_text.h"
#include "engines/usi/text.h"

namespace fuhyo::match::tune {
namespace {

constexpr std::string_view kNotUsed = "[[NOT USED]]", kLog = "[[LOG]]";

using Error = std::unexpected<std::string>;

// Takes the marker off a line.
bool take_marker(std::string& line, std::string_view marker) {
  const std::size_t at = line.find(marker);
  if (at == std::string::npos) return false;
  line.erase(at, marker.size());
  return true;
}

std::vector<std::string_view> split(std::string_view line) {
  std::vector<std::string_view> columns;
  while (true) {
    const std::size_t comma = line.find(',');
    columns.push_back(usi::trim(line.substr(0, comma)));
    if (comma == std::string_view::npos) return columns;
    line.remove_prefix(comma + 1);
  }
}

std::expected<void, std::string> check(const Parameter& parameter) {
  if (parameter.name.empty()) return Error("name: there is none");
  for (const double number : {parameter.value, parameter.min, parameter.max, parameter.step, parameter.rate}) {
    if (std::abs(number) > kMaxValue) return Error(fmt::format("{}: beyond {}", number, kMaxValue));
  }
  if (parameter.min > parameter.max) {
    return Error(fmt::format("min: {} is above max, {}", parameter.min, parameter.max));
  }
  if (parameter.integer && std::ceil(parameter.min) > std::floor(parameter.max)) {
    return Error(fmt::format("min: no whole number from {} to {}", parameter.min, parameter.max));
  }
  if (parameter.value < parameter.min || parameter.value > parameter.max) {
    return Error(fmt::format("value: {} is not within {} and {}", parameter.value, parameter.min, parameter.max));
  }
  if (parameter.step <= 0) return Error(fmt::format("step: {} is not above 0", parameter.step));
  if (parameter.log && parameter.min <= (parameter.integer ? 0.5 : 0)) {
    return Error(fmt::format("min: {} has no logarithm to search by", parameter.min));
  }
  if (parameter.rate < 0) return Error(fmt::format("rate: {} is below 0", parameter.rate));
  return {};
}

std::expected<Parameter, std::string> of_columns(std::string_view line) {
  std::vector<std::string_view> columns = split(line);
  if (columns.size() != 6 && columns.size() != 7) {
    return Error(fmt::format("{} columns; expected 7 (name, type, value, min, max, step, rate) or fishtest's 6",
                             columns.size()));
  }
  Parameter parameter{.name = std::string(columns[0])};
  if (columns.size() == 7) {
    if (columns[1] != "int" && columns[1] != "float") {
      return Error(fmt::format("type: '{}' is neither int nor float", columns[1]));
    }
    parameter.integer = columns[1] == "int";
    columns.erase(columns.begin() + 1);
  }
  constexpr std::string_view kNames[] = {"value", "min", "max", "step", "rate"};
  double* const numbers[] = {&parameter.value, &parameter.min, &parameter.max, &parameter.step, &parameter.rate};
  for (std::size_t i = 0; i < std::size(numbers); ++i) {
    const std::optional<double> number = to_number(columns[i + 1]);
    if (!number) return Error(fmt::format("{}: '{}' is no number", kNames[i], columns[i + 1]));
    *numbers[i] = *number;
  }
  return parameter;
}

// Nothing for options that are no numbers. Names may have blanks ("Skill Level").
std::expected<std::optional<Parameter>, std::string> of_option(std::string_view rest) {
  if (usi::next_word(rest) != "name") return Error("option: expected 'name'");
  const std::size_t type = rest.find(" type ");
  if (type == std::string_view::npos) return Error("option: expected 'type'");
  Parameter parameter{.name = std::string(usi::trim(rest.substr(0, type)))};
  rest.remove_prefix(type + std::string_view(" type ").size());
  if (usi::next_word(rest) != "spin") return std::nullopt;
  std::optional<double> value, min, max;
  while (!usi::peek_word(rest).empty()) {
    const std::string_view key = usi::next_word(rest);
    const std::string_view word = usi::next_word(rest);
    std::optional<double>* const number = key == "default" ? &value
                                          : key == "min"   ? &min
                                          : key == "max"   ? &max
                                                           : nullptr;
    if (number == nullptr) return Error(fmt::format("option: unknown word '{}'", key));
    *number = to_number(word);
    if (!*number) return Error(fmt::format("{}: '{}' is no number", key, word));
  }
  if (!value || !min || !max) return Error("option: expected default, min and max");
  if (std::max(std::abs(*min), std::abs(*max)) > kMaxValue) return std::nullopt;  // a seed, or a size without a limit
  parameter.value = *value, parameter.min = *min, parameter.max = *max;
  parameter.step = std::max(1.0, (*max - *min) / 20);
  return parameter;
}

std::expected<std::optional<Parameter>, std::string> of_line(std::string_view whole) {
  std::string line(whole);
  const bool used = !take_marker(line, kNotUsed), log = take_marker(line, kLog);
  const std::size_t slashes = line.find("//");
  std::string_view data = usi::trim(std::string_view(line).substr(0, slashes));
  if (data.empty() || data.starts_with('#')) return std::nullopt;
  std::optional<Parameter> parameter;
  if (const std::string_view first = usi::peek_word(data); first == "option") {
    usi::next_word(data);
    const auto option = of_option(data);
    if (!option || !*option) return option;
    parameter = *option;
  } else if (first == "id" || first == "usiok" || first == "info") {
    return std::nullopt;
  } else {
    const auto columns = of_columns(data);
    if (!columns) return Error(columns.error());
    parameter = *columns;
  }
  parameter->used = used;
  parameter->log = log;
  if (slashes != std::string::npos) parameter->comment = usi::trim(std::string_view(line).substr(slashes + 2));
  if (const auto checked = check(*parameter); !checked) return Error(checked.error());
  return parameter;
}

bool matches(std::string_view name, std::string_view pattern) {
  if (pattern.empty()) return name.empty();
  if (pattern.front() == '*') {
    return matches(name, pattern.substr(1)) || (!name.empty() && matches(name.substr(1), pattern));
  }
  return !name.empty() && name.front() == pattern.front() && matches(name.substr(1), pattern.substr(1));
}

}  // namespace

std::expected<Parameters, std::string> read_parameters(std::string_view text, std::string_view file) {
  Parameters parameters;
  std::unordered_set<std::string> names;
  for (int number = 1; !text.empty(); ++number) {
    const std::string_view line = take_line(text);
    const auto parameter = of_line(line);
    if (!parameter) return Error(fmt::format("{}:{}: {}", file, number, parameter.error()));
    if (!*parameter) continue;
    if (!names.insert((*parameter)->name).second) {
      return Error(fmt::format("{}:{}: name: '{}' is there already", file, number, (*parameter)->name));
    }
    parameters.push_back(**parameter);
    if (parameters.size() > kMaxParameters) {
      return Error(fmt::format("{}:{}: more than {} parameters", file, number, kMaxParameters));
    }
  }
  if (parameters.empty()) return Error(fmt::format("{}: there is no parameter", file));
  return parameters;
}

std::string to_params(const Parameters& parameters) {
  std::string text;
  for (const Parameter& each : parameters) {
    std::string remark = each.comment;
    for (const std::string_view marker : {each.log ? kLog : "", each.used ? "" : kNotUsed}) {
      if (!marker.empty()) remark += fmt::format("{}{}", remark.empty() ? "" : " ", marker);
    }
    text += fmt::format("{},{},{},{},{},{},{}{}{}\n", each.name, each.integer ? "int" : "float", each.value, each.min,
                        each.max, each.step, each.rate, remark.empty() ? "" : " // ", remark);
  }
  return text;
}

std::string to_setoptions(const Parameters& parameters) {
  std::string text;
  for (const Parameter& each : parameters) {
    text += fmt::format("setoption name {} value {}\n", each.name, value_text(each, each.value));
  }
  return text;
}

Values values_of(const Parameters& parameters) {
  Values values;
  for (const Parameter& each : parameters) values.push_back(each.value);
  return values;
}

Parameters with_values(Parameters parameters, const Values& values) {
  for (std::size_t i = 0; i < parameters.size(); ++i) parameters[i].value = values.at(i);
  return parameters;
}

double rounded(const Parameter& parameter, double value) {
  const double inside = parameter.clipped(value);
  if (!parameter.integer) return inside;
  return std::clamp(std::floor(inside + 0.5), std::ceil(parameter.min), std::floor(parameter.max));
}

std::string value_text(const Parameter& parameter, double value) {
  if (!parameter.integer) return fmt::format("{}", parameter.clipped(value));
  return fmt::format("{}", static_cast<std::int64_t>(rounded(parameter, value)));
}

std::expected<Parameters, std::string> selected(const Parameters& parameters,
                                                const std::vector<std::string>& patterns) {
  std::vector<bool> chosen(parameters.size());
  for (const std::string& pattern : patterns) {
    bool any = false;
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      if (!matches(parameters[i].name, pattern)) continue;
      chosen[i] = any = true;
    }
    if (!any) return Error(fmt::format("'{}': no parameter has such a name", pattern));
  }
  Parameters those;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (chosen[i]) those.push_back(parameters[i]);
  }
  return those;
}

}  // namespace fuhyo::match::tune
