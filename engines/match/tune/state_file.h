// The file that a tuning is stored in: a head with the method and the parameters, then lines that begin with a word.
// Pure; any thread.
//
//   fuhyo tuning state 1
//   method spsa
//   parameters 2
//   ... two lines as in a .params file
//   WORD numbers ...
//   end
#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "engines/match/tune/parameters.h"
#include "engines/match/tune/trial_list.h"

namespace fuhyo::match::tune {

struct StateLine {
  std::string_view word, rest;
  std::string place;  // "FILE:LINE"
};

struct StateFile {
  std::string_view method;
  Parameters parameters;
  std::vector<StateLine> lines;
};

std::string state_head(std::string_view method, const Parameters& parameters);
// Refused: another format, a file that was cut off ("end" is missing). Views are of `text`.
std::expected<StateFile, std::string> parse_state(std::string_view text, std::string_view file);

// "open ID MADE_AT plus... minus..."
std::string open_line(const OpenTrial& open);
std::expected<OpenTrial, std::string> parse_open(const StateLine& line, std::size_t parameters);
// So many numbers and nothing behind them.
std::expected<std::vector<double>, std::string> parse_numbers(const StateLine& line, std::size_t count);
std::expected<std::int64_t, std::string> parse_count(const StateLine& line);

}  // namespace fuhyo::match::tune
