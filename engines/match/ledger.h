// The file of a running match: a line with the settings of the match, then one line for each finished game
// (output/json.h). An interrupted match continues from it. One process and one thread at a time.
#pragma once

#include <expected>
#include <functional>
#include <optional>
#include <string>

#include "engines/jobs/files/append_file.h"
#include "engines/jobs/files/file_lock.h"
#include "engines/match/game.h"

namespace fuhyo::match {

class Ledger {
 public:
  using Each = std::function<void(PlayedGame)>;

  // Opens or creates the file. `terms`: one line with the settings of the match; a file with other settings is an
  // error. Calls `each` with its games, in order. Cuts off an incomplete last line of a killed program; any other line
  // that cannot be read is an error that names it, and so is a file that another process writes. Empty `terms`: opens
  // any match read-only.
  static std::expected<Ledger, std::string> open(const std::string& path, const std::string& terms, const Each& each);

  // Writes and flushes the game. After a failure the file ends with the game before (as far as the disk allows), and
  // every further call fails.
  std::expected<void, std::string> append(const PlayedGame& game);
  const std::string& terms() const { return terms_; }

 private:
  std::expected<void, std::string> add_line(const std::string& line);

  std::string path_, terms_;
  std::optional<jobs::FileLock> lock_;
  jobs::AppendFile file_;
  std::string failed_;  // the reason why append() fails
};

}  // namespace fuhyo::match
