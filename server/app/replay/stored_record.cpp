#include "server/app/replay/stored_record.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fstream>
#include <optional>
#include <string_view>
#include <system_error>
#include <thread>
#include <vector>

namespace fuhyo::app {
namespace {

namespace fs = std::filesystem;
using Close = ReplayPlan::Close;

struct StoredRecord {
  std::vector<std::string> start;  // "P1...", "P+...", and who is to move
  std::vector<std::string> moves;
  std::string end;      // the line that ended it: "%TORYO", "'ILLEGAL_MOVE(...)"
  std::string summary;  // "toryo", "illegal move", ...
  bool complete = false;
};

bool is_move(std::string_view line) {
  return line.size() == 7 && (line[0] == '+' || line[0] == '-') &&
         std::all_of(line.begin() + 1, line.begin() + 5, [](unsigned char c) { return std::isdigit(c) != 0; });
}

StoredRecord read(std::ifstream& file) {
  constexpr std::string_view kSummary = "'summary:";
  StoredRecord record;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with('P') || line == "+" || line == "-") record.start.push_back(line);
    if (is_move(line)) record.moves.push_back(line);
    if (line.starts_with('%') || line.starts_with("'ILLEGAL_MOVE(")) record.end = line;
    if (line.starts_with(kSummary)) {
      record.summary = line.substr(kSummary.size(), line.find(':', kSummary.size()) - kSummary.size());
    }
    if (line.starts_with("'$END_TIME:")) record.complete = true;
  }
  return record;
}

std::optional<fs::path> find(const fs::path& records, const std::string& name) {
  std::error_code error;
  for (fs::recursive_directory_iterator it(records, error), end; !error && it != end; it.increment(error)) {
    if (it->path().filename() == name) return it->path();
  }
  return std::nullopt;
}

// The order of pieces in a hand is nobody's.
std::string in_order(std::string line) {
  if (!line.starts_with("P+") && !line.starts_with("P-")) {
    line.erase(line.find_last_not_of(' ') + 1);
    return line;
  }
  std::vector<std::string> pieces;
  for (std::size_t at = 2; at + 4 <= line.size(); at += 4) pieces.push_back(line.substr(at, 4));
  std::ranges::sort(pieces);
  return fmt::format("{}{}", line.substr(0, 2), fmt::join(pieces, ""));
}

// Nothing if the stored start is that of the plan; else a line of it that is not.
std::string start_difference(const StoredRecord& record, const ReplayPlan& plan) {
  for (std::size_t i = 0; i < std::max(record.start.size(), plan.start_board.size()); ++i) {
    const std::string stored = i < record.start.size() ? in_order(record.start[i]) : "nothing";
    const std::string wanted = i < plan.start_board.size() ? in_order(plan.start_board[i]) : "nothing";
    if (stored != wanted) return fmt::format("the stored record starts with '{}', not '{}'", stored, wanted);
  }
  return "";
}

std::string expected_end(const ReplayPlan& plan, const PlayedGame& played) {
  switch (plan.close) {
    case Close::resign:
      return "%TORYO";
    case Close::declare:
    case Close::misdeclare:
      return "%KACHI";
    case Close::illegal_move:
      return fmt::format("'ILLEGAL_MOVE({})", plan.moves.back());
    case Close::repetition:
      return played.end == "#SENNICHITE" ? "%SENNICHITE" : "";
  }
  return "";
}

bool is_expected_summary(const ReplayPlan& plan, const PlayedGame& played, std::string_view summary) {
  switch (plan.close) {
    case Close::resign:
      return summary == "toryo";
    case Close::declare:
      return summary == "kachi";
    case Close::misdeclare:
      return summary == "illegal kachi";
    case Close::illegal_move:
      return summary == "illegal move" || summary == "oute_kaihimore" || summary == "uchifuzume";
    case Close::repetition:
      return summary == (played.end == "#SENNICHITE" ? "sennichite" : "oute_sennichite");
  }
  return false;
}

std::string compare(const StoredRecord& record, const ReplayPlan& plan, const PlayedGame& played) {
  if (!plan.start_board.empty()) {
    if (std::string differs = start_difference(record, plan); !differs.empty()) return differs;
  }
  if (record.moves != played.accepted) {
    const auto [stored, sent] =
        std::mismatch(record.moves.begin(), record.moves.end(), played.accepted.begin(), played.accepted.end());
    return fmt::format("the stored record has '{}' for ply {}, not '{}'",
                       stored == record.moves.end() ? "nothing" : *stored, sent - played.accepted.begin() + 1,
                       sent == played.accepted.end() ? "nothing" : *sent);
  }
  if (const std::string end = expected_end(plan, played); record.end != end) {
    return fmt::format("the stored record ends by '{}', not '{}'", record.end, end);
  }
  if (!is_expected_summary(plan, played, record.summary)) {
    return fmt::format("the stored record sums up '{}'", record.summary);
  }
  return "";
}

}  // namespace

std::string stored_difference(const fs::path& records, const ReplayPlan& plan, const PlayedGame& played,
                              std::chrono::milliseconds patience) {
  constexpr std::chrono::milliseconds kPause(10);
  std::optional<fs::path> path;
  for (std::chrono::milliseconds waited(0); waited <= patience; waited += kPause) {
    if (!path) path = find(records, played.id + ".csa");
    if (path) {
      std::ifstream file(*path);
      const StoredRecord record = read(file);
      if (record.complete) return compare(record, plan, played);
    }
    std::this_thread::sleep_for(kPause);
  }
  if (!path) return fmt::format("no record {}.csa under {}", played.id, records.string());
  return fmt::format("the record {} is not complete", path->string());
}

}  // namespace fuhyo::app
