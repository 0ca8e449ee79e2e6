#include "server/core/tournaments/running_event.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engines/shogi/number.h"
#include "server/core/tournament/pairing.h"
#include "server/core/tournament/settings.h"
#include "server/csa/game_name.h"

namespace fuhyo::core {
namespace {

using namespace tournament;

// The times of the name are those of Black, where the colours differ.
std::string name_of_games(const Event& event, const TimeRule& time) {
  if (time.increment_s > 0) return fmt::format("{}-{}-{}F", event.name, time.total_s, time.increment_s);
  return fmt::format("{}-{}-{}", event.name, time.total_s, time.byoyomi_s);
}

// What is wrong with how a division is to be played here; empty: nothing.
std::string cannot_play(const Event& event, const DivisionSettings& settings, std::size_t max_identifier) {
  const std::string name = name_of_games(event, settings.time[0]);
  if (!csa::parse_game_name(name, max_identifier)) return fmt::format("'{}' is no game name", name);
  return {};
}

// "3.2.1.2"
std::optional<std::vector<int>> numbers_of(std::string_view text) {
  std::vector<int> numbers;
  while (true) {
    const std::size_t dot = text.find('.');
    const std::string_view word = text.substr(0, dot);
    const auto number = shogi::number_of<int>(word);
    if (!number || *number < 1) return std::nullopt;
    numbers.push_back(*number);
    if (dot == text.npos) return numbers;
    text.remove_prefix(dot + 1);
  }
}

Wall later(Wall at, std::int32_t seconds) { return Wall{at.us + seconds * kSecond}; }

}  // namespace

std::expected<Event, std::string> read_stored_event(std::string_view text, std::size_t max_identifier) {
  const auto settings = parse_settings(text);
  if (!settings) return std::unexpected(settings.error());
  auto event = read_event(*settings);
  if (!event) {
    const Problem& first = event.error().front();
    const std::string more = event.error().size() > 1 ? fmt::format(" (and {} more)", event.error().size() - 1) : "";
    return std::unexpected(fmt::format("line {}: {}{}", first.line, first.text, more));
  }
  if (event->name == "floodgate" || event->name.starts_with("buoy_")) {
    return std::unexpected(fmt::format("games called {} are something else", event->name));
  }
  for (const Stage& stage : event->stages) {
    for (const Division& division : stage.divisions) {
      if (std::string why = cannot_play(*event, division.settings, max_identifier); !why.empty()) {
        return std::unexpected(fmt::format("{}/{}: {}", stage.name, division.name, why));
      }
    }
  }
  return std::move(*event);
}

// ---- facts ----

const std::string* event_of(const Fact& fact) {
  if (const auto* set = std::get_if<TournamentSet>(&fact)) return &set->name;
  if (const auto* phase = std::get_if<TournamentPhaseSet>(&fact)) return &phase->event;
  if (const auto* decided = std::get_if<TournamentDecided>(&fact)) return &decided->event;
  if (const auto* deleted = std::get_if<TournamentDeleted>(&fact)) return &deleted->event;
  return nullptr;
}

void RunningEvent::keep(const Fact& fact) {
  if (const auto* set = std::get_if<TournamentSet>(&fact)) keep(*set);
  if (const auto* phase = std::get_if<TournamentPhaseSet>(&fact)) keep(*phase);
  if (const auto* decided = std::get_if<TournamentDecided>(&fact)) keep(*decided);
}

void RunningEvent::keep(const TournamentSet& fact) { told_ = fact; }

void RunningEvent::keep(const TournamentPhaseSet& fact) { phase_ = fact; }

void RunningEvent::keep(const TournamentDecided& fact) {
  const auto [place, is_new] = place_of_.try_emplace(key_of(fact.decision), 0);
  if (!is_new) decisions_.erase(place->second);
  if (fact.taken_back) {
    place_of_.erase(place);
    return settle();
  }
  place->second = ++taken_;
  decisions_.emplace(taken_, fact);
  fold(fact);
}

void RunningEvent::fold(const TournamentDecided& fact) {
  stage_.reset();
  tables.clear();
  state_.apply(fact.decision);
  const auto at = [&](DivisionKey division) {
    Wall& newest = ready_[division];
    newest = std::max(newest, fact.at);
  };
  if (const auto* formed = std::get_if<DivisionFormed>(&fact.decision)) at(formed->division);
  if (const auto* result = std::get_if<GameResult>(&fact.decision)) at(result->game.division);
  if (const auto* round = std::get_if<RoundPaired>(&fact.decision)) {
    at(round->division);
    starts_[{round->division, round->round}] = fact.starts;
  }
}

void RunningEvent::settle() {
  stage_.reset();
  tables.clear();
  auto event = read_stored_event(told_.text, max_identifier_);
  fault_ = event ? std::string() : event.error();
  event_ = event ? std::move(*event) : Event{};
  state_ = EventState(event_);
  starts_.clear();
  ready_.clear();
  // The order of entries is one of seeds, whatever was changed about them since.
  std::vector<const TournamentDecided*> entries;
  for (const auto& [place, fact] : decisions_) {
    if (std::holds_alternative<Entered>(fact.decision)) entries.push_back(&fact);
  }
  std::ranges::sort(entries, {}, &TournamentDecided::number);
  for (const TournamentDecided* fact : entries) state_.apply(fact->decision);
  for (const auto& [place, fact] : decisions_) {
    if (!std::holds_alternative<Entered>(fact.decision)) fold(fact);
  }
}

std::int64_t RunningEvent::number_of(const Decision& decision) const {
  const auto* entered = std::get_if<Entered>(&decision);
  if (entered == nullptr) return 0;
  std::int64_t last = 0;
  for (const auto& [place, fact] : decisions_) {
    const auto* each = std::get_if<Entered>(&fact.decision);
    if (each == nullptr) continue;
    if (each->entrant.player == entered->entrant.player) return fact.number;
    last = std::max(last, fact.number);
  }
  return last + 1;
}

// ---- how far it has come ----

std::vector<DivisionKey> RunningEvent::divisions(int stage) const {
  std::vector<DivisionKey> keys;
  const auto count = static_cast<int>(event_.stages[static_cast<std::size_t>(stage)].divisions.size());
  for (int division = 0; division < count; ++division) keys.push_back({stage, division});
  return keys;
}

bool RunningEvent::is_over(int stage) const {
  return std::ranges::all_of(divisions(stage),
                             [this](DivisionKey key) { return tournament::is_over(event_, state_, key); });
}

int RunningEvent::stage() const {
  if (!stage_) stage_ = first_open_stage();
  return *stage_;
}

int RunningEvent::first_open_stage() const {
  const auto last = static_cast<int>(event_.stages.size()) - 1;
  for (int stage = 0; stage < last; ++stage) {
    if (!is_over(stage)) return stage;
  }
  return std::max(last, 0);
}

bool RunningEvent::has_begun() const {
  return std::ranges::any_of(
      decisions_, [](const auto& entry) { return std::holds_alternative<DivisionFormed>(entry.second.decision); });
}

Wall RunningEvent::starts(DivisionKey division, int round) const {
  const auto found = starts_.find({division, round});
  return found == starts_.end() ? Wall{} : found->second;
}

Wall RunningEvent::ready(DivisionKey division) const {
  const auto found = ready_.find(division);
  return found == ready_.end() ? Wall{} : found->second;
}

Wall RunningEvent::next_start(DivisionKey division, const Ledger& ledger, const TimeZone& zone) const {
  const Timetable& times = ledger.settings->timetable;
  const Wall ready_at = std::max(ready(division), phase_.at);
  const Wall told = later(ready_at, times.countdown_s);
  const auto round = static_cast<std::size_t>(ledger.rounds);
  if (round < times.starts.size()) return std::max(told, wall_at_local(times.starts[round], zone));
  const bool first = round == 0 && division.stage == 0;
  return first ? told : std::max(told, later(ready_at, times.gap_s));
}

// ---- names ----

std::string RunningEvent::division_text(DivisionKey key) const {
  return event_.stages[static_cast<std::size_t>(key.stage)].divisions[static_cast<std::size_t>(key.division)].name;
}

std::string RunningEvent::game_text(const GameKey& key) const {
  std::string text;
  if (key.division.stage != stage()) {
    text = event_.stages[static_cast<std::size_t>(key.division.stage)].name + "/" + division_text(key.division) + "/";
  } else if (divisions(key.division.stage).size() > 1) {
    text = division_text(key.division) + "/";
  }
  text += fmt::format("{}.{}", key.round, key.board);
  if (key.game > 1 || key.attempt > 1) text += fmt::format(".{}", key.game);
  if (key.attempt > 1) text += fmt::format(".{}", key.attempt);
  return text;
}

std::expected<DivisionKey, std::string> RunningEvent::read_division(std::string_view text) const {
  int place = stage();
  if (const std::size_t slash = text.find('/'); slash != text.npos) {
    const auto found = std::ranges::find(event_.stages, text.substr(0, slash), &Stage::name);
    if (found == event_.stages.end()) {
      return std::unexpected(fmt::format("there is no stage '{}'", text.substr(0, slash)));
    }
    place = static_cast<int>(found - event_.stages.begin());
    text.remove_prefix(slash + 1);
  }
  const auto& all = event_.stages[static_cast<std::size_t>(place)].divisions;
  if (text.empty() && all.size() == 1) return DivisionKey{place, 0};
  const auto found = std::ranges::find(all, text, &Division::name);
  if (found != all.end()) return DivisionKey{place, static_cast<int>(found - all.begin())};
  std::vector<std::string_view> names;
  for (const Division& division : all) names.emplace_back(division.name);
  return std::unexpected(text.empty() ? fmt::format("which of {}?", fmt::join(names, ", "))
                                      : fmt::format("'{}' is none of {}", text, fmt::join(names, ", ")));
}

std::expected<GameKey, std::string> RunningEvent::read_game(std::string_view text) const {
  const std::size_t slash = text.rfind('/');
  const auto division = read_division(slash == text.npos ? std::string_view{} : text.substr(0, slash));
  if (!division) return std::unexpected(division.error());
  const auto numbers = numbers_of(slash == text.npos ? text : text.substr(slash + 1));
  if (!numbers || numbers->size() < 2 || numbers->size() > 4) {
    return std::unexpected(fmt::format("'{}' is no game: ROUND.BOARD, as 3.2", text));
  }
  GameKey key{.division = *division, .round = (*numbers)[0], .board = (*numbers)[1]};
  const DivisionState& decided = state_.division(*division);
  const auto round = decided.rounds.find(key.round);
  if (round == decided.rounds.end() || static_cast<std::size_t>(key.board) > round->second.pairings.size()) {
    return std::unexpected(fmt::format("there is no game {}", text));
  }
  if (numbers->size() > 2) key.game = (*numbers)[2];
  if (numbers->size() > 3) {
    key.attempt = (*numbers)[3];
    return key;
  }
  const Ledger now = ledger(*division);
  const auto is_here = [&](const GameKey& other) {
    return other.round == key.round && other.board == key.board && (numbers->size() < 3 || other.game == key.game);
  };
  const auto due = std::ranges::find_if(now.due, is_here, &DueGame::game);
  if (due != now.due.end()) return due->game;
  for (const auto& [each, result] : decided.results) {
    if (is_here(each)) key = std::max(key, each);
  }
  return key;
}

std::string RunningEvent::game_name(DivisionKey division) const {
  return name_of_games(event_, settings(division).time[0]);
}

}  // namespace fuhyo::core
