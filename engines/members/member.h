// One engine of several: the GUI's side of USI (usi/driver.h), with the last lines of the engine. Pure: lines and the
// time go in, lines come out; MemberPool owns the process. One thread at a time. Times are monotonic milliseconds.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engines/members/value.h"
#include "engines/usi/driver.h"
#include "engines/usi/game.h"

namespace fuhyo::members {

using EngineOptions = std::vector<std::pair<std::string, std::string>>;

// What a question says beside its position and its limits, to a member that knows of it.
struct Terms {
  int lines = 0;            // MultiPV; 0: as it is set
  std::int64_t search = 0;  // the number of the search whose table entries are exchanged (usi/table_lines.h); 0: none
  std::int64_t slice = 0;   // ... in lockstep: after so many nodes it waits for next_slice(); 0: not so
};

// A batch of table entries as a member said it. The line goes to many others, uncopied.
using SharedLine = std::shared_ptr<const std::string>;
struct TableText {
  std::int64_t search = 0;
  SharedLine line{};
};

class Member {
 public:
  struct Setup {
    std::string name{};           // shown; empty: what it calls itself
    EngineOptions options{};      // sent whatever it declares
    EngineOptions if_declared{};  // sent if it declares them, before the others
    double scale = 600;           // value.h
    std::int64_t max_moves = 0;   // MaxMovesToDraw, for one that declares it
  };
  enum class State : std::uint8_t { off, starting, ready };

  explicit Member(Setup setup) : setup_(std::move(setup)) {}

  // ---- events ----
  void start(std::int64_t now);  // a new process runs; begins the USI handshake
  void line(std::string_view text, std::int64_t now);
  void tick(std::int64_t now);
  void closed(std::string_view why);  // the process is gone

  // ---- requests ----
  // Changes what is sent, and gets ready for a new game.
  void prepare(Setup setup, std::int64_t now);
  // Replaces the request before; its answer is not waited for. With limits for a mate, the answer is mate(), or best()
  // of an engine that does not know "go mate".
  void ask(const usi::Game& game, const usi::GoLimits& limits, std::int64_t now, const Terms& terms = {}) {
    ask(usi::position_text(game.start, game.moves), limits, now, terms);
  }
  void ask(std::string position, const usi::GoLimits& limits, std::int64_t now, const Terms& terms = {});
  // Its value of one move: by "searchmoves", or, if it does not honour that, of the position after the move.
  void examine(const usi::Game& game, shogi::Move move, const usi::GoLimits& limits, std::int64_t now);
  void hurry(std::int64_t now) { driver_.hurry(now); }
  void abandon(std::int64_t now);
  void quit() { driver_.quit(); }
  // A line "tt" with entries of its present search. Dropped unless it thinks.
  void send_table(const SharedLine& line) {
    if (driver_.thinking()) tables_out_.push_back(line);
  }

  void next_slice();

  // ---- its state ----
  State state() const { return state_; }
  const std::string& why_off() const { return why_off_; }
  std::string name() const;
  double scale() const { return setup_.scale; }
  // What it refuses of the options of its setup, in words.
  std::vector<std::string> refused_options() const { return driver_.declared().refusals(setup_.options); }
  bool honours_searchmoves() const { return honours_searchmoves_; }
  bool thinking() const { return driver_.thinking(); }  // about the last request, and nothing is in its way
  // What it says of its keys; nothing if it exchanges no table entries.
  const std::optional<std::uint64_t>& table_keys() const { return table_keys_; }

  // ---- its answer to the last request ----
  bool asked() const { return asked_; }  // and not abandoned
  bool answered() const { return best_.has_value() || mate_.has_value(); }
  bool waits() const { return waits_; }  // it has searched a slice
  const std::optional<usi::BestMove>& best() const { return best_; }
  const std::optional<usi::Checkmate>& mate() const { return mate_; }
  // The last line of each number (MultiPV), the best one first; kept after the end of the process and during examine().
  const std::vector<usi::Info>& lines() const { return lines_; }
  // The first moves of its lines with their values, in the order of the lines.
  std::vector<std::pair<shogi::Move, Value>> values() const;
  // The value of the examined move, for the side to move; nothing before the answer, or if it answered another move.
  const std::optional<Value>& examined() const { return examined_; }
  bool answered_other_move() const { return answered_other_move_; }  // it answered examine() with another move
  std::int64_t nodes() const { return nodes_; }                      // since ask()
  std::int64_t heard_ms() const { return heard_ms_; }

  // ---- output ----
  std::vector<std::string> take_lines() { return driver_.take_lines(); }
  std::vector<SharedLine> take_sent_tables() { return std::exchange(tables_out_, {}); }  // they go after the lines
  // Batches of entries since the last call. What comes beyond a limit is dropped.
  template <class Take>
  void take_tables(Take&& take) {
    for (TableText& batch : tables_in_) take(std::move(batch));
    tables_in_.clear();
  }
  std::vector<std::string> take_notes() { return std::exchange(notes_, {}); }  // for people, with its name
  // The newest line with a value as it came, for people, with its name; empty if there was none.
  std::string take_said() { return std::exchange(said_, {}); }
  std::int64_t deadline() const;  // when tick() is due

 private:
  void begin_question(std::int64_t now);
  void handle(const usi::Driver::Event& event, std::int64_t now);
  void hear(const usi::Info& info);
  void hear_examined(const usi::Info& info);
  void hear_table(std::string_view line, std::string_view rest);
  void note(std::string_view text);
  void send_options();
  void fail(std::string why);

  Setup setup_;
  usi::Driver driver_{usi::Driver::Config{}};
  State state_ = State::off;
  bool greeted_ = false;
  std::string why_off_;
  std::int64_t error_deadline_ = usi::kForever;
  std::string error_;  // what it said is wrong while it got ready
  bool honours_searchmoves_ = true;
  int lines_set_ = 0;  // MultiPV by its last question; 0: as its setup says; -1: not known
  std::optional<std::uint64_t> table_keys_;
  std::vector<TableText> tables_in_;
  std::vector<SharedLine> tables_out_;

  bool asked_ = false;
  std::int64_t search_ = 0;  // Terms::search of the last question
  bool waits_ = false;
  shogi::Move examining_;     // no move: a question for a move
  bool from_behind_ = false;  // ... by the position after it
  bool answered_other_move_ = false;
  std::optional<usi::BestMove> best_;
  std::optional<usi::Checkmate> mate_;
  std::optional<Value> examined_;
  std::vector<usi::Info> lines_;
  std::int64_t nodes_ = 0, nodes_before_ = 0;
  std::int64_t heard_ms_ = 0;
  std::vector<std::string> notes_;
  std::string said_;
};

}  // namespace fuhyo::members
