// What stands at the address of a page, for the HTML that the server sends: its status, and later what previews show of
// it. Pages find out by themselves what to draw. Pure; any thread. Private to this room.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "server/core/ids.h"

namespace fuhyo::net {

// The addresses of web/src/route.svelte.ts.
struct PagePath {
  enum class Kind : std::uint8_t { list, game, player, room, event, none };
  Kind kind = Kind::none;
  core::GameId game{};
  std::optional<std::int32_t> ply{};  // after so many moves; nothing: the newest position
  std::string name{};                 // of a player (his id), a room or an event
  bool framed = false;                // other sites may show it as a part of their pages
};
PagePath page_at(std::string_view path);

struct PageAbout {
  bool found = true;  // there is such a thing, and spectators may know of it
};

}  // namespace fuhyo::net
