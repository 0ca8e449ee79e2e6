// Engines that follow a script, in a time that the test lets pass: no process, and no wait.
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "engines/members/member.h"
#include "engines/shogi/movegen.h"
#include "engines/shogi/usi_move.h"
#include "engines/usi/text.h"

namespace fuhyo::members {

inline shogi::Move mv(std::string_view text) { return *shogi::parse_usi_move(text); }

// How a scripted engine behaves. Times in milliseconds.
struct Script {
  std::string move = "7g7f";                                // what it wants; empty: in every position some move of it
  std::map<std::string, std::string> scores{};              // of moves: "cp 30", "mate -5"; others are "cp 0"
  std::string answer{};                                     // the words after "bestmove", if not its move
  std::string mate{};                                       // the words after "checkmate"
  std::map<std::string, std::string> mates{};               // ... in positions after these moves
  std::vector<std::string> declares{};                      // lines before "usiok"
  std::vector<std::pair<std::string, std::string>> list{};  // moves and scores of a search with "movetime", if any
  std::string entry{};                                      // of its table, which it sends at the begin of a search
  bool honours_searchmoves = true;
  bool honours_movetime = true;  // else it thinks until it is stopped
  bool speaks = true;            // prints a line at all
  bool answers = true;           // "bestmove" at all
  std::int64_t loads = 0;        // from "isready" to "readyok"
  std::int64_t delay = 1;        // from the end of its time, or "stop", to "bestmove"
  std::int64_t dies_after = -1;  // ms after "go"
  std::int64_t nodes_ms = 50;    // how long nodes or a depth take
};

class ScriptedEngine {
 public:
  explicit ScriptedEngine(Script p, Member::Setup setup = {.scale = 600})
      : script(std::move(p)), member(std::move(setup)) {}

  Script script;
  Member member;
  std::vector<std::string> heard;  // everything it was sent
  int starts = 0;

  void start(std::int64_t now) {
    ++starts;
    todo_.clear();
    member.start(now);
    listen(now);
    pass(now);
  }
  // What is due at this time, and what it is told.
  void pass(std::int64_t now) {
    listen(now);
    for (std::size_t i = 0; i < todo_.size();) {
      if (todo_[i].at > now) {
        ++i;
        continue;
      }
      const std::string line = todo_[i].line;
      todo_.erase(todo_.begin() + static_cast<std::ptrdiff_t>(i));
      if (line.starts_with("bestmove")) thinking_ = false;
      line == "die" ? member.closed("killed by signal 6") : member.line(line, now);
      listen(now);
    }
    member.tick(now);
    listen(now);
  }
  std::size_t count(std::string_view what) const {
    return static_cast<std::size_t>(
        std::ranges::count_if(heard, [&](const auto& line) { return line.find(what) != std::string::npos; }));
  }

 private:
  struct Action {
    std::int64_t at;
    std::string line;
  };
  void listen(std::int64_t now) {
    for (const std::string& line : member.take_lines()) {
      heard.push_back(line);
      if (line == "usi") greet(now);
      if (line == "isready") say(now + script.loads, "readyok");
      if (line.starts_with("tt search ")) search_ = line.substr(10);
      if (line.starts_with("position ")) position_ = line.substr(9);
      if (line.starts_with("go")) go(*usi::parse_go(line.substr(2)), now);
      if (line == "stop" && thinking_) best(now + script.delay);
    }
    for (const SharedLine& line : member.take_sent_tables()) heard.push_back(*line);
  }
  void greet(std::int64_t now) {
    say(now, "id name Actor"), say(now, "option name Skill type spin default 1 min 0 max 9");
    for (const std::string& line : script.declares) say(now, line);
    say(now, "usiok");
  }
  void say(std::int64_t at, std::string line) { todo_.push_back({at, std::move(line)}); }

  void go(const usi::GoLimits& limits, std::int64_t now) {
    thinking_ = true;
    if (script.dies_after >= 0) say(now + script.dies_after, "die");
    if (limits.mate_ms) {
      const auto after = script.mates.find(position_.substr(position_.rfind(' ') + 1));
      const std::string& mate = after == script.mates.end() ? script.mate : after->second;
      if (!mate.empty()) say(now + script.delay, "checkmate " + mate);
      return;
    }
    if (!script.entry.empty() && !search_.empty()) say(now + 1, "tt " + search_ + " " + script.entry);
    search_.clear();
    if (limits.movetime_ms && !script.list.empty()) return list(*limits.movetime_ms, now);
    best_ = script.answer.empty() ? script.move : script.answer;
    std::string shown = script.move, score = score_of(script.move);
    const auto game = usi::parse_position(position_);
    if (script.move.empty()) {
      const shogi::Position position = game->current();
      const auto moves = shogi::legal_moves(position);
      shown = moves.empty() ? "resign" : shogi::to_usi(moves[position.key() % moves.size()]);
      if (script.answer.empty()) best_ = shown;
      for (std::size_t i = 1; limits.movetime_ms && script.speaks && i < std::min<std::size_t>(moves.size(), 3); ++i) {
        const std::string other = shogi::to_usi(moves[(position.key() + i) % moves.size()]);
        say(now + 1, "info depth 5 multipv " + std::to_string(i + 1) + " score cp 0 pv " + other);
      }
    } else if (game->moves.size() % 2 == 1) {  // the engines are Black: this is the position after a move
      shown = best_ = shogi::to_usi(*shogi::legal_moves(game->current()).begin());
      score = reversed(score_of(shogi::to_usi(game->moves.back())));
    } else if (!limits.searchmoves.empty() && script.honours_searchmoves) {
      shown = best_ = shogi::to_usi(limits.searchmoves.front());
      score = score_of(shown);
    }
    if (script.speaks) say(now + 1, "info depth 5 nodes 100 score " + score + " pv " + shown);
    if (limits.movetime_ms && script.honours_movetime) best(now + *limits.movetime_ms + script.delay);
    if (!limits.movetime_ms && (limits.nodes || limits.depth)) best(now + script.nodes_ms);
  }
  void list(std::int64_t ms, std::int64_t now) {
    int number = 0;
    for (const auto& [move, score] : script.list) {
      say(now + 1, "info depth 3 multipv " + std::to_string(++number) + " score " + score + " pv " + move);
    }
    best_ = script.list.front().first;
    best(now + ms + script.delay);
  }
  void best(std::int64_t at) {
    std::erase_if(todo_, [](const Action& deed) { return deed.line.starts_with("bestmove"); });
    if (script.answers) say(at, "bestmove " + best_);
  }
  std::string score_of(const std::string& move) const {
    const auto found = script.scores.find(move);
    return found == script.scores.end() ? "cp 0" : found->second;
  }
  static std::string reversed(const std::string& score) {
    const std::size_t at = score.find(' ') + 1;
    const std::int64_t value = *usi::to_integer(std::string_view(score).substr(at));
    return score.substr(0, at) + std::to_string(-value);
  }

  std::vector<Action> todo_;
  std::string position_ = "startpos", best_, search_;
  bool thinking_ = false;
};

// Several of them, ready.
class ScriptedEngines {
 public:
  explicit ScriptedEngines(const std::vector<Script>& scripts) {
    for (const Script& script : scripts) engines.push_back(std::make_unique<ScriptedEngine>(script));
    for (const auto& engine : engines) engine->start(now), engine->pass(now), engine->pass(now);
  }
  std::vector<Member*> members() const {
    std::vector<Member*> all;
    for (const auto& engine : engines) all.push_back(&engine->member);
    return all;
  }
  void pass() {
    for (const auto& engine : engines) engine->pass(now);
  }

  std::vector<std::unique_ptr<ScriptedEngine>> engines;
  std::int64_t now = 1'000'000;
};

}  // namespace fuhyo::members
