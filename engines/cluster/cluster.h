// The nodes of a cluster within one move, and between two: a pure state machine. It sends the members to think, reads
// what they say at each look(), and ends with an outcome. CLUSTER.md has the rules.
// One thread at a time. Times are monotonic milliseconds.
//
// Promises: the outcome comes at `last_ms` of the schedule at the latest, and within half a second of stop(). Its move
// is one of Request::moves. A node that is late, silent or gone is not waited for.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "engines/cluster/choice.h"
#include "engines/cluster/cluster_file.h"
#include "engines/cluster/exchange.h"
#include "engines/members/schedule.h"
#include "engines/usi/game.h"

namespace fuhyo::cluster {

struct Request {
  usi::Game game{};
  std::vector<shogi::Move> moves{};  // playable; not empty
  usi::GoLimits limits{};
  usi::TimePlan plan = usi::TimePlan::unlimited();
  bool pondering = false;
  bool analysis = false;  // nodes are asked even where the move is clear
  int lines = 1;          // MultiPV
  std::int64_t max_moves = 0;
};

struct Outcome {
  shogi::Move move{}, ponder{};
  Reason reason = Reason::fallback;
  std::optional<usi::Info> line{};  // of the move
  std::int64_t nodes = 0;
  std::vector<std::string> notes{};  // for people
};

class Cluster {
 public:
  struct Node {
    members::Member* member;
    Role role = Role::search;
  };

  // The members must live as long as it does.
  Cluster(const Modes& modes, const std::vector<Node>& nodes);

  // `clock_began`: when the own clock started; not looked at while pondering. Nodes that have pondered this position go
  // on with it.
  void begin(Request request, std::int64_t now, std::int64_t clock_began);
  void look(std::int64_t now);  // after any change of a member, and often enough for its times
  void ponderhit(std::int64_t now, std::int64_t clock_began);  // the opponent made the expected move
  // The answer is wanted at once. Nodes that ponder go on, until the next begin() or rest().
  void stop(std::int64_t now);
  void rest(std::int64_t now);  // nobody thinks any more

  const std::optional<Outcome>& outcome() const { return outcome_; }
  // The newest lines of the first node of the position, with the nodes of all.
  std::vector<usi::Info> lines(std::int64_t now) const;

 private:
  enum class Task : std::uint8_t { none, list, search, mate };
  // A position that is searched. The first one is that of the request.
  struct Target {
    usi::Game game{};
    std::string text{};       // the same, as USI says it
    std::size_t position{};   // which it is: the hash of that
    shogi::Move move{};       // it is that after this move of the request's; no move: it is none of those
    std::int64_t search = 0;  // its number
    std::size_t wanted = 0;   // nodes
    std::size_t rank = 1;     // of the reply before it, among those that are pondered
  };
  // A mate that a node has found, until it has mated against every other defence, too.
  struct Claim {
    std::vector<shogi::Move> line{};  // empty: there is none
    std::vector<usi::Game> open{};    // after defences that nothing mates yet; it is asked of the last one
    std::set<shogi::Key> seen{};
  };
  // A node at work.
  struct Post {
    members::Member* member;
    Role role;
    bool knows_mates = true;  // it understands "go mate", and has found none that was none
    Task task = Task::none;
    Target target{};  // also after the end of the task
    Claim claim{};
    std::int64_t begun = 0;
    bool endless = false;

    bool working() const { return task != Task::none && member->asked() && !member->answered(); }
    bool free() const { return task == Task::none && member->state() == members::Member::State::ready; }
  };

  Target target_of(usi::Game game, std::int64_t search, shogi::Move move = {}) const;
  Target& root() { return targets_.front(); }
  const Target& root() const { return targets_.front(); }
  bool is_on(const Post& post, const Target& target) const { return post.target.position == target.position; }
  bool is_voter(const Post& post) const { return post.task == Task::search && is_on(post, root()); }

  // ---- giving out work ----
  void begin_own_turn(std::int64_t now, std::int64_t clock_began);
  std::int64_t keep_what_was_pondered(std::int64_t now);
  void forget_mates();
  bool decide_without_asking(std::int64_t now);
  usi::GoLimits limits_of(const Target& target) const;
  void assign(Post& post, const Target& target, Task task, std::int64_t now);
  void release(Post& post, std::int64_t now);
  void give_work(std::int64_t now);
  void give_mates(std::int64_t now);
  bool may_begin(std::int64_t now) const;
  void keep_root_searched(std::int64_t now);
  std::size_t searchers() const;

  // ---- several positions at once ----
  void begin_list(std::int64_t now);
  void look_at_list(std::int64_t now);
  void deal_replies(const usi::Game& before, const members::Member& lister);
  void deal_moves(const members::Member& lister);
  void redistribute(std::int64_t now);

  // ---- what comes back ----
  void notice_deaths();
  bool exchanges() const { return modes_.exchange != "off"; }
  const std::vector<Exchange::Node>& exchange_nodes();
  void look_for_mates(std::int64_t now);
  void hear_mate(Post& post, std::int64_t now);
  void refuse_mate(Post& post, std::string_view why);
  void ask_defences(Post& post, std::int64_t now);
  void take_mate(const Post& post, std::int64_t now);
  bool wins(const std::vector<shogi::Move>& line) const;
  void look_for_end(std::int64_t now);
  bool is_given_up(const Post& post, bool another_answered, std::int64_t now) const;
  std::optional<Opinion> answer_of(const Post& post);
  std::optional<Opinion> line_of(const Post& post) const;
  std::vector<shogi::Move> refuted(const std::vector<Opinion>& opinions) const;
  void conclude(std::int64_t now);
  void conclude_from_lines(std::int64_t now, bool keep);
  void finish(Outcome outcome, std::int64_t now, bool keep = false);
  void finish_by(const Opinion& opinion, Reason reason, std::int64_t now, bool keep = false);

  bool playable(shogi::Move move) const;
  std::int64_t nodes() const;
  std::int64_t hurry_at() const;
  std::int64_t at(std::int64_t ms) const { return ms == usi::kForever ? ms : clock_began_ + ms; }

  const Modes modes_;
  std::vector<Post> posts_;
  Exchange exchange_;
  std::vector<Exchange::Node> exchange_nodes_;  // the posts, as exchange_nodes() saw them last
  std::int64_t last_search_ = 0;                // number

  Request request_;
  std::vector<Target> targets_;
  Post* lister_ = nullptr;  // it looks for the best replies or moves
  std::int64_t list_ends_ = 0;
  members::Schedule schedule_;
  std::int64_t begun_ = 0, clock_began_ = 0;
  std::int64_t patience_ends_ = usi::kForever;  // after stop()
  bool pondering_ = false, stopped_ = false;
  std::set<std::size_t> mates_asked_;                      // positions
  std::map<std::size_t, std::vector<shogi::Move>> mates_;  // found, by position
  std::vector<std::string> notes_;
  std::optional<Outcome> outcome_;
};

}  // namespace fuhyo::cluster
