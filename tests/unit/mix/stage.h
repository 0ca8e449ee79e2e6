// Engines that follow a script, in a time that the test lets pass: whole votes without a process or a wait.
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "engines/mix/member.h"
#include "engines/mix/vote.h"
#include "engines/shogi/movegen.h"
#include "engines/shogi/usi_move.h"
#include "engines/usi/text.h"

namespace fuhyo::mix {

inline shogi::Move mv(std::string_view text) { return *shogi::parse_usi_move(text); }

// How an actor plays. Times in milliseconds.
struct Part {
  std::string move = "7g7f";                    // what it wants
  std::map<std::string, std::string> scores{};  // of moves: "cp 30", "mate -5"; others are "cp 0"
  std::string answer{};                         // the words after "bestmove", if not its move
  std::string mate{};                           // the words after "checkmate"
  bool honours_searchmoves = true;
  bool honours_movetime = true;  // else it thinks until it is stopped
  bool speaks = true;            // prints a line at all
  bool answers = true;           // "bestmove" at all
  std::int64_t loads = 0;        // from "isready" to "readyok"
  std::int64_t delay = 1;        // from the end of its time, or "stop", to "bestmove"
  std::int64_t dies_after = -1;  // ms after "go"
  std::int64_t nodes_ms = 50;    // how long nodes or a depth take
};

class Actor {
 public:
  explicit Actor(Part p, Member::Setup setup = {.scale = 600}) : part(std::move(p)), member(std::move(setup)) {}

  Part part;
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
  struct Deed {
    std::int64_t at;
    std::string line;
  };
  void listen(std::int64_t now) {
    for (const std::string& line : member.take_lines()) {
      heard.push_back(line);
      if (line == "usi")
        say(now, "id name Actor"), say(now, "option name Skill type spin default 1 min 0 max 9"), say(now, "usiok");
      if (line == "isready") say(now + part.loads, "readyok");
      if (line.starts_with("position ")) position_ = line.substr(9);
      if (line.starts_with("go")) go(*usi::parse_go(line.substr(2)), now);
      if (line == "stop" && thinking_) best(now + part.delay);
    }
  }
  void say(std::int64_t at, std::string line) { todo_.push_back({at, std::move(line)}); }

  void go(const usi::GoLimits& limits, std::int64_t now) {
    thinking_ = true;
    if (part.dies_after >= 0) say(now + part.dies_after, "die");
    if (limits.mate_ms) {
      if (!part.mate.empty()) say(now + part.delay, "checkmate " + part.mate);
      return;
    }
    best_ = part.answer.empty() ? part.move : part.answer;
    std::string shown = part.move, score = score_of(part.move);
    const auto game = usi::parse_position(position_);
    if (game->moves.size() % 2 == 1) {  // actors are Black: they are asked from behind
      shown = best_ = shogi::to_usi(*shogi::legal_moves(game->current()).begin());
      score = reversed(score_of(shogi::to_usi(game->moves.back())));
    } else if (!limits.searchmoves.empty() && part.honours_searchmoves) {
      shown = best_ = shogi::to_usi(limits.searchmoves.front());
      score = score_of(shown);
    }
    if (part.speaks) say(now + 1, "info depth 5 nodes 100 score " + score + " pv " + shown);
    if (limits.movetime_ms && part.honours_movetime) best(now + *limits.movetime_ms + part.delay);
    if (!limits.movetime_ms && (limits.nodes || limits.depth)) best(now + part.nodes_ms);
  }
  void best(std::int64_t at) {
    std::erase_if(todo_, [](const Deed& deed) { return deed.line.starts_with("bestmove"); });
    if (part.answers) say(at, "bestmove " + best_);
  }
  std::string score_of(const std::string& move) const {
    const auto found = part.scores.find(move);
    return found == part.scores.end() ? "cp 0" : found->second;
  }
  static std::string reversed(const std::string& score) {
    const std::size_t at = score.find(' ') + 1;
    const std::int64_t value = *usi::to_integer(std::string_view(score).substr(at));
    return score.substr(0, at) + std::to_string(-value);
  }

  std::vector<Deed> todo_;
  std::string position_ = "startpos", best_;
  bool thinking_ = false;
};

// A vote on the stage. Starts the actors; time goes on by milliseconds.
class Stage {
 public:
  explicit Stage(const std::vector<Part>& parts) {
    for (const Part& part : parts) actors.push_back(std::make_unique<Actor>(part));
    for (const auto& actor : actors) actor->start(now), actor->pass(now), actor->pass(now);
  }
  static Terms terms(const std::string& position = "startpos", const usi::GoLimits& limits = {.movetime_ms = 1'000}) {
    Terms terms{.game = *usi::parse_position(position), .limits = limits};
    const shogi::Position root = terms.game.current();
    for (const shogi::Move move : shogi::legal_moves(root)) terms.moves.push_back(move);
    terms.plan = usi::TimePlan::make(limits, root.side_to_move(), root.ply(), {.whole_seconds = false});
    terms.pondering = limits.ponder;
    terms.analysis = limits.infinite;
    return terms;
  }
  void begin(Terms terms) {
    std::vector<Member*> members;
    for (const auto& actor : actors) members.push_back(&actor->member);
    talk = std::make_unique<Vote>(std::move(terms), std::move(members));
    begun = now;
    talk->begin(now, now);
  }
  // Lets so much time pass, or until there is an outcome.
  bool run(std::int64_t ms) {
    const std::int64_t end = now + ms;
    while (!talk->outcome() && now < end) {
      ++now;
      for (const auto& actor : actors) actor->pass(now);
      talk->look(now);
      for (const auto& actor : actors) actor->pass(now);
    }
    return talk->outcome().has_value();
  }
  // The whole move.
  const Outcome& decide(Terms terms, std::int64_t most_ms = 100'000) {
    begin(std::move(terms));
    run(most_ms);
    if (!talk->outcome()) talk->stop(now), run(1'000);
    return *talk->outcome();
  }
  std::int64_t spent() const { return now - begun; }
  static std::string move(const Outcome& outcome) { return shogi::to_usi(outcome.choice.move); }

  std::vector<std::unique_ptr<Actor>> actors;
  std::unique_ptr<Vote> talk;
  std::int64_t now = 1'000'000, begun = 0;
};

}  // namespace fuhyo::mix
