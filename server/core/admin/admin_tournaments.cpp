// The commands about events: what is told of them, and what their host decides. Every decision is checked first; what
// is doubtful about it is told, and done all the same.
#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <made/admin_answers.h>

#include "server/core/admin/admin_commands.h"
#include "server/core/counted.h"
#include "server/core/tournament/pairing.h"
#include "server/core/tournament/settings.h"
#include "server/core/tournament/tables.h"

namespace fuhyo::core {
namespace {

using namespace tournament;

constexpr std::string_view kRematches = "rematches";

std::string shown(auto answer) { return std::string(core::to_string(answer)); }

std::string with_doubts(std::string text, std::string_view doubts) {
  return doubts.empty() ? text : fmt::format("{}; doubtful: {}", text, doubts);
}

EventPhase phase_of(const RunningEvent& event) {
  if (!event.fault().empty()) return EventPhase::cannot_be_held;
  switch (event.phase()) {
    case TournamentPhase::announced:
      return EventPhase::announced;
    case TournamentPhase::running:
      return EventPhase::running;
    case TournamentPhase::paused:
      return EventPhase::paused;
    case TournamentPhase::over:
      return EventPhase::over;
  }
  return EventPhase::over;
}

std::string_view title_of(const Title& title, std::string_view otherwise) {
  const std::string& text = title.in(Language::en);
  return text.empty() ? otherwise : std::string_view(text);
}

// "lab,club": of an entrant; empty: none.
std::vector<std::string> groups_of(std::string_view text) {
  std::vector<std::string> groups;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(','), text.size());
    groups.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return groups;
}

// What became of one attempt of a game.
std::string result_text(const GameResult& result) {
  std::string text;
  switch (result.outcome) {
    case Outcome::black_wins:
      text = "black wins";
      break;
    case Outcome::white_wins:
      text = "white wins";
      break;
    case Outcome::draw:
      text = "draw";
      break;
    case Outcome::none:
      text = result.how == How::forfeit ? "both lose" : "";
      break;
  }
  if (result.how == How::play) return fmt::format("{} ({})", text, result.end ? summary_type(*result.end) : "");
  return fmt::format("{}{}({})", text, text.empty() ? "" : " ", core::tournament::to_string(result.how));
}

// A position of a pairing made by hand: as it would have been by the rules, but drawn lots.
int position_of(const DivisionSettings& settings, int round, std::size_t board, std::size_t boards) {
  const std::size_t count = settings.positions.size();
  if (count == 0) return 0;
  const auto before = static_cast<std::size_t>(round - 1);
  const std::size_t place = settings.positions_by == PositionsBy::pairing ? before * boards + board : before;
  return static_cast<int>(place % count) + 1;
}

// What keeps an announced event from its first round; empty: nothing. Entries may still come up to a time of its own.
std::string lacks_players(const RunningEvent& event, const TimeZone& zone, Wall now) {
  floodgate::SeededDraws draws(0);  // only who is there is looked at
  for (const DivisionKey division : event.divisions(0)) {
    const auto formed = form_division(event.event(), event.state(), division, draws);
    if (formed || formed.error() != NotYet::too_few) continue;
    const std::vector<std::int64_t>& starts = event.settings(division).timetable.starts;
    if (event.event().entry.open && !starts.empty() && wall_at_local(starts.front(), zone) > now) continue;
    if (event.state().entrants().empty()) return fmt::format("{} has no entrants", event.name());
    const std::string part = event.divisions(0).size() > 1 ? event.division_text(division) + " of " : std::string();
    return fmt::format("{}{} has fewer than two players", part, event.name());
  }
  return {};
}

}  // namespace

RunningEvent* AdminCommands::event(AdminResult& refusal) {
  const std::string_view name = words.next();
  RunningEvent* found = core.tournaments.find(name);
  if (found == nullptr) {
    refusal = admin_refusal(name.empty() ? "which event?" : fmt::format("there is no event '{}'", name));
    return nullptr;
  }
  if (!found->fault().empty()) {
    refusal = admin_refusal(fmt::format("{} cannot be held: {}", name, found->fault()));
    return nullptr;
  }
  return found;
}

RunningEvent* AdminCommands::event(AdminResult& refusal, GameKey& game) {
  RunningEvent* found = event(refusal);
  if (found == nullptr) return nullptr;
  const auto key = found->read_game(words.next());
  if (!key) {
    refusal = admin_refusal(key.error());
    return nullptr;
  }
  game = *key;
  return found;
}

const RunningEvent* AdminCommands::seen_event(AdminResult& refusal) {
  const RunningEvent* found = event(refusal);
  return found == nullptr || caller.role != Role::player ? found : &core.tournaments.as_seen(*found);
}

core::GameSession* AdminCommands::open_game(const RunningEvent& event, const GameKey& game) {
  const auto open = event.games.find(game);
  return open == event.games.end() ? nullptr : core.games.find(open->second);
}

std::string AdminCommands::running_game(const RunningEvent& event, const GameKey& game) {
  const auto open = event.games.find(game);
  if (open == event.games.end()) return {};
  if (const core::GameSession* session = core.games.find(open->second)) {
    const GameOpened& opened = session->game.opened();
    const bool is_seen = caller.role != Role::player || !delay_of(core.monitors.delay_rules(), opened).hidden;
    return is_seen ? opened.csa_id : std::string();
  }
  const WatchedGame* late = core.monitors.find_delayed(open->second);  // it is over, and not yet shown to the end
  return late == nullptr ? std::string() : late->game.opened().csa_id;
}

// ---- what is told ----

AdminResult AdminCommands::tournaments() {
  AdminResult result{.ok = true,
                     .text = {},
                     .columns = {"event", "phase", "stage", "round", "entrants", "here", "playing", "title"},
                     .rows = {}};
  for (const auto& [name, held] : core.tournaments.all()) {
    if (!held.fault().empty()) {
      result.rows.push_back({name, shown(phase_of(held)), "", "", "", "", "", held.fault()});
      continue;
    }
    const RunningEvent& e = caller.role == Role::player ? core.tournaments.as_seen(held) : held;
    const auto runs = [&](const auto& game) { return !running_game(e, game.first).empty(); };
    const auto is_here = [&](const Entrant& entrant) { return core.tournaments.is_here(e, entrant.player); };
    const bool over = e.phase() == TournamentPhase::over;
    const auto here = over ? 0 : std::ranges::count_if(e.state().entrants(), is_here);
    std::vector<std::string> rounds;
    for (const DivisionKey division : e.divisions(e.stage())) {
      const auto& paired = e.state().division(division).rounds;
      rounds.push_back(fmt::format("{}", paired.empty() ? 0 : paired.rbegin()->first));
    }
    const auto all = static_cast<std::ptrdiff_t>(e.games.size());
    const auto playing = caller.role == Role::player ? std::ranges::count_if(e.games, runs) : all;
    const Stage& stage = e.event().stages[static_cast<std::size_t>(e.stage())];
    result.rows.push_back({name, shown(phase_of(e)), stage.name, fmt::format("{}", fmt::join(rounds, "/")),
                           fmt::format("{}", e.state().entrants().size()), fmt::format("{}", here),
                           fmt::format("{}", playing), std::string(title_of(e.event().title, ""))});
  }
  result.text = counted(result.rows.size(), "event");
  return result;
}

AdminResult AdminCommands::tournament() {
  AdminResult refusal;
  const RunningEvent* e = seen_event(refusal);
  if (e == nullptr) return refusal;
  const int stage = e->stage();
  std::vector<std::string> parts{fmt::format("{} is {}", e->name(), core::to_string(e->phase()))};
  for (const DivisionKey division : e->divisions(stage)) {
    const Ledger ledger = e->ledger(division);
    std::string text =
        fmt::format("{}/{}: ", e->event().stages[static_cast<std::size_t>(stage)].name, e->division_text(division));
    const int rounds = rounds_of(*ledger.settings, ledger.rows.size());
    text += ledger.rows.empty()
                ? "not formed"
                : fmt::format("round {} of {}, {}", ledger.rounds, rounds == 0 ? "any" : fmt::format("{}", rounds),
                              counted(ledger.rows.size(), "member"));
    const Wall starts = e->starts(division, ledger.rounds);
    if (ledger.pending() && starts > core.context.now.wall) {
      text += fmt::format(", begins at {}", core.context.local_time(starts));
    } else if (ledger.pending()) {
      text += fmt::format(", {} to come or running", counted(ledger.due.size(), "game"));
    } else if (is_over(e->event(), e->state(), division)) {
      text += ", all is played";
    } else if (e->phase() == TournamentPhase::running && !e->stuck.contains(division)) {
      text += fmt::format(", the next begins at {}",
                          core.context.local_time(e->next_start(division, ledger, core.context.rules.zone)));
    }
    if (const auto stuck = e->stuck.find(division); stuck != e->stuck.end()) {
      text += fmt::format(", waits for its host: {}", stuck->second);
    }
    parts.push_back(std::move(text));
  }
  AdminResult result{.ok = true,
                     .text = fmt::format("{}", fmt::join(parts, "; ")),
                     .columns = {"player", "title", "seed", "rate", "groups", "where"},
                     .rows = {}};
  const auto is_seen = [&](const GameKey& key) {
    return e->state().division(key.division).rounds.contains(key.round) && !running_game(*e, key).empty();
  };
  for (const Entrant& entrant : e->state().entrants()) {
    const bool away = e->state().left(entrant.player).has_value();
    const Session* s = core.sessions.find_name(entrant.player);
    const core::GameSession* session = s == nullptr ? nullptr : core.games.find(s->game);
    const bool held_back = s != nullptr && session == nullptr && core.tournaments.is_held_back(*e, entrant.player);
    std::string where = away        ? shown(EntrantPlace::withdrawn)
                        : held_back ? shown(EntrantPlace::waits_for_a_seat)
                        : core.tournaments.waits_for(*e, entrant.player) != nullptr ? shown(EntrantPlace::waits)
                        : s != nullptr                                              ? shown(EntrantPlace::elsewhere)
                                                                                    : "-";
    if (session != nullptr && session->event && session->event->event == e->name() && is_seen(session->event->key)) {
      where = fmt::format("plays {}", e->game_text(session->event->key));
    }
    result.rows.push_back({entrant.player, std::string(title_of(entrant.title, "")),
                           entrant.seed == 0 ? "" : fmt::format("{}", entrant.seed),
                           entrant.rate == 0 ? "" : fmt::format("{}", entrant.rate),
                           fmt::format("{}", fmt::join(entrant.groups, ",")), std::move(where)});
  }
  return result;
}

AdminResult AdminCommands::tournament_table() {
  AdminResult refusal;
  const RunningEvent* e = seen_event(refusal);
  if (e == nullptr) return refusal;
  std::string_view word = words.next();
  Language language = Language::en;
  if (word != "ja" && words.rest() == "ja") language = Language::ja;
  if (word == "ja") {
    language = Language::ja;
    word = {};
  }
  const auto division = e->read_division(word);
  if (!division) return admin_refusal(division.error());
  if (!e->state().is_formed(*division)) return admin_refusal("the division has no members yet");
  const std::string key = fmt::format("{}/{} {}", division->stage, division->division, static_cast<int>(language));
  const auto [text, is_new] = e->tables.try_emplace(key);
  if (is_new) {
    const tournament::Table table = table_of(e->event(), e->state(), *division);
    text->second = table_text(table, usual_view(table.format), language);
  }
  AdminResult result{.ok = true, .text = {}, .columns = {}, .rows = {}};
  for (std::string_view rest = text->second; !rest.empty();) {  // a row a line
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    result.rows.push_back({std::string(rest.substr(0, end))});
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return result;
}

AdminResult AdminCommands::tournament_pairings() {
  AdminResult refusal;
  const RunningEvent* e = seen_event(refusal);
  if (e == nullptr) return refusal;
  std::string_view word = words.next();
  std::string_view number = words.next();
  if (number.empty() && admin_number(word)) std::swap(word, number);
  const auto division = e->read_division(word);
  if (!division) return admin_refusal(division.error());
  const DivisionState& decided = e->state().division(*division);
  if (decided.rounds.empty()) return admin_refusal("no round is paired");
  const auto wanted = number.empty() ? decided.rounds.rbegin()->first : admin_number(number).value_or(0);
  const auto round = decided.rounds.find(static_cast<int>(wanted));
  if (round == decided.rounds.end()) return admin_refusal(fmt::format("round {} is not paired", number));
  AdminResult result{.ok = true, .text = {}, .columns = {"game", "black", "white", "result", "record"}, .rows = {}};
  const Ledger ledger = e->ledger(*division);
  for (const auto& [key, one] : decided.results) {
    if (key.round != round->first) continue;
    result.rows.push_back({e->game_text(key), one.black, one.white, result_text(one), one.record});
  }
  for (const DueGame& due : ledger.due) {
    if (due.game.round != round->first) continue;
    std::string record = running_game(*e, due.game);
    const PairingResult state = record.empty() ? PairingResult::to_come : PairingResult::playing;
    result.rows.push_back({e->game_text(due.game), due.black, due.white, shown(state), std::move(record)});
  }
  for (const Bye& bye : round->second.byes) {
    const PairingResult kind = bye.kind == ByeKind::rest  ? PairingResult::rest
                               : bye.kind == ByeKind::bye ? PairingResult::bye
                                                          : PairingResult::walkover;
    result.rows.push_back({"-", bye.player, bye.instead_of, shown(kind), ""});
  }
  const Wall starts = e->starts(*division, round->first);
  result.text = fmt::format("round {} of {}/{}, {} {}", round->first, e->name(), e->division_text(*division),
                            starts > core.context.now.wall ? "begins at" : "begun at", core.context.local_time(starts));
  return result;
}

// The decisions as the journal keeps them, field by field: a reader can fold the event from them.
AdminResult AdminCommands::tournament_export() {
  AdminResult refusal;
  RunningEvent* e = event(refusal);
  if (e == nullptr) return refusal;
  AdminResult result{.ok = true, .text = e->name(), .columns = {"kind", "version", "fields"}, .rows = {}};
  const auto row = [&](const Fact& fact) {
    const EncodedFact encoded = encode(fact);
    std::vector<std::string> cells{fmt::format("{}", encoded.kind), fmt::format("{}", encoded.version)};
    for (std::string_view rest = encoded.payload;;) {  // a field a cell: tabs do not get through everywhere
      const std::size_t tab = rest.find('\t');
      cells.emplace_back(rest.substr(0, tab));
      if (tab == rest.npos) break;
      rest.remove_prefix(tab + 1);
    }
    result.rows.push_back(std::move(cells));
  };
  row(e->told());
  row(e->phase_set());
  for (const auto& [place, fact] : e->decisions()) row(fact);
  return result;
}

// ---- its course ----

AdminResult AdminCommands::tournament_start() {
  AdminResult refusal;
  RunningEvent* e = event(refusal);
  if (e == nullptr) return refusal;
  why = words.rest();
  if (e->phase() == TournamentPhase::paused) return admin_refusal("it is paused: resume");
  if (e->phase() != TournamentPhase::running) {
    if (const std::string lacking = lacks_players(*e, core.context.rules.zone, core.context.now.wall);
        !lacking.empty()) {
      return admin_refusal(lacking);
    }
    core.tournaments.set_phase(*e, TournamentPhase::running, caller.who, why);
    return admin_done(fmt::format("{} runs", e->name()));
  }
  std::vector<std::string> begun;
  for (const DivisionKey division : e->divisions(e->stage())) {
    if (!e->state().is_formed(division) && !core.tournaments.form(*e, division, caller.who)) continue;
    const Ledger ledger = e->ledger(division);
    const auto& rounds = e->state().division(division).rounds;
    if (ledger.pending() && e->starts(division, ledger.rounds) > core.context.now.wall) {
      core.tournaments.begin_round(*e, rounds.rbegin()->second, caller.who, why, core.context.now.wall);
    } else if (ledger.pending() || !core.tournaments.pair_round(*e, division, caller.who, core.context.now.wall,
                                                                Rematches::as_settings_say)) {
      continue;
    }
    begun.push_back(fmt::format("{} of {}", e->ledger(division).rounds, e->division_text(division)));
  }
  if (begun.empty()) return admin_refusal("there is no round to begin: games run, or none is left");
  return admin_done(fmt::format("it begins: round {}", fmt::join(begun, ", ")));
}

AdminResult AdminCommands::tournament_pause() {
  AdminResult refusal;
  RunningEvent* e = event(refusal);
  if (e == nullptr) return refusal;
  if (e->phase() != TournamentPhase::running)
    return admin_refusal(fmt::format("it is {}", core::to_string(e->phase())));
  why = words.rest();
  core.tournaments.set_phase(*e, TournamentPhase::paused, caller.who, why);
  core.tournaments.hold_games(*e);
  return admin_done(fmt::format("{} is paused, and {} of it", e->name(), counted(e->games.size(), "game")));
}

AdminResult AdminCommands::tournament_resume() {
  AdminResult refusal;
  RunningEvent* e = event(refusal);
  if (e == nullptr) return refusal;
  if (e->phase() != TournamentPhase::paused) return admin_refusal("it is not paused");
  why = words.rest();
  core.tournaments.go_on(*e, caller, why);
  return admin_done(fmt::format("{} goes on, with {}", e->name(), counted(e->games.size(), "game")));
}

AdminResult AdminCommands::tournament_end() {
  AdminResult refusal;
  RunningEvent* e = event(refusal);
  if (e == nullptr) return refusal;
  if (e->phase() == TournamentPhase::over) return admin_refusal("it is over");
  why = words.rest();
  if (why.empty()) return admin_refusal("the end needs its reason");
  const bool paused = e->phase() == TournamentPhase::paused;
  core.tournaments.set_phase(*e, TournamentPhase::over, caller.who, why);
  return admin_done(fmt::format("{} is over; {}: {}", e->name(), counted(e->games.size(), "game"),
                                paused ? "paused, to be resumed or adjudicated" : "still played"));
}

// Also of an event that cannot be held.
AdminResult AdminCommands::tournament_delete() {
  const std::string name(words.next());
  const auto found = core.tournaments.all().find(name);
  if (found == core.tournaments.all().end()) {
    return admin_refusal(name.empty() ? "which event?" : fmt::format("there is no event '{}'", name));
  }
  const RunningEvent& e = found->second;
  const bool goes_on = e.phase() == TournamentPhase::running || e.phase() == TournamentPhase::paused;
  if (e.fault().empty() && goes_on) {
    return admin_refusal(fmt::format("{} is {}: end it first", name, core::to_string(e.phase())));
  }
  if (!e.games.empty()) {
    return admin_refusal(fmt::format("{} of {} not over: wait, or adjudicate", counted(e.games.size(), "game"), name));
  }
  why = words.rest();
  core.tournaments.delete_event(name, caller.who, why);
  return admin_done(fmt::format("{} is deleted; its games stay in the archive", name));
}

AdminResult AdminCommands::tournament_message() {
  AdminResult refusal;
  RunningEvent* e = event(refusal);
  if (e == nullptr) return refusal;
  const std::string text(words.rest());
  if (text.empty()) return admin_refusal("there is nothing to tell");
  std::size_t told = 0, deaf = 0;
  for (const Entrant& entrant : e->state().entrants()) {
    const Session* s = core.sessions.find_name(entrant.player);
    if (s == nullptr) continue;
    ++(s->x1 ? told : deaf);
    core.tournaments.tell_player(entrant.player, fmt::format("{}: {}", e->name(), text));
  }
  return admin_done(fmt::format("told {}; {} in CSA mode cannot be told", told, deaf));
}

// ---- pairings ----

AdminResult AdminCommands::tournament_pair() {
  AdminResult refusal;
  RunningEvent* e = event(refusal);
  if (e == nullptr) return refusal;
  if (e->phase() == TournamentPhase::over) return admin_refusal("it is over");
  AdminWords ahead = words;
  const std::string_view word = ahead.next();
  const bool named = !word.empty() && word.find(':') == word.npos && word != kRematches;
  const auto division = e->read_division(named ? word : std::string_view{});
  if (!division) return admin_refusal(division.error());
  if (named) words = ahead;
  ahead = words;
  const bool rematches = ahead.next() == kRematches && ahead.empty();
  if (!e->state().is_formed(*division) && !core.tournaments.form(*e, *division, caller.who)) {
    return admin_refusal(e->stuck[*division]);
  }
  if (!words.empty() && !rematches) return pair_by_hand(*e, *division);
  const Ledger ledger = e->ledger(*division);
  if (ledger.pending()) return admin_refusal(fmt::format("results of round {} are missing", ledger.rounds));
  const auto doubts = core.tournaments.pair_round(*e, *division, caller.who, core.context.now.wall,
                                                  rematches ? Rematches::allowed : Rematches::as_settings_say);
  if (!doubts) return admin_refusal(doubts.error());
  return admin_done(
      with_doubts(fmt::format("round {} of {} is paired", ledger.rounds + 1, e->division_text(*division)), *doubts));
}

// The rest of the words are the round: in place of the newest one where that has no result yet, else after it.
AdminResult AdminCommands::pair_by_hand(RunningEvent& e, DivisionKey division) {
  const Ledger ledger = e.ledger(division);
  const DivisionSettings& settings = *ledger.settings;
  const auto is_of_newest = [&](const GameKey& key) { return key.division == division && key.round == ledger.rounds; };
  const auto& results = e.state().division(division).results;
  const bool has_results = std::ranges::any_of(results, [&](const auto& entry) { return is_of_newest(entry.first); });
  const bool runs = std::ranges::any_of(e.games, [&](const auto& entry) { return is_of_newest(entry.first); });
  const bool replaces = ledger.rounds > 0 && !has_results && !runs;
  if (!replaces && ledger.pending()) return admin_refusal(fmt::format("games of round {} run", ledger.rounds));
  RoundPaired round{.division = division,
                    .round = replaces ? ledger.rounds : ledger.rounds + 1,
                    .pairings = {},
                    .byes = {},
                    .manual = true};
  for (std::string_view word = words.next(); !word.empty(); word = words.next()) {
    const std::size_t colon = word.find(':');
    if (colon == word.npos) return admin_refusal(fmt::format("'{}' is neither BLACK:WHITE nor bye:PLAYER", word));
    const std::string first(word.substr(0, colon)), second(word.substr(colon + 1));
    if (first == "bye") {
      round.byes.push_back({.player = second, .kind = ByeKind::bye, .instead_of = {}});
      continue;
    }
    round.pairings.push_back({.black = first,
                              .white = second,
                              .games = settings.games,
                              .position = position_of(settings, round.round, round.pairings.size(),
                                                      boards_of(settings, ledger.rows.size()))});
  }
  const auto doubts = check(e.event(), e.state(), round);
  if (!doubts) return admin_refusal(doubts.error());
  const Wall start = replaces ? e.starts(division, round.round) : core.context.now.wall;
  const int number = round.round;
  const std::string text = to_text(*doubts, Language::en);
  core.tournaments.begin_round(e, std::move(round), caller.who, text, start);
  return admin_done(
      with_doubts(fmt::format("round {} of {} is paired by hand", number, e.division_text(division)), text));
}

AdminResult AdminCommands::tournament_unpair() {
  AdminResult refusal;
  RunningEvent* e = event(refusal);
  if (e == nullptr) return refusal;
  // Else it would be paired again at once.
  if (e->phase() != TournamentPhase::paused) return admin_refusal("pause it first; to pair by hand, give the pairings");
  const std::string_view word = words.next();
  const auto division = e->read_division(word);
  if (!division) return admin_refusal(division.error());
  why = words.rest();
  const DivisionState& decided = e->state().division(*division);
  if (decided.rounds.empty()) return admin_refusal("no round is paired");
  const RoundPaired round = decided.rounds.rbegin()->second;
  if (const auto fine = check(e->event(), e->state(), round); !fine) return admin_refusal(fine.error());
  const auto is_of_it = [&](const auto& entry) {
    return entry.first.division == *division && entry.first.round == round.round;
  };
  if (std::ranges::any_of(e->games, is_of_it)) return admin_refusal("games of it run");
  TournamentDecided fact{.event = e->name(),
                         .decision = round,
                         .number = 0,
                         .starts = {},
                         .taken_back = true,
                         .by = caller.who,
                         .why = why,
                         .at = core.context.now.wall};
  e->keep(fact);
  core.context.append(std::move(fact));
  return admin_done(fmt::format("round {} of {} is not paired any more", round.round, e->division_text(*division)));
}

// ---- results ----

AdminResult AdminCommands::tournament_result() {
  AdminResult refusal;
  GameKey key;
  RunningEvent* e = event(refusal, key);
  if (e == nullptr) return refusal;
  const std::string_view verdict = words.next();
  const auto outcome = admin_verdict(verdict);
  if (!outcome) return admin_refusal("the result is one of black, white, draw, void");
  if (e->games.contains(key)) return admin_refusal("the game runs: adjudicate it");
  why = words.rest();
  const DivisionState& decided = e->state().division(key.division);
  const auto former = decided.results.find(key);
  const Ledger ledger = e->ledger(key.division);
  const auto due = std::ranges::find(ledger.due, key, &DueGame::game);
  GameResult result{.game = key, .outcome = *outcome, .end = {}, .record = {}};
  if (former != decided.results.end()) {
    result = former->second;
    result.outcome = *outcome;
  } else if (due != ledger.due.end()) {
    result.black = due->black;
    result.white = due->white;
  }
  result.how = *outcome == Outcome::none ? How::voided : How::adjudicated;
  if (const auto fine = check(e->event(), e->state(), result); !fine) return admin_refusal(fine.error());
  core.tournaments.count(*e, std::move(result), caller.who, why);
  return admin_done(fmt::format("game {}: {}", e->game_text(key), verdict));
}

AdminResult AdminCommands::tournament_adjudicate() {
  AdminResult refusal;
  GameKey key;
  RunningEvent* e = event(refusal, key);
  if (e == nullptr) return refusal;
  core::GameSession* session = open_game(*e, key);
  if (session == nullptr || !session->game.phase().has_started())
    return admin_refusal("the game does not run: give its result");
  const std::string_view verdict = words.next();
  const auto outcome = admin_verdict(verdict);
  if (!outcome) return admin_refusal("the verdict is one of black, white, draw, void");
  why = words.rest();
  if (why.empty()) return admin_refusal("a verdict needs its reason");
  core.games.finish(*session, session->game.adjudicated(*outcome, why));
  return admin_done(fmt::format("game {} is adjudicated: {}", e->game_text(key), verdict));
}

AdminResult AdminCommands::tournament_forfeit() {
  AdminResult refusal;
  GameKey key;
  RunningEvent* e = event(refusal, key);
  if (e == nullptr) return refusal;
  if (e->games.contains(key)) return admin_refusal("the game runs: adjudicate it");
  const Ledger ledger = e->ledger(key.division);
  const auto due = std::ranges::find(ledger.due, key, &DueGame::game);
  if (due == ledger.due.end()) return admin_refusal("the game is not to be played");
  const std::string_view loser = words.next();
  if (loser != "both" && loser != due->black && loser != due->white) {
    return admin_refusal(fmt::format("who loses: {}, {} or both", due->black, due->white));
  }
  why = words.rest();
  GameResult result{
      .game = key, .black = due->black, .white = due->white, .how = How::forfeit, .end = {}, .record = {}};
  if (loser != "both") result.outcome = loser == due->black ? Outcome::white_wins : Outcome::black_wins;
  core.tournaments.count(*e, std::move(result), caller.who, why);
  return admin_done(fmt::format("game {}: {} lost by forfeit", e->game_text(key), loser));
}

AdminResult AdminCommands::tournament_replay() {
  AdminResult refusal;
  GameKey key;
  RunningEvent* e = event(refusal, key);
  if (e == nullptr) return refusal;
  why = words.rest();
  if (core::GameSession* session = open_game(*e, key); session != nullptr) {
    if (!session->game.phase().has_started()) return admin_refusal("it has not begun");
    core.games.finish(*session, session->game.interrupted(why.empty() ? "it is played again" : why));
    return admin_done(fmt::format("game {} is broken off, and played again", e->game_text(key)));
  }
  const auto& results = e->state().division(key.division).results;
  const auto former = results.find(key);
  if (former == results.end()) return admin_refusal("it has not been played");
  GameResult result = former->second;
  result.outcome = Outcome::none;
  result.how = How::replayed;
  if (const auto fine = check(e->event(), e->state(), result); !fine) return admin_refusal(fine.error());
  core.tournaments.count(*e, std::move(result), caller.who, why);
  if (e->phase() != TournamentPhase::over) {
    return admin_done(fmt::format("game {} is played again", e->game_text(key)));
  }
  core.tournaments.set_phase(*e, TournamentPhase::running, caller.who, why);
  return admin_done(fmt::format("game {} is played again: {} goes on", e->game_text(key), e->name()));
}

// ---- entrants ----

AdminResult AdminCommands::tournament_enter() {
  AdminResult refusal;
  RunningEvent* e = event(refusal);
  if (e == nullptr) return refusal;
  if (e->phase() == TournamentPhase::over) return admin_refusal("it is over");
  const std::string player(words.next());
  if (!csa::is_identifier(player, core.context.rules.max_identifier))
    return admin_refusal("that is no name for a login");
  const Entrant* former = e->state().entrant(player);
  Entrant entrant{.player = player, .title = {}};
  if (former != nullptr) entrant = *former;
  while (!words.empty()) {
    AdminWords ahead = words;
    const std::string_view word = ahead.next();
    if (word.starts_with("group=")) {
      entrant.groups = groups_of(word.substr(6));
      if (const auto fault = groups_fault(entrant.groups)) return admin_refusal(*fault);
      words = ahead;
      continue;
    }
    const bool seed = word.starts_with("seed="), rate = word.starts_with("rate=");
    if (!seed && !rate) break;
    const auto number = admin_number(word.substr(5));
    if (!number || *number > 100'000) return admin_refusal(fmt::format("'{}' is no number", word.substr(5)));
    (seed ? entrant.seed : entrant.rate) = static_cast<int>(*number);
    words = ahead;
  }
  if (!words.empty()) entrant.title = {.ja = {}, .en = std::string(words.rest())};
  const auto entered = core.tournaments.enter_event(*e, std::move(entrant), caller.who);
  if (!entered) return admin_refusal(entered.error());
  return admin_done(fmt::format("{} {} {}{}{}", player, former == nullptr ? "has entered" : "is changed in", e->name(),
                                entered->empty() ? "" : " ", *entered));
}

AdminResult AdminCommands::tournament_withdraw() {
  AdminResult refusal;
  RunningEvent* e = event(refusal);
  if (e == nullptr) return refusal;
  const std::string player(words.next());
  AdminWords ahead = words;
  const auto rounds = admin_number(ahead.next());
  if (rounds && (*rounds < 1 || *rounds > kMostRounds)) return admin_refusal("that is no number of rounds");
  if (rounds) words = ahead;
  why = words.rest();
  const int stage = e->stage();
  int from = 1;
  for (const DivisionKey division : e->divisions(stage)) {
    const Ledger ledger = e->ledger(division);
    if (ledger.find(player)) from = ledger.rounds + 1;
  }
  const Withdrawn withdrawn{
      .player = player, .stage = stage, .from = from, .until = rounds ? from + static_cast<int>(*rounds) - 1 : 0};
  if (const auto fine = check(e->event(), e->state(), withdrawn); !fine) return admin_refusal(fine.error());
  core.tournaments.decide(*e, withdrawn, caller.who, why);
  if (rounds) return admin_done(fmt::format("{} is not paired in rounds {} to {}", player, from, withdrawn.until));
  std::size_t lost = 0;
  const auto is_lost = [&](const DueGame& due) {
    return (due.black == player || due.white == player) && !e->games.contains(due.game);
  };
  for (const DivisionKey division : e->divisions(stage)) {
    for (int guard = 0; guard < kMostGames * kMostRounds; ++guard) {
      const Ledger ledger = e->ledger(division);
      const auto due = std::ranges::find_if(ledger.due, is_lost);
      if (due == ledger.due.end()) break;
      core.tournaments.count(*e,
                             {.game = due->game,
                              .black = due->black,
                              .white = due->white,
                              .outcome = due->black == player ? Outcome::white_wins : Outcome::black_wins,
                              .how = How::forfeit,
                              .end = {},
                              .record = {}},
                             caller.who, "withdrawn");
      ++lost;
    }
  }
  return admin_done(
      fmt::format("{} has withdrawn from {}; lost by forfeit: {}", player, e->name(), counted(lost, "game")));
}

AdminResult AdminCommands::tournament_return() {
  AdminResult refusal;
  RunningEvent* e = event(refusal);
  if (e == nullptr) return refusal;
  const std::string player(words.next());
  why = words.rest();
  const int stage = e->stage();
  int from = 1;
  for (const DivisionKey division : e->divisions(stage)) {
    const Ledger ledger = e->ledger(division);
    if (ledger.find(player)) from = ledger.rounds + 1;
  }
  const Returned returned{.player = player, .stage = stage, .from = from};
  if (const auto fine = check(e->event(), e->state(), returned); !fine) return admin_refusal(fine.error());
  if (!e->state().left(player) && !e->state().is_away(player, stage, from)) {
    return admin_refusal(fmt::format("{} is not away", player));
  }
  core.tournaments.decide(*e, returned, caller.who, why);
  return admin_done(fmt::format("{} is paired again from round {} on", player, from));
}

}  // namespace fuhyo::core
