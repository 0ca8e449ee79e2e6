#include "server/store/results/list.h"

#include <array>
#include <cstddef>
#include <fmt/format.h>

#include "engines/shogi/number.h"

namespace fuhyo::store {
namespace {

constexpr std::size_t kFields = 8;

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

}  // namespace

std::string_view strip(std::string_view line) {
  constexpr std::string_view kBlank(" \t\n\v\f\r\0", 7);
  const std::size_t first = line.find_first_not_of(kBlank);
  if (first == std::string_view::npos) return "";
  return line.substr(first, line.find_last_not_of(kBlank) + 1 - first);
}

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
    const auto plies = shogi::number_of<std::int32_t>(field[7]);
    if (!plies || *plies < 0) return std::unexpected(fmt::format("'{}' is no number of moves", field[7]));
    result.plies = *plies;
  }
  return result;
}

std::string to_string(const ResultLine& line) {
  const std::string plies = line.plies ? fmt::format("\t{}", *line.plies) : "";
  return fmt::format("{}\t{}\t{}\t{}\t{}\t{}\t{}{}\n", line.ended, line.kind, mark(line.outcome, true), line.black,
                     line.white, mark(line.outcome, false), line.record, plies);
}

}  // namespace fuhyo::store
