// The file that a match is kept in while it runs: a line that says what is played, then a line for each finished game
// (output/json.h). It outlives the program, and a match goes on from it. One thread at a time.
#pragma once

#include <cstdio>
#include <expected>
#include <functional>
#include <memory>
#include <string>

#include "engines/match/game.h"

namespace fuhyo::match {

class Ledger {
 public:
  using Each = std::function<void(PlayedGame)>;

  // Opens or begins the file. `terms`: one line that says what is played; a file that says something else is refused.
  // Its games are handed to `each`, in order. A last line that a killed program did not finish is cut off; any other
  // line that cannot be read is an error that names it. `terms` empty: read only, whatever is played.
  static std::expected<Ledger, std::string> open(const std::string& path, const std::string& terms, const Each& each);

  // Written and handed to the system before it returns.
  std::expected<void, std::string> append(const PlayedGame& game);
  const std::string& terms() const { return terms_; }

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  std::string path_, terms_;
  std::unique_ptr<std::FILE, Close> file_;
};

}  // namespace fuhyo::match
