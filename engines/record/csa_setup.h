// The start position of a CSA file: "PI82HI22KA", "P1-KY-KE...", "P+99KY00FU", "P-00AL". One object per game.
#pragma once

#include <expected>
#include <optional>
#include <string>
#include <string_view>

#include "engines/record/setup.h"

namespace fuhyo::record {

class CsaSetupReader {
 public:
  // One P line, without blanks at its end. Returns the defect, if it has one.
  std::optional<std::string> line(std::string_view text);
  bool any() const { return any_; }  // some line was read
  // The position, if it is made of one set of pieces.
  std::expected<Setup, std::string> finish(shogi::Color turn) const;

 private:
  std::optional<std::string> handicap(std::string_view removed);
  std::optional<std::string> rank(int rank, std::string_view squares);
  std::optional<std::string> pieces(shogi::Color color, std::string_view list);
  std::optional<std::string> piece(shogi::Color color, std::string_view item);
  void all_remaining(shogi::Color color);

  Setup setup_{};
  unsigned ranks_ = 0;  // bit r: rank r was given
  bool any_ = false;
  bool all_given_ = false;
};

}  // namespace fuhyo::record
