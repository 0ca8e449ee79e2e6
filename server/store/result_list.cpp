#include "server/store/result_list.h"

#include <array>
#include <charconv>
#include <cstddef>
#include <fmt/format.h>
#include <unordered_set>

#include "server/store/local_time.h"

namespace fuhyo::store {
namespace {

constexpr std::size_t kFields = 8;

// Ruby's strip, which mk_rate reads lines with.
std::string_view strip(std::string_view line) {
  constexpr std::string_view kBlank(" \t\n\v\f\r\0", 7);
  const std::size_t first = line.find_first_not_of(kBlank);
  if (first == std::string_view::npos) return "";
  return line.substr(first, line.find_last_not_of(kBlank) + 1 - first);
}

std::optional<core::Outcome> outcome_of(std::string_view black, std::string_view white) {
  if (black == "win" && white == "lose") return core::Outcome::black_wins;
  if (black == "lose" && white == "win") return core::Outcome::white_wins;
  if (black == "draw" && white == "draw") return core::Outcome::draw;
  return std::nullopt;
}

std::string_view mark(core::Outcome outcome, bool black) {
  if (outcome == core::Outcome::draw) return "draw";
  return (outcome == core::Outcome::black_wins) == black ? "win" : "lose";
}

core::rating::Score score_of(core::Outcome outcome) {
  using core::rating::Score;
  if (outcome == core::Outcome::draw) return Score::draw;
  return outcome == core::Outcome::black_wins ? Score::black_wins : Score::white_wins;
}

// An error text, or the game is in `games`.
std::string add_line(std::string_view line, const core::TimeZone& zone, core::rating::Games& games) {
  const auto result = parse_result_line(line);
  if (!result) return result.error();
  const auto ended = parse_local_time(result->ended, zone);
  if (!ended) return fmt::format("'{}' is no time like 2026/01/31 12:34:56", result->ended);
  const core::rating::PlayerIndex black = games.player(result->black), white = games.player(result->white);
  games.add({.black = black,
             .white = white,
             .score = score_of(result->outcome),
             .abnormal = result->kind == "abnormal",
             .plies = result->plies.value_or(0),
             .ended = *ended});
  return "";
}

}  // namespace

std::expected<ResultLine, std::string> parse_result_line(std::string_view line) {
  line = strip(line);
  std::array<std::string_view, kFields> field;
  std::size_t count = 0;
  for (std::string_view rest = line; count < kFields; ++count) {
    const std::size_t tab = rest.find('\t');
    field[count] = rest.substr(0, tab);
    if (tab == std::string_view::npos) break;
    rest.remove_prefix(tab + 1);
  }
  const std::size_t fields = count == kFields ? kFields : count + 1;
  if (fields < kFields - 1)
    return std::unexpected(fmt::format("has {} fields with TABs between; 8 are wanted", fields));
  const auto outcome = outcome_of(field[2], field[5]);
  if (!outcome) return std::unexpected(fmt::format("'{}' and '{}' are no results of one game", field[2], field[5]));
  if (field[3].empty() || field[4].empty()) return std::unexpected("a player is not named");
  ResultLine result{.ended = field[0],
                    .kind = field[1],
                    .outcome = *outcome,
                    .black = field[3],
                    .white = field[4],
                    .record = field[6]};
  if (fields == kFields) {
    std::int32_t plies = 0;
    const auto [end, error] = std::from_chars(field[7].data(), field[7].data() + field[7].size(), plies);
    if (error != std::errc{} || end != field[7].data() + field[7].size() || plies < 0) {
      return std::unexpected(fmt::format("'{}' is no number of moves", field[7]));
    }
    result.plies = plies;
  }
  return result;
}

std::string to_string(const ResultLine& line) {
  const std::string plies = line.plies ? fmt::format("\t{}", *line.plies) : "";
  return fmt::format("{}\t{}\t{}\t{}\t{}\t{}\t{}{}\n", line.ended, line.kind, mark(line.outcome, true), line.black,
                     line.white, mark(line.outcome, false), line.record, plies);
}

void read_results(std::string_view text, const std::string& file, const core::TimeZone& zone,
                  core::rating::Games& games, std::vector<FileFault>& faults) {
  std::unordered_set<std::string_view> seen;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t end = text.find('\n');
    const std::string_view line = strip(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (line.empty() || !seen.insert(line).second) continue;
    if (std::string fault = add_line(line, zone, games); !fault.empty()) {
      faults.push_back({file, number, std::move(fault)});
    }
  }
}

}  // namespace fuhyo::store
