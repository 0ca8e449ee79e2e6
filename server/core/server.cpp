#include "server/core/server.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "server/core/state.h"

namespace fuhyo::core {
namespace {

constexpr Seq kGated{UINT64_MAX};  // stands for "the newest seq of this step" until the step is complete

std::uint64_t mix(std::uint64_t hash, std::string_view bytes) {
  for (const char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
  return hash;
}

// What an effect adds to the digest: everything that leaves the core.
std::string_view digest_text(const Effect& effect) {
  if (const auto* send = std::get_if<Send>(&effect)) return send->bytes;
  if (const auto* close = std::get_if<Close>(&effect)) return close->why;
  if (const auto* reply = std::get_if<AdminReply>(&effect)) return reply->result.text;
  if (const auto* host = std::get_if<HostDo>(&effect)) return host->rest;
  return {};
}

}  // namespace

Server::Server(const Limits& limits, Rules rules, const Recovery& recovered)
    : state_(std::make_unique<State>(limits, std::move(rules), recovered)) {}
Server::~Server() = default;

void Server::begin(Now now, Effects& out) { state_->begin(now, out); }
void Server::apply(const Input& input, Now now, Effects& out) { state_->apply(input, now, out); }
void Server::change_rules(Rules rules) { state_->change_rules(std::move(rules)); }
std::size_t Server::sessions() const { return state_->sessions.size(); }
Figures Server::figures() const { return state_->figures(); }
std::uint64_t Server::digest() const { return state_->hash; }

std::size_t Server::games(std::string_view room) const {
  return static_cast<std::size_t>(std::ranges::count_if(state_->tables, [room](const auto& entry) {
    return entry.second.started && !entry.second.suspended && in_one_house(entry.second.game.opened().room, room);
  }));
}

std::vector<Waiter> Server::lobby() const {
  std::vector<Waiter> waiters;
  for (const auto& [key, list] : state_->waiting) {
    const auto& [room_name, game_name] = key;
    const Room* room = state_->rooms.find(room_name);
    if (room_name == kDemoRoom || (room != nullptr && room->rules.hidden())) continue;
    for (const auto& [turn, queue] : list.by_turn) {
      for (const auto& [order, conn] : queue) {
        const Session& s = *state_->find(conn);
        waiters.push_back({.room = room_name,
                           .game_name = game_name,
                           .name = s.name,
                           .id = s.has_trip ? s.id : "",
                           .builtin = s.door == Door::builtin});
      }
    }
  }
  return waiters;
}

std::uint64_t Server::lobby_changes() const { return state_->lobby_changes; }

Server::State::State(const Limits& limits_in, Rules rules_in, const Recovery& recovered)
    : limits(limits_in),
      rules(std::move(rules_in)),
      interrupted(recovered.live),
      newest(recovered.last),
      durable(recovered.last),
      last_game(value(recovered.last_game)),
      last_stamp(recovered.last_stamp),
      rng(rules.seed),
      hash(14695981039346656037u),
      ratings(std::make_shared<PlayerRatings>()),
      past(recovered.past),
      delays(rules.delays),
      penalties(limits_in.penalties),
      conduct(limits_in.conduct),
      checks(limits_in.password_checks),
      seen_events(rules.delays) {
  for (const Journaled& row : recovered.standing) {
    keep(row.fact);
    if (EventView::concerns(row.fact)) stored_events.push_back(row);
  }
}

void Server::State::begin(Now now_in, Effects& out_in) {
  now = now_in;
  out = &out_in;
  first_effect = out_in.size();
  if (!rules.key_fingerprint.empty() && rules.key_fingerprint != key_fingerprint) {
    append(KeyKept{.fingerprint = rules.key_fingerprint, .at = now.wall});
  }
  begin_delayed();
  begin_events();
  begin_seen_events();
  rebuild_games();
  complete_step();
}

void Server::State::apply(const Input& input, Now now_in, Effects& out_in) {
  now = now_in;
  out = &out_in;
  first_effect = out_in.size();
  std::visit([this](const auto& e) { on(e); }, input);
  hash = mix(hash, fmt::format("{} {}", input.index(), now.mono.us));
  complete_step();
}

void Server::State::complete_step() {
  if (!restarts.empty()) begin_restarts();
  if (events_stir) run_events();
  const auto runs = [](const auto& entry) { return !entry.second.suspended; };
  if (draining && !drained && newest == durable && std::ranges::none_of(tables, runs)) {
    drained = true;
    out->push_back(Drained{});
  }
  const auto soonest = timers.soonest();
  if (soonest && soonest != armed) out->push_back(WakeAt{*soonest});
  armed = soonest;
  const Seq after = newest > durable ? newest : Seq{0};
  for (std::size_t i = first_effect; i < out->size(); ++i) {
    if (auto* send = std::get_if<Send>(&(*out)[i]); send && send->after == kGated) send->after = after;
    if (auto* close = std::get_if<Close>(&(*out)[i]); close && close->after == kGated) close->after = after;
    if (auto* reply = std::get_if<AdminReply>(&(*out)[i])) reply->after = after;
    if (auto* host = std::get_if<HostDo>(&(*out)[i])) host->after = after;
    hash = mix(hash, digest_text((*out)[i]));
  }
}

void Server::State::send(ConnId conn, std::string bytes) { out->push_back(Send{conn, std::move(bytes), kGated}); }
void Server::State::send_list(Session& s, std::string bytes) {
  s.bucket.take(now.mono, static_cast<double>(bytes.size() / limits.list_bytes));
  send(s.conn, std::move(bytes));
}
void Server::State::send_ungated(ConnId conn, std::string bytes) {
  out->push_back(Send{conn, std::move(bytes), Seq{0}});
}
void Server::State::close(ConnId conn, std::string_view why) { out->push_back(Close{conn, std::string(why), kGated}); }
void Server::State::note(Note::Level level, std::string text) { out->push_back(Note{level, std::move(text)}); }

Seq Server::State::append(Fact fact) {
  newest = next(newest);
  out->push_back(Append{Journaled{newest, std::move(fact)}});
  see_event(std::get<Append>(out->back()).row.fact);
  if (delays.concerns(std::get<Append>(out->back()).row.fact)) {
    show_late(delays.take(std::get<Append>(out->back()).row, now));
    arm_delays();
  }
  return newest;
}

std::string Server::State::local_time(Wall at) const {
  const CivilTime t = civil(at, rules.zone);
  return fmt::format("{:04}/{:02}/{:02} {:02}:{:02}:{:02}", t.year, t.month, t.day, t.hour, t.minute, t.second);
}

std::string Server::State::local_date(Wall wall) const {
  const CivilTime t = civil(wall, rules.zone);
  return fmt::format("{:04}-{:02}-{:02}", t.year, t.month, t.day);
}

// shogi-server's time stamps are strictly increasing as numbers, so with several games in a second the last ones are
// no valid times; tools take them as names.
std::string Server::State::game_stamp() {
  const CivilTime t = civil(now.wall, rules.zone);
  std::uint64_t stamp = 0;
  for (const int part : {t.month, t.day, t.hour, t.minute, t.second}) {
    stamp = (stamp == 0 ? static_cast<std::uint64_t>(t.year) : stamp) * 100 + static_cast<std::uint64_t>(part);
  }
  last_stamp = std::max(stamp, last_stamp + 1);
  return fmt::format("{:014}", last_stamp);
}

// splitmix64
std::uint64_t Server::State::random() {
  std::uint64_t z = (rng += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

}  // namespace fuhyo::core
