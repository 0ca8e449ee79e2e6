// One move, decided by several engines within one clock: a pure state machine. It asks the members (member.h), looks at
// what they have said whenever it is told to, and comes to an outcome. MIX.md tells its rules in words.
// One thread at a time. Times are monotonic milliseconds.
//
// Promises: an outcome always comes, not later than the schedule's last moment; its move is one of those that may be
// played; whoever gets ready too late, falls silent or ends is not waited for.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engines/mix/decision.h"
#include "engines/mix/examination.h"
#include "engines/mix/member.h"
#include "engines/mix/schedule.h"

namespace fuhyo::mix {

struct Terms {
  usi::Game game{};
  std::vector<shogi::Move> moves{};  // that may be played; not empty
  usi::GoLimits limits{};
  usi::TimePlan plan = usi::TimePlan::unlimited();
  bool pondering = false;
  bool analysis = false;      // every move is worth asking for
  int share_percent = 15;     // of the time or the nodes, for cross-examination
  double first_weight = 0.5;  // of the first member, of 1; the others share the rest
  std::size_t lines = 1;      // told at once (MultiPV)
  std::int64_t max_moves = 0;
};

struct Outcome {
  Choice choice{};
  shogi::Move ponder{};
  std::vector<shogi::Move> pv{};  // begins with the move
  std::optional<int> depth{};     // the greatest of all
  std::int64_t nodes = 0;
  bool differed = false;             // members wanted different moves
  std::vector<std::string> notes{};  // what was wrong, for people
  // For the log; one a member that was asked, in their order.
  struct Voice {
    std::string name;
    Opinion before, after;  // cross-examination
  };
  std::vector<Voice> voices{};
  std::int64_t first_ms = 0, total_ms = 0;  // on the own clock: all had answered; the decision
};

class Vote {
 public:
  // The members must live as long as it does.
  Vote(Terms terms, std::vector<Member*> members);

  // `clock_began`: when the own clock started; not looked at while pondering.
  void begin(std::int64_t now, std::int64_t clock_began);
  void look(std::int64_t now);  // after any change of a member, and often enough for its times
  void hit(std::int64_t now);   // the opponent made the expected move
  void stop(std::int64_t now);  // the answer is wanted at once

  const std::optional<Outcome>& outcome() const { return outcome_; }
  // What the members think so far, put together: lines from the best on, as many as wanted.
  std::vector<usi::Info> picture(std::int64_t now) const;

 private:
  enum class Phase : std::uint8_t { asking, examining, over };
  struct Seat {
    Member* member;
    double weight;
    bool asked = false;
    bool heard = false;  // its answer counts
    Opinion before{};
    Examination examination{};
  };

  bool settle_without_asking(std::int64_t now);
  void ask_who_is_ready(std::int64_t now);
  bool may_join(std::int64_t now) const;
  usi::GoLimits first_limits(std::int64_t now) const;
  void look_at_answers(std::int64_t now);
  bool is_out(const Seat& seat, std::int64_t now) const;
  void conclude_asking(std::int64_t now);
  void take_answer(Seat& seat);
  std::vector<MoveValue> playable_values(const Member& member) const;
  void begin_examining(std::int64_t now);
  void decide_after_examining(std::int64_t now);
  Choice from_lines() const;
  void finish(const Choice& choice, std::int64_t now);
  void add_line(Outcome& outcome) const;
  static Opinion after(const Seat& seat);  // cross-examination
  template <class Of>
  std::vector<Opinion> opinions(Of of) const;  // of those who were heard
  bool playable(shogi::Move move) const;
  std::int64_t at(std::int64_t ms) const { return ms == usi::kForever ? ms : clock_began_ + ms; }

  const Terms terms_;
  const shogi::Position position_;
  std::vector<Seat> seats_;
  Phase phase_ = Phase::asking;
  Schedule schedule_;
  std::int64_t begun_ = 0, clock_began_ = 0;
  std::int64_t stop_patience_ends_ = usi::kForever;
  std::int64_t first_ms_ = 0;
  bool pondering_;
  bool stopped_ = false;
  std::vector<shogi::Move> refuted_;  // candidates that allow a short mate
  std::vector<std::string> notes_;
  std::optional<Outcome> outcome_;
};

}  // namespace fuhyo::mix
