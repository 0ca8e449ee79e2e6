// "go mate", sent to all members: the first proof is the answer. Pure; one thread at a time. Times are monotonic
// milliseconds.
#pragma once

#include <optional>
#include <vector>

#include "engines/members/member.h"

namespace fuhyo::members {

class MateSearch {
 public:
  // The members must live as long as it does.
  MateSearch(usi::Game game, std::vector<Member*> members) : game_(std::move(game)), members_(std::move(members)) {}

  void begin(std::int64_t limit_ms, std::int64_t now);  // kForever: no limit
  void look(std::int64_t now);
  void stop(std::int64_t now);

  const std::optional<usi::Checkmate>& result() const { return result_; }
  std::vector<std::string> take_notes() { return std::exchange(notes_, {}); }

 private:
  void finish(usi::Checkmate answer, std::int64_t now);

  usi::Game game_;
  std::vector<Member*> members_;
  std::vector<const Member*> refused_;  // members whose line is no mate
  std::int64_t patience_ends_ = usi::kForever;
  std::vector<std::string> notes_;
  std::optional<usi::Checkmate> result_;
};

}  // namespace fuhyo::members
