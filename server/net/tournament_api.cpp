#include "server/net/tournament_api.h"

#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <optional>
#include <utility>

#include "server/core/tournament/tables.h"
#include "server/net/json_parts.h"
#include "server/net/query.h"
#include "server/net/tournament/tables.h"
#include "server/net/web_json.h"

namespace fuhyo::net {
namespace {

using core::tournament::DivisionKey;
using core::tournament::Language;
using core::tournament::Table;
using core::tournament::View;

constexpr std::string_view kList = "/api/v1/tournaments", kOne = "/api/v1/tournaments/", kTables = "/tables.";

EventReply refusal(unsigned status, std::string_view why) {
  return {.status = status, .content_type = "application/json", .body = error_json(why), .etag = {}, .file_name = {}};
}
EventReply no_event() { return refusal(404, "there is no such event"); }

// What is cached is all but the time.
std::string with_time(core::Wall now, std::string_view keys) {
  return fmt::format("{{\"v\":{},\"now_ms\":{},{}}}", kJsonVersion, ms(now), keys);
}

std::string_view content_type_of(std::string_view extension) {
  if (extension == "csv") return "text/csv; charset=utf-8; header=present";
  if (extension == "html") return "text/html; charset=utf-8";
  if (extension == "txt") return "text/plain; charset=utf-8";
  return {};
}

// Weak: the time of the answer is not in it.
std::string tag_of(const std::string& text) { return fmt::format("W/\"{:016x}\"", std::hash<std::string>{}(text)); }

struct Wanted {
  std::vector<DivisionKey> divisions;
  Language language = Language::en;
  std::optional<View> view;  // nothing: the usual one of the format
};

std::vector<DivisionKey> formed_in(const core::RunningEvent& event) {
  std::vector<DivisionKey> formed;
  for (std::size_t stage = 0; stage < event.event().stages.size(); ++stage) {
    for (const DivisionKey key : event.divisions(static_cast<int>(stage))) {
      if (event.state().is_formed(key)) formed.push_back(key);
    }
  }
  return formed;
}

// A page holds all tables, the other files one.
Wanted wanted_of(const core::RunningEvent& event, bool is_page, Query& query) {
  Wanted wanted;
  const std::string division = query.text("division"), language = query.text("lang"), view = query.text("view");
  if (language == "ja") wanted.language = Language::ja;
  if (!language.empty() && language != "ja" && language != "en") query.refuse("lang", "ja or en");
  if (view == "rounds") wanted.view = View::rounds;
  if (view == "cross") wanted.view = View::cross;
  if (!view.empty() && !wanted.view) query.refuse("view", "rounds or cross");
  if (division.empty() && is_page) {
    wanted.divisions = formed_in(event);
  } else if (const auto key = event.read_division(division)) {
    wanted.divisions = {*key};
  } else {
    query.refuse("division", key.error());
  }
  return wanted;
}

std::string file_of(std::string_view extension, const std::vector<Table>& tables, const Wanted& wanted) {
  if (extension == "html") return tables_html(tables, wanted.language, "");
  const Table& table = tables.front();
  const View view = wanted.view.value_or(usual_view(table.format));
  return extension == "csv" ? table_csv(table, view, wanted.language) : table_text(table, view, wanted.language);
}

}  // namespace

bool TournamentApi::takes(std::string_view path) { return path == kList || path.starts_with(kOne); }

template <class Make>
const TournamentApi::Kept& TournamentApi::kept(const std::string& key, std::uint64_t revision, EventPresence presence,
                                               Make make) {
  const auto found = kept_.find(key);
  if (found != kept_.end() && found->second.revision == revision && found->second.presence == presence) {
    return found->second;
  }
  if (found != kept_.end()) {
    kept_bytes_ -= found->second.text.size();
    kept_.erase(found);
  }
  Kept fresh{.revision = revision, .presence = std::move(presence), .text = {}, .etag = {}};
  fresh.text = make(fresh.presence);
  fresh.etag = tag_of(fresh.text);
  if (kept_.size() >= kMostKept || kept_bytes_ + fresh.text.size() > kMostKeptBytes) {
    kept_.clear();
    kept_bytes_ = 0;
  }
  kept_bytes_ += fresh.text.size();
  return kept_.emplace(key, std::move(fresh)).first->second;
}

EventReply TournamentApi::reply_to(std::string_view path, std::string_view query, const Feed& feed,
                                   const std::vector<core::Waiter>* lobby, core::Wall now) {
  const bool is_list = path == kList;
  std::string_view name = is_list ? std::string_view{} : path.substr(kOne.size());
  std::string_view extension;
  if (const std::size_t at = name.find(kTables); at != name.npos) {
    extension = name.substr(at + kTables.size());
    name = name.substr(0, at);
    if (content_type_of(extension).empty()) return refusal(404, "tables are csv, html or txt");
  }
  const core::EventView::Shown* shown = is_list ? nullptr : feed.events().find(name);
  if (!is_list && (shown == nullptr || !is_shown(*shown))) return no_event();
  if (!extension.empty()) return tables(*shown, extension, query);
  if (auto fault = Query(query).fault()) return refusal(400, *fault);
  return is_list ? list(feed, now) : one(*shown, feed, lobby, now);
}

// Who waits is not in it.
EventReply TournamentApi::list(const Feed& feed, core::Wall now) {
  std::string rows;
  for (const auto& [name, shown] : feed.events().all()) {
    if (!is_shown(shown)) continue;
    const auto make = [&](const EventPresence& here) { return event_row_json(shown, here, zone_); };
    if (!rows.empty()) rows += ',';
    rows += kept("list " + name, shown.revision, presence_of(shown, feed.games(), nullptr), make).text;
  }
  const std::string keys = fmt::format("\"tournaments\":[{}]", rows);
  return {.content_type = "application/json", .body = with_time(now, keys), .etag = tag_of(keys), .file_name = {}};
}

EventReply TournamentApi::one(const core::EventView::Shown& shown, const Feed& feed,
                              const std::vector<core::Waiter>* lobby, core::Wall now) {
  const auto make = [&](const EventPresence& here) { return event_keys_json(shown, here, zone_); };
  const Kept& whole = kept("one " + shown.event.name(), shown.revision, presence_of(shown, feed.games(), lobby), make);
  return {.content_type = "application/json", .body = with_time(now, whole.text), .etag = whole.etag, .file_name = {}};
}

EventReply TournamentApi::tables(const core::EventView::Shown& shown, std::string_view extension,
                                 std::string_view text) {
  const core::RunningEvent& event = shown.event;
  Query query(text);
  const Wanted wanted = wanted_of(event, extension == "html", query);
  if (auto fault = query.fault()) return refusal(400, *fault);
  const auto is_formed = [&](DivisionKey key) { return event.state().is_formed(key); };
  if (wanted.divisions.empty() || !std::ranges::all_of(wanted.divisions, is_formed)) {
    return refusal(404, "the division has no members yet");
  }
  const auto make = [&](const EventPresence&) {
    std::vector<Table> tables;
    for (const DivisionKey key : wanted.divisions) tables.push_back(table_of(event.event(), event.state(), key));
    return file_of(extension, tables, wanted);
  };
  const DivisionKey first = wanted.divisions.front();
  const std::string what =
      fmt::format("{} {} {}/{} {} {} {}", extension, event.name(), first.stage, first.division, wanted.divisions.size(),
                  static_cast<int>(wanted.language), wanted.view ? static_cast<int>(*wanted.view) : -1);
  const Kept& file = kept(what, shown.revision, {}, make);
  return {.content_type = std::string(content_type_of(extension)),
          .body = file.text,
          .etag = file.etag,
          .file_name = fmt::format("{}.{}", event.name(), extension)};
}

}  // namespace fuhyo::net
