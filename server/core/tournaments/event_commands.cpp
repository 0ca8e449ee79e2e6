// %%TOURNAMENT: what everybody may ask of events, and what their hosts decide by the commands of the administration.
// Announcing an event by what the shell has read.
#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <set>
#include <utility>

#include "server/core/admin/admin.h"
#include "server/core/admin/admin_commands.h"
#include "server/core/counted.h"
#include "server/core/games/games.h"
#include "server/core/logins/logins.h"
#include "server/core/monitors/monitors.h"
#include "server/core/rooms/room_keeping.h"
#include "server/core/sessions/sessions.h"
#include "server/core/tournaments/tournaments.h"
#include "server/csa/format.h"

namespace fuhyo::core {
namespace {

constexpr std::string_view kWord = "TOURNAMENT";

// What anybody may ask.
constexpr std::pair<std::string_view, AdminResult (AdminCommands::*)()> kQueries[] = {
    {"LIST", &AdminCommands::tournaments},
    {"SHOW", &AdminCommands::tournament},
    {"TABLE", &AdminCommands::tournament_table},
    {"PAIRINGS", &AdminCommands::tournament_pairings}};
// What hosts may do: as the verb "tournament-start".
constexpr std::array<std::string_view, 16> kActs = {"NEW",     "START",    "PAUSE",  "RESUME", "PAIR",       "UNPAIR",
                                                    "RESULT",  "ENTER",    "RETURN", "REPLAY", "ADJUDICATE", "FORFEIT",
                                                    "MESSAGE", "WITHDRAW", "END",    "DELETE"};

std::string verb_of(std::string_view word) {
  std::string verb = "tournament-";
  for (const char c : word) verb += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return verb;
}

}  // namespace

// ---- what spectators may know ----

// Games that run come to the events as they did when they were opened.
void Tournaments::begin(const std::vector<Journaled>& of_running_games) {
  settle();
  Recovery recovered{.keyed_facts = std::exchange(stored_, {})};
  std::set<GameId> of_events, hidden;
  for (const Journaled& row : of_running_games) {
    if (std::holds_alternative<TournamentGame>(row.fact)) of_events.insert(game_of(row.fact));
  }
  for (const Journaled& row : of_running_games) {
    const auto* opened = std::get_if<GameOpened>(&row.fact);
    const bool is_one = opened != nullptr && of_events.contains(opened->game);
    if (is_one && delay_of(parts_.monitors.delay_rules(), *opened).hidden) hidden.insert(opened->game);
    if (is_one || std::holds_alternative<TournamentGame>(row.fact)) recovered.live.push_back(row);
  }
  seen_.begin(recovered, parts_.rooms.known(), now_);
  for (const Journaled& row : recovered.live) {
    const auto* game = std::get_if<TournamentGame>(&row.fact);
    if (game != nullptr && !hidden.contains(game->game)) seen_.open(*game);
  }
}

void Tournaments::see(const Fact& fact) {
  seen_.take(fact, now_.mono);
  const auto* game = std::get_if<TournamentGame>(&fact);
  const GameSession* session = game == nullptr ? nullptr : parts_.games.find(game->game);
  if (session != nullptr && !delay_of(parts_.monitors.delay_rules(), session->game.opened()).hidden) seen_.open(*game);
}

const RunningEvent& Tournaments::as_seen(const RunningEvent& event) {
  seen_.release(now_.mono);
  const EventView::Shown* shown = seen_.find(event.name());
  return shown != nullptr && seen_.is_behind(event.name()) ? shown->event : event;
}

// By whom results are known as soon as they are decided.
bool Tournaments::gives_commands(const Session& s) const {
  if (parts_.logins.role_of(s) == Role::player) return false;
  return s.role == Role::player || (rules_.admin_address && rules_.admin_address(s.address));
}

// ---- commands ----

void Tournaments::event_command(Session& s, const ClientLine& e, const csa::TournamentCommand& c) {
  const auto* query = std::ranges::find(kQueries, c.verb, [](const auto& each) { return each.first; });
  if (query != std::end(kQueries)) {
    const AdminCaller caller{.who = s.name,
                             .via = s.peer,
                             .role = gives_commands(s) ? parts_.logins.role_of(s) : Role::player,
                             .conn = s.conn,
                             .word = kWord};
    AdminCommands commands{.core = parts_, .caller = caller, .words = AdminWords(c.rest), .why = {}};
    return parts_.admin.answer(caller, (commands.*query->second)());
  }
  if (std::ranges::find(kActs, c.verb) == kActs.end()) {
    return send_ungated(s.conn, csa::error("unknown command: " + e.text));
  }
  parts_.admin.admin(s, e, fmt::format("{} {}", verb_of(c.verb), c.rest), kWord);
}

void Tournaments::on(const TournamentRead& e) {
  const auto caller = parts_.admin.caller_of(e.token);
  if (!caller) return;
  const auto told = announce(e.text, caller->who);
  parts_.admin.answer(
      *caller, told ? AdminResult{.ok = true, .text = *told, .columns = {}, .rows = {}} : admin_refusal(told.error()));
}

std::expected<std::string, std::string> Tournaments::announce(const std::string& text, std::string_view by) {
  if (text.size() > limits_.event_bytes) {
    return std::unexpected(fmt::format("an event has at most {} bytes", limits_.event_bytes));
  }
  const auto event = read_stored_event(text, rules_.max_identifier);
  if (!event) return std::unexpected(event.error());
  const auto former = events_.find(event->name);
  const bool is_new = former == events_.end();
  if (is_new && events_.size() >= limits_.events) {
    return std::unexpected(fmt::format("the server keeps at most {} events: delete one that is over", limits_.events));
  }
  if (!is_new && former->second.fault().empty() && former->second.has_begun()) {
    return std::unexpected(fmt::format("{} has begun: its settings stay", event->name));
  }
  TournamentSet fact{.name = event->name, .text = text, .by = std::string(by), .why = {}, .at = now_.wall};
  RunningEvent& running = event_called(event->name);
  running.keep(fact);
  running.settle();
  append(std::move(fact));
  stirs_ = true;
  note(Note::Level::info, fmt::format("the event {} is announced by {}", event->name, by));
  for (const auto& [order, conn] :
       std::map(parts_.sessions.by_login())) {  // who waits for a game of that name waits for the event
    if (const Session* s = parts_.sessions.find(conn)) come_to_event(*s);
  }
  return fmt::format("the event {} is {}: {}, games are called {}", event->name, is_new ? "announced" : "changed",
                     counted(running.state().entrants().size(), "entrant"),
                     running.game_name(running.divisions(0).front()));
}

}  // namespace fuhyo::core
