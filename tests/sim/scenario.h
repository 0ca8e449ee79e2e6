// What one seed stands for: how many players of which kind, how bad the network and the store are, which rules hold.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "server/core/effects.h"
#include "server/core/limits.h"
#include "server/core/monitors/spectator_delay.h"
#include "server/core/server.h"

namespace fuhyo::sim {

// The floodgate group of those seeds that hold rounds.
constexpr std::string_view kRoundGroup = "floodgate-60-5";

// A deliberate fault of the world. Each violates one promise, and the check of that promise must notice (sim_test.cpp).
enum class Plant : std::uint8_t {
  none,
  gate_open,         // the outbox is told that everything is durable already
  ack_early,         // the store reports what it has not written
  drop_row,          // a move never reaches the disk, though reported
  swap_rows,         // two moves of a game change places on the disk
  phantom_row,       // a move that nobody sent is on the disk
  lose_tail,         // a crash takes what was durable (synchronous=OFF)
  tear_step,         // a crash cuts a step in two
  skip_seq,          // numbers of the journal have a hole
  garble_payload,    // a fact reads differently after a crash
  forget_game,       // recovery does not mention a game that ran
  forget_stamp,      // recovery does not know the newest time stamp
  duplicate_result,  // a game ends twice
  flip_outcome,      // the store says that the other side won
  wrong_board,       // the position at the end is another one
  charge_commit,     // the time of the commit is charged to the mover
  remaining_wrong,   // the clock books a second that nobody spent
  echo_wrong_time,   // the T of the echo is not the T of the record
  accept_illegal,    // a move that the rules forbid is taken
  wrong_verdict,     // a legal move is judged illegal
  swallow_line,      // a player is not told of a move
  forget_logout,     // a LOGOUT closes nothing
  keep_old_session,  // the session that a new login replaced stays open
  forget_timer,      // the shell never wakes the core
  flag_early,        // a read pass is answered before what was read is delivered
  overtake,          // a line overtakes the one before it
  corrupt_honest,    // the network changes a byte of an honest player's move
  leak_session,      // the core is never told that a connection ended
  forget_drained,    // the end of the last game is not reported to the one who stops the server
  clock_in_pause,    // a pause is charged to the side to move
  charge_stall,      // the time in which the server stood still is charged to the side to move
  rest_wrong,        // a player who comes back is told of a second that he does not have
  swallow_start,     // a player is not told that his game goes on
  tell_secret,       // the log of a login has the secret in it
  no_limit,          // the core takes any number of lines ahead
  stale_rate,        // a game states another rate than the player has
  any_secret,        // every secret is taken for the right one
  open_doors,        // a server that is closed lets in who has no account
  show_early,        // watchers of games that are shown late are told five seconds too early
  entropy,           // something that is not the seed's decides
};

// The plant that it is, by name ("gate_open"), for the command line; none if there is no such name.
Plant plant_of(std::string_view name);
std::string_view to_string(Plant plant);
constexpr std::size_t kPlants = static_cast<std::size_t>(Plant::entropy) + 1;

struct NetworkProfile {
  std::int64_t latency_us = 0, jitter_us = 0;
  double split = 0;      // a write arrives in pieces
  double hold = 0;       // a write waits for the next one (coalesced)
  double crlf = 0;       // share of lines that end in CR LF
  double reset = 0;      // a write is answered by RST instead
  double vanish = 0;     // after a write the client's machine is gone without a word
  double clog = 0;       // a direction stands still for seconds
  double read_late = 0;  // the server's reader comes late
  double remote = 0.3;   // share of connections whose reader is another thread
};

struct StoreProfile {
  std::int64_t commit_us = 0;  // mean
  double slow = 0;             // a commit takes seconds, at most slow_us
  std::int64_t slow_us = 0;
  double part = 0;           // a commit takes only some of the queued steps
  double lost_ack = 0;       // the outcome of a commit is unknown: away, read back, back
  double failed = 0;         // a commit fails: away, then again
  std::int64_t away_us = 0;  // mean
};

// What `late` means.
constexpr core::SpectatorDelay kLate{.seconds = 20};

struct Scenario {
  std::uint64_t seed = 0;
  Plant plant = Plant::none;
  std::size_t honest = 0, clumsy = 0, hostile = 0, builtin = 0;
  int games_each = 0;              // games that a player wants to play
  std::vector<std::string> games;  // game names that players ask for
  std::int64_t pace_us = 0;        // mean thinking time
  double last_moment = 0.01;       // a move arrives right before or after the flag falls
  NetworkProfile network;
  StoreProfile store;
  double stall = 0;  // the server's loop stands still for up to stall_us
  std::int64_t stall_us = 0;
  double crash = 0;                 // after a commit, before it is reported
  std::int64_t crash_every_us = 0;  // mean; 0: never
  bool orderly = false;             // some of these are no crashes: the server is told to end, and starts again
  core::ResumeRule resume = core::ResumeRule::abort;
  std::int32_t grace_s = 0;
  std::int64_t window_us = 0;
  bool times_as_played = false;
  double freeze = 0;  // the whole process stands still for seconds
  bool wall_jumps = false;
  core::AccountPolicy accounts = core::AccountPolicy::open;
  bool closes = false;     // from the second life on only those names get in that were claimed in the first
  bool takeover = false;   // who logs in twice takes his game along
  bool drain = false;      // SIGTERM at the end
  bool late = false;       // watchers see games late, and somebody watches
  bool operators = false;  // somebody gives commands
  std::string rounds;      // the file of the floodgate group; empty: there is none
  // Rooms by files: what they say of games that the players ask for.
  std::vector<core::RoomsRead::File> rooms;
  core::Limits limits;
  std::int32_t max_moves = 0, least_s = 0;
  std::int64_t span_us = 0;  // faults stop after this
};

Scenario draw_scenario(std::uint64_t seed, Plant plant = Plant::none);

}  // namespace fuhyo::sim
