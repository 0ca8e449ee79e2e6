// The file that a match is kept in while it runs: a line that says what is played, then a line for each finished game
// (output/json.h). It outlives the program, and a match goes on from it. One process and one thread at a time.
#pragma once

#include <cstdint>
#include <cstdio>
#include <expected>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "engines/jobs/files/file_lock.h"
#include "engines/match/game.h"

namespace fuhyo::match {

class Ledger {
 public:
  using Each = std::function<void(PlayedGame)>;

  // Opens or begins the file. `terms`: one line that says what is played; a file that says something else is refused.
  // Its games are handed to `each`, in order. A last line that a killed program did not finish is cut off; any other
  // line that cannot be read is an error that names it. A file that another process writes is refused. `terms` empty:
  // read only, whatever is played, and by whoever else.
  static std::expected<Ledger, std::string> open(const std::string& path, const std::string& terms, const Each& each);

  // Written and handed to the system before it returns. After a failure the file ends with the game before (as far as
  // the disk allows), and nothing is added any more.
  std::expected<void, std::string> append(const PlayedGame& game);
  const std::string& terms() const { return terms_; }

 private:
  struct Close {
    void operator()(std::FILE* file) const { static_cast<void>(std::fclose(file)); }
  };
  std::expected<void, std::string> add_line(const std::string& line);

  std::string path_, terms_;
  std::optional<jobs::FileLock> lock_;
  std::unique_ptr<std::FILE, Close> file_;
  std::uintmax_t whole_ = 0;  // bytes of whole lines
  std::string failed_;        // why nothing can be added
};

}  // namespace fuhyo::match
