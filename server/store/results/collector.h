// Gathers the results of games from files of several kinds: record files of any format, lists of results, PGN. What
// cannot be read is named and counted and stops nothing. One thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "server/core/civil_time.h"
#include "server/core/rating/games.h"
#include "server/store/file_fault.h"

namespace fuhyo::store {

class ResultCollector {
 public:
  // `zone`: of the machine whose local times the files hold.
  explicit ResultCollector(core::TimeZone zone) : zone_(std::move(zone)) {}

  // By its name or else by what it holds: *.pgn, 00LIST*, a record.
  void add_file(std::string_view bytes, const std::string& file);
  void add_list(std::string_view text, const std::string& file);
  void add_record(std::string_view bytes, const std::string& file);
  // In PGN the first move is White's, so its White is Black here. Results other than 1-0, 0-1, 1/2-1/2 are none. A
  // game that stands in another file too, tags and moves, is repeated; one that a file has several times is several.
  void add_pgn(std::string_view text, const std::string& file);

  const core::rating::Games& games() const { return games_; }
  const std::vector<FileFault>& faults() const { return faults_; }
  std::size_t without_result() const { return without_result_; }  // broken off, still running
  std::size_t repeated() const { return repeated_; }          // a line, or a game of one Game_ID or PGN, that had come
  std::size_t without_time() const { return without_time_; }  // of games(): nothing says when; they count as of 1970

 private:
  std::string add_line(std::string_view line);
  core::Wall time_of(std::string_view local_time);
  bool seen(std::string key);

  core::TimeZone zone_;
  core::rating::Games games_;
  std::vector<FileFault> faults_;
  std::unordered_set<std::string> seen_;
  std::size_t without_result_ = 0, repeated_ = 0, without_time_ = 0;
};

}  // namespace fuhyo::store
