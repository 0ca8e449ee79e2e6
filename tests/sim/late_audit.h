// Whether watchers of games that are shown late hear of a move before its time. Part of the auditor.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "server/core/facts.h"

namespace fuhyo::sim {

class LateAudit {
 public:
  void decided(const core::Fact& fact, std::int64_t now_us);
  // What a connection is to be told; what is wrong with it. Also counts what is right.
  std::optional<std::string> told(core::ConnId conn, std::string_view bytes, std::int64_t now_us);
  std::uint64_t moves() const { return moves_; }  // that watchers were told of as they were shown

 private:
  struct Game {
    std::string id;
    std::size_t preset = 0;
    std::vector<std::int64_t> made_us;  // by ply, the preset ones left out; the newest time of each
  };
  std::map<core::GameId, Game> games_;
  std::map<std::string, core::GameId, std::less<>> by_id_;
  std::map<std::pair<core::ConnId, std::string>, std::size_t> told_;  // moves, the preset ones included
  std::uint64_t moves_ = 0;
};

}  // namespace fuhyo::sim
