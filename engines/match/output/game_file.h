// A file of records to which games are added as they end. A game is one write, so that whoever reads the file at any
// time, or finds it after a crash, has whole games and at most one broken one behind them; that one is cut off when the
// file is opened again. One thread at a time per object.
#pragma once

#include <cstdint>
#include <expected>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "engines/jobs/files/append_file.h"
#include "engines/jobs/files/file_lock.h"
#include "engines/match/game.h"
#include "engines/match/output/pgn.h"
#include "engines/record/csa_format.h"

namespace fuhyo::match {

enum class GameFormat : std::uint8_t { csa, pgn };

struct GameFileOptions {
  GameFormat format = GameFormat::csa;
  record::CsaVersion version = record::CsaVersion::v2_2;  // of CSA: V2.2 or V3.0
  PgnMoves moves = PgnMoves::usi;                         // of PGN
};

// How many of the bytes, from the first one, are whole games.
std::size_t whole_games(std::string_view bytes, GameFormat format);

class GameFile {
 public:
  // Makes the file if there is none. An error says what is wrong: it cannot be read or written, another match writes
  // to it, or it holds something else than games of this format, which is left as it is.
  static std::expected<GameFile, std::string> open(const std::filesystem::path& path, const GameFileOptions& options);

  // After a failure the file ends with the game before, and every further call fails.
  std::expected<void, std::string> add(const PlayedGame& game);
  // Bytes of a broken last game that open() cut off.
  std::uintmax_t cut() const { return cut_; }

 private:
  GameFile(std::string name, const GameFileOptions& options, std::optional<jobs::FileLock> lock, jobs::AppendFile file,
           std::uintmax_t cut)
      : name_(std::move(name)), options_(options), lock_(std::move(lock)), file_(std::move(file)), cut_(cut) {}

  std::string name_;
  GameFileOptions options_;
  std::optional<jobs::FileLock> lock_;  // of a regular file
  jobs::AppendFile file_;
  std::uintmax_t cut_;
  std::string failed_;  // the reason why add() fails
};

}  // namespace fuhyo::match
