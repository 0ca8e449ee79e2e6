#include "server/app/tournament/results_file.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <optional>
#include <utility>

#include <boost/json.hpp>

#include "engines/shogi/number.h"
#include "server/app/tournament/event_file.h"
#include "server/app/tournament/trf.h"

namespace fuhyo::app {
namespace {

using core::tournament::Problem;
using core::tournament::ResultRow;

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
constexpr std::array<std::string_view, 12> kFields = {"stage", "division", "round", "black",  "white", "result",
                                                      "how",   "end",      "plies", "record", "lot",   "rate"};

bool is_control(char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f'; }

// False: no such field, or its value is no number, or text that is none.
bool set(ResultRow& row, std::string_view field, const std::string& value) {
  const auto number = [&](int& target, int least = 0) {
    if (value.empty()) return true;
    const auto found = shogi::number_of<int>(value);
    target = found.value_or(target);
    return found && target >= least;
  };
  if (field == "round") return number(row.round);
  if (field == "plies") return number(row.plies);
  if (field == "lot") return number(row.lot);
  if (field == "rate") return number(row.rate, -10'000);
  constexpr std::array<std::pair<std::string_view, std::string ResultRow::*>, 8> kTexts = {
      {{"stage", &ResultRow::stage},
       {"division", &ResultRow::division},
       {"black", &ResultRow::black},
       {"white", &ResultRow::white},
       {"result", &ResultRow::result},
       {"how", &ResultRow::how},
       {"end", &ResultRow::end},
       {"record", &ResultRow::record}}};
  for (const auto& [name, member] : kTexts) {
    if (name != field) continue;
    row.*member = value;
    return std::ranges::none_of(value, is_control);
  }
  return false;
}

std::unexpected<std::vector<Problem>> problem(int line, std::string text) {
  return std::unexpected(std::vector<Problem>{{.line = line, .text = std::move(text)}});
}

// Takes lines off a text, without their ends.
class Lines {
 public:
  explicit Lines(std::string_view text) : text_(text) {
    if (text_.starts_with(kByteOrderMark)) text_.remove_prefix(kByteOrderMark.size());
  }
  std::optional<std::string_view> next() {
    if (text_.empty()) return std::nullopt;
    ++number_;
    const std::size_t end = text_.find('\n');
    std::string_view line = text_.substr(0, end);
    text_.remove_prefix(end == std::string_view::npos ? text_.size() : end + 1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    return line;
  }
  int number() const { return number_; }

 private:
  std::string_view text_;
  int number_ = 0;
};

// RFC 4180, but that a field ends with its line. Nothing: a quote that is not closed, or text behind one.
std::optional<std::vector<std::string>> fields_of(std::string_view line) {
  std::vector<std::string> fields(1);
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == ',') {
      fields.emplace_back();
      continue;
    }
    const bool quoted = line[i] == '"' && (i == 0 || line[i - 1] == ',');
    if (!quoted) {
      fields.back() += line[i];
      continue;
    }
    for (++i;; ++i) {
      if (i >= line.size()) return std::nullopt;
      if (line[i] == '"' && (i + 1 >= line.size() || line[i + 1] != '"')) break;
      if (line[i] == '"') ++i;
      fields.back() += line[i];
    }
    if (i + 1 < line.size() && line[i + 1] != ',') return std::nullopt;
  }
  return fields;
}

std::string field_text(std::string_view text) {
  if (text.find_first_of(",\"") == std::string_view::npos) return std::string(text);
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + '"';
}

}  // namespace

ResultRows parse_results_csv(std::string_view text) {
  Lines lines(text);
  const auto head = lines.next();
  const auto names = head ? fields_of(*head) : std::nullopt;
  if (!names) return problem(1, "a line with the names of the fields is missing");
  for (const std::string& name : *names) {
    if (std::ranges::find(kFields, name) == kFields.end()) return problem(1, fmt::format("no such field: '{}'", name));
  }
  std::vector<ResultRow> rows;
  while (const auto line = lines.next()) {
    if (line->empty()) continue;
    const auto fields = fields_of(*line);
    if (!fields || fields->size() != names->size()) {
      return problem(lines.number(), fmt::format("not {} fields", names->size()));
    }
    ResultRow& row = rows.emplace_back();
    row.line = lines.number();
    for (std::size_t i = 0; i < fields->size(); ++i) {
      if (set(row, (*names)[i], (*fields)[i])) continue;
      return problem(row.line, fmt::format("{}: no such value: '{}'", (*names)[i], (*fields)[i]));
    }
  }
  return rows;
}

ResultRows parse_results_jsonl(std::string_view text) {
  Lines lines(text);
  std::vector<ResultRow> rows;
  while (const auto line = lines.next()) {
    if (line->empty()) continue;
    boost::system::error_code error;
    const boost::json::value value = boost::json::parse(*line, error);
    if (error || !value.is_object()) return problem(lines.number(), "is no JSON object");
    ResultRow& row = rows.emplace_back();
    row.line = lines.number();
    for (const auto& member : value.get_object()) {
      std::string field;
      if (member.value().is_string()) {
        field = member.value().get_string();
      } else if (member.value().is_int64()) {
        field = std::to_string(member.value().get_int64());
      } else {
        return problem(row.line, fmt::format("{}: is neither text nor a whole number", std::string(member.key())));
      }
      if (set(row, member.key(), field)) continue;
      return problem(row.line, fmt::format("{}: no such field, or no such value", std::string(member.key())));
    }
  }
  return rows;
}

std::string results_csv(std::span<const ResultRow> rows) {
  std::string text = fmt::format("{}\n", fmt::join(kFields, ","));
  for (const ResultRow& row : rows) {
    text += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{}\n", field_text(row.stage), field_text(row.division),
                        row.round, field_text(row.black), field_text(row.white), field_text(row.result),
                        field_text(row.how), field_text(row.end), row.plies, field_text(row.record), row.lot, row.rate);
  }
  return text;
}

std::expected<std::vector<ResultRow>, std::string> read_results_file(const std::filesystem::path& path) {
  const bool csv = path.extension() == ".csv", trf = path.extension() == ".trf";
  if (!csv && !trf && path.extension() != ".jsonl") {
    return std::unexpected(fmt::format("{}: is neither .csv nor .jsonl nor .trf\n", path.string()));
  }
  const auto text = read_small_file(path, kMostResultBytes);
  if (!text) return std::unexpected(text.error() + "\n");
  auto rows = csv ? parse_results_csv(*text) : trf ? parse_trf(*text) : parse_results_jsonl(*text);
  if (!rows) return std::unexpected(problems_text(path.string(), rows.error()));
  return std::move(*rows);
}

}  // namespace fuhyo::app
