// Events on this server: players who wait for one are entered and seated, rounds are paired when it is time, results
// are counted. What was decided is a fact in the same transaction as what it causes (running_event.h); everything here
// looks at the event as it stands and does what is due, so that a start after a crash is no special case.
//
// Who waits for a game whose identifier is the event's name waits for the event, whatever times he names. His game
// comes when its round has begun and both its players are here; who is missing at the end of the forfeit time has lost.
#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <utility>

#include "engines/shogi/handicap.h"
#include "server/core/admin/restarts.h"
#include "server/core/games/games.h"
#include "server/core/lobby/lobby.h"
#include "server/core/logins/logins.h"
#include "server/core/rooms/room_keeping.h"
#include "server/core/rounds/rounds.h"
#include "server/core/sessions/sessions.h"
#include "server/core/tournament/pairing.h"
#include "server/core/tournaments/tournaments.h"

namespace fuhyo::core {
namespace {

using namespace tournament;

constexpr std::string_view kServer = "server";

// The wall clock may be set: it is looked at again at least this often.
constexpr std::int64_t kLongestSleep_us = 30 * kSecond;

// Clients that log out after a game, or come anew for every game, do so in this time; nobody is seated meanwhile.
constexpr std::int64_t kRest_us = 5 * kSecond;

// What is due at once is done at once, so much of it: no event has more in one moment.
constexpr int kMostSteps = 10'000;

// So long may a player stay away from his game where the event forfeits nothing.
constexpr std::int32_t kGrace_s = 600;

}  // namespace

RunningEvent* Tournaments::find(std::string_view name) {
  const auto found = events_.find(name);
  return found == events_.end() ? nullptr : &found->second;
}

RunningEvent& Tournaments::event_called(const std::string& name) {
  const auto [it, is_new] = events_.try_emplace(name, RunningEvent(rules_.max_identifier));
  if (is_new) it->second.timer = ++event_timers_;
  return it->second;
}

void Tournaments::keep(const Journaled& row) {
  const std::string* event = core::event_of(row.fact);
  if (event == nullptr) return;
  event_called(*event).keep(row.fact);
  stored_.push_back(row);
}

// What is not right with an event is told.
void Tournaments::settle() {
  for (auto& [name, event] : events_) {
    event.settle();
    if (event.fault().empty()) continue;
    note(Note::Level::warning, fmt::format("the event {} cannot be held: {}", name, event.fault()));
  }
  stirs_ = !events_.empty();
}

// ---- deciding ----

void Tournaments::decide(RunningEvent& event, Decision decision, std::string_view by, std::string_view why,
                         Wall starts) {
  TournamentDecided fact{.event = event.name(),
                         .decision = std::move(decision),
                         .number = 0,
                         .starts = starts,
                         .taken_back = false,
                         .by = std::string(by),
                         .why = std::string(why),
                         .at = now_.wall};
  fact.number = event.number_of(fact.decision);
  event.keep(fact);
  append(std::move(fact));
  event.stuck.clear();
  stirs_ = true;
}

void Tournaments::set_phase(RunningEvent& event, TournamentPhase phase, std::string_view by, std::string_view why) {
  const TournamentPhaseSet fact{
      .event = event.name(), .phase = phase, .by = std::string(by), .why = std::string(why), .at = now_.wall};
  event.keep(fact);
  append(fact);
  event.missed.clear();
  event.stuck.clear();
  stirs_ = true;
  note(Note::Level::info,
       fmt::format("the event {} is {}{}{}", event.name(), to_string(phase), why.empty() ? "" : ": ", why));
}

// Who waits for it waits for a game of that name from now on, and may log out, or enter the next event of the name.
void Tournaments::delete_event(const std::string& name, std::string_view by, std::string_view why) {
  const auto found = events_.find(name);
  timers_.cancel({TimerKey::Kind::event, found->second.timer});
  append(TournamentDeleted{.event = name, .by = std::string(by), .why = std::string(why), .at = now_.wall});
  // A game that goes on from one of its moves is none of the next event of the name.
  parts_.restarts.forget_event(name);
  note(Note::Level::info, fmt::format("the event {} is deleted by {}", name, by));
  events_.erase(found);
}

// ---- who is here ----

// The player's session if it waits for the event.
Session* Tournaments::waits_for(const RunningEvent& event, std::string_view player) {
  Session* s = parts_.sessions.find_name(player);
  if (s == nullptr || s->home != kMainRoom || s->phase != Phase::game_waiting || s->for_restart) return nullptr;
  return s->wanted.identifier == event.name() ? s : nullptr;
}

// A built-in player that is to play in the event and waits for a seat of its host, or plays something else meanwhile:
// whenever it can, it comes by itself.
bool Tournaments::is_held_back(const RunningEvent& event, std::string_view player) {
  const Session* s = parts_.sessions.find_name(player);
  if (s == nullptr || s->home != kMainRoom || s->parting || !s->awaits) return false;
  const bool is_meant = s->awaits->identifier == event.name() && parts_.logins.may_enter_builtin(*s, s->awaits->text);
  return is_meant && !event.state().left(player) && waits_for(event, player) == nullptr;
}

bool Tournaments::is_here(const RunningEvent& event, std::string_view player) {
  if (waits_for(event, player) != nullptr || is_held_back(event, player)) return true;
  const Session* s = parts_.sessions.find_name(player);
  const GameSession* session = s == nullptr ? nullptr : parts_.games.find(s->game);
  return session != nullptr && session->event && session->event->event == event.name();
}

// What `s` waits for, or would if it had a seat.
RunningEvent* Tournaments::event_ahead(const Session& s) {
  if (s.home != kMainRoom) return nullptr;
  if (s.phase == Phase::game_waiting) return event_of(s.wanted);
  return s.awaits && parts_.logins.may_enter_builtin(s, s.awaits->text) ? event_of(*s.awaits) : nullptr;
}

// Called when `s` may have begun to wait: to wait for an event that is open is to enter it.
void Tournaments::come_to_event(const Session& s) {
  RunningEvent* event = event_ahead(s);
  if (event == nullptr) return;
  stirs_ = true;
  if (event->phase() == TournamentPhase::over) return parts_.rounds.tell_never_paired(s);
  if (!event->fault().empty() || event->state().entrant(s.name) != nullptr) return;
  const PlayerRating* rating = s.has_trip ? context_.ratings->find(s.id) : nullptr;
  const int rate = rating == nullptr ? 0 : static_cast<int>(rating->rate);
  const auto entered = enter_event(*event, {.player = s.name, .title = {}, .rate = rate}, s.name);
  if (!entered)
    note(Note::Level::warning, fmt::format("{} does not enter {}: {}", s.name, event->name(), entered.error()));
  if (!entered && s.x1) send(s.conn, csa::error(fmt::format("{}: {}", event->name(), entered.error())));
}

// Called when `s` goes, or waits no more: who was here may be missing from now on.
void Tournaments::go_from_event(const Session& s) {
  if (is_of_event(s.wanted) || (s.awaits && is_of_event(*s.awaits))) stirs_ = true;
}

// The text says how he takes part, where that is not from the beginning.
std::expected<std::string, std::string> Tournaments::enter_event(RunningEvent& event, Entrant entrant,
                                                                 std::string_view by) {
  const std::string player = entrant.player;
  const Entered entered{std::move(entrant)};
  tournament::Event rules_of_entry = event.event();
  if (by != player) rules_of_entry.entry.open = true;  // a host may enter whom he likes
  if (const auto fine = check(rules_of_entry, event.state(), entered); !fine) return std::unexpected(fine.error());
  const bool is_new = event.state().entrant(player) == nullptr;
  // A late entry comes last into the last division of the first stage.
  const DivisionKey division = event.divisions(0).back();
  if (!is_new || entered.entrant.stage != 0 || !event.state().is_formed(division)) {
    decide(event, entered, by);
    return std::string();
  }
  EventState with = event.state();
  with.apply(entered);
  const Ledger ledger = event.ledger(division);
  const auto [low, high] = std::ranges::minmax(ledger.rows, {}, &tournament::LedgerRow::lot);
  const std::int64_t lot = (random() & 1) != 0 ? low.lot - 1 : high.lot + 1;
  const Joined joined{.division = division, .member = {.player = player, .lot = lot}, .from = ledger.rounds + 1};
  if (const auto fine = check(event.event(), with, joined); !fine) return std::unexpected(fine.error());
  decide(event, entered, by);
  decide(event, joined, by);
  return fmt::format("from round {} on", joined.from);
}

void Tournaments::tell_player(std::string_view player, std::string_view text) {
  const Session* s = parts_.sessions.find_name(player);
  if (s != nullptr && s->x1 && s->phase != Phase::finished) send(s->conn, fmt::format("##[ADMIN] {}\n", text));
}

// ---- what is due ----

void Tournaments::run() {
  for (int step = 0; step < kMostSteps && std::exchange(stirs_, false); ++step) {
    for (auto& [name, event] : events_) run_event(event);
  }
}

void Tournaments::event_timer(std::uint64_t timer) {
  if (std::ranges::any_of(events_, [timer](const auto& entry) { return entry.second.timer == timer; })) {
    stirs_ = true;
  }
}

void Tournaments::run_event(RunningEvent& event) {
  if (event.phase() == TournamentPhase::paused) hold_games(event);
  const TimerKey key{TimerKey::Kind::event, event.timer};
  timers_.cancel(key);
  const bool idle = !event.fault().empty() || event.phase() != TournamentPhase::running;
  if (idle || !context_.starts_games()) return;
  wakes_.reset();
  const auto stages = static_cast<int>(event.event().stages.size());
  for (int stage = 0; stage < stages; ++stage) {
    for (const DivisionKey division : event.divisions(stage)) run_division(event, division);
    if (!event.is_over(stage)) break;
    if (stage + 1 == stages) return end_event(event);
  }
  if (wakes_) timers_.set(key, std::min(*wakes_, now_.mono + kLongestSleep_us));
}

void Tournaments::end_event(RunningEvent& event) {
  const auto stages = static_cast<int>(event.event().stages.size());
  bool all_played = true;
  for (int stage = 0; stage < stages; ++stage) {
    for (const DivisionKey division : event.divisions(stage)) {
      all_played &= is_played_out(event.event(), event.state(), division);
    }
  }
  set_phase(event, TournamentPhase::over, kServer,
            all_played ? "everything is played" : "too few are left to be paired");
}

// True: it is not time yet, and the event is looked at again when it is.
bool Tournaments::is_early(Instant when) {
  if (when <= now_.mono) return false;
  wakes_ = wakes_ ? std::min(*wakes_, when) : when;
  return true;
}

bool Tournaments::is_early(Wall when) {
  return is_early(now_.mono + std::max<std::int64_t>(0, when.us - now_.wall.us));
}

void Tournaments::run_division(RunningEvent& event, DivisionKey division) {
  if (!event.state().is_formed(division)) {
    // Entries are welcome until the first round is told.
    const Ledger empty = event.ledger(division);
    const Wall start = event.next_start(division, empty, rules_.zone);
    if (division.stage == 0 && is_early(Wall{start.us - empty.settings->timetable.countdown_s * kSecond})) return;
    if (!form(event, division, kServer)) return;
  }
  const Ledger ledger = event.ledger(division);
  for (const DueGame& due : ledger.due) {
    if (!is_early(event.starts(division, due.game.round))) run_game(event, due);
  }
  if (ledger.pending() || is_over(event.event(), event.state(), division)) return;
  if (event.stuck.contains(division)) return;
  const Wall start = event.next_start(division, ledger, rules_.zone);
  const std::int64_t countdown_us = ledger.settings->timetable.countdown_s * kSecond;
  if (is_early(Wall{start.us - countdown_us})) return;
  const auto paired = pair_round(event, division, kServer, start, Rematches::as_settings_say);
  if (!paired) event.stuck[division] = paired.error();
}

bool Tournaments::form(RunningEvent& event, DivisionKey division, std::string_view by) {
  floodgate::SeededDraws draws(random());
  auto formed = form_division(event.event(), event.state(), division, draws);
  if (!formed) {
    event.stuck[division] = to_string(formed.error());
    return false;
  }
  event.stuck.erase(division);
  decide(event, std::move(formed->division), by, to_text(formed->doubts, Language::en));
  return true;
}

// The doubts about it.
std::expected<std::string, std::string> Tournaments::pair_round(RunningEvent& event, DivisionKey division,
                                                                std::string_view by, Wall start, Rematches rematches) {
  floodgate::SeededDraws draws(random());
  auto proposal = next_round(event.event(), event.state(), division, draws, rematches);
  if (!proposal) {
    std::string why(to_string(proposal.error()));
    if (proposal.error() == NotYet::no_legal_round) why += "; 'tournament-pair EVENT rematches' pairs it all the same";
    note(Note::Level::warning, fmt::format("{}: no round of {}: {}", event.name(), event.division_text(division), why));
    return std::unexpected(why);
  }
  const std::string doubts = to_text(proposal->doubts, Language::en);
  begin_round(event, std::move(proposal->round), by, doubts, start);
  return doubts;
}

void Tournaments::begin_round(RunningEvent& event, RoundPaired round, std::string_view by, std::string_view why,
                              Wall start) {
  start = std::max(start, now_.wall);
  const std::int64_t wait_s = (start.us - now_.wall.us + kSecond - 1) / kSecond;
  const std::string when = wait_s == 0 ? std::string("starts") : fmt::format("starts in {} s", wait_s);
  const std::string head = fmt::format("{}: round {} {}", event.name(), round.round, when);
  for (const Pairing& pairing : round.pairings) {
    const std::string games = pairing.games > 1 ? fmt::format(", {} games", pairing.games) : "";
    tell_player(pairing.black, fmt::format("{}: Black against {}{}", head, pairing.white, games));
    tell_player(pairing.white, fmt::format("{}: White against {}{}", head, pairing.black, games));
  }
  for (const Bye& bye : round.byes) {
    const std::string_view words = bye.kind == ByeKind::rest ? "you rest" : "you have no opponent, and win";
    tell_player(bye.player, fmt::format("{}: {}", head, words));
  }
  note(Note::Level::info, fmt::format("{}: round {} of {}: {} pairings, {} without an opponent{}{}", event.name(),
                                      round.round, event.division_text(round.division), round.pairings.size(),
                                      round.byes.size(), why.empty() ? "" : "; ", why));
  decide(event, std::move(round), by, why, start);
}

// ---- games ----

void Tournaments::run_game(RunningEvent& event, const DueGame& due) {
  if (event.games.contains(due.game)) return;
  MissedGame& missed = event.missed.try_emplace(due.game, MissedGame{.since = now_.mono}).first->second;
  Session* black = waits_for(event, due.black);
  Session* white = waits_for(event, due.white);
  if (black != nullptr && white != nullptr) {
    if (!is_early(std::max(black->rests_until, white->rests_until))) seat(event, due, *black, *white);
    return;
  }
  const std::int32_t forfeit_s = event.settings(due.game.division).timetable.forfeit_s;
  if (forfeit_s == 0) return;
  const bool black_here = is_here(event, due.black), white_here = is_here(event, due.white);
  // One of them is still in another game, or waits for a seat. Who is missing after that has the whole time.
  const bool were_here = std::exchange(missed.both_are_here, black_here && white_here);
  if (missed.both_are_here) return;
  if (were_here) missed.since = now_.mono;
  if (is_early(missed.since + forfeit_s * kSecond)) return;
  GameResult result{
      .game = due.game, .black = due.black, .white = due.white, .how = How::forfeit, .end = {}, .record = {}};
  if (black_here) result.outcome = Outcome::black_wins;
  if (white_here) result.outcome = Outcome::white_wins;
  count(event, std::move(result), kServer, "not here in time");
}

// Both wait for the event.
void Tournaments::seat(RunningEvent& event, const DueGame& due, Session& black, Session& white) {
  const DivisionSettings& settings = event.settings(due.game.division);
  const csa::GameName name =
      csa::parse_game_name(event.game_name(due.game.division), rules_.max_identifier).value_or(black.wanted);
  for (Session* s : {&black, &white}) {
    parts_.lobby.leave_queue(*s);
    s->wanted = name;
    s->turn = s == &black ? csa::Turn::black : csa::Turn::white;
    s->room = parts_.rooms.room_for(*s, name.text);
  }
  GamePlan plan = parts_.lobby.plan_of(black);
  plan.start = {.sfen = std::string(shogi::Position::kStartSfen), .moves = {}, .title = {}, .comment = {}};
  const auto place = static_cast<std::size_t>(due.position);
  if (place >= 1 && place <= settings.positions.size()) plan.start = settings.positions[place - 1];
  plan.max_moves = settings.max_moves;
  plan.declaration = settings.declaration;
  plan.rulebook = settings.rulebook;
  plan.time = {settings.time[0], settings.time[1]};
  plan.least_time_per_move_s = settings.time[0].least_s;
  plan.resume = ResumeRule::position;
  plan.grace_s = grace_s(settings);
  plan.stays = true;
  begin_event_game(event, due.game, black, white, parts_.games.open_game(black, white, std::move(plan)));
}

std::int32_t Tournaments::grace_s(const DivisionSettings& settings) {
  return settings.timetable.forfeit_s > 0 ? settings.timetable.forfeit_s : kGrace_s;
}

void Tournaments::begin_event_game(RunningEvent& event, const GameKey& key, Session& black, Session& white,
                                   GameOpened opened) {
  const GameId id = opened.game;
  GameSession& session = parts_.games.begin_game(black, white, std::move(opened), PairedBy::event);
  session.event = {.event = event.name(), .key = key};
  event.games[key] = id;
  append(TournamentGame{.game = id, .event = event.name(), .key = key});
}

// What a start finds of a game that runs.
void Tournaments::know_again(const GameSession& session) {
  if (!session.event) return;
  if (RunningEvent* event = find(session.event->event)) event->games[session.event->key] = session.game.id();
}

// A game of an event did not begin, or is over.
void Tournaments::leave_event(const GameSession& session) {
  if (!session.event) return;
  stirs_ = true;
  if (RunningEvent* event = find(session.event->event)) event->games.erase(session.event->key);
}

void Tournaments::record_event(const GameSession& session, const GameEnded& ended) {
  if (!session.event) return;
  leave_event(session);
  for (const ConnId conn : session.seats) {
    if (Session* s = parts_.sessions.find(conn)) s->rests_until = now_.mono + kRest_us;
  }
  RunningEvent* event = find(session.event->event);
  if (event == nullptr) return;
  const GameOpened& opened = session.game.opened();
  GameResult result{.game = session.event->key,
                    .black = opened.black.name,
                    .white = opened.white.name,
                    .outcome = ended.outcome,
                    .how = How::play,
                    .end = ended.kind,
                    .plies = ended.plies,
                    .record = opened.csa_id,
                    .id = opened.game};
  const bool verdict = ended.kind == EndKind::adjudicated;
  if (verdict) result.how = How::adjudicated;
  // A verdict that a game counts for nobody ends it; one that was only broken off is played again.
  if (ended.outcome == Outcome::none) result.how = verdict ? How::voided : How::replayed;
  count(*event, std::move(result), kServer, ended.reason);
}

void Tournaments::count(RunningEvent& event, GameResult result, std::string_view by, std::string_view why) {
  if (const auto fine = check(event.event(), event.state(), result); !fine) {
    return note(Note::Level::warning, fmt::format("{}: the result of {} does not count: {}", event.name(),
                                                  event.game_text(result.game), fine.error()));
  }
  event.missed.erase(result.game);
  const std::string text = fmt::format("{}: game {}: {} against {}: {}", event.name(), event.game_text(result.game),
                                       result.black, result.white, to_string(result.how));
  note(Note::Level::info, text);
  if (result.how == How::forfeit) {
    for (const PlayerId& player : {result.black, result.white}) {
      const bool won = result.outcome == (player == result.black ? Outcome::black_wins : Outcome::white_wins);
      tell_player(player, fmt::format("{}: game {} is {} by forfeit", event.name(), event.game_text(result.game),
                                      won ? "won" : "lost"));
    }
  }
  decide(event, std::move(result), by, why);
}

// ---- standing still ----

// Games that came to run since the event was paused stand still too.
void Tournaments::hold_games(RunningEvent& event) {
  const AdminCaller caller{.who = event.phase_set().by, .via = {}, .conn = {}};
  for (const auto& [key, id] : event.games) {
    GameSession* session = parts_.games.find(id);
    if (session == nullptr || !session->game.phase().runs()) continue;
    const std::int64_t flag_us = session->game.clock().flag_us(session->game.to_move());
    if (!session->pending && session->turn.elapsed_us(now_.mono) >= flag_us) continue;  // a flag is falling
    parts_.games.pause(*session, caller, event.phase_set().why);
  }
}

void Tournaments::go_on(RunningEvent& event, const AdminCaller& caller, std::string_view why) {
  set_phase(event, TournamentPhase::running, caller.who, why);
  for (const auto& [key, id] : event.games) {
    GameSession* session = parts_.games.find(id);
    if (session != nullptr && session->game.phase().is_paused()) parts_.games.go_on(*session, caller, why);
  }
}

void Tournaments::hold_for_restart(const EventGame& game, GameId former) {
  if (RunningEvent* event = find(game.event)) event->games[game.key] = former;
}

void Tournaments::give_up_restart(const EventGame& game) {
  stir();
  if (RunningEvent* event = find(game.event)) event->games.erase(game.key);
}

void Tournaments::spare(std::int64_t us) {
  stir();
  for (auto& [name, event] : events_) {
    for (auto& [key, missed] : event.missed) missed.since = missed.since + us;
  }
}

void Tournaments::wait_anew() {
  stir();
  for (auto& [name, event] : events_) {
    for (auto& [key, missed] : event.missed) missed.since = now_.mono;
  }
}

}  // namespace fuhyo::core
