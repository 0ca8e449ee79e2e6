#include "tests/sim/scenario.h"

#include <array>
#include <fmt/format.h>

#include "tests/sim/rng.h"
#include "tests/sim/scheduler.h"

namespace fuhyo::sim {
namespace {

constexpr std::array<std::string_view, kPlants> kPlantNames = {
    "none",          "gate_open",       "ack_early",        "drop_row",       "swap_rows",
    "phantom_row",   "lose_tail",       "tear_step",        "skip_seq",       "garble_payload",
    "forget_game",   "forget_stamp",    "duplicate_result", "flip_outcome",   "wrong_board",
    "charge_commit", "remaining_wrong", "echo_wrong_time",  "accept_illegal", "wrong_verdict",
    "swallow_line",  "forget_logout",   "keep_old_session", "forget_timer",   "flag_early",
    "overtake",      "corrupt_honest",  "leak_session",     "forget_drained", "clock_in_pause",
    "charge_stall",  "rest_wrong",      "swallow_start",    "tell_secret",    "no_limit",
    "stale_rate",    "any_secret",      "open_doors",       "show_early",     "entropy"};

// Byoyomi, Fischer, sudden death, stop-watch, no limit, handicaps, and names that a script is played under.
constexpr std::array<std::string_view, 14> kGames = {
    "g-60-5",  "g-0-3",       "g-20-2F",     "g-5-0",      "g-120-030",      "g-0-0",         "g-0-1F",
    "g-900-0", "hc2p_g-30-5", "hc10p_g-0-5", "drawn-60-5", "perpetual-60-5", "pawnmate-60-5", "declared-60-5"};

NetworkProfile draw_network(Rng& rng) {
  NetworkProfile n;
  constexpr std::array<std::int64_t, 4> kLatency = {50, 2 * kMillisecond, 30 * kMillisecond, 300 * kMillisecond};
  n.latency_us = rng.pick(kLatency);
  n.jitter_us = n.latency_us / 2 + 10;
  n.split = rng.chance(0.5) ? 0.02 : 0.5;
  n.hold = rng.chance(0.5) ? 0 : 0.1;
  n.crlf = rng.chance(0.5) ? 0 : 0.3;
  n.reset = rng.chance(0.4) ? 0 : 0.002;
  n.vanish = rng.chance(0.5) ? 0 : 0.002;
  n.clog = rng.chance(0.7) ? 0 : 0.002;
  n.read_late = rng.chance(0.5) ? 0.01 : 0.2;
  return n;
}

StoreProfile draw_store(Rng& rng) {
  StoreProfile s;
  constexpr std::array<std::int64_t, 4> kCommit = {100, kMillisecond, 20 * kMillisecond, 400 * kMillisecond};
  s.commit_us = rng.pick(kCommit);
  s.slow = rng.chance(0.5) ? 0 : 0.03;
  s.slow_us = 10 * kSecond;
  s.part = rng.chance(0.5) ? 0 : 0.3;
  s.lost_ack = rng.chance(0.5) ? 0 : 0.01;
  s.failed = rng.chance(0.5) ? 0 : 0.01;
  s.away_us = rng.chance(0.5) ? kSecond : 40 * kSecond;
  return s;
}

core::Limits draw_limits(Rng& rng) {
  core::Limits limits;
  if (rng.chance(0.7)) return limits;
  // Small limits take the rare branches often.
  limits.queued_lines = 2 + rng.below(4);
  limits.line = 256;
  limits.line_before_login = 128;
  limits.unauthenticated = 6;
  limits.unauthenticated_per_address = 2;
  limits.sessions = 20;
  limits.login_tries = 2;
  limits.output_bytes = 8 * 1024;
  limits.held_bytes = 16;
  return limits;
}

// Rooms with other rules of declaration; one gives its colours different clocks: short and long, of every kind.
void draw_rooms(Rng& rng, Scenario& s) {
  constexpr std::array<std::string_view, 6> kTimes = {"20-2F", "5-0", "60-5", "120-030", "0-3", "0-0"};
  constexpr std::array<std::string_view, 5> kRules = {"24", "24-handicap", "27-handicap", "try", "none"};
  if (rng.chance(0.2)) {
    s.games.emplace_back("declared-60-5");
    s.rooms.push_back(
        {.name = "entering", .settings = {"games=declared-*", fmt::format("declaration={}", rng.pick(kRules))}});
  }
  if (!rng.chance(0.3)) return;
  s.games.emplace_back("uneven-30-5");
  s.rooms.push_back(
      {.name = "uneven",
       .settings = {"games=uneven-*", fmt::format("time-black={}", rng.pick(kTimes)),
                    fmt::format("time-white={}", rng.pick(kTimes)), fmt::format("declaration={}", rng.pick(kRules))}});
}

// Rooms of both rulebooks, for repetitions and for a mate by the last move that the room allows. From draws of their
// own: a seed that draws none is the world that it was before there were such rooms.
void draw_rulebooks(Scenario& s) {
  Rng rng(s.seed * 0x9e3779b97f4a7c15u + 2);
  if (!rng.chance(0.2)) return;
  const std::string rules = rng.chance(0.7) ? "rules=official" : "rules=shogi-server";
  s.games.emplace_back("mated-60-5");
  s.rooms.push_back({.name = "mated",
                     .settings = {"games=mated-*", rules, "max-moves=1", "start=sfen k1K6/9/1R7/9/9/9/9/9/9 b G 1"}});
  s.games.emplace_back(rng.chance(0.5) ? "perpetual-60-5" : "drawn-60-5");
  s.rooms.push_back({.name = "repeating", .settings = {fmt::format("games={}", s.games.back()), rules}});
}

// Gives a planted fault its occasions; without one the scenario stays as it is.
void make_room_for(Plant plant, Scenario& s) {
  const bool of_recovery = plant == Plant::lose_tail || plant == Plant::garble_payload || plant == Plant::forget_game ||
                           plant == Plant::forget_stamp;
  if (of_recovery) s.crash = 0.02;
  if (plant == Plant::forget_stamp) s.wall_jumps = true;
  if (plant == Plant::no_limit) {
    s.operators = true;
    s.limits.queued_lines = 2;
    s.limits.commands_burst = 1000;  // who is over his budget gets no lines ahead
    s.hostile = 4;
  }
  if (plant == Plant::charge_stall) s.freeze = 0.01;
  if (plant == Plant::rest_wrong || plant == Plant::swallow_start) {
    s.crash = 0.01;
    s.resume = core::ResumeRule::position;
    s.window_us = 20 * kSecond;
    s.times_as_played = false;
  }
  if (plant == Plant::show_early) s.late = true;
  if (plant == Plant::any_secret || plant == Plant::open_doors) s.accounts = core::AccountPolicy::claim;
  if (plant == Plant::open_doors) {
    s.closes = true;
    s.crash = 0.02;
  }
  if (plant == Plant::forget_drained) s.drain = true;
  if (plant == Plant::clock_in_pause) s.operators = true;
  if (plant == Plant::flag_early) s.network.remote = s.last_moment = 0.5;
}

}  // namespace

std::string_view to_string(Plant plant) { return kPlantNames[static_cast<std::size_t>(plant)]; }

Plant plant_of(std::string_view name) {
  const auto it = std::ranges::find(kPlantNames, name);
  return it == kPlantNames.end() ? Plant::none : static_cast<Plant>(it - kPlantNames.begin());
}

Scenario draw_scenario(std::uint64_t seed, Plant plant) {
  Rng rng(seed * 0x9e3779b97f4a7c15u + 1);
  Scenario s;
  s.seed = seed;
  s.plant = plant;
  s.honest = 2 + rng.below(6);
  s.clumsy = rng.below(5);
  s.hostile = rng.below(3);
  s.builtin = rng.chance(0.3) ? 2 : 0;
  s.games_each = 2 + static_cast<int>(rng.below(3));
  const std::size_t names = 1 + rng.below(2);
  for (std::size_t i = 0; i < names; ++i) s.games.emplace_back(rng.pick(kGames));
  constexpr std::array<std::int64_t, 3> kPace = {20 * kMillisecond, 300 * kMillisecond, 1500 * kMillisecond};
  s.pace_us = rng.pick(kPace);
  s.network = draw_network(rng);
  s.store = draw_store(rng);
  s.stall = rng.chance(0.5) ? 0 : 0.02;
  s.stall_us = 60 * kMillisecond;
  if (rng.chance(0.5)) {
    s.crash = 0.003;
    s.crash_every_us = 60 * kSecond;
  }
  s.orderly = rng.chance(0.5);
  constexpr std::array<core::ResumeRule, 5> kRules = {core::ResumeRule::position, core::ResumeRule::position,
                                                      core::ResumeRule::position, core::ResumeRule::adjudicate,
                                                      core::ResumeRule::abort};
  s.resume = rng.pick(kRules);
  constexpr std::array<std::int32_t, 4> kGrace_s = {0, 0, 4, 30};
  s.grace_s = rng.pick(kGrace_s);
  s.window_us = (rng.chance(0.3) ? 3 : 20) * kSecond;
  s.times_as_played = rng.chance(0.2);
  s.freeze = rng.chance(0.6) ? 0 : 0.0005;
  s.wall_jumps = rng.chance(0.3);
  s.drain = rng.chance(0.3);
  s.limits = draw_limits(rng);
  s.max_moves = rng.chance(0.1) ? 0 : 20 + static_cast<std::int32_t>(rng.below(80));
  s.least_s = rng.chance(0.7) ? 0 : 1;
  s.span_us = 30 * 60 * kSecond;
  s.operators = rng.chance(0.4) || s.resume == core::ResumeRule::adjudicate;
  if (rng.chance(0.3)) {
    constexpr std::array<std::string_view, 4> kMethods = {"matching", "matching", "swiss", "least_diff_pairing"};
    s.rounds = fmt::format("every 1 min\nset pairing_factory {}\nset max_moves {}\n{}", rng.pick(kMethods),
                           20 + rng.below(40), rng.chance(0.5) ? "set both_colours yes\n" : "") +
               fmt::format("set resume {}\nset loss_grace {}\n", core::to_string(s.resume), s.grace_s);
    s.games.emplace_back(kRoundGroup);
  }
  s.accounts = rng.chance(0.3) ? core::AccountPolicy::claim : core::AccountPolicy::open;
  s.takeover = rng.chance(0.5);
  s.closes = rng.chance(0.4) && s.accounts == core::AccountPolicy::claim;
  s.late = rng.chance(0.4);
  // Few worlds give a missing limit its occasion; more games than they have would give it fewer.
  if (plant != Plant::no_limit) {
    draw_rooms(rng, s);
    draw_rulebooks(s);
  }
  make_room_for(plant, s);
  return s;
}

}  // namespace fuhyo::sim
