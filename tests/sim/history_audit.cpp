// The auditor at the end: what every client was told against what the store holds, and that against the rules.

#include "tests/sim/auditor.h"

namespace fuhyo::sim {
namespace {

bool black_won(const core::GameEnded& ended) { return ended.outcome == core::Outcome::black_wins; }
bool white_won(const core::GameEnded& ended) { return ended.outcome == core::Outcome::white_wins; }

std::string_view expected_verdict(const core::GameEnded& ended, char sign) {
  if (ended.kind == core::EndKind::max_moves) return "#CENSORED";
  if (ended.outcome == core::Outcome::draw) return "#DRAW";
  if (ended.outcome == core::Outcome::none) return "#CHUDAN";
  return black_won(ended) == (sign == '+') ? "#WIN" : "#LOSE";
}

// In the order of the kinds; an adjudication has the words that clients know.
constexpr auto kReasons = std::to_array<std::string_view>(
    {"#RESIGN", "#RESIGN", "#TIME_UP", "#JISHOGI", "#ILLEGAL_MOVE", "#ILLEGAL_MOVE", "#ILLEGAL_MOVE", "#ILLEGAL_MOVE",
     "#SENNICHITE", "#OUTE_SENNICHITE", "#MAX_MOVES", "", "#RESIGN"});

std::string_view expected_reason(const core::GameEnded& ended) {
  if (ended.kind != core::EndKind::adjudicated || black_won(ended) || white_won(ended)) {
    return kReasons.at(static_cast<std::size_t>(ended.kind));
  }
  return ended.outcome == core::Outcome::draw ? "#SENNICHITE" : "";
}

// The king reaches its goal in a game in which that wins.
bool ends_by_try(const core::GameOpened& opened, std::string_view csa) {
  return opened.declaration == shogi::DeclarationRule::TRY && is_try(csa);
}

bool lost_by_rule(core::EndKind kind) {
  return kind == core::EndKind::illegal_move || kind == core::EndKind::illegal_kachi ||
         kind == core::EndKind::oute_kaihimore || kind == core::EndKind::uchifuzume;
}

}  // namespace

void Auditor::finish(const std::vector<core::Journaled>& disk, std::size_t sessions, std::size_t games) {
  check_sequence(disk);
  Games all;
  for (const core::Journaled& row : disk) add(all, row, true);
  for (const auto& [id, game] : all) {
    ++games_;
    moves_ += game.moves.size();
    if (!game.over()) violate(Check::deadline, game.opened.csa_id + " never ended");
    check_rules(game);
    check_clocks(game);
    check_phantoms(id, game);
    check_honest(id, game);
  }
  for (auto& [id, c] : conns_) {
    check_paid(id, c);
    for (const Seen& seen : c.view.games()) check_seen(id, all, seen);
    if (!c.over && c.opened_us > 0) violate(Check::leak, fmt::format("connection {} has no end", core::value(id)));
  }
  for (const auto& [id, at_us] : replaced_) {
    violate(Check::sessions, fmt::format("connection {} never ended after its name was given away", core::value(id)));
  }
  if (draining_ && !drained_) violate(Check::drain, "the end of the last game was not reported");
  if (sessions + games > 0) violate(Check::leak, fmt::format("{} sessions and {} games are left", sessions, games));
  mix("end");
}

void Auditor::check_sequence(const std::vector<core::Journaled>& disk) {
  core::Seq expected{1};
  for (const core::Journaled& row : disk) {
    if (row.seq != expected) {
      violate(Check::sequence, fmt::format("seq {} where {} was due", core::value(row.seq), core::value(expected)));
      expected = row.seq;
    }
    expected = core::next(expected);
    if (const auto* opened = std::get_if<core::GameOpened>(&row.fact)) check_stamp(*opened);
  }
}

// Game_IDs name record files: their stamps ascend, also over crashes and when the wall clock goes back.
void Auditor::check_stamp(const core::GameOpened& opened) {
  const std::string stamp = opened.csa_id.substr(opened.csa_id.rfind('+') + 1);
  if (stamp.size() != 14 || stamp <= newest_stamp_) {
    violate(Check::sequence, fmt::format("{} after the stamp {}", opened.csa_id, newest_stamp_));
  }
  newest_stamp_ = stamp;
}

void Auditor::add(Games& games, const core::Journaled& row, bool check) {
  const core::GameId id = core::game_of(row.fact);
  if (id == core::GameId{}) return;  // of no game
  const auto bad = [&](Check which, std::string_view what) {
    if (check) violate(which, fmt::format("game {}, seq {}: {}", core::value(id), core::value(row.seq), what));
  };
  const bool known = games.contains(id);
  Durable& game = games[id];
  const auto* opened = std::get_if<core::GameOpened>(&row.fact);
  if (known == (opened != nullptr)) bad(Check::sequence, known ? "opened twice" : "begins without GameOpened");
  if (game.over()) bad(Check::one_result, "a fact after the end");
  if (opened != nullptr) {
    game.opened = *opened;
  } else if (std::holds_alternative<core::GameStarted>(row.fact)) {
    if (std::exchange(game.started, true)) bad(Check::sequence, "started twice");
  } else if (const auto* move = std::get_if<core::MoveMade>(&row.fact)) {
    if (!game.started) bad(Check::sequence, "a move before the start");
    game.moves.push_back(*move);
    game.used_us = 0;
    if (game.suspended) bad(Check::sequence, "a move while it is suspended");
    if (move->ply != static_cast<std::int32_t>(game.moves.size())) bad(Check::sequence, "ply out of order");
  } else if (const auto* suspended = std::get_if<core::GameSuspended>(&row.fact)) {
    if (!game.started || std::exchange(game.suspended, true)) bad(Check::sequence, "suspends what does not run");
    game.used_us = suspended->used_us;
  } else if (std::holds_alternative<core::GameContinued>(row.fact)) {
    if (!std::exchange(game.suspended, false)) bad(Check::sequence, "goes on without having been suspended");
  } else if (const auto* paused = std::get_if<core::GamePaused>(&row.fact)) {
    game.used_us = paused->used_us;
    if (!game.started || std::exchange(game.paused, true)) bad(Check::sequence, "a pause of what does not run");
  } else if (std::holds_alternative<core::GameResumed>(row.fact)) {
    if (!std::exchange(game.paused, false)) bad(Check::sequence, "goes on without a pause");
  } else if (const auto* ended = std::get_if<core::GameEnded>(&row.fact)) {
    if (!game.started) bad(Check::sequence, "an end before the start");
    game.ends.push_back(*ended);
  } else if (const auto* rejected = std::get_if<core::GameRejected>(&row.fact)) {
    if (game.started) bad(Check::sequence, "rejected after the start");
    game.rejections.push_back(*rejected);
  }
}

// ---- rules ----

void Auditor::check_rules(const Durable& game) {
  if (game.opened.start_sfen.empty()) return;  // check_sequence has told
  Referee referee(game.opened.start_sfen, game.opened.rulebook);
  oracle::Ending repetition = oracle::Ending::none;
  std::string before;
  for (std::size_t i = 0; i < game.moves.size(); ++i) {
    const std::string& csa = game.moves[i].csa;
    const bool limit = game.opened.max_moves > 0 && static_cast<std::int32_t>(i) >= game.opened.max_moves;
    const bool over = i > 0 && ends_by_try(game.opened, game.moves[i - 1].csa);
    if (limit || over || repetition != oracle::Ending::none || !referee.allows(csa)) {
      return violate(Check::legality, fmt::format("{}: {} at ply {}{}", game.opened.csa_id, csa, i + 1,
                                                  limit ? " beyond the limit" : ""));
    }
    if (i + 1 == game.moves.size()) before = referee.csa_board();
    repetition = referee.make(csa);
    if (ends_by_try(game.opened, csa)) repetition = oracle::Ending::none;
  }
  if (game.ends.empty()) return;
  check_end(game, referee, repetition);
  // At a repetition shogi-server takes the last move back before it writes the board.
  const bool back = repetition != oracle::Ending::none;
  check_final_board(game, back ? before : referee.csa_board(), game.moves.size() - (back ? 1 : 0));
}

void Auditor::check_final_board(const Durable& game, const std::string& board, std::size_t plies) {
  const core::GameEnded& e = game.ends.front();
  if (e.final_board == board && e.plies == static_cast<std::int32_t>(plies)) return;
  violate(Check::verdict, fmt::format("{}: the end states {} moves and\n{}not {} moves and\n{}", game.opened.csa_id,
                                      e.plies, e.final_board, plies, board));
}

void Auditor::check_end(const Durable& game, const Referee& referee, oracle::Ending repetition) {
  using enum core::EndKind;
  const core::GameEnded& e = game.ends.front();
  const bool mover_lost = referee.black_to_move() ? white_won(e) : black_won(e);
  const bool mover_won = referee.black_to_move() ? black_won(e) : white_won(e);
  const bool limit = static_cast<std::int32_t>(game.moves.size()) == game.opened.max_moves && !game.moves.empty();
  const Referee::Declared declared = referee.declared(game.opened.declaration);
  bool right = false;
  if (!game.moves.empty() && ends_by_try(game.opened, game.moves.back().csa)) {
    right = e.kind == kachi && e.line.empty() && mover_lost;
  } else if (repetition == oracle::Ending::draw) {
    right = e.kind == sennichite && e.outcome == core::Outcome::draw;
  } else if (repetition != oracle::Ending::none) {
    right = e.kind == oute_sennichite && (repetition == oracle::Ending::mover_loses ? mover_won : mover_lost);
  } else if (limit && game.opened.rulebook == core::Rulebook::official && referee.legal_moves().empty()) {
    right = e.kind == toryo && mover_lost;
    stage_.marks.hit("mate_at_limit");
  } else if (limit) {
    right = e.kind == max_moves && e.outcome == core::Outcome::draw;
  } else {
    switch (e.kind) {
      case toryo:  // in a pause either side may
        right = mover_lost || (game.paused && mover_won);
        break;
      case time_up:
        right = mover_lost && !game.paused;
        break;
      case abnormal:
        right = mover_lost || mover_won;
        break;
      case kachi:
        right = !e.line.empty() && (e.outcome == core::Outcome::draw ? declared == Referee::Declared::draw
                                                                     : mover_won && declared == Referee::Declared::win);
        break;
      case illegal_kachi:
        right = mover_lost && declared == Referee::Declared::nothing;
        break;
      case illegal_move:
      case oute_kaihimore:
      case uchifuzume:
        right = mover_lost && !referee.allows(e.line);
        break;
      case chudan:
        right = e.outcome == core::Outcome::none;
        break;
      case adjudicated:
        right = adjudications_.contains({game.opened.game, e.outcome});
        break;
      default:
        break;
    }
  }
  if (right) return;
  violate(Check::verdict, fmt::format("{}: '{}' ({}) is no right end after {} moves, line '{}'", game.opened.csa_id,
                                      core::summary_type(e.kind), e.reason, game.moves.size(), e.line));
}

// Sum of charges = initial + increments - remaining, for a side whose main time never ran out.
void Auditor::check_clocks(const Durable& game) {
  Timekeeper clock(game.opened);
  std::array<std::int64_t, 2> charged_s{}, credited_s{};
  std::array<bool, 2> ran_out{};
  for (const core::MoveMade& move : game.moves) {
    const bool black = move.csa.starts_with('+');
    const std::size_t side = black ? 0 : 1;
    const core::TimeRule& time = game.opened.time_of(black ? shogi::BLACK : shogi::WHITE);
    clock.book(black, move.spent_s);
    charged_s[side] += move.spent_s;
    credited_s[side] += time.increment_s;
    ran_out[side] |= move.remaining_s == 0;
    const bool sum = ran_out[side] || charged_s[side] == time.total_s + credited_s[side] - move.remaining_s;
    if (clock.remaining_s(black) == move.remaining_s && sum) continue;
    violate(Check::clock, fmt::format("{}: {},T{} leaves {} s on the disk", game.opened.csa_id, move.csa, move.spent_s,
                                      move.remaining_s));
  }
}

void Auditor::check_phantoms(core::GameId id, const Durable& game) {
  const auto seats = seats_.find(id);
  if (seats == seats_.end()) return;
  for (const core::MoveMade& move : game.moves) {
    const auto& players = seats->second[move.csa.starts_with('+') ? 0 : 1];
    const bool explained = std::ranges::any_of(players, [&](core::ConnId conn) {
      auto& sent = conns_[conn].sent;
      auto it = sent.find(fmt::format("{} {}", game.opened.csa_id, move.csa));
      if (it == sent.end()) it = sent.find(" " + move.csa);
      if (it == sent.end()) return false;
      sent.erase(it);
      return true;
    });
    if (!explained) violate(Check::phantom, fmt::format("{}: nobody sent {}", game.opened.csa_id, move.csa));
  }
}

// "pawnmate" is the one game that honest players end by a drop-pawn mate.
void Auditor::check_honest(core::GameId id, const Durable& game) {
  const auto seats = seats_.find(id);
  if (seats == seats_.end() || game.ends.empty() || game.opened.game_name.starts_with("pawnmate")) return;
  const core::GameEnded& e = game.ends.front();
  if (!lost_by_rule(e.kind) || !conns_[seats->second[black_won(e) ? 1 : 0].front()].honest) return;
  violate(Check::honest, fmt::format("{}: an honest player lost: {}", game.opened.csa_id, e.reason));
}

// ---- what clients were told ----

void Auditor::check_seen(core::ConnId id, const Games& games, const Seen& seen) {
  if (seen.id.empty()) return;  // the connection ended within its Game_Summary
  const auto it = std::ranges::find_if(games, [&](const auto& game) { return game.second.opened.csa_id == seen.id; });
  if (it == games.end()) {
    return violate(Check::lost_move, fmt::format("connection {} was told of {}", core::value(id), seen.id));
  }
  const Durable& game = it->second;
  if (seen.started && !game.started) {
    violate(Check::lost_move, fmt::format("connection {} was told START of {}", core::value(id), seen.id));
  }
  check_told_moves(id, game, seen);
  check_own_clock(id, game, seen);
  check_told_result(id, game, seen);
}

void Auditor::check_told_moves(core::ConnId id, const Durable& game, const Seen& seen) {
  const std::size_t before = seen.past.size();
  for (std::size_t i = 0; i < before + seen.moves.size(); ++i) {
    const std::string& told = i < before ? seen.past[i] : seen.moves[i - before];
    const auto report = [&](Check check, std::string_view durable) {
      violate(check, fmt::format("{}: connection {} was told '{}' at ply {}; the disk has '{}'", seen.id,
                                 core::value(id), told, i + 1, durable));
    };
    if (i >= game.moves.size()) return report(Check::lost_move, "");
    const core::MoveMade& move = game.moves[i];
    const std::string durable = fmt::format("{},T{}", move.csa, move.spent_s);
    if (told == durable) continue;
    const bool same_move = told.starts_with(move.csa + ",");
    if (i < before && same_move) continue;  // times of the past are not told
    // Of the turn in which he came back a player is told the rest; check_own_clock() looks at it.
    if (i == before && same_move && move.csa.front() == seen.my_sign && time_of(told) < move.spent_s) continue;
    return report(same_move ? Check::echo : Check::one_order, durable);
  }
}

// A client that takes Total_Time and the T of its own moves for the truth: it is right, or, having come back in the
// middle of a turn, at most a unit short.
void Auditor::check_own_clock(core::ConnId id, const Durable& game, const Seen& seen) {
  const core::TimeRule& time = game.opened.time_of(seen.my_sign == '+' ? shogi::BLACK : shogi::WHITE);
  if (time.unlimited() || (stage_.scenario.times_as_played && !seen.past.empty())) return;
  const std::int64_t unit_s = std::max(1, time.stopwatch_s);
  const bool returned = !seen.past.empty() || seen.total_s != time.total_s / unit_s;
  std::int64_t left_s = seen.total_s * unit_s;
  for (std::size_t i = 0; i < seen.moves.size() && seen.past.size() + i < game.moves.size(); ++i) {
    if (seen.moves[i].front() != seen.my_sign) continue;
    left_s = std::max<std::int64_t>(0, left_s + time.increment_s - time_of(seen.moves[i]));
    const std::int64_t short_s = game.moves[seen.past.size() + i].remaining_s - left_s;
    if (short_s == 0 || (returned && short_s > 0 && short_s <= unit_s)) continue;
    return violate(Check::echo, fmt::format("{}: connection {} believes to have {} s after {}, and is {} s short",
                                            seen.id, core::value(id), left_s, seen.moves[i], short_s));
  }
}

void Auditor::check_told_result(core::ConnId id, const Durable& game, const Seen& seen) {
  if (seen.rejected && game.rejections.empty() && (game.ends.empty() || seen.started)) {
    violate(Check::one_result, fmt::format("{}: connection {} was told REJECT", seen.id, core::value(id)));
  }
  if (seen.verdict.empty()) return;
  const bool right = game.ends.size() == 1 && seen.verdict == expected_verdict(game.ends.front(), seen.my_sign) &&
                     seen.reason == expected_reason(game.ends.front());
  if (right) return;
  violate(Check::one_result, fmt::format("{}: connection {} ({}) was told {} {}", seen.id, core::value(id),
                                         seen.my_sign, seen.reason, seen.verdict));
}

}  // namespace fuhyo::sim
