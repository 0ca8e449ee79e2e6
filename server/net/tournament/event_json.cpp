#include "server/net/tournament/event_json.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>

#include <boost/json.hpp>

#include "server/core/tournament/explain.h"
#include "server/core/tournament/pairing.h"
#include "server/core/tournament/tables.h"
#include "server/csa/game_name.h"
#include "server/net/json_parts.h"
#include "server/net/tournament/table_object.h"

namespace fuhyo::net {
namespace {

using namespace core::tournament;
using core::RunningEvent;
using core::Wall;
using core::tournament::to_string;  // not hidden by the one of addresses
namespace json = boost::json;

constexpr std::size_t kAnyIdentifier = 1024;

json::value text_or_none(std::string_view text) {
  if (text.empty()) return nullptr;
  return clean(text);
}

json::object title_or_none(const Title& title) {
  return {{"ja", text_or_none(title.ja)}, {"en", text_or_none(title.en)}};
}

json::value number_or_none(int number) { return number == 0 ? json::value(nullptr) : json::value(number); }

json::value time_or_none(std::optional<Wall> at) {
  if (!at || at->us == 0) return nullptr;
  return ms(*at);
}

// Of a start only the newest phase is known, and it may be one that is not shown yet.
core::TournamentPhase phase_of(const RunningEvent& event) {
  const bool untold = event.phase() == core::TournamentPhase::announced && event.has_begun();
  return untold ? core::TournamentPhase::running : event.phase();
}

// ---- a division ----

class DivisionWriter {
 public:
  DivisionWriter(const core::EventView::Shown& shown, DivisionKey key, const EventPresence& presence,
                 const core::TimeZone& zone)
      : event_(shown.event),
        key_(key),
        presence_(presence),
        zone_(zone),
        division_(event_.event()
                      .stages[static_cast<std::size_t>(key.stage)]
                      .divisions[static_cast<std::size_t>(key.division)]),
        state_(event_.state().division(key)),
        ledger_(event_.ledger(key)) {}

  // How far it has come.
  json::object row() const {
    const int round = ledger_.rounds;
    return {{"name", clean(division_.name)},
            {"title", title_or_none(division_.title)},
            {"format", to_string(division_.settings.format)},
            {"members", ledger_.rows.size()},
            {"round", round},
            {"rounds", number_or_none(rounds_of(division_.settings, ledger_.rows.size()))},
            {"final", is_over(event_.event(), event_.state(), key_)},
            {"round_at_ms", time_or_none(round == 0 ? std::nullopt : std::optional(event_.starts(key_, round)))},
            {"next_at_ms", time_or_none(next())}};
  }

  json::object whole() const {
    json::object out = row();
    const auto& [black_time, white_time] = division_.settings.time;
    out["time"] = time_json(black_time);
    out["white_time"] = white_time == black_time ? json::value(nullptr) : json::value(time_json(white_time));
    out["declaration"] = to_string(division_.settings.declaration);
    out["rules"] = to_string(division_.settings.rulebook);
    json::array starts;
    for (const std::int64_t local_s : division_.settings.timetable.starts) {
      starts.emplace_back(ms(core::wall_at_local(local_s, zone_)));
    }
    out["starts_at_ms"] = std::move(starts);
    json::array rounds;
    for (const auto& [number, round] : state_.rounds) rounds.push_back(this->round(round));
    out["timetable"] = std::move(rounds);
    out["table"] = state_.members.empty() ? json::value(nullptr)
                                          : json::value(table_object(table_of(event_.event(), event_.state(), key_)));
    return out;
  }

 private:
  // When the round begins that comes after all that are paired, as far as that is known.
  std::optional<Wall> next() const {
    const core::TournamentPhase phase = phase_of(event_);
    if (phase == core::TournamentPhase::paused || phase == core::TournamentPhase::over) return std::nullopt;
    if (ledger_.pending() || is_over(event_.event(), event_.state(), key_)) return std::nullopt;
    const auto& starts = division_.settings.timetable.starts;
    const bool planned = static_cast<std::size_t>(ledger_.rounds) < starts.size();
    const bool waits = phase == core::TournamentPhase::announced || key_.stage != event_.stage();
    if (waits && !planned) return std::nullopt;
    return event_.next_start(key_, ledger_, zone_);
  }

  std::string text_of(const GameKey& key) const {
    std::string text = fmt::format("{}.{}", key.round, key.board);
    if (key.game > 1 || key.attempt > 1) text += fmt::format(".{}", key.game);
    if (key.attempt > 1) text += fmt::format(".{}", key.attempt);
    return text;
  }

  json::object game(const GameKey& key, const PlayerId& black, const PlayerId& white, int position) const {
    const auto playing = presence_.playing.find(key);
    const bool plays = playing != presence_.playing.end();
    const auto place = static_cast<std::size_t>(position);
    const bool designated = place >= 1 && place <= division_.settings.positions.size();
    return {{"game", text_of(key)},
            {"board", key.board},
            {"black", clean(black)},
            {"white", clean(white)},
            {"position", designated ? text_or_none(division_.settings.positions[place - 1].title) : nullptr},
            {"state", plays ? "playing" : "waiting"},
            {"outcome", nullptr},
            {"how", nullptr},
            {"end", nullptr},
            {"plies", nullptr},
            {"record", nullptr},
            {"id", plays ? json::value(core::value(playing->second)) : json::value(nullptr)}};
  }

  json::object over(const GameResult& result, int position) const {
    json::object out = game(result.game, result.black, result.white, position);
    out["state"] = "over";
    out["outcome"] = outcome_name(result.outcome);
    out["how"] = to_string(result.how);
    if (result.end) out["end"] = core::summary_type(*result.end);
    if (result.how != How::forfeit) out["plies"] = result.plies;
    out["record"] = text_or_none(result.record);
    if (result.id != core::GameId{}) out["id"] = core::value(result.id);
    return out;
  }

  json::object round(const RoundPaired& round) const {
    const auto position = [&](const GameKey& key) {
      const auto board = static_cast<std::size_t>(key.board);
      return board <= round.pairings.size() ? round.pairings[board - 1].position : 0;
    };
    std::map<GameKey, json::object> by_key;
    const auto first = state_.results.lower_bound(GameKey{key_, round.round, 0, 0, 0});
    for (auto it = first; it != state_.results.end() && it->first.round == round.round; ++it) {
      by_key.emplace(it->first, over(it->second, position(it->first)));
    }
    for (const DueGame& due : ledger_.due) {
      if (due.game.round == round.round) by_key.emplace(due.game, game(due.game, due.black, due.white, due.position));
    }
    json::array games, byes;
    for (auto& [key, one] : by_key) games.push_back(std::move(one));
    for (const Bye& bye : round.byes) {
      const std::string_view kind = bye.kind == ByeKind::rest ? "rest" : bye.kind == ByeKind::bye ? "bye" : "walkover";
      byes.push_back(
          json::object{{"player", clean(bye.player)}, {"kind", kind}, {"opponent", text_or_none(bye.instead_of)}});
    }
    return {{"number", round.round},
            {"at_ms", time_or_none(event_.starts(key_, round.round))},
            {"games", std::move(games)},
            {"byes", std::move(byes)}};
  }

  const RunningEvent& event_;
  DivisionKey key_;
  const EventPresence& presence_;
  const core::TimeZone& zone_;
  const Division& division_;
  const DivisionState& state_;
  Ledger ledger_;
};

// ---- entrants ----

json::array texts_of(const std::vector<std::string>& texts) {
  json::array list;
  for (const std::string& text : texts) list.emplace_back(clean(text));
  return list;
}

json::array entrants_json(const core::EventView::Shown& shown, const EventPresence& presence) {
  const EventState& state = shown.event.state();
  std::map<std::string_view, core::GameId> plays;
  for (const DivisionKey division : shown.event.divisions(shown.event.stage())) {
    for (const DueGame& due : shown.event.ledger(division).due) {
      const auto found = presence.playing.find(due.game);
      if (found == presence.playing.end()) continue;
      if (const Entrant* black = state.entrant(due.black)) plays[black->player] = found->second;
      if (const Entrant* white = state.entrant(due.white)) plays[white->player] = found->second;
    }
  }
  json::array list;
  for (const Entrant& entrant : state.entrants()) {
    const auto playing = plays.find(entrant.player);
    std::string_view where;
    if (presence.known) where = presence.waiting.contains(entrant.player) ? "waits" : "away";
    if (playing != plays.end()) where = "plays";
    if (state.left(entrant.player)) where = "left";
    list.push_back(json::object{{"player", clean(entrant.player)},
                                {"title", title_or_none(entrant.title)},
                                {"seed", number_or_none(entrant.seed)},
                                {"rate", number_or_none(entrant.rate)},
                                {"groups", texts_of(entrant.groups)},
                                {"stage", entrant.stage},
                                {"state", text_or_none(where)}});
  }
  return list;
}

json::array lines_of(std::string_view text) {
  json::array lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.emplace_back(clean(text.substr(0, end)));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

json::object explained(const RunningEvent& event, const core::TimeZone& zone) {
  const std::size_t entered = event.state().entrants().size();
  const std::size_t entrants = entered < 2 ? event.event().entry.most : entered;
  return {{"ja", lines_of(explain(event.event(), entrants, Language::ja, zone))},
          {"en", lines_of(explain(event.event(), entrants, Language::en, zone))}};
}

}  // namespace

EventPresence presence_of(const core::EventView::Shown& shown, const std::map<core::GameId, core::LiveGame>& games,
                          const std::vector<core::Waiter>* lobby) {
  EventPresence presence;
  for (const auto& [key, id] : shown.event.games) {
    const auto game = games.find(id);
    if (game != games.end() && !game->second.ended) presence.playing.emplace(key, id);
  }
  presence.known = lobby != nullptr;
  if (lobby == nullptr) return presence;
  for (const core::Waiter& waiter : *lobby) {
    if (!waiter.game_name.starts_with(shown.event.name())) continue;
    const auto name = csa::parse_game_name(waiter.game_name, kAnyIdentifier);
    if (name && name->identifier == shown.event.name() && shown.event.state().entrant(waiter.name) != nullptr) {
      presence.waiting.insert(waiter.name);
    }
  }
  return presence;
}

bool is_shown(const core::EventView::Shown& shown) { return shown.event.fault().empty(); }

std::string event_row_json(const core::EventView::Shown& shown, const EventPresence& presence,
                           const core::TimeZone& zone) {
  const RunningEvent& event = shown.event;
  const Stage& stage = event.event().stages[static_cast<std::size_t>(event.stage())];
  json::array divisions;
  for (const DivisionKey key : event.divisions(event.stage())) {
    divisions.push_back(DivisionWriter(shown, key, presence, zone).row());
  }
  return json::serialize(json::object{{"name", clean(event.name())},
                                      {"title", title_or_none(event.event().title)},
                                      {"phase", core::to_string(phase_of(event))},
                                      {"stage", json::object{{"number", event.stage() + 1},
                                                             {"of", event.event().stages.size()},
                                                             {"name", clean(stage.name)},
                                                             {"title", title_or_none(stage.title)}}},
                                      {"divisions", std::move(divisions)},
                                      {"entrants", event.state().entrants().size()},
                                      {"playing", presence.playing.size()}});
}

std::string event_keys_json(const core::EventView::Shown& shown, const EventPresence& presence,
                            const core::TimeZone& zone) {
  const RunningEvent& event = shown.event;
  json::array stages;
  for (std::size_t place = 0; place < event.event().stages.size(); ++place) {
    const Stage& stage = event.event().stages[place];
    json::array divisions;
    for (const DivisionKey key : event.divisions(static_cast<int>(place))) {
      divisions.push_back(DivisionWriter(shown, key, presence, zone).whole());
    }
    stages.push_back(json::object{
        {"name", clean(stage.name)}, {"title", title_or_none(stage.title)}, {"divisions", std::move(divisions)}});
  }
  json::array apart;
  for (const auto& players : event.event().apart) apart.push_back(texts_of(players));
  const EntryRules& entry = event.event().entry;
  std::string text = json::serialize(json::object{
      {"name", clean(event.name())},
      {"title", title_or_none(event.event().title)},
      {"phase", core::to_string(phase_of(event))},
      {"games", clean(event.name() + "-*")},
      {"explained", explained(event, zone)},
      {"entry",
       json::object{{"open", entry.open}, {"most", entry.most}, {"late_until", number_or_none(entry.late_until)}}},
      {"entrants", entrants_json(shown, presence)},
      {"apart", std::move(apart)},
      {"stage", event.stage() + 1},
      {"stages", std::move(stages)}});
  return text.substr(1, text.size() - 2);
}

}  // namespace fuhyo::net
