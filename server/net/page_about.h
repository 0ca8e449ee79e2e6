// What stands at the address of a page, for the HTML that the server sends: its status, what cards of links show (Open
// Graph, ogp.me), and the same as text for browsers without scripts. Pages find out by themselves what to draw. Nothing
// is in it that /api/v1 does not tell at the same moment. Pure; any thread. Private to this room.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "server/core/catalogue.h"
#include "server/core/games/game_story.h"
#include "server/core/ids.h"
#include "server/core/tournament/event.h"
#include "server/core/tournaments/event_view.h"

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

using PageLanguage = core::tournament::Language;

struct PageAbout {
  bool found = true;               // there is such a thing, and spectators may know of it
  std::string title, description;  // text of any bytes; no title: it is that of every page
  core::GameId pictured{};         // the game whose position the card shows; 0: none
  std::optional<std::int32_t> ply{};
  std::string html{};  // for browsers without scripts
};
PageAbout about_game(const core::GameStory& game, std::optional<std::int32_t> ply, PageLanguage language);
PageAbout about_player(const core::PlayerPage& page, PageLanguage language);
// `tables`: the file of its tables (tables_html()); what is too long of it is left out.
PageAbout about_event(const core::RunningEvent& event, std::string_view tables, PageLanguage language);

// The page as it is built, about this. `site`: "https://host:port", `path`: of this page, both as the caller says.
std::string page_html(std::string_view index, const PageAbout& about, std::string_view site, std::string_view path);
// The one that a browser wants most, of "ja" and others: its Accept-Language. Empty: Japanese.
PageLanguage language_of(std::string_view accepted);

}  // namespace fuhyo::net
