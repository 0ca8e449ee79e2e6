// The auditor at the core's side: every decision against what the core was told, and when.
#include <algorithm>
#include <iterator>
#include <limits>

#include "server/core/overload.h"
#include "tests/sim/auditor.h"

namespace fuhyo::sim {
namespace {

using core::Overload;

// How late the simulated shell may hand something to the core: its loop's stalls and its readers' queues.
constexpr std::int64_t kSlack_us = kSecond;

constexpr std::array<Mark, 13> kEndMarks = {
    "end_toryo",        "end_abnormal",       "end_time_up",    "end_kachi",      "end_illegal_kachi",
    "end_illegal_move", "end_oute_kaihimore", "end_uchifuzume", "end_sennichite", "end_oute_sennichite",
    "end_max_moves",    "end_chudan",         "end_adjudicated"};

struct Reason {
  std::string_view why;
  Mark mark;
};
constexpr std::array<Reason, 7> kCloseMarks = {{{"logged in again", "name_replaced"},
                                                {"name in use", "name_refused"},
                                                {"too many wrong logins", "login_refused"},
                                                {"no login in time", "login_timed_out"},
                                                {"too many connections", "crowd_refused"},
                                                {"too many lines", "flood_cut"},
                                                {"too many lines ahead of their turn", "too_many_ahead"}}};

}  // namespace

// After a crash the wall clock says how long something has waited.
void Auditor::check_late(const core::Send& send) {
  if (!stage_.scenario.late || stage_.scenario.wall_jumps) return;
  if (const auto wrong = late_.told(send.conn, send.bytes, stage_.time.now_us())) violate(Check::late, *wrong);
  if (late_.moves() > 0) stage_.marks.hit("watched_late");
}

void Auditor::decided(const core::Effects& effects) {
  core::Seq last{};
  newest_game_.reset();
  for (const core::Effect& effect : effects) {
    if (const auto* append = std::get_if<core::Append>(&effect)) {
      last = append->row.seq;
      check_secret(core::encode(append->row.fact).payload, "the journal");
      late_.decided(append->row.fact, stage_.time.now_us());
      decide(append->row);
    } else if (const auto* send = std::get_if<core::Send>(&effect)) {
      Conn& c = conns_[send->conn];
      check_secret(send->bytes, "a client is told");
      check_late(*send);
      c.pushed.emplace_back(send->after, send->bytes.size());
      if (send->bytes.starts_with("LOGIN:") && send->bytes.find(" OK\n") != std::string::npos) {
        c.logged_in = true;
        c.login = ++logins_;
      }
      if (newest_game_) {
        seat(*send);
      } else if (send->bytes.starts_with("BEGIN Game_Summary")) {
        came_back(*send);
      }
    } else if (const auto* closing = std::get_if<core::Close>(&effect)) {
      close(*closing);
    } else if (std::holds_alternative<core::Drained>(effect)) {
      drained_ = true;
    } else if (const auto* note = std::get_if<core::Note>(&effect)) {
      if (stage_.trace) stage_.trace("note " + note->text);
      check_secret(note->text, "the log");
      if (note->text.find("the same move twice") != std::string::npos) stage_.marks.hit("line_repeated");
    }
  }
  for (const core::Effect& effect : effects) {
    const auto* reply = std::get_if<core::AdminReply>(&effect);
    if (reply != nullptr && reply->result.columns == std::vector<std::string>{"counter", "value"}) {
      check_counters(reply->result);
    }
  }
  if (last != core::Seq{}) transaction_ends_.insert(last);
  settle_returns(last);
  for (const core::ConnId id : std::exchange(logouts_, {})) check_logout(id);
}

void Auditor::decide(const core::Journaled& row) {
  std::visit(Overload{
      [&](const core::GameOpened& f) { opened(f, row.seq); }, [&](const core::GameStarted& f) { started(f, row.seq); },
      [&](const core::GameRejected& f) { rejected(f, row.seq); }, [&](const core::MoveMade& f) { moved(f, row.seq); },
      [&](const core::RecordNote& f) {
        if (f.text.starts_with("Deferred")) stage_.marks.hit("line_deferred");
      },
      [&](const core::GameSuspended& f) { suspended(f); }, [&](const core::GameContinued& f) { continued(f, row.seq); },
      [&](const core::GameEnded& f) { ended(f, row.seq); },  //
      [&](const core::GamePaused& f) { stands(f); }, [&](const core::GameResumed& f) { goes_on(f, row.seq); },
      [&](const core::RoundHeld&) { stage_.marks.hit("round_held"); },
      [](const core::TournamentGame&) {},  // nobody holds an event here
      [](const core::CommentAdded&) {},    // nor follows another server
      [&]<class F>(const F&)
        requires(!requires(const F& f) { f.game; })
      {}},
      row.fact);
}

void Auditor::opened(const core::GameOpened& opened, core::Seq seq) {
  stage_.marks.hit("game_opened");
  if (opened.declaration != shogi::DeclarationRule::POINTS_27) stage_.marks.hit("other_declaration");
  if (opened.white_time) stage_.marks.hit("uneven_clocks");
  if (opened.rulebook == core::Rulebook::official) stage_.marks.hit("official_rules");
  if (draining_) violate(Check::drain, opened.csa_id + " was opened after the order to stop");
  check_rates(opened);
  Decided game;
  game.opened = opened;
  game.clock = Timekeeper(opened);
  game.opened_us = stage_.time.now_us();
  game.newest = seq;
  seats_[opened.game] = {};  // the number may be that of a game that a crash took before it was on the disk
  decided_[opened.game] = std::move(game);
  newest_game_ = opened.game;
}

// Whose connection plays which side shows in the Game_Summary that it is sent.
void Auditor::seat(const core::Send& send) {
  if (!send.bytes.starts_with("BEGIN Game_Summary")) return;
  const bool black = send.bytes.find("\nYour_Turn:+\n") != std::string::npos;
  decided_.at(*newest_game_).conns[black ? 0 : 1] = send.conn;
  seats_[*newest_game_][black ? 0 : 1].push_back(send.conn);
  conns_[send.conn].game = newest_game_;
  owe(send.conn, Told::summary, decided_.at(*newest_game_).newest);
}

void Auditor::started(const core::GameStarted& started, core::Seq seq) {
  stage_.marks.hit("game_started");
  Decided& game = decided_.at(started.game);
  check_in_time(game.opened_us, stage_.scenario.limits.agree_us, "an agreement");
  game.started = true;
  game.playing = {true, true};
  game.newest = seq;
  game.decided_us = stage_.time.now_us();
  for (const core::ConnId id : game.conns) {
    set_aside(conns_[id]);
    owe(id, Told::start, seq);
  }
  waiting_.insert(started.game);
}

void Auditor::begin_turns(core::Seq durable) {
  for (const core::ConnId id : owing_) {
    for (Owed& owed : conns_[id].owed) {
      if (owed.due_us < 0 && owed.seq <= durable) owed.due_us = stage_.time.now_us();
    }
  }
  for (auto& [id, game] : decided_) {
    if (game.newest > durable || game.settled == game.newest) continue;
    game.settled = game.newest;
    game.settled_us = stage_.time.now_us();
  }
  std::erase_if(waiting_, [&](core::GameId id) {
    Decided& game = decided_.at(id);
    if (game.newest > durable) return false;
    game.turn_us = stage_.time.now_us();
    return true;
  });
}

void Auditor::moved(const core::MoveMade& move, core::Seq seq) {
  Decided& game = decided_.at(move.game);
  if (!game.turn_us) {
    violate(Check::clock,
            fmt::format("{}: {} was taken while the former fact was not durable", game.opened.csa_id, move.csa));
  } else {
    check_flag_time(game, "a move of " + game.opened.csa_id);
    check_charge(game, move);
  }
  game.clock.book(game.black_to_move, move.spent_s);
  if (game.clock.remaining_s(game.black_to_move) != move.remaining_s) {
    violate(Check::clock, fmt::format("{}: {} leaves {} s, not {} s", game.opened.csa_id, move.csa,
                                      game.clock.remaining_s(game.black_to_move), move.remaining_s));
  }
  game.moves.insert(move.csa);
  for (const std::size_t side : {0u, 1u}) {
    if (game.playing[side]) owe(game.conns[side], Told::move, seq);
  }
  ++game.plies;
  game.black_to_move = !game.black_to_move;
  game.turn_us.reset();
  game.ran.clear();
  game.newest = seq;
  game.decided_us = stage_.time.now_us();
  waiting_.insert(move.game);
}

std::int64_t Auditor::Decided::elapsed_us(std::int64_t at_us) const {
  std::int64_t sum = turn_us ? at_us - *turn_us : 0;
  if (ran.empty()) return sum;
  sum = std::max<std::int64_t>(sum, 0);
  for (const auto& [from, to] : ran) sum += std::clamp<std::int64_t>(at_us - from, 0, to - from);
  return sum;
}

void Auditor::stands(const core::GamePaused& paused) {
  stage_.marks.hit("paused");
  Decided& game = decided_.at(paused.game);
  const std::int64_t now_us = stage_.time.now_us();
  const std::int64_t used_us = game.elapsed_us(now_us);
  if (used_us != paused.used_us) {
    violate(Check::clock,
            fmt::format("{}: paused after {} us of its turn, not {}", game.opened.csa_id, used_us, paused.used_us));
  }
  if (game.turn_us) game.ran.emplace_back(*game.turn_us, now_us);
  game.turn_us.reset();
  game.paused = true;
  waiting_.erase(paused.game);
}

void Auditor::goes_on(const core::GameResumed& resumed, core::Seq seq) {
  stage_.marks.hit("resumed");
  Decided& game = decided_.at(resumed.game);
  if (!game.paused) violate(Check::clock, game.opened.csa_id + " goes on without a pause");
  game.paused = false;
  game.newest = seq;
  if (!game.suspended) waiting_.insert(resumed.game);
}

// The clock of a turn that is decided has not run past its flag by more than the server may be late.
void Auditor::check_flag_time(const Decided& game, std::string_view what) {
  const std::int64_t flag_us = game.clock.flag_us(game.black_to_move);
  if (flag_us == std::numeric_limits<std::int64_t>::max()) return;
  const std::int64_t now_us = stage_.time.now_us();
  check_in_time(now_us - game.elapsed_us(now_us), flag_us, what);
}

std::vector<core::GameId> Auditor::running() const {
  std::vector<core::GameId> games;
  for (const auto& [id, game] : decided_) {
    if (game.started && !game.over) games.push_back(id);
  }
  return games;
}

std::vector<core::GameId> Auditor::paused() const {
  std::vector<core::GameId> games = running();
  std::erase_if(games, [this](core::GameId id) { return !decided_.at(id).paused; });
  return games;
}

std::string Auditor::player_of(core::GameId game, bool black) const {
  const core::GameOpened& opened = decided_.at(game).opened;
  return black ? opened.black.name : opened.white.name;
}

// What it said before is no move of this game, unless it said more than its budget.
void Auditor::set_aside(Conn& c) {
  if (!c.honest) std::ranges::move(c.lines, std::back_inserter(c.early));
  c.lines.clear();
}

// The line that the move came on is the first one of that text whose arrival explains T.
void Auditor::check_charge(Decided& game, const core::MoveMade& move) {
  Conn& c = conns_[game.mover()];
  bool heard = false;
  for (std::deque<GameLine>* lines : {&c.lines, &c.early}) {
    for (auto line = lines->begin(); line != lines->end(); ++line) {
      if (line->text != move.csa) continue;
      heard = true;
      const std::int64_t elapsed_us = game.elapsed_us(line->arrived.us);
      const std::int64_t flag_us = game.clock.flag_us(game.black_to_move);
      if (game.clock.charge_s(game.black_to_move, elapsed_us) != move.spent_s || elapsed_us >= flag_us) continue;
      const bool slow = *game.turn_us - game.decided_us >= kSecond;
      if (slow && elapsed_us < 0) stage_.marks.hit("presend_in_slow_commit");
      if (flag_us != std::numeric_limits<std::int64_t>::max() && flag_us - elapsed_us < kSecond) {
        stage_.marks.hit("move_in_last_second");
      }
      lines->erase(lines->begin(), line + 1);
      return;
    }
  }
  violate(heard ? Check::clock : Check::phantom,
          fmt::format("{}: no line of connection {} explains {},T{}", game.opened.csa_id, core::value(game.mover()),
                      move.csa, move.spent_s));
}

void Auditor::ended(const core::GameEnded& ended, core::Seq seq) {
  stage_.marks.hit(kEndMarks[static_cast<std::size_t>(ended.kind)]);
  const auto it = decided_.find(ended.game);
  if (it == decided_.end()) {
    stage_.marks.hit("recovered_ended");  // it ran before the crash
    return;
  }
  const Decided& game = it->second;
  if (game.turn_us) check_flag_time(game, "the end of " + game.opened.csa_id);
  if (ended.kind == core::EndKind::time_up) check_time_up(game);
  check_absent_end(game, ended);
  owe_end(game, seq);
  forget(ended.game);
}

void Auditor::rejected(const core::GameRejected& rejected, core::Seq seq) {
  stage_.marks.hit("game_rejected");
  if (rejected.by == "the Server (timed out)") stage_.marks.hit("agree_timed_out");
  const auto it = decided_.find(rejected.game);
  if (it == decided_.end()) return;
  check_in_time(it->second.opened_us, stage_.scenario.limits.agree_us, "a rejection");
  for (const core::ConnId id : it->second.conns) owe(id, Told::reject, seq);
  forget(rejected.game);
}

void Auditor::forget(core::GameId id) {
  for (const core::ConnId conn : decided_.at(id).conns) {
    if (conn == core::ConnId{}) continue;
    conns_[conn].game.reset();
    set_aside(conns_[conn]);
  }
  waiting_.erase(id);
  decided_.at(id).over = true;  // it is kept: its seats are asked for when GameOpened reaches the disk
}

// A move that was played before is a repeated line, which the core ignores.
void Auditor::check_time_up(const Decided& game) {
  const std::int64_t now_us = stage_.time.now_us();
  const std::int64_t flag_us = game.clock.flag_us(game.black_to_move);
  if (!game.turn_us || game.elapsed_us(now_us) < flag_us) {
    return violate(Check::flag, fmt::format("{}: the flag fell too early", game.opened.csa_id));
  }
  if (flag_us == 0) return;  // the least time alone is too much: nothing could have stopped it
  if (!game.playing[game.black_to_move ? 0 : 1]) return;  // he is away: nothing of his is on its way
  const Conn& c = conns_[game.mover()];
  for (const auto* waiting : {&c.lines, &c.transit}) {
    for (const GameLine& line : *waiting) {
      if (game.elapsed_us(line.arrived.us) >= flag_us || game.moves.contains(line.text)) continue;
      violate(Check::flag, fmt::format("{}: the flag fell while {} was here", game.opened.csa_id, line.text));
    }
  }
}

void Auditor::check_in_time(std::int64_t since_us, std::int64_t limit_us, std::string_view what) {
  const std::int64_t took_us = stage_.time.now_us() - since_us;
  if (limit_us == std::numeric_limits<std::int64_t>::max() || took_us <= limit_us + kSlack_us) return;
  violate(Check::deadline, fmt::format("{} came {} us after its limit of {} us", what, took_us - limit_us, limit_us));
}

void Auditor::close(const core::Close& close) {
  Conn& c = conns_[close.conn];
  c.closing = true;
  check_secret(close.why, "the log");
  const auto* reason = std::ranges::find(kCloseMarks, close.why, &Reason::why);
  if (reason != kCloseMarks.end()) stage_.marks.hit(reason->mark);
  if (!c.logged_in && !c.over) check_in_time(c.opened_us, stage_.scenario.limits.login_us, "the end of a login");
  const bool flood = close.why.starts_with("too many lines");
  if (c.honest && flood)
    violate(Check::honest, fmt::format("connection {} was cut: {}", core::value(close.conn), close.why));
  went(close.conn, stage_.scenario.takeover && close.why == "logged in again");
}

// ---- what players must hear ----

void Auditor::owe(core::ConnId id, Told told, core::Seq seq) {
  Conn& c = conns_[id];
  if (c.over || c.closing) return;
  c.owed.push_back({told, seq, -1});
  owing_.insert(id);
}

void Auditor::pay(core::ConnId id, Conn& c, Told told) {
  const bool of_fact = told == Told::summary || told == Told::start || told == Told::move || told == Told::verdict ||
                       told == Told::reject;
  if (!of_fact || c.over) return;
  if (c.owed.empty() || c.owed.front().told != told) {
    return violate(Check::told,
                   fmt::format("connection {} hears a fact before or instead of another", core::value(id)));
  }
  c.owed.pop_front();
}

// What was due for longer than the server's own delays has been forgotten.
void Auditor::check_paid(core::ConnId id, Conn& c) {
  for (const Owed& owed : std::exchange(c.owed, {})) {
    if (owed.due_us < 0 || stage_.time.now_us() - owed.due_us <= kSlack_us) continue;
    violate(Check::told, fmt::format("connection {} was not told of seq {} (sort {}, due {})", core::value(id),
                                     core::value(owed.seq), static_cast<int>(owed.told), owed.due_us));
  }
  owing_.erase(id);
}

// Within a game a LOGOUT may have to wait for the journal; otherwise the connection is closed in the same step.
void Auditor::check_logout(core::ConnId id) {
  const Conn& c = conns_[id];
  if (c.over || c.closing) return;
  if (c.game) {
    logouts_.insert(id);
  } else {
    violate(Check::told, fmt::format("the LOGOUT of connection {} was forgotten", core::value(id)));
  }
}

}  // namespace fuhyo::sim
