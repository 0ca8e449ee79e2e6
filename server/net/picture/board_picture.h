// A position as a PNG for those who show a link as a card (Open Graph): 1000 by 525, the shape which most of them want.
// There is no text in it but what stands on pieces: this program has no fonts. Pure; any thread.
#pragma once

#include <optional>
#include <string>

#include "engines/shogi/position.h"

namespace fuhyo::net {

constexpr int kPictureWidth = 1000, kPictureHeight = 525;

// `last`: where the last move went.
std::string board_picture(const shogi::Position& position, std::optional<shogi::Square> last);

}  // namespace fuhyo::net
