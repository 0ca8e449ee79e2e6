#include "server/net/page_about.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "server/net/query.h"

namespace fuhyo::net {
namespace {

// As the pages read numbers: so many digits at most, and nothing else.
template <class Number>
std::optional<Number> number_of(std::string_view digits, std::size_t most) {
  Number number{};
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (digits.empty() || digits.size() > most || digits.front() == '-') return std::nullopt;
  if (error != std::errc{} || end != digits.data() + digits.size()) return std::nullopt;
  return number;
}

// "7" and "7/12".
PagePath game_at(std::string_view rest) {
  const std::size_t slash = rest.find('/');
  const auto id = number_of<std::uint64_t>(rest.substr(0, slash), 15);
  if (!id) return {};
  PagePath page{.kind = PagePath::Kind::game, .game = core::GameId{*id}};
  if (slash == rest.npos) return page;
  page.ply = number_of<std::int32_t>(rest.substr(slash + 1), 5);
  return page.ply ? page : PagePath{};
}

}  // namespace

PagePath page_at(std::string_view path) {
  constexpr std::array<std::string_view, 9> kLists = {"/",        "/tournaments", "/rooms", "/games",  "/crosstable",
                                                      "/players", "/rounds",      "/buoys", "/console"};
  if (std::ranges::find(kLists, path) != kLists.end()) return {.kind = PagePath::Kind::list};
  const auto cut = [&path](std::string_view prefix) {
    const bool fits = path.starts_with(prefix);
    if (fits) path.remove_prefix(prefix.size());
    return fits;
  };
  const bool embedded = cut("/embed/");
  if (embedded || cut("/overlay/") || cut("/game/")) {
    PagePath page = game_at(path);
    page.framed = embedded && page.kind == PagePath::Kind::game;
    return page;
  }
  const auto named = [&path](PagePath::Kind kind) { return PagePath{.kind = kind, .name = std::string(path)}; };
  if (cut("/room/")) return named(PagePath::Kind::room);
  if (cut("/tournament/")) return named(PagePath::Kind::event);
  if (!cut("/player/")) return {};
  auto id = percent_decoded(path, false);
  if (!id || id->empty()) return {};
  return {.kind = PagePath::Kind::player, .name = std::move(*id)};
}

}  // namespace fuhyo::net
