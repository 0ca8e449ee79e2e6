// What the tests of matches share: players that follow a script, and games to count.
#pragma once

#include <deque>
#include <string>
#include <variant>
#include <vector>

#include "engines/match/play.h"
#include "engines/shogi/usi_move.h"
#include "engines/usi/text.h"

namespace fuhyo::match {

// Says what it was told to say, one line for each request: a move or "resign" or "win", then perhaps
// "us=N" (time spent), "cp=N" (score); "crash" and "hang" fail. Out of lines, it resigns.
class Scripted final : public Player {
 public:
  explicit Scripted(std::vector<std::string> lines = {}) : lines_(lines.begin(), lines.end()) {}

  std::string name() const override { return "scripted"; }
  std::expected<void, Fault> new_game(const GameOptions& options) override {
    options_ = options;
    if (fails_to_start) return std::unexpected(Fault{Ending::crashed, "does not start"});
    return {};
  }
  std::expected<SearchReply, Fault> think(const SearchRequest& request) override {
    asked.push_back(request.line);
    limits.push_back(request.limits);
    if (lines_.empty()) return SearchReply{};
    const std::string line = lines_.front();
    lines_.pop_front();
    std::string_view rest = line;
    const std::string_view word = usi::next_word(rest);
    if (word == "crash") return std::unexpected(Fault{Ending::crashed, "exit status 3"});
    if (word == "hang") return std::unexpected(Fault{Ending::hung, "no answer"});
    SearchReply reply{.best = *usi::parse_bestmove(word), .data = {}};
    reply.data.move = reply.best.move;
    for (std::string_view more = usi::next_word(rest); !more.empty(); more = usi::next_word(rest)) {
      if (more.starts_with("us=")) reply.data.spent_us = *usi::to_integer(more.substr(3));
      if (more.starts_with("cp=")) {
        reply.data.score = usi::Score{.value = static_cast<int>(*usi::to_integer(more.substr(3)))};
      }
    }
    return reply;
  }
  void ponder(const std::string& line, const SearchReply&, const usi::GoLimits&) override { pondered.push_back(line); }
  void game_over(std::string_view result) override { results.emplace_back(result); }

  bool fails_to_start = false;
  std::vector<std::string> asked, pondered, results;
  std::vector<usi::GoLimits> limits;
  const GameOptions& options() const { return options_; }

 private:
  std::deque<std::string> lines_;
  GameOptions options_;
};

inline usi::Game game_from(std::string_view text) { return *usi::parse_position(text); }

}  // namespace fuhyo::match
