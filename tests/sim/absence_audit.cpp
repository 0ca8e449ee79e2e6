// The auditor of players who are away: who may come back and when, what he is told, when nobody waits for him any more,
// and games between two lives of the server. Written from PROTOCOL.md, "Coming back".
#include <charconv>
#include <limits>

#include "tests/sim/auditor.h"

namespace fuhyo::sim {
namespace {

constexpr std::int64_t kSlack_us = kSecond;
constexpr std::int64_t kLongAgo_us = std::numeric_limits<std::int64_t>::min() / 4;

std::string_view value_of(std::string_view text, std::string_view key) {
  const auto at = text.find(key);
  if (at == text.npos) return {};
  text.remove_prefix(at + key.size());
  return text.substr(0, text.find('\n'));
}

bool names_game(std::string_view line, std::string_view csa_id) {
  const auto blank = line.find(' ');
  return blank == line.npos || line.substr(blank + 1) == csa_id;
}

}  // namespace

// ---- going ----

// `given_over`: somebody who showed the same secret takes his place.
void Auditor::went(core::ConnId id, bool given_over) {
  Conn& c = conns_[id];
  if (!c.game) return;
  Decided& game = decided_.at(*c.game);
  if (!game.started || game.over || (!game.suspended && game.opened.grace_s == 0 && !given_over)) return;
  const std::size_t side = game.conns[0] == id ? 0 : 1;
  if (game.playing[side]) game.ghosts[side] = id;
  game.conns[side] = core::ConnId{};
  game.playing[side] = game.agreed[side] = false;
  game.due_us[side] = stage_.time.now_us() + game.opened.grace_s * kSecond;
  c.game.reset();
}

// ---- coming back ----

void Auditor::came_back(const core::Send& send) {
  const std::string_view csa_id = value_of(send.bytes, "\nGame_ID:");
  const auto it =
      std::ranges::find_if(decided_, [&](const auto& g) { return !g.second.over && g.second.opened.csa_id == csa_id; });
  if (it == decided_.end() || !it->second.started || it->second.verdict_due) {
    return violate(Check::told, fmt::format("{} is shown to connection {} again, but does not go on", csa_id,
                                            core::value(send.conn)));
  }
  auto& [id, game] = *it;
  const std::size_t side = value_of(send.bytes, "\nYour_Turn:") == "+" ? 0 : 1;
  if (game.conns[side] != core::ConnId{}) {
    violate(Check::sessions, fmt::format("{}: a seat is given away that is taken", csa_id));
  }
  stage_.marks.hit(game.suspended ? Mark("back_after_restart") : Mark("back_in_time"));
  Conn& c = conns_[send.conn];
  c.game = id;
  set_aside(c);
  game.conns[side] = send.conn;
  game.ghosts[side] = core::ConnId{};
  game.told_plies[side] = game.plies;
  seats_[id][side].push_back(send.conn);
  std::int64_t& due_us = game.suspended ? game.window_us : game.due_us[side];
  due_us = std::max(due_us, stage_.time.now_us() + stage_.scenario.limits.agree_us);
  const std::string_view own_block = side == 0 ? "BEGIN Time+\n" : "BEGIN Time-\n";
  const std::size_t block = game.opened.white_time ? send.bytes.find(own_block) : 0;
  check_told_rest(game, side,
                  value_of(std::string_view(send.bytes).substr(std::min(block, send.bytes.size())), "\nTotal_Time:"));
  owe(send.conn, Told::summary, send.after);
  if (send.after == core::Seq{} && !c.owed.empty()) c.owed.back().due_us = stage_.time.now_us();
}

// What is left to the player, less the begun seconds (units) of the turn under way; never less than nothing.
void Auditor::check_told_rest(const Decided& game, std::size_t side, std::string_view told) {
  std::int64_t shown = -1;
  std::from_chars(told.data(), told.data() + told.size(), shown);
  const core::TimeRule& time = game.opened.time_of(side == 0 ? shogi::BLACK : shogi::WHITE);
  const std::int64_t unit_s = std::max(1, time.stopwatch_s);
  std::int64_t expected = time.total_s / unit_s;
  if (!stage_.scenario.times_as_played && !time.unlimited()) {
    const bool to_move = (side == 0) == game.black_to_move;
    const std::int64_t used_us = to_move ? game.elapsed_us(stage_.time.now_us()) : 0;
    const std::int64_t used = used_us <= 0 ? 0 : (used_us - 1) / (unit_s * kSecond) + 1;
    expected = std::max<std::int64_t>(0, game.clock.remaining_s(side == 0) / unit_s - used);
  }
  if (shown == expected) return;
  violate(Check::clock, fmt::format("{}: a player who comes back is told of {} units, not of {}", game.opened.csa_id,
                                    shown, expected));
}

// AGREE or REJECT of a player who has come back; the answers are looked for at the end of the step.
void Auditor::answered_return(Conn& c, core::ConnId id, std::string_view line) {
  Decided& game = decided_.at(*c.game);
  const std::size_t side = game.conns[0] == id ? 0 : 1;
  if (game.playing[side] || game.agreed[side] || !names_game(line, game.opened.csa_id)) return;
  if (stopping_) return;
  if (line.starts_with("REJECT")) {
    game.refused = true;
    return;
  }
  game.agreed[side] = true;
  if (!game.suspended) rejoining_.emplace_back(*c.game, side);
  if (game.suspended && game.agreed[0] && game.agreed[1]) continuing_ = *c.game;
}

// `last`: the newest fact of the step.
void Auditor::settle_returns(core::Seq last) {
  for (const auto& [id, side] : std::exchange(rejoining_, {})) {
    Decided& game = decided_.at(id);
    if (game.over) continue;
    if (last == core::Seq{}) violate(Check::told, game.opened.csa_id + ": nothing follows from an AGREE");
    game.playing[side] = true;
    owe(game.conns[side], Told::start, last);
    for (std::size_t i = game.told_plies[side]; i < game.plies; ++i) owe(game.conns[side], Told::move, last);
  }
  const auto continuing = std::exchange(continuing_, std::nullopt);
  if (!continuing || !decided_.at(*continuing).suspended || decided_.at(*continuing).over) return;
  violate(Check::told, decided_.at(*continuing).opened.csa_id + " does not go on although both have agreed");
}

// ---- the server's lives ----

void Auditor::suspended(const core::GameSuspended& fact) {
  stage_.marks.hit("suspended");
  const auto it = decided_.find(fact.game);
  if (it == decided_.end()) {
    return violate(Check::sequence, fmt::format("game {} is suspended, but does not run", core::value(fact.game)));
  }
  Decided& game = it->second;
  const std::int64_t now_us = stage_.time.now_us();
  if (const std::int64_t used_us = game.elapsed_us(now_us); used_us != fact.used_us) {
    violate(Check::clock,
            fmt::format("{}: suspended after {} us of its turn, not {}", game.opened.csa_id, used_us, fact.used_us));
  }
  if (game.turn_us) game.ran.emplace_back(*game.turn_us, now_us);
  game.turn_us.reset();
  game.suspended = true;
  game.agreed = {};
  waiting_.erase(fact.game);
}

void Auditor::continued(const core::GameContinued& fact, core::Seq seq) {
  stage_.marks.hit("continued");
  Decided& game = decided_.at(fact.game);
  if (!game.suspended || !game.agreed[0] || !game.agreed[1]) {
    violate(Check::told, game.opened.csa_id + " goes on although not both have agreed");
  }
  game.suspended = false;
  game.playing = {true, true};
  game.newest = seq;
  for (const core::ConnId id : game.conns) {
    set_aside(conns_[id]);
    owe(id, Told::start, seq);
  }
  if (!game.paused) waiting_.insert(fact.game);
}

// Games that ran when the server died, as the disk has them, unless their rule is to abort them.
void Auditor::revive() {
  for (const auto& [id, durable] : durable_) {
    if (durable.over() || !durable.started || durable.opened.resume == core::ResumeRule::abort) continue;
    Decided& game = decided_[id];
    game.opened = durable.opened;
    game.clock = Timekeeper(durable.opened);
    game.started = game.suspended = true;
    game.paused = durable.paused;
    game.verdict_due = durable.opened.resume == core::ResumeRule::adjudicate;
    game.black_to_move = Referee(durable.opened.start_sfen).black_to_move();
    for (const core::MoveMade& move : durable.moves) {
      game.clock.book(game.black_to_move, move.spent_s);
      game.moves.insert(move.csa);
      game.black_to_move = !game.black_to_move;
      ++game.plies;
    }
    if (durable.used_us > 0) game.ran.emplace_back(kLongAgo_us - durable.used_us, kLongAgo_us);
  }
}

void Auditor::booted() {
  ++lives_;
  for (auto& [id, game] : decided_) game.window_us = stage_.time.now_us() + stage_.scenario.window_us;
}

void Auditor::let_go_on(core::GameId id) {
  const auto it = decided_.find(id);
  if (it == decided_.end() || !std::exchange(it->second.verdict_due, false)) return;
  it->second.window_us = stage_.time.now_us() + stage_.scenario.window_us;
}

// Nobody's clock ran, and no time-out either.
void Auditor::stood_still(const core::Stalled& stall) {
  const std::int64_t gap_us = stall.to - stall.from;
  for (auto& [id, game] : decided_) {
    game.opened_us += gap_us;
    game.window_us += gap_us;
    for (std::int64_t& due_us : game.due_us) due_us += gap_us;
    if (!game.turn_us) continue;
    game.ran.emplace_back(*game.turn_us, stall.from.us);
    game.turn_us = stall.to.us;
  }
  for (auto& [id, c] : conns_) {
    if (c.opened_us > 0) c.opened_us += gap_us;
  }
}

// ---- nobody comes ----

// Whether an end for want of players was due, and is the one that the rule says.
void Auditor::check_absent_end(const Decided& game, const core::GameEnded& ended) {
  const bool of_absence = ended.reason.find("did not come back") != std::string::npos;
  if (!of_absence) {
    const bool right = !game.suspended || game.refused || ended.kind == core::EndKind::adjudicated ||
                       ended.kind == core::EndKind::toryo;
    if (!right) violate(Check::verdict, game.opened.csa_id + " ended while it was suspended: " + ended.reason);
    return;
  }
  const std::int64_t now_us = stage_.time.now_us();
  const bool black_won = ended.outcome == core::Outcome::black_wins;
  const bool void_game = ended.outcome == core::Outcome::none;
  const std::size_t loser = black_won ? 1 : 0;
  std::int64_t due_us = game.suspended ? game.window_us : game.due_us[loser];
  if (void_game && !game.suspended) due_us = std::min(game.due_us[0], game.due_us[1]);
  stage_.marks.hit(game.suspended ? Mark("window_passed") : Mark("grace_passed"));
  if (now_us < due_us) violate(Check::deadline, game.opened.csa_id + ": a player is given up too early");
  if (now_us > std::max(due_us, game.settled_us) + kSlack_us) {
    violate(Check::deadline, game.opened.csa_id + ": a player is given up too late");
  }
  const auto here = [&](std::size_t side) { return game.suspended ? game.agreed[side] : game.playing[side]; };
  const bool right = void_game ? !here(0) && !here(1) : here(1 - loser) && !here(loser);
  if (!right) violate(Check::verdict, game.opened.csa_id + ": the wrong side is held to be away");
}

// The end, as each side hears it that is there.
void Auditor::owe_end(const Decided& game, core::Seq seq) {
  for (const std::size_t side : {0u, 1u}) {
    const core::ConnId id = game.conns[side];
    if (id == core::ConnId{}) continue;
    if (!game.playing[side] && !game.agreed[side]) {
      owe(id, Told::reject, seq);
      continue;
    }
    if (!game.playing[side]) owe(id, Told::start, seq);
    owe(id, Told::verdict, seq);
  }
}

}  // namespace fuhyo::sim
