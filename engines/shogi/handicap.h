// The handicap games that a game name asks for (shogi-server: "hc2p_hoge-1500-0"). Black lacks the pieces and moves
// first.
#pragma once

#include <optional>
#include <string_view>

namespace fuhyo::shogi {

struct Handicap {
  std::string_view prefix;  // of game names, e.g. "hc2p_"
  std::string_view sfen;    // the start position
};

std::optional<Handicap> handicap_of(std::string_view game_name);

}  // namespace fuhyo::shogi
