#include "server/core/figures.h"

#include <algorithm>
#include <numeric>

#include "server/core/admin/restarts.h"
#include "server/core/games/games.h"
#include "server/core/lobby/lobby.h"
#include "server/core/logins/password_checks.h"
#include "server/core/rooms/room_keeping.h"
#include "server/core/sessions/sessions.h"

namespace fuhyo::core {
namespace {

constexpr std::array<std::int64_t, 15> kDelays_us = {100,     250,     500,       1'000,     2'500,
                                                     5'000,   10'000,  25'000,    50'000,    100'000,
                                                     250'000, 500'000, 1'000'000, 2'500'000, 10'000'000};
constexpr std::array<std::int64_t, 11> kWaits_us = {1 * kSecond,    5 * kSecond,    15 * kSecond,  30 * kSecond,
                                                    60 * kSecond,   120 * kSecond,  300 * kSecond, 600 * kSecond,
                                                    1800 * kSecond, 3600 * kSecond, 7200 * kSecond};

SessionState state_of(Phase phase) {
  switch (phase) {
    case Phase::before_login:
      return SessionState::before_login;
    case Phase::connected:
      return SessionState::idle;
    case Phase::game_waiting:
      return SessionState::waiting;
    case Phase::agree_waiting:
    case Phase::start_waiting:
      return SessionState::agreeing;
    case Phase::game:
      return SessionState::playing;
    case Phase::finished:
      break;
  }
  return SessionState::leaving;
}

}  // namespace

std::span<const std::int64_t> Histogram::delays_us() { return kDelays_us; }
std::span<const std::int64_t> Histogram::waits_us() { return kWaits_us; }

void Histogram::add(std::int64_t us) {
  us = std::max<std::int64_t>(us, 0);
  ++counts_[static_cast<std::size_t>(std::ranges::lower_bound(bounds_us_, us) - bounds_us_.begin())];
  sum_us_ += us;
}

std::uint64_t Histogram::upto(std::size_t place) const {
  return std::accumulate(counts_.begin(), counts_.begin() + static_cast<std::ptrdiff_t>(place) + 1, std::uint64_t{0});
}

std::string_view to_string(Refusal refusal) {
  static constexpr std::array<std::string_view, kRefusals> kWords = {
      "crowded",      "shut_out",     "silent",       "no_login",    "malformed_login", "stopping",
      "tls_required", "wrong_secret", "not_admitted", "name_in_use", "flooding",        "bad_line"};
  return kWords[static_cast<std::size_t>(refusal)];
}

std::string_view to_string(PairedBy by) {
  static constexpr std::array<std::string_view, kPairedBy> kWords = {"lobby", "round", "event", "operator", "restart"};
  return kWords[static_cast<std::size_t>(by)];
}

std::string_view to_string(SessionState state) {
  static constexpr std::array<std::string_view, kSessionStates> kWords = {"before_login", "idle",    "waiting",
                                                                          "agreeing",     "playing", "leaving"};
  return kWords[static_cast<std::size_t>(state)];
}

std::uint64_t Figures::all_sessions() const {
  return std::accumulate(sessions.begin(), sessions.end(), std::uint64_t{0});
}

Figures figures_of(const Parts& core) {
  const Context& context = core.context;
  Figures f{.rooms = core.rooms.known().all().size(),
            .restarts = core.restarts.all().size(),
            .password_checks = core.password_checks.waiting(),
            .games_ever = core.games.last_game(),
            .logins = core.sessions.logins(),
            .store_away = context.store_is_away(),
            .takes_games = context.takes_games(),
            .refused = context.refusals.counts(),
            .paired = core.games.pairings_by(),
            .waited = core.games.waits_of_paired()};
  for (const auto& [id, session] : core.games.all()) {
    ++(!session.game.phase().has_started()   ? f.games_agreeing
       : session.game.phase().is_suspended() ? f.games_suspended
       : session.game.phase().is_paused()    ? f.games_paused
                                             : f.games_running);
    f.lines += session.inbox.size();
  }
  for (const auto& [conn, s] : core.sessions.all()) {
    ++f.sessions[static_cast<std::size_t>(state_of(s.phase))];
    f.lines += s.deferred.size();
  }
  return f;
}

}  // namespace fuhyo::core
