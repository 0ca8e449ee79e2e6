// What engines of tests play.
#pragma once

#include <cstddef>
#include <string>

namespace fuhyo::test {

// The rook shuffles: Black 2h3h4h..., White 8b7b6b...; which one is told by the number of moves played. `position`: a
// line of USI.
inline std::string shuffle(const std::string& position) {
  const std::size_t at = position.find(" moves ");
  std::size_t plies = 0;
  if (at != std::string::npos) {
    for (std::size_t i = at + 6; i < position.size(); ++i) plies += position[i] == ' ' ? 1u : 0u;
  }
  static const char* const kBlack[] = {"2h3h", "3h4h", "4h5h", "5h6h", "6h7h", "7h2h"};
  static const char* const kWhite[] = {"8b7b", "7b6b", "6b5b", "5b4b", "4b8b"};
  return plies % 2 == 0 ? kBlack[plies / 2 % 6] : kWhite[plies / 2 % 5];
}

}  // namespace fuhyo::test
