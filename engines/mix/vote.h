// The vote of several engines on one move, within one clock: a pure state machine. It sends the members (member.h) to
// think, reads their answers at each look(), and ends with a result. MIX.md has the rules.
// One thread at a time. Times are monotonic milliseconds.
//
// Promises: the result comes at `last_ms` of the schedule at the latest. Its move is one of `VoteOptions::moves`. A
// member that is ready too late, falls silent or ends is not waited for.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engines/members/member.h"
#include "engines/members/schedule.h"
#include "engines/mix/cross_examination.h"
#include "engines/mix/decision.h"

namespace fuhyo::mix {

using members::Schedule;

struct VoteOptions {
  usi::Game game{};
  std::vector<shogi::Move> moves{};  // playable; not empty
  usi::GoLimits limits{};
  usi::TimePlan plan = usi::TimePlan::unlimited();
  bool pondering = false;
  bool analysis = false;      // members are asked even where the move is clear
  int share_percent = 15;     // of the time or the nodes, for cross-examination
  double first_weight = 0.5;  // of the first member, of 1; the others share the rest
  std::size_t lines = 1;      // told at once (MultiPV)
  std::int64_t max_moves = 0;
};

struct VoteResult {
  Choice choice{};
  shogi::Move ponder{};
  std::vector<shogi::Move> pv{};  // begins with the move
  std::optional<int> depth{};     // the greatest of all
  std::int64_t nodes = 0;
  bool differed = false;             // members wanted different moves
  std::vector<std::string> notes{};  // what was wrong, for people
  // For the log: one ballot for each member that was asked, in their order.
  struct Ballot {
    std::string name;
    Opinion before, after;  // cross-examination
  };
  std::vector<Ballot> ballots{};
  std::int64_t first_ms = 0, total_ms = 0;  // on the own clock: the last first answer; the decision
};

class Vote {
 public:
  // The members must live as long as it does.
  Vote(VoteOptions options, std::vector<Member*> members);

  // `clock_began`: when the own clock started; not looked at while pondering.
  void begin(std::int64_t now, std::int64_t clock_began);
  void look(std::int64_t now);       // after any change of a member, and often enough for its times
  void ponderhit(std::int64_t now);  // the opponent made the expected move
  void stop(std::int64_t now);       // the answer is wanted at once

  const std::optional<VoteResult>& result() const { return result_; }
  // The combined lines of the members so far, best first, `VoteOptions::lines` at most.
  std::vector<usi::Info> lines(std::int64_t now) const;

 private:
  enum class Phase : std::uint8_t { asking, examining, over };
  struct Voter {
    Member* member;
    double weight;
    bool asked = false;
    bool heard = false;  // its answer counts
    Opinion before{};
    CrossExamination examination{};
  };

  bool decide_without_asking(std::int64_t now);
  void ask_ready_members(std::int64_t now);
  bool may_still_ask(std::int64_t now) const;
  usi::GoLimits first_limits(std::int64_t now) const;
  void check_answers(std::int64_t now);
  bool is_given_up(const Voter& voter, std::int64_t now) const;
  void conclude_asking(std::int64_t now);
  void take_answer(Voter& voter);
  std::vector<MoveValue> playable_values(const Member& member) const;
  void begin_examining(std::int64_t now);
  void decide_after_examining(std::int64_t now);
  Choice from_lines() const;
  void finish(const Choice& choice, std::int64_t now);
  void add_line(VoteResult& result) const;
  static Opinion after(const Voter& voter);  // cross-examination
  template <class Of>
  std::vector<Opinion> opinions(Of of) const;  // of those who were heard
  bool playable(shogi::Move move) const;
  std::int64_t at(std::int64_t ms) const { return ms == usi::kForever ? ms : clock_began_ + ms; }

  const VoteOptions options_;
  const shogi::Position position_;
  std::vector<Voter> voters_;
  Phase phase_ = Phase::asking;
  Schedule schedule_;
  std::int64_t begun_ = 0, clock_began_ = 0;
  std::int64_t stop_patience_ends_ = usi::kForever;
  std::int64_t first_ms_ = 0;
  bool pondering_;
  bool stopped_ = false;
  std::vector<shogi::Move> refuted_;  // candidates that allow a short mate
  std::vector<std::string> notes_;
  std::optional<VoteResult> result_;
};

}  // namespace fuhyo::mix
