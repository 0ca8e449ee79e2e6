// The GUI's side of USI as a pure state machine: handshake, options, thinking, pondering, stopping, time-outs. The
// caller owns the process (process.h): lines and the time go in, lines and events come out. One thread at a time. Times
// are monotonic milliseconds.
//
// Promises: "go" is never sent while an answer is outstanding. A stray answer (of an abandoned search, of the former
// game, or without a search) is never reported as the answer to a newer request: every game begins with an
// isready/readyok barrier. A time-out is reported as Failed; then only start() helps. An "info string Error..." before
// "readyok" shortens the time-out and becomes part of Failed; an engine that is ready all the same is Noted. So is an
// option that it does not declare, or not that value of it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "engines/shogi/declaration.h"
#include "engines/usi/options.h"
#include "engines/usi/values.h"

namespace fuhyo::usi {

class Driver {
 public:
  struct Config {
    using Settings = std::vector<std::pair<std::string, std::string>>;
    Settings if_declared = {};            // sent before the others, to an engine that has them
    Settings options;                     // sent by "setoption" after "usiok", in order
    bool ponder = false;                  // value of USI_Ponder
    bool any_positions = false;           // the next one asked need not be of the same game
    std::int64_t usiok_ms = 30'000;       // from the start; engines load what is big at "isready"
    std::int64_t readyok_ms = 60'000;     // of silence: an engine that loads sends empty lines
    std::int64_t stop_ms = 3'000;         // from "stop" to "bestmove"
    std::int64_t last_words_ms = 10'000;  // of silence, once it has told an error instead
  };

  struct Ready {};  // idle: usiok or readyok came, or the answer of an abandoned search
  struct Said {
    Info info;
  };
  struct Answer {
    BestMove best;
  };
  struct Solved {  // "go mate" was answered
    Checkmate answer;
  };
  struct Failed {
    std::string why;
    bool wrong_answer = false;  // its answer is no move; else a time-out
  };
  struct Noted {  // for the log
    std::string text;
  };
  using Event = std::variant<Ready, Said, Answer, Solved, Failed, Noted>;

  explicit Driver(Config config) : config_(std::move(config)) {}

  // ---- events ----
  void start(std::int64_t now);  // a new process runs
  void line(std::string_view text, std::int64_t now);
  void tick(std::int64_t now);
  void closed();  // the process is gone

  // ---- requests ----
  // The option is sent before the next game.
  void set_option(std::string name, std::string value);
  // Before every game. Ready follows. MaxMovesToDraw is sent to an engine that declares it, and EnteringKingRule where
  // the rule of the game is known and not the one that the engine has.
  void new_game(std::int64_t max_moves, std::int64_t now, std::optional<shogi::DeclarationRule> declaration = {});
  // Answer follows, or Solved if the limits ask for a mate. `position` is the whole "position ..." line; `first` are
  // lines that the engine gets right before it.
  void think(std::string position, GoLimits limits, std::int64_t now, std::vector<std::string> first = {});
  // Thinks ahead. Only ponderhit() or abandon() may follow; the Answer comes after ponderhit().
  void ponder(std::string position, GoLimits limits);
  void ponderhit();
  // Sends "stop"; the Answer follows.
  void hurry(std::int64_t now);
  // Stops the search and drops its answer.
  void abandon(std::int64_t now);
  // `result`: "win", "lose" or "draw".
  void game_over(std::string_view result, std::int64_t now);
  void quit();

  // ---- output ----
  std::vector<std::string> take_lines() { return std::exchange(lines_, {}); }
  std::vector<Event> take_events() { return std::exchange(events_, {}); }
  // When tick() is due; kForever if nothing is awaited.
  std::int64_t deadline() const { return deadline_; }

  bool running() const { return state_ != State::off; }
  bool answer_owed() const {
    return state_ == State::thinking || state_ == State::pondering || state_ == State::dropping;
  }
  bool thinking() const { return state_ == State::thinking; }
  bool pondering() const { return state_ == State::pondering; }
  const std::string& engine_name() const { return name_; }
  const OptionTable& declared() const { return declared_; }  // since its start
  // Not empty: the engine answered this search with the move of the former one, and with nothing else. Either the move
  // is illegal, or the engine repeated its former answer; the time-out tells which.
  const std::string& repeated_answer() const { return repeated_; }
  // Appends the newest "info string Error..." (at most 300 bytes) before "readyok" to `why`, if there was one. For
  // callers that see the process end; Failed already contains it.
  std::string with_complaint(std::string why) const;

 private:
  enum class State : std::uint8_t {
    off,
    greeting,   // "usi" sent
    idle,       // no search
    readying,   // "isready" sent
    thinking,   // an Answer is outstanding
    pondering,  // an answer is outstanding; the opponent's move decides whether it is used
    dropping,   // "stop" sent; the outstanding answer will be dropped
  };
  struct Pending {  // sent as soon as the engine is idle
    std::vector<std::pair<std::string, std::string>> options;
    bool new_game = false;
    std::int64_t max_moves = 0;
    std::optional<shogi::DeclarationRule> declaration;
    std::string game_over;
    std::string position;  // empty: no search
    std::vector<std::string> first;
    GoLimits limits;
  };

  void send(std::string line) { lines_.push_back(std::move(line)); }
  void enter(State state, std::int64_t deadline);
  std::int64_t patience_ms() const;  // for readyok
  void greeted(std::int64_t now);
  void answered(std::string_view rest, std::int64_t now);
  void solved(std::string_view rest, std::int64_t now);
  void dropped(std::int64_t now);  // the answer to drop has come
  void send_option(std::string_view name, std::string_view value);
  void complain(std::string_view info);  // "string Error! ..."
  void search(std::string position, const GoLimits& limits);
  void proceed(std::int64_t now);  // sends what is pending, as far as the state allows
  void fail(std::string why, bool wrong_answer = false);

  Config config_;
  State state_ = State::off;
  std::int64_t deadline_ = kForever;
  Pending pending_;
  bool hurried_ = false;
  bool spoke_ = false;                // has sent a score since the last "go"
  std::string repeated_;              // "7g7f"
  bool mate_asked_ = false;           // by the newest search
  std::string asked_, answered_for_;  // positions: of the newest search, and of the newest answer
  shogi::Move last_answer_;
  std::optional<BestMove> early_;  // the answer of a ponder search before "ponderhit"
  std::string name_;
  std::string complaint_;    // "Error! ...", before "readyok"
  bool last_words_ = false;  // it came after "isready"
  OptionTable declared_;
  std::optional<std::string> entering_king_rule_;  // the current value, if the engine declares the option
  std::vector<std::string> lines_;
  std::vector<Event> events_;
};

}  // namespace fuhyo::usi
