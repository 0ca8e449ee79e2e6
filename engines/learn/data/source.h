// Training data of any format as a stream of games. Reads files; one thread at a time.
#pragma once

#include <expected>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "engines/learn/data/format.h"
#include "engines/record/scored_game.h"

namespace fuhyo::learn {

class GameSource {
 public:
  virtual ~GameSource() = default;
  // The next game, all moves of it legal; nothing after the last one. An error names the file and the offset.
  virtual std::expected<std::optional<record::ScoredGame>, std::string> next() = 0;
};

// Consecutive positions of which each follows from the one before by its move, with the same result and the next move
// number, are one game; other positions are games of one move, and positions without a move are games without moves.
// What a ScoredGame cannot hold is counted in `losses`.
//
// Records: of each the main line, and scores out of comments (scored_record.h). With `left_out`, a record that cannot
// be read is noted there and passed over, as is the rest of a file that is damaged; without, it is an error. Both must
// outlive the source.
std::expected<std::unique_ptr<GameSource>, std::string> open_source(const std::filesystem::path& file,
                                                                    DataFormat format, ConversionLosses& losses,
                                                                    LeftOut* left_out = nullptr);

}  // namespace fuhyo::learn
