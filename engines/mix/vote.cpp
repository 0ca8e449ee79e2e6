#include "engines/mix/vote.h"

#include <algorithm>
#include <functional>

#include "engines/members/own_checks.h"
#include "engines/mix/combined_lines.h"
#include "engines/shogi/usi_move.h"

namespace fuhyo::mix {
namespace {

using shogi::Move;

// After "stop" from the GUI.
constexpr std::int64_t kStopPatienceMs = 500;
// Where no clock runs, a member that says nothing for so long is left out once another one has answered.
constexpr std::int64_t kSilenceMs = 60'000;

}  // namespace

Vote::Vote(VoteOptions options, std::vector<Member*> members)
    : options_(std::move(options)), position_(options_.game.current()), pondering_(options_.pondering) {
  const double rest = 1 - options_.first_weight;
  for (Member* const member : members) {
    const double share = voters_.empty() ? options_.first_weight : rest / static_cast<double>(members.size() - 1);
    voters_.push_back({.member = member, .weight = share});
  }
}

bool Vote::playable(Move move) const { return std::ranges::find(options_.moves, move) != options_.moves.end(); }

Opinion Vote::after(const Voter& voter) {
  Opinion opinion = voter.before;
  for (const MoveValue& value : voter.examination.values()) {
    std::erase_if(opinion.values, [&](const MoveValue& known) { return known.move == value.move; });
    opinion.values.push_back(value);
  }
  return opinion;
}

template <class Of>
std::vector<Opinion> Vote::opinions(Of of) const {
  std::vector<Opinion> all;
  for (const Voter& voter : voters_) {
    if (voter.heard) all.push_back(std::invoke(of, voter));
  }
  return all;
}

// ---- the first question ----

void Vote::begin(std::int64_t now, std::int64_t clock_began) {
  begun_ = now;
  clock_began_ = pondering_ ? now : clock_began;
  if (!pondering_) schedule_ = Schedule::make(options_.plan, options_.share_percent);
  if (decide_without_asking(now)) return;
  ask_ready_members(now);
  look(now);
}

void Vote::ask_ready_members(std::int64_t now) {
  for (Voter& voter : voters_) {
    if (voter.asked || voter.member->state() != Member::State::ready) continue;
    voter.asked = true;
    voter.member->ask(options_.game, first_limits(now), now);
  }
}

// Half of the time is enough to have something to say.
bool Vote::may_still_ask(std::int64_t now) const {
  return !stopped_ && (!schedule_.limited() || now < at(schedule_.first_ms / 2));
}

bool Vote::decide_without_asking(std::int64_t now) {
  if (pondering_ || options_.analysis) return false;
  if (options_.moves.size() == 1) {
    finish({.move = options_.moves.front(), .reason = Reason::only}, now);
    return true;
  }
  const Move mate = members::short_mate(options_.game, options_.max_moves);
  if (!mate || !playable(mate)) return false;
  finish({.move = mate, .reason = Reason::mate, .value = Value{.kind = Value::Kind::win, .chance = 1}}, now);
  return true;
}

usi::GoLimits Vote::first_limits(std::int64_t now) const {
  usi::GoLimits limits{.depth = options_.limits.depth, .searchmoves = options_.limits.searchmoves};
  if (options_.limits.nodes) {
    limits.nodes = std::max<std::int64_t>(*options_.limits.nodes * (100 - options_.share_percent) / 100, 1);
  }
  if (schedule_.limited()) limits.movetime_ms = std::max<std::int64_t>(at(schedule_.first_ms) - now, 1);
  const bool bounded = limits.nodes || limits.depth || limits.movetime_ms;
  if (!bounded || options_.limits.infinite) {
    limits = {.infinite = true, .searchmoves = options_.limits.searchmoves};
  }
  return limits;
}

void Vote::look(std::int64_t now) {
  if (phase_ == Phase::asking) check_answers(now);
  if (phase_ != Phase::examining) return;
  for (Voter& voter : voters_) voter.examination.look(now);
  const bool going_on = std::ranges::any_of(voters_, [](const Voter& voter) { return voter.examination.going_on(); });
  if (!going_on || now >= at(schedule_.end_ms)) decide_after_examining(now);
}

void Vote::ponderhit(std::int64_t now) {
  if (!pondering_ || phase_ == Phase::over) return;
  pondering_ = false;
  clock_began_ = now;
  schedule_ = Schedule::make(options_.plan, options_.share_percent, now - begun_);
  if (!decide_without_asking(now)) look(now);
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
bool Vote::is_given_up(const Voter& voter, std::int64_t now) const {
  const bool another_answered =
      std::ranges::any_of(voters_, [](const Voter& other) { return other.asked && other.member->answered(); });
  if (!voter.member->asked() || now >= stop_patience_ends_ || now >= at(schedule_.last_ms)) return true;
  if (!another_answered) return false;
  return now >= at(schedule_.late_ms) || (!schedule_.limited() && now - voter.member->heard_ms() >= kSilenceMs);
}

void Vote::check_answers(std::int64_t now) {
  if (may_still_ask(now)) ask_ready_members(now);
  if (pondering_) return;
  const bool alone = std::ranges::none_of(voters_, &Voter::asked);
  bool waiting = false, answers = false;
  for (Voter& voter : voters_) {
    if (!voter.asked) {
      // One that was restarted a moment ago is waited for if there is nobody else.
      waiting = waiting || (alone && may_still_ask(now) && voter.member->state() == Member::State::starting);
      continue;
    }
    if (voter.member->answered()) {
      answers = true;
      const auto values = voter.member->values();
      const bool wins = !values.empty() && values.front().second.kind == Value::Kind::win;
      if (wins && !options_.analysis) return conclude_asking(now);
      continue;
    }
    if (stopped_ || now >= at(schedule_.first_ms)) voter.member->hurry(now);
    waiting = waiting || !is_given_up(voter, now);
  }
  // An analysis goes on until it is stopped, or nobody is left who could go on.
  if (!waiting && (stopped_ || !answers || !options_.limits.infinite)) conclude_asking(now);
}

std::vector<MoveValue> Vote::playable_values(const Member& member) const {
  std::vector<MoveValue> values;
  for (const auto& [move, value] : member.values()) {
    if (playable(move)) values.push_back({move, value});
  }
  return values;
}

void Vote::take_answer(Voter& voter) {
  const Member& member = *voter.member;
  const usi::BestMove& best = *member.best();
  const auto drop = [&](std::string_view why) {
    notes_.push_back(member.name() + ": its answer is left out: " + std::string(why));
  };
  voter.before = {.weight = voter.weight, .values = playable_values(member)};
  if (best.kind == usi::BestMove::Kind::win) return drop("a declaration that the rules set here do not allow");
  if (best.kind == usi::BestMove::Kind::resign) {
    // It has given up, which is ours to decide; its line still says how it would defend.
    if (voter.before.values.empty()) return drop("resign");
    voter.before.move = voter.before.values.front().move;
    notes_.push_back(member.name() + ": would resign");
  } else if (!playable(best.move)) {
    voter.before.values.clear();
    return drop(shogi::to_usi(best.move) + " may not be played");
  } else {
    voter.before.move = best.move;
  }
  voter.heard = true;
}

void Vote::conclude_asking(std::int64_t now) {
  first_ms_ = now - clock_began_;
  for (Voter& voter : voters_) {
    if (!voter.asked) continue;
    if (voter.member->best()) {
      take_answer(voter);
    } else if (voter.member->asked()) {
      notes_.push_back(voter.member->name() + ": has not answered, and is left out of this move");
      voter.member->abandon(now);
    }
  }
  const std::vector<Opinion> all = opinions(&Voter::before);
  if (const auto choice = decide_at_once(all)) return finish(*choice, now);
  if (candidates(all).empty()) return finish(from_lines(), now);
  begin_examining(now);
}

// Nobody has answered: what they said last, the first member's word before the others'.
Choice Vote::from_lines() const {
  for (const Voter& voter : voters_) {
    if (!voter.asked) continue;
    const auto values = playable_values(*voter.member);
    if (!values.empty()) {
      return {.move = values.front().move, .reason = Reason::last_line, .value = values.front().value};
    }
  }
  return {.move = members::safe_move(position_, options_.moves), .reason = Reason::fallback};
}

// ---- cross-examination ----

void Vote::begin_examining(std::int64_t now) {
  phase_ = Phase::examining;
  const std::vector<Move> moves = candidates(opinions(&Voter::before));
  for (const Move move : moves) {
    if (members::allows_short_mate(position_, move)) refuted_.push_back(move);
  }
  CrossExamination::Options options{.game = &options_.game, .limits = {.depth = options_.limits.depth}};
  options.end = at(schedule_.end_ms);
  if (!schedule_.limited()) options.silence = kSilenceMs;
  if (options_.limits.nodes) {
    const auto each = *options_.limits.nodes * options_.share_percent / 100 / static_cast<std::int64_t>(moves.size());
    options.limits.nodes = std::max<std::int64_t>(each, 1);
  }
  const bool bounded = schedule_.limited() || options_.limits.nodes || options_.limits.depth;
  if (stopped_ || !bounded || options_.share_percent == 0) return;
  for (Voter& voter : voters_) {
    if (!voter.heard) continue;
    std::vector<Move> asked = moves;
    std::erase(asked, voter.before.move);
    asked.push_back(voter.before.move);  // last: that one it knows
    voter.examination.begin(*voter.member, options, std::move(asked), now);
  }
}

void Vote::decide_after_examining(std::int64_t now) {
  for (Voter& voter : voters_) voter.examination.finish();
  finish(decide(opinions(&after), refuted_), now);
}

// ---- the result ----

void Vote::finish(const Choice& choice, std::int64_t now) {
  phase_ = Phase::over;
  VoteResult result{
      .choice = choice, .notes = std::move(notes_), .first_ms = first_ms_, .total_ms = now - clock_began_};
  result.differed = candidates(opinions(&Voter::before)).size() > 1;
  for (const Voter& voter : voters_) {
    if (!voter.asked) continue;
    result.nodes += voter.member->nodes();
    result.ballots.push_back({.name = voter.member->name(), .before = voter.before, .after = after(voter)});
  }
  add_line(result);
  for (const Voter& voter : voters_) {
    if (voter.asked && voter.member->asked() && !voter.member->answered()) voter.member->abandon(now);
  }
  result_ = std::move(result);
}

// The line that a member saw behind the move, and the answer that it expects.
void Vote::add_line(VoteResult& result) const {
  const Move move = result.choice.move;
  result.pv = {move};
  for (const Voter& voter : voters_) {
    if (!voter.asked) continue;
    for (const usi::Info& info : voter.member->lines()) {
      result.depth = std::max(result.depth, info.depth);
      const bool of_move = !info.pv.empty() && info.pv.front() == move;
      if (of_move && result.pv.size() == 1) result.pv = info.pv;
    }
  }
  if (result.pv.size() < 2) return;
  shogi::Position after = position_;
  after.do_move(move);
  if (after.is_legal(result.pv[1])) result.ponder = result.pv[1];
}

std::vector<usi::Info> Vote::lines(std::int64_t now) const {
  std::vector<Contributor> contributors;
  for (const Voter& voter : voters_) {
    if (voter.asked) contributors.push_back({.member = voter.member, .weight = voter.weight});
  }
  return mix::combined_lines(contributors, options_.moves, options_.lines, now - begun_);
}

}  // namespace fuhyo::mix
