#include "engines/usi/table_lines.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <fmt/format.h>
#include <iterator>

#include "engines/shogi/usi_move.h"
#include "engines/usi/text.h"

namespace fuhyo::usi {
namespace {

constexpr std::string_view kBoundLetters = "elu";  // by Score::Bound
constexpr std::string_view kNothing = "-";
constexpr std::size_t kKeyDigits = 16;
constexpr int kShallowestTableEntry = -128;

template <class T>
std::optional<T> whole_number(std::string_view word, int base = 10) {
  T number{};
  const char* const end = word.data() + word.size();
  const auto [stopped, error] = std::from_chars(word.data(), end, number, base);
  if (error != std::errc{} || stopped != end) return std::nullopt;
  return number;
}

std::optional<std::uint64_t> hexadecimal(std::string_view word) {
  if (word.size() != kKeyDigits || word.find_first_not_of("0123456789abcdef") != std::string_view::npos) return {};
  return whole_number<std::uint64_t>(word, 16);
}

std::optional<int> within(std::string_view word, int least, int most) {
  const auto number = whole_number<int>(word);
  return number && *number >= least && *number <= most ? number : std::nullopt;
}

std::optional<std::int64_t> search_number(std::string_view word) {
  const auto number = whole_number<std::int64_t>(word);
  return number && *number >= 1 ? number : std::nullopt;
}

// Exactly as many as there are fields.
std::optional<std::array<std::string_view, 6>> fields_of(std::string_view word) {
  std::array<std::string_view, 6> fields;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const std::size_t comma = word.find(',');
    if ((comma == std::string_view::npos) != (i + 1 == fields.size())) return std::nullopt;
    fields[i] = word.substr(0, comma);
    word.remove_prefix(std::min(fields[i].size() + 1, word.size()));
  }
  return fields;
}

std::optional<TableEntry> parse_entry(std::string_view word) {
  const auto fields = fields_of(word);
  if (!fields) return std::nullopt;
  const auto& [key, move, depth, bound, value, evaluation] = *fields;
  const auto known_key = hexadecimal(key);
  const auto known_move = move == kNothing ? shogi::Move{} : shogi::parse_usi_move(move);
  const auto known_depth = within(depth, kShallowestTableEntry, kDeepestTableEntry);
  const std::size_t known_bound = bound.size() == 1 ? kBoundLetters.find(bound) : std::string_view::npos;
  const auto known_value = within(value, -kTableMate, kTableMate);
  const auto known_evaluation = within(evaluation, -kTableMate, kTableMate);
  if (!known_key || !known_move || !known_depth || known_bound == std::string_view::npos || !known_value) return {};
  if (!known_evaluation && evaluation != kNothing) return std::nullopt;
  return TableEntry{.key = *known_key,
                    .move = *known_move,
                    .depth = *known_depth,
                    .bound = static_cast<Score::Bound>(known_bound),
                    .value = *known_value,
                    .evaluation = known_evaluation};
}

std::expected<TableLine, std::string> parse_batch(std::int64_t number, std::string_view rest) {
  TableBatch batch{.search = number};
  std::size_t words = 0;
  for (std::string_view word = next_word(rest); !word.empty(); word = next_word(rest)) {
    if (++words > kMostTableEntries) return std::unexpected("tt: more than 64 entries");
    if (const auto entry = parse_entry(word)) {
      batch.entries.push_back(*entry);
    } else {
      ++batch.malformed;
    }
  }
  if (words == 0) return std::unexpected("tt: no entries");
  return batch;
}

}  // namespace

std::expected<TableLine, std::string> parse_table_line(std::string_view text) {
  if (text.size() + std::string_view("tt").size() > kLongestTableLine) return std::unexpected("tt: a line too long");
  const std::string_view word = next_word(text);
  if (const auto number = search_number(word)) return parse_batch(*number, text);
  const std::string_view wanted = next_word(text);
  const auto number = search_number(wanted);
  if (word == "search" && number) {
    const std::string_view more = next_word(text);
    const auto slice = more.empty() ? 0 : search_number(more);
    if (slice && next_word(text).empty()) return TableSearch{.number = *number, .slice = *slice};
  } else if (next_word(text).empty()) {
    const auto digest = hexadecimal(wanted);
    if (word == "keys" && digest) return TableKeys{*digest};
    if (word == "waits" && number) return TableWaits{*number};
    if (word == "next" && number) return TableNext{*number};
  }
  return std::unexpected("tt: 'search N', 'keys HEX', 'waits N', 'next N' or 'N ENTRY ...' expected");
}

std::optional<std::int64_t> batch_number(std::string_view text) { return search_number(next_word(text)); }

std::string to_text(const TableSearch& search) {
  const std::string text = fmt::format("tt search {}", search.number);
  return search.slice > 0 ? fmt::format("{} {}", text, search.slice) : text;
}

std::string to_text(const TableKeys& keys) { return fmt::format("tt keys {:016x}", keys.digest); }

std::string to_text(const TableWaits& waits) { return fmt::format("tt waits {}", waits.search); }

std::string to_text(const TableNext& next) { return fmt::format("tt next {}", next.search); }

std::string to_text(std::int64_t search, std::span<const TableEntry> entries) {
  std::string line = fmt::format("tt {}", search);
  const auto out = std::back_inserter(line);
  for (const TableEntry& entry : entries) {
    fmt::format_to(out, " {:016x},{},{},{},{},", entry.key,
                   entry.move ? shogi::to_usi(entry.move) : std::string(kNothing), entry.depth,
                   kBoundLetters[static_cast<std::size_t>(entry.bound)], entry.value);
    if (entry.evaluation) {
      fmt::format_to(out, "{}", *entry.evaluation);
    } else {
      line += kNothing;
    }
  }
  return line;
}

}  // namespace fuhyo::usi
