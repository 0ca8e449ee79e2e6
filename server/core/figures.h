// Counts of the core for monitoring: what it has to do now, and what it has done and refused since the start. Values.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace fuhyo::core {

// Counts of durations between fixed bounds.
class Histogram {
 public:
  static constexpr std::size_t kMostBounds = 15;
  // In microseconds, ascending. Delays of the server: 100 us to 10 s; waiting of people: 1 s to 2 h.
  static std::span<const std::int64_t> delays_us();
  static std::span<const std::int64_t> waits_us();

  // `bounds_us`: one of these, or another list that outlives the histogram; at most kMostBounds of them.
  explicit Histogram(std::span<const std::int64_t> bounds_us) : bounds_us_(bounds_us) {}

  void add(std::int64_t us);  // less than 0 counts as 0
  std::span<const std::int64_t> bounds_us() const { return bounds_us_; }
  // How many were at most the bound of this place; of the place behind the last bound: how many there were.
  std::uint64_t upto(std::size_t place) const;
  std::uint64_t count() const { return upto(bounds_us_.size()); }
  std::int64_t sum_us() const { return sum_us_; }

 private:
  std::span<const std::int64_t> bounds_us_;
  std::array<std::uint64_t, kMostBounds + 1> counts_{};
  std::int64_t sum_us_ = 0;
};

// Why somebody was not let in, or was cut off. The same words in to_string(), with '_'.
enum class Refusal : std::uint8_t {
  crowded,          // a limit of connections
  shut_out,         // its address has shown too many wrong secrets
  silent,           // it said nothing, and others waited for its place
  no_login,         // not logged in in time
  malformed_login,  // a first line that is no LOGIN
  stopping,         // no new logins and games
  tls_required,     // what it asked for is played under TLS alone
  wrong_secret,     // also on the web
  not_admitted,     // forbidden, reserved, on no list, or it has to wait after wrong secrets
  name_in_use,
  flooding,  // too many lines
  bad_line,  // a line over the limit
};
inline constexpr std::size_t kRefusals = 12;
std::string_view to_string(Refusal refusal);

// By what two players came to their game.
enum class PairedBy : std::uint8_t { lobby, round, event, operators, restart };
inline constexpr std::size_t kPairedBy = 5;
std::string_view to_string(PairedBy by);

// Of a connection: not logged in; between games; waiting for a game; asked to agree to one; in one; about to go.
enum class SessionState : std::uint8_t { before_login, idle, waiting, agreeing, playing, leaving };
inline constexpr std::size_t kSessionStates = 6;
std::string_view to_string(SessionState state);

struct Figures {
  std::array<std::uint64_t, kSessionStates> sessions{};  // built-in players are among them
  std::uint64_t games_agreeing = 0, games_running = 0, games_paused = 0, games_suspended = 0;
  std::uint64_t rooms = 0;  // the hidden ones, too; not the main one
  std::uint64_t lines = 0;  // of players, that wait for their turn
  std::uint64_t restarts = 0, password_checks = 0;
  std::uint64_t games_ever = 0, logins = 0;  // since the beginning of the store; since the start
  bool store_away = false, takes_games = true;
  std::array<std::uint64_t, kRefusals> refused{};  // since the start
  std::array<std::uint64_t, kPairedBy> paired{};   // games, since the start
  // How long those who came by sockets had waited when they were given a game.
  Histogram waited{Histogram::waits_us()};

  std::uint64_t all_sessions() const;
};

}  // namespace fuhyo::core
