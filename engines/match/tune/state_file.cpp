// The file that a tuning is stored in. Pure.
#include "engines/match/tune/state_file.h"

#include <fmt/format.h>
#include <optional>
#include <utility>

#include "engines/match/tune/state_text.h"
#include "engines/usi/text.h"

namespace fuhyo::match::tune {
namespace {

constexpr std::string_view kFirstLine = "fuhyo tuning state 1";

using Error = std::unexpected<std::string>;

// The parameters of a head, whose lines are taken off `text`.
std::expected<Parameters, std::string> take_parameters(std::string_view& text, std::string_view file, int& number) {
  std::string_view line = take_line(text);
  const auto count = usi::next_word(line) == "parameters" ? to_natural(usi::next_word(line)) : std::nullopt;
  if (!count) return Error(fmt::format("{}:{}: expected 'parameters' and how many", file, ++number));
  std::string lines(static_cast<std::size_t>(++number), '\n');  // so that errors name the line
  for (std::uint64_t i = 0; i < *count && !text.empty(); ++i, ++number) lines += fmt::format("{}\n", take_line(text));
  auto parameters = read_parameters(lines, file);
  if (parameters && parameters->size() != *count) {
    return Error(fmt::format("{}: {} parameters instead of {}", file, parameters->size(), *count));
  }
  return parameters;
}

}  // namespace

std::string state_head(std::string_view method, const Parameters& parameters) {
  return fmt::format("{}\nmethod {}\nparameters {}\n{}", kFirstLine, method, parameters.size(), to_params(parameters));
}

std::expected<StateFile, std::string> parse_state(std::string_view text, std::string_view file) {
  if (take_line(text) != kFirstLine) return Error(fmt::format("{}:1: expected '{}'", file, kFirstLine));
  StateFile state;
  std::string_view method = take_line(text);
  if (usi::next_word(method) != "method") return Error(fmt::format("{}:2: expected 'method'", file));
  state.method = usi::trim(method);
  int number = 2;
  auto parameters = take_parameters(text, file, number);
  if (!parameters) return Error(parameters.error());
  state.parameters = std::move(*parameters);
  while (!text.empty()) {
    std::string_view rest = take_line(text);
    const std::string_view word = usi::next_word(rest);
    ++number;
    if (word == "end") return state;
    state.lines.push_back({word, rest, fmt::format("{}:{}", file, number)});
  }
  return Error(fmt::format("{}: is cut off: 'end' is missing", file));
}

std::string open_line(const OpenTrial& open) {
  std::string text = fmt::format("open {} {}", open.trial.id, open.made_at);
  append_numbers(text, open.trial.plus);
  append_numbers(text, open.trial.minus);
  return text + '\n';
}

std::expected<OpenTrial, std::string> parse_open(const StateLine& line, std::size_t parameters) {
  std::string_view rest = line.rest;
  const auto id = to_natural(usi::next_word(rest));
  const auto made_at = to_number(usi::next_word(rest));
  auto plus = take_numbers(rest, parameters);
  auto minus = take_numbers(rest, parameters);
  if (!id || !made_at || !plus || !minus || !usi::trim(rest).empty()) {
    return Error(fmt::format("{}: no open trial", line.place));
  }
  return OpenTrial{.trial = {.id = *id, .plus = std::move(*plus), .minus = std::move(*minus)}, .made_at = *made_at};
}

std::expected<std::vector<double>, std::string> parse_numbers(const StateLine& line, std::size_t count) {
  std::string_view rest = line.rest;
  auto numbers = take_numbers(rest, count);
  if (!numbers || !usi::trim(rest).empty()) {
    return Error(fmt::format("{}: expected {} numbers behind '{}'", line.place, count, line.word));
  }
  return *numbers;
}

std::expected<std::int64_t, std::string> parse_count(const StateLine& line) {
  const auto number = to_count(usi::trim(line.rest));
  if (!number) return Error(fmt::format("{}: expected a number behind '{}'", line.place, line.word));
  return *number;
}

}  // namespace fuhyo::match::tune
