// Holds a run to its promises. It watches five places: what clients send and hear, what the shell reads and the core
// decides, what leaves the server, and what is on the store's disk. It shares no code with the server but the types of
// facts; time and rules are computed a second time (PROTOCOL.md, tests/oracle).
#pragma once

#include <deque>
#include <memory>
#include <set>

#include "server/core/outbox.h"
#include "tests/sim/client_view.h"
#include "tests/sim/late_audit.h"
#include "tests/sim/referee.h"
#include "tests/sim/stage.h"

namespace fuhyo::sim {

enum class Check : std::uint8_t {
  gate,        // no byte leaves that depends on what is not durable
  lost_move,   // what a client was told is on the disk at the end, crashes or not
  one_order,   // each client's moves of a game are a prefix of the durable ones
  phantom,     // a durable move was sent by its player
  legality,    // durable moves are legal, and repetition and the move limit end games
  verdict,     // an end by rule is right: illegal moves are illegal, declarations good or bad, the right side wins,
               // and the position that it states is the one on the board
  clock,       // T and remaining time follow from arrival and release alone
  echo,        // the T that clients were told is the durable one
  one_result,  // each game ends once, nothing follows, and both players were told what is durable
  sessions,    // sessions of one name do not overlap
  deadline,    // flags, agreements and logins are decided in time, and everything ends
  flag,        // no flag falls early, or while the move that would have stopped it waits inside the server
  honest,      // who only sends legal moves in time neither loses by rule nor is cut off
  whole_step,  // a transaction is on the disk whole or not at all
  sequence,    // seq ascends without gaps, facts of a game come in order
  codec,       // facts read back as they were written
  leak,        // when all are gone the server has forgotten them
  drain,       // told to stop, the server begins no game and says when the last one is over
  told,        // who is connected hears every durable fact of its game at once, and a LOGOUT is answered
  secret,      // no client's secret is in the log, in the journal, or told to anybody
  limits,      // connections, waiting lines and waiting bytes stay within the limits
  ratings,     // ratings are what a computation from nothing says, and games carry those that the server knew
  late,        // who watches a game that is shown late is told of no move before its time
  owner,  // a claimed name lets in nobody by another secret than the first one, and a closed server nobody without an
          // account, crashes or not
};
constexpr std::size_t kChecks = static_cast<std::size_t>(Check::owner) + 1;

// Every secret of a simulated client contains this, and nothing else does.
constexpr std::string_view kSecretMark = "xyzzy";
std::string_view to_string(Check check);

struct Violation {
  Check check{};
  std::int64_t at_us = 0;
  std::string text;
};

class Auditor {
 public:
  explicit Auditor(Stage& stage) : stage_(stage) {}

  // ---- clients ----
  // The connection of a player that only ever sends legal moves in turn (or knows the opponent's next one).
  void register_honest(core::ConnId id) { conns_[id].honest = true; }
  void sent(core::ConnId id, std::string_view line);
  void told(core::ConnId id, std::string_view line);

  // ---- the shell ----
  void booted();                                 // a life of the server begins
  void read(const core::ClientLine& line);       // framed and stamped
  void heard_by_core(const core::Input& input);  // right before apply()
  void decided(const core::Effects& effects);
  void holds(core::ConnId id, std::size_t bytes);  // so much waits for it in the outbox
  void rated(std::shared_ptr<const core::PlayerRatings> ratings) { ratings_ = std::move(ratings); }
  void leaving(const core::Outbox::Ready& ready);
  // ---- the operator ----
  std::vector<core::GameId> running() const;  // games that were agreed to and go on or are paused, as decided
  std::vector<core::GameId> paused() const;
  bool awaits_verdict(core::GameId game) const { return decided_.at(game).verdict_due; }
  std::string player_of(core::GameId game, bool black) const;
  void may_be_adjudicated(core::GameId game, core::Outcome outcome) { adjudications_.emplace(game, outcome); }

  // ---- the shell, of its queues ----
  // The connection is gone for the shell: what waited for it was dropped, and nothing leaves for it any more.
  void forgotten(core::ConnId id) {
    conns_[id].pushed.clear();
    conns_[id].gone = true;
    replaced_.erase(id);
  }
  void crashed(const std::vector<core::Journaled>& disk);

  // ---- the store ----
  void on_disk(const core::Transaction& transaction);
  void garbled(const std::string& what) { violate(Check::codec, what); }

  // At the end: `disk` is everything that the store holds; the core has these sessions and games left.
  void finish(const std::vector<core::Journaled>& disk, std::size_t sessions, std::size_t games);
  // The ratings that were computed as games ended against those of the whole journal.
  void check_ratings(const core::PlayerRatings& grown, const core::PlayerRatings& recomputed);

  const std::vector<Violation>& violations() const { return violations_; }
  std::uint64_t digest() const { return digest_; }
  std::size_t unfinished() const;  // games on the disk that have no end yet
  std::uint64_t games() const { return games_; }
  std::uint64_t moves() const { return moves_; }

 private:
  struct GameLine {
    std::string text;  // up to the comma
    core::Instant arrived;
  };
  struct Owed {
    Told told;
    core::Seq seq;        // of the fact
    std::int64_t due_us;  // when the core heard that it is durable; -1 before
  };
  struct Conn {
    bool honest = false, logged_in = false, over = false;
    bool builtin = false;
    bool closing = false;  // the core has decided to close it
    bool gone = false;     // the shell has seen its end
    std::int64_t opened_us = 0;
    std::uint64_t login = 0;   // number of the login, in the core's order
    ClientView leaving, view;  // of what left the server; of what the client received
    std::string leaving_partial;
    std::deque<std::pair<core::Seq, std::size_t>> pushed;  // what was decided for it and has not left: after, bytes
    std::deque<Owed> owed;                                 // lines of its game that have not left
    std::optional<core::GameId> game;                      // that it plays, as decided
    std::deque<GameLine> transit;                          // read, but not yet heard by the core
    std::deque<GameLine> lines;                            // heard by the core, but not yet used
    // Heard when they were no moves of its game. What is said beyond the budget is answered later, and may be by then.
    std::deque<GameLine> early;
    std::multiset<std::string, std::less<>>
        sent;  // "<Game_ID> <move>" that the client sent; without an id, it was told of none
    std::set<std::pair<std::string, std::string>> shown;  // name and secret of its LOGIN lines
  };
  struct Decided {  // a game of this life of the server, as decided
    core::GameOpened opened;
    std::array<core::ConnId, 2> conns{};      // ConnId{}: the player is away
    std::array<core::ConnId, 2> ghosts{};     // his last connection, whose lines may still count
    std::array<bool, 2> playing{}, agreed{};  // heard START; has agreed to go on
    std::array<std::size_t, 2> told_plies{};  // of the summary with which he came back
    std::array<std::int64_t, 2> due_us{};     // when nobody waits for him any more
    std::int64_t window_us = 0;               // the same of a suspended game
    Timekeeper clock;
    core::Seq newest{};   // of the fact that starts the next turn
    core::Seq settled{};  // the newest of these that is durable, and since when
    std::int64_t settled_us = 0;
    // Since when the clock of the turn runs; nothing while that fact is not durable, or the game is paused.
    std::optional<std::int64_t> turn_us;
    std::vector<std::pair<std::int64_t, std::int64_t>> ran;  // when it ran before, in this turn: from, to
    bool paused = false, suspended = false, verdict_due = false, refused = false;
    std::size_t plies = 0;
    std::int64_t opened_us = 0, decided_us = 0;
    bool started = false, over = false, black_to_move = true;
    std::set<std::string, std::less<>> moves;  // the different ones that were played
    // Of the turn, at a time; before it began it is negative.
    std::int64_t elapsed_us(std::int64_t at_us) const;
    core::ConnId mover() const {
      const std::size_t side = black_to_move ? 0 : 1;
      return conns[side] != core::ConnId{} ? conns[side] : ghosts[side];
    }
  };
  struct Durable {  // a game on the disk
    core::GameOpened opened;
    bool started = false;
    std::vector<core::MoveMade> moves;
    std::vector<core::GameEnded> ends;
    std::vector<core::GameRejected> rejections;
    bool paused = false;  // when it ended, too
    bool suspended = false;
    std::int64_t used_us = 0;  // of the turn under way, as far as the disk knows
    bool over() const { return !ends.empty() || !rejections.empty(); }
  };
  using Games = std::map<core::GameId, Durable>;

  void violate(Check check, std::string text);
  void mix(std::string_view bytes);

  // decision_audit.cpp: what the core decides, against what it was told and when
  void decide(const core::Journaled& row);
  void opened(const core::GameOpened& opened, core::Seq seq);
  void started(const core::GameStarted& started, core::Seq seq);
  void moved(const core::MoveMade& move, core::Seq seq);
  void ended(const core::GameEnded& ended, core::Seq seq);
  void rejected(const core::GameRejected& rejected, core::Seq seq);
  void stands(const core::GamePaused& paused);
  void goes_on(const core::GameResumed& resumed, core::Seq seq);
  void seat(const core::Send& send);
  void set_aside(Conn& c);
  void check_charge(Decided& game, const core::MoveMade& move);
  void check_secret(std::string_view text, std::string_view where);
  void check_late(const core::Send& send);
  void check_counters(const core::AdminResult& counters);
  void check_rates(const core::GameOpened& opened);
  void check_time_up(const Decided& game);
  void check_flag_time(const Decided& game, std::string_view what);
  void check_in_time(std::int64_t since_us, std::int64_t limit_us, std::string_view what);
  void close(const core::Close& close);
  void begin_turns(core::Seq durable);
  void forget(core::GameId id);
  void owe(core::ConnId id, Told told, core::Seq seq);
  void pay(core::ConnId id, Conn& c, Told told);
  void check_paid(core::ConnId id, Conn& c);
  void check_logout(core::ConnId id);

  // absence_audit.cpp: players who are away
  void went(core::ConnId id, bool given_over = false);
  void came_back(const core::Send& send);
  void check_told_rest(const Decided& game, std::size_t side, std::string_view told);
  void answered_return(Conn& c, core::ConnId id, std::string_view line);
  void settle_returns(core::Seq last);
  void suspended(const core::GameSuspended& fact);
  void continued(const core::GameContinued& fact, core::Seq seq);
  void revive();
  void let_go_on(core::GameId id);
  void stood_still(const core::Stalled& stall);
  void check_absent_end(const Decided& game, const core::GameEnded& ended);
  void owe_end(const Decided& game, core::Seq seq);

  // gate_audit.cpp: bytes that leave
  void check_gates(Conn& c, std::size_t bytes);
  void line_leaves(core::ConnId id, Conn& c, std::string_view line);
  bool is_durable(Told told, const ClientView& view, std::string_view line) const;
  const Durable* durable_game(std::string_view csa_id) const;
  void session_begins(core::ConnId id, std::string_view name);
  void check_owner(const Conn& c, std::string_view name);
  void session_ends(core::ConnId id);

  // history_audit.cpp: the whole run, at the end
  void add(Games& games, const core::Journaled& row, bool check);
  void check_sequence(const std::vector<core::Journaled>& disk);
  void check_stamp(const core::GameOpened& opened);
  void check_rules(const Durable& game);
  void check_end(const Durable& game, const Referee& referee, oracle::Ending repetition);
  void check_final_board(const Durable& game, const std::string& board, std::size_t plies);
  void check_clocks(const Durable& game);
  void check_phantoms(core::GameId id, const Durable& game);
  void check_honest(core::GameId id, const Durable& game);
  void check_seen(core::ConnId id, const Games& games, const Seen& seen);
  void check_told_moves(core::ConnId id, const Durable& game, const Seen& seen);
  void check_own_clock(core::ConnId id, const Durable& game, const Seen& seen);
  void check_told_result(core::ConnId id, const Durable& game, const Seen& seen);

  Stage& stage_;
  std::vector<Violation> violations_;
  std::map<core::ConnId, Conn> conns_;
  std::map<core::GameId, Decided> decided_;
  std::set<core::ConnId> owing_;  // connections that may be owed something
  std::set<core::ConnId> logouts_;
  LateAudit late_;
  std::uint64_t logins_ = 0, lives_ = 0;
  std::shared_ptr<const core::PlayerRatings> ratings_ = std::make_shared<core::PlayerRatings>();  // that the core knows
  bool draining_ = false, drained_ = false, stopping_ = false;
  std::optional<core::GameId> newest_game_;               // decided in this step
  std::set<core::GameId> waiting_;                        // decided games whose newest fact is not durable
  Games durable_;                                         // by what the store says, as it grows
  std::map<std::string, core::GameId, std::less<>> ids_;  // of Game_IDs on the disk
  // Of each game the connections that played a side, one after the other.
  std::map<core::GameId, std::array<std::vector<core::ConnId>, 2>> seats_;
  std::vector<std::pair<core::GameId, std::size_t>> rejoining_;     // who has agreed to go on in this step
  std::optional<core::GameId> continuing_;                          // both of whose players have
  std::map<std::string, core::ConnId, std::less<>> sessions_;       // by name
  std::set<std::string, std::less<>> owned_;                        // names that have an account on the disk
  std::map<std::string, std::string, std::less<>> owners_;          // secrets of these, as first let in
  std::map<core::ConnId, std::int64_t> replaced_;                   // sessions that another one took over, and when
  std::set<std::pair<core::GameId, core::Outcome>> adjudications_;  // that were asked for
  std::set<core::Seq> transaction_ends_;                            // last seq of every transaction that was decided
  core::Seq last_on_disk_{};
  std::string newest_stamp_;  // of the games on the disk, at the end
  std::uint64_t digest_ = 14695981039346656037u, games_ = 0, moves_ = 0;
};

}  // namespace fuhyo::sim
