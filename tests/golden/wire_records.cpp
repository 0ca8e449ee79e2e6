#include "tests/golden/wire_records.h"

#include <fstream>
#include <map>
#include <regex>
#include <sstream>

#include "server/core/record_text.h"

namespace fuhyo::test {
namespace {

struct Record {
  core::GameOpened opened;
  std::string text, listed;
};

std::string without_time_and_path(const std::string& list_line) {
  static const std::regex fields("[^\t]*\t(([^\t]*\t){5})/path\t(\\d+)\n");
  return std::regex_replace(list_line, fields, "00LIST\t$1$3\n");
}

// One step of a game; facts of other kinds say nothing of a game.
struct Writer {
  std::map<core::GameId, Record>& games;

  void operator()(const core::GameOpened& fact) const { games[fact.game] = {fact, record_head(fact), {}}; }
  void operator()(const core::MoveMade& fact) const { games.at(fact.game).text += record_move(fact); }
  void operator()(const core::RecordNote& fact) const { games.at(fact.game).text += record_note(fact); }
  void operator()(const core::GameRejected& fact) const { games.at(fact.game).text += record_rejected(fact); }
  void operator()(const core::GameEnded& fact) const {
    Record& record = games.at(fact.game);
    record.text += record_end(record.opened, fact);
    if (!is_listed(record.opened, fact)) return;
    record.listed = without_time_and_path(list_line(record.opened, fact, "/path"));
  }
  void operator()(const auto&) const {}
};

}  // namespace

std::vector<std::string> records_of(const std::vector<core::Journaled>& journal) {
  std::map<core::GameId, Record> games;
  for (const core::Journaled& row : journal) std::visit(Writer{games}, row.fact);
  std::map<std::string, std::string> by_name;
  for (const auto& [id, record] : games) by_name[record.opened.csa_id] = record.text + record.listed;
  static const std::regex time(R"('?\$(START|END)_TIME:.*)"), stamp(R"(\+20\d{12}\b)");
  std::vector<std::string> lines;
  for (const auto& [name, text] : by_name) {
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) {
      if (!std::regex_match(line, time)) lines.push_back(std::regex_replace(line, stamp, "+<stamp>"));
    }
  }
  return lines;
}

std::string unescape(std::string text) {
  static const std::regex hex(R"(\\x([0-9a-f]{2}))");
  for (std::smatch m; std::regex_search(text, m, hex);) {
    text = m.prefix().str() + static_cast<char>(std::stoi(m[1].str(), nullptr, 16)) + m.suffix().str();
  }
  return text;
}

std::vector<std::string> read_records(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("<- ")) continue;
    lines.push_back(unescape(line.starts_with("<+ ") ? line.substr(3) : line));
  }
  return lines;
}

}  // namespace fuhyo::test
