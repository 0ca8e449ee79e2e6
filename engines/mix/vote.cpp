#include "engines/mix/vote.h"

#include <algorithm>
#include <functional>

#include "engines/mix/own_checks.h"
#include "engines/mix/picture.h"
#include "engines/shogi/usi_move.h"

namespace fuhyo::mix {
namespace {

using shogi::Move;

// After "stop" from the GUI.
constexpr std::int64_t kStopPatienceMs = 500;
// Where no clock runs, a member that says nothing for so long is left out once another one has answered.
constexpr std::int64_t kSilenceMs = 60'000;

}  // namespace

Vote::Vote(Terms terms, std::vector<Member*> members)
    : terms_(std::move(terms)), position_(terms_.game.current()), pondering_(terms_.pondering) {
  const double rest = 1 - terms_.first_weight;
  for (Member* const member : members) {
    const double share = seats_.empty() ? terms_.first_weight : rest / static_cast<double>(members.size() - 1);
    seats_.push_back({.member = member, .weight = share});
  }
}

bool Vote::playable(Move move) const { return std::ranges::find(terms_.moves, move) != terms_.moves.end(); }

Opinion Vote::after(const Seat& seat) {
  Opinion opinion = seat.before;
  for (const MoveValue& value : seat.examination.values()) {
    std::erase_if(opinion.values, [&](const MoveValue& known) { return known.move == value.move; });
    opinion.values.push_back(value);
  }
  return opinion;
}

template <class Of>
std::vector<Opinion> Vote::opinions(Of of) const {
  std::vector<Opinion> all;
  for (const Seat& seat : seats_) {
    if (seat.heard) all.push_back(std::invoke(of, seat));
  }
  return all;
}

// ---- the first question ----

void Vote::begin(std::int64_t now, std::int64_t clock_began) {
  begun_ = now;
  clock_began_ = pondering_ ? now : clock_began;
  if (!pondering_) schedule_ = Schedule::make(terms_.plan, terms_.share_percent);
  if (settle_without_asking(now)) return;
  ask_who_is_ready(now);
  look(now);
}

void Vote::ask_who_is_ready(std::int64_t now) {
  for (Seat& seat : seats_) {
    if (seat.asked || seat.member->state() != Member::State::ready) continue;
    seat.asked = true;
    seat.member->ask(terms_.game, first_limits(now), now);
  }
}

// Half of the time is enough to have something to say.
bool Vote::may_join(std::int64_t now) const {
  return !stopped_ && (!schedule_.limited() || now < at(schedule_.first_ms / 2));
}

bool Vote::settle_without_asking(std::int64_t now) {
  if (pondering_ || terms_.analysis) return false;
  if (terms_.moves.size() == 1) {
    finish({.move = terms_.moves.front(), .reason = Reason::only}, now);
    return true;
  }
  const Move mate = short_mate(terms_.game, terms_.max_moves);
  if (!mate || !playable(mate)) return false;
  finish({.move = mate, .reason = Reason::mate, .value = Value{.kind = Value::Kind::win, .chance = 1}}, now);
  return true;
}

usi::GoLimits Vote::first_limits(std::int64_t now) const {
  usi::GoLimits limits{.depth = terms_.limits.depth, .searchmoves = terms_.limits.searchmoves};
  if (terms_.limits.nodes) {
    limits.nodes = std::max<std::int64_t>(*terms_.limits.nodes * (100 - terms_.share_percent) / 100, 1);
  }
  if (schedule_.limited()) limits.movetime_ms = std::max<std::int64_t>(at(schedule_.first_ms) - now, 1);
  const bool bounded = limits.nodes || limits.depth || limits.movetime_ms;
  if (!bounded || terms_.limits.infinite) {
    limits = {.infinite = true, .searchmoves = terms_.limits.searchmoves};
  }
  return limits;
}

void Vote::look(std::int64_t now) {
  if (phase_ == Phase::asking) look_at_answers(now);
  if (phase_ != Phase::examining) return;
  for (Seat& seat : seats_) seat.examination.look(now);
  const bool going_on = std::ranges::any_of(seats_, [](const Seat& seat) { return seat.examination.going_on(); });
  if (!going_on || now >= at(schedule_.end_ms)) decide_after_examining(now);
}

void Vote::hit(std::int64_t now) {
  if (!pondering_ || phase_ == Phase::over) return;
  pondering_ = false;
  clock_began_ = now;
  schedule_ = Schedule::make(terms_.plan, terms_.share_percent, now - begun_);
  if (!settle_without_asking(now)) look(now);
}

void Vote::stop(std::int64_t now) {
  if (stopped_ || phase_ == Phase::over) return;
  stopped_ = true;
  pondering_ = false;
  stop_patience_ends_ = now + kStopPatienceMs;
  if (phase_ == Phase::examining) return decide_after_examining(now);
  look(now);
}

// Whether it is not waited for any more.
bool Vote::is_out(const Seat& seat, std::int64_t now) const {
  const bool another_answered =
      std::ranges::any_of(seats_, [](const Seat& other) { return other.asked && other.member->answered(); });
  if (!seat.member->asked() || now >= stop_patience_ends_ || now >= at(schedule_.last_ms)) return true;
  if (!another_answered) return false;
  return now >= at(schedule_.late_ms) || (!schedule_.limited() && now - seat.member->heard_ms() >= kSilenceMs);
}

void Vote::look_at_answers(std::int64_t now) {
  if (may_join(now)) ask_who_is_ready(now);
  if (pondering_) return;
  const bool alone = std::ranges::none_of(seats_, &Seat::asked);
  bool waiting = false, answers = false;
  for (Seat& seat : seats_) {
    if (!seat.asked) {
      // One that was restarted a moment ago is waited for if there is nobody else.
      waiting = waiting || (alone && may_join(now) && seat.member->state() == Member::State::starting);
      continue;
    }
    if (seat.member->answered()) {
      answers = true;
      const auto values = seat.member->values();
      const bool wins = !values.empty() && values.front().second.kind == Value::Kind::win;
      if (wins && !terms_.analysis) return conclude_asking(now);
      continue;
    }
    if (stopped_ || now >= at(schedule_.first_ms)) seat.member->hurry(now);
    waiting = waiting || !is_out(seat, now);
  }
  // An analysis goes on until it is stopped, or nobody is left who could go on.
  if (!waiting && (stopped_ || !answers || !terms_.limits.infinite)) conclude_asking(now);
}

std::vector<MoveValue> Vote::playable_values(const Member& member) const {
  std::vector<MoveValue> values;
  for (const auto& [move, value] : member.values()) {
    if (playable(move)) values.push_back({move, value});
  }
  return values;
}

void Vote::take_answer(Seat& seat) {
  const Member& member = *seat.member;
  const usi::BestMove& best = *member.best();
  const auto drop = [&](std::string_view why) {
    notes_.push_back(member.name() + ": its answer is left out: " + std::string(why));
  };
  seat.before = {.weight = seat.weight, .values = playable_values(member)};
  if (best.kind == usi::BestMove::Kind::win) return drop("a declaration that the rules set here do not allow");
  if (best.kind == usi::BestMove::Kind::resign) {
    // It has given up, which is ours to decide; its line still says how it would defend.
    if (seat.before.values.empty()) return drop("resign");
    seat.before.move = seat.before.values.front().move;
    notes_.push_back(member.name() + ": would resign");
  } else if (!playable(best.move)) {
    seat.before.values.clear();
    return drop(shogi::to_usi(best.move) + " may not be played");
  } else {
    seat.before.move = best.move;
  }
  seat.heard = true;
}

void Vote::conclude_asking(std::int64_t now) {
  first_ms_ = now - clock_began_;
  for (Seat& seat : seats_) {
    if (!seat.asked) continue;
    if (seat.member->best()) {
      take_answer(seat);
    } else if (seat.member->asked()) {
      notes_.push_back(seat.member->name() + ": has not answered, and is left out of this move");
      seat.member->abandon(now);
    }
  }
  const std::vector<Opinion> all = opinions(&Seat::before);
  if (const auto choice = decide_at_once(all)) return finish(*choice, now);
  if (candidates(all).empty()) return finish(from_lines(), now);
  begin_examining(now);
}

// Nobody has answered: what they said last, the first member's word before the others'.
Choice Vote::from_lines() const {
  for (const Seat& seat : seats_) {
    if (!seat.asked) continue;
    const auto values = playable_values(*seat.member);
    if (!values.empty()) {
      return {.move = values.front().move, .reason = Reason::last_line, .value = values.front().value};
    }
  }
  return {.move = safe_move(position_, terms_.moves), .reason = Reason::fallback};
}

// ---- cross-examination ----

void Vote::begin_examining(std::int64_t now) {
  phase_ = Phase::examining;
  const std::vector<Move> moves = candidates(opinions(&Seat::before));
  for (const Move move : moves) {
    if (allows_short_mate(position_, move)) refuted_.push_back(move);
  }
  Examination::Terms terms{.game = &terms_.game, .limits = {.depth = terms_.limits.depth}};
  terms.end = at(schedule_.end_ms);
  if (!schedule_.limited()) terms.silence = kSilenceMs;
  if (terms_.limits.nodes) {
    const auto each = *terms_.limits.nodes * terms_.share_percent / 100 / static_cast<std::int64_t>(moves.size());
    terms.limits.nodes = std::max<std::int64_t>(each, 1);
  }
  const bool bounded = schedule_.limited() || terms_.limits.nodes || terms_.limits.depth;
  if (stopped_ || !bounded || terms_.share_percent == 0) return;
  for (Seat& seat : seats_) {
    if (!seat.heard) continue;
    std::vector<Move> asked = moves;
    std::erase(asked, seat.before.move);
    asked.push_back(seat.before.move);  // last: that one it knows
    seat.examination.begin(*seat.member, terms, std::move(asked), now);
  }
}

void Vote::decide_after_examining(std::int64_t now) {
  for (Seat& seat : seats_) seat.examination.finish();
  finish(decide(opinions(&after), refuted_), now);
}

// ---- the outcome ----

void Vote::finish(const Choice& choice, std::int64_t now) {
  phase_ = Phase::over;
  Outcome outcome{.choice = choice, .notes = std::move(notes_), .first_ms = first_ms_, .total_ms = now - clock_began_};
  outcome.differed = candidates(opinions(&Seat::before)).size() > 1;
  for (const Seat& seat : seats_) {
    if (!seat.asked) continue;
    outcome.nodes += seat.member->nodes();
    outcome.voices.push_back({.name = seat.member->name(), .before = seat.before, .after = after(seat)});
  }
  add_line(outcome);
  for (const Seat& seat : seats_) {
    if (seat.asked && seat.member->asked() && !seat.member->answered()) seat.member->abandon(now);
  }
  outcome_ = std::move(outcome);
}

// The line that a member saw behind the move, and the answer that it expects.
void Vote::add_line(Outcome& outcome) const {
  const Move move = outcome.choice.move;
  outcome.pv = {move};
  for (const Seat& seat : seats_) {
    if (!seat.asked) continue;
    for (const usi::Info& info : seat.member->lines()) {
      outcome.depth = std::max(outcome.depth, info.depth);
      const bool of_move = !info.pv.empty() && info.pv.front() == move;
      if (of_move && outcome.pv.size() == 1) outcome.pv = info.pv;
    }
  }
  if (outcome.pv.size() < 2) return;
  shogi::Position after = position_;
  after.do_move(move);
  if (after.is_legal(outcome.pv[1])) outcome.ponder = outcome.pv[1];
}

std::vector<usi::Info> Vote::picture(std::int64_t now) const {
  std::vector<Viewer> viewers;
  for (const Seat& seat : seats_) {
    if (seat.asked) viewers.push_back({.member = seat.member, .weight = seat.weight});
  }
  return mix::picture(viewers, terms_.moves, terms_.lines, now - begun_);
}

}  // namespace fuhyo::mix
