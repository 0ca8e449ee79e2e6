#include "server/app/tournament/archive.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "server/core/tournament/tables.h"
#include "server/net/tournament/tables.h"

namespace fuhyo::app {
namespace {

using core::tournament::DivisionKey;
using core::tournament::Language;
using core::tournament::Table;
using core::tournament::View;

constexpr std::string_view kRecords = "records/";

// Within its folder, of the game with that id.
std::string record_file(std::string_view game) {
  std::string name(game.empty() ? "game" : game);
  std::ranges::replace(name, '/', '_');
  return name + ".csa";
}

std::vector<Table> tables_of(const core::RunningEvent& event) {
  std::vector<Table> tables;
  for (int stage = 0; stage < static_cast<int>(event.event().stages.size()); ++stage) {
    for (const DivisionKey division : event.divisions(stage)) {
      if (event.state().is_formed(division)) tables.push_back(table_of(event.event(), event.state(), division));
    }
  }
  return tables;
}

// "$EVENT:" of a record is the id of its game.
std::vector<net::ZipEntry> records_of(const core::AdminResult& exported, core::Wall modified) {
  std::vector<net::ZipEntry> entries;
  std::string text, name;
  const auto put = [&] {
    if (!text.empty()) {
      entries.push_back({.name = fmt::format("{}{}", kRecords, record_file(name)),
                         .bytes = std::exchange(text, {}),
                         .modified = modified});
    }
    name.clear();
  };
  for (const std::vector<std::string>& row : exported.rows) {
    const std::string& line = row.front();
    if (line == "/") {
      put();
      continue;
    }
    if (line.starts_with("$EVENT:")) name = line.substr(7);
    text += line + "\n";
  }
  put();
  return entries;
}

std::vector<net::ZipEntry> files_of(const std::vector<Table>& tables, const net::RecordLink& link,
                                    core::Wall modified) {
  std::vector<net::ZipEntry> files;
  const auto add = [&](std::string name, std::string bytes) {
    files.push_back({.name = std::move(name), .bytes = std::move(bytes), .modified = modified});
  };
  std::string text, json;
  for (const Table& table : tables) {
    const View view = usual_view(table.format);
    text += (text.empty() ? "" : "\n") + table_text(table, view, Language::en);
    json += net::table_json(table) + "\n";
    add(fmt::format("{}-{}.csv", table.stage.in(Language::en), table.division.in(Language::en)),
        net::table_csv(table, view, Language::en));
  }
  add("tables.txt", std::move(text));
  add("tables.json", std::move(json));
  add("tables.html", net::tables_html(tables, Language::en, link));
  add("tables.ja.html", net::tables_html(tables, Language::ja, link));
  return files;
}

}  // namespace

EventArchive archive_of(const core::RunningEvent& event, const core::AdminResult* games) {
  core::Wall modified = event.phase_set().at;
  for (const auto& [place, fact] : event.decisions()) modified = std::max(modified, fact.at);
  std::vector<net::ZipEntry> records;
  if (games != nullptr) records = records_of(*games, modified);
  std::set<std::string> names;
  for (const net::ZipEntry& entry : records) names.insert(entry.name);
  const auto link = [&](std::string_view game) {
    const std::string file = record_file(game);
    if (!names.contains(fmt::format("{}{}", kRecords, file))) return std::string();
    return fmt::format("{}{}", kRecords, net::url_escaped(file));
  };
  const std::vector<Table> tables = tables_of(event);
  EventArchive archive{
      .files = files_of(tables, link, modified), .tables = tables.size(), .records = records.size(), .missing = {}};
  for (const auto& [place, fact] : event.decisions()) {
    const auto* result = std::get_if<core::tournament::GameResult>(&fact.decision);
    if (result != nullptr && !result->record.empty() && link(result->record).empty()) {
      archive.missing.push_back(result->record);
    }
  }
  std::ranges::move(records, std::back_inserter(archive.files));
  return archive;
}

}  // namespace fuhyo::app
