// Writes games as training data of any format. Writes files; one thread at a time.
#pragma once

#include <expected>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engines/learn/data/format.h"
#include "engines/record/hcpe.h"
#include "engines/record/scored_game.h"

namespace fuhyo::learn {

// The file has a name of its own ("FILE.part") until it is finished; what is not finished is removed.
class GameSink {
 public:
  virtual ~GameSink() = default;
  // All moves must be legal. An error names the file.
  virtual std::expected<void, std::string> append(const record::ScoredGame& game) = 0;
  // The same with the candidates of the search, one list a move. Only hcpe3 stores them; there, a move without
  // candidates is not learnt from.
  using Candidates = std::vector<std::vector<record::Hcpe3Move::Candidate>>;
  virtual std::expected<void, std::string> append(const record::ScoredGame& game, const Candidates& candidates);
  // Syncs the file and renames it, in place of an older one.
  virtual std::expected<void, std::string> finish() = 0;
};

// What the format cannot hold is left out, and counted in `losses`, which must outlive the sink. A second game for a
// format that has one a file (KIF, JKF) is an error. `made_by`: see
// GameWriter; the other formats have no room for it.
std::expected<std::unique_ptr<GameSink>, std::string> open_sink(const std::filesystem::path& file, DataFormat format,
                                                                std::string_view made_by, ConversionLosses& losses);

}  // namespace fuhyo::learn
