#include "server/net/page_about.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "engines/shogi/number.h"
#include "server/core/counted.h"
#include "server/net/html_text.h"
#include "server/net/http_routes.h"
#include "server/net/picture/board_picture.h"
#include "server/net/query.h"
#include "server/net/record_file.h"

namespace fuhyo::net {
namespace {

// As the pages read numbers: so many digits at most, and nothing else.
template <class Number>
std::optional<Number> number_of(std::string_view digits, std::size_t most) {
  if (digits.size() > most || digits.starts_with('-')) return std::nullopt;
  return shogi::number_of<Number>(digits);
}

constexpr std::size_t kMostTables = 64 * 1024;  // of an event, within its page

std::string_view outcome_text(core::Outcome outcome, bool en) {
  switch (outcome) {
    case core::Outcome::black_wins:
      return en ? "Black won" : "先手の勝ち";
    case core::Outcome::white_wins:
      return en ? "White won" : "後手の勝ち";
    case core::Outcome::draw:
      return en ? "drawn" : "引き分け";
    case core::Outcome::none:
      break;
  }
  return en ? "no result" : "勝敗なし";
}

std::string score_text(const core::Tally& tally, bool en) {
  return en ? fmt::format("{}: {} won, {} lost, {} drawn", core::counted(tally.games, "game"), tally.wins, tally.losses,
                          tally.draws)
            : fmt::format("{}局 {}勝 {}敗 {}分", tally.games, tally.wins, tally.losses, tally.draws);
}

// What is between two words, if both are there.
std::string_view between(std::string_view text, std::string_view begin, std::string_view end) {
  const std::size_t from = text.find(begin);
  const std::size_t to = from == text.npos ? text.npos : text.find(end, from + begin.size());
  if (to == text.npos) return {};
  return text.substr(from + begin.size(), to - from - begin.size());
}

void replace(std::string& text, std::string_view begin, std::string_view end, std::string_view by) {
  const std::string_view inside = between(text, begin, end);
  if (inside.data() == nullptr) return;
  text.replace(static_cast<std::size_t>(inside.data() - text.data()), inside.size(), by);
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

// Of those that spectators know of; 0: none.
core::GameId newest_game(const core::RunningEvent& event) {
  core::GameId newest{};
  for (const auto& [key, game] : event.games) newest = std::max(newest, game);
  for (int stage = 0; stage < static_cast<int>(event.event().stages.size()); ++stage) {
    for (const core::tournament::DivisionKey division : event.divisions(stage)) {
      for (const auto& [key, result] : event.state().division(division).results) newest = std::max(newest, result.id);
    }
  }
  return newest;
}

}  // namespace

PagePath page_at(std::string_view path) {
  const HttpRoute* route = find_route("GET", path);
  if (route == nullptr || !route->page) return {};
  if (route->path == path) return {.kind = PagePath::Kind::list};
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
  if (cut("/ticker/")) {
    PagePath page = named(PagePath::Kind::event);
    page.framed = true;
    return page;
  }
  if (cut("/room/")) return named(PagePath::Kind::room);
  if (cut("/tournament/")) return named(PagePath::Kind::event);
  if (!cut("/player/")) return {};
  auto id = percent_decoded(path, false);
  if (!id || id->empty()) return {};
  return {.kind = PagePath::Kind::player, .name = std::move(*id)};
}

PageAbout about_game(const core::GameStory& game, std::optional<std::int32_t> ply, PageLanguage language) {
  const bool en = language == PageLanguage::en;
  const core::GameOpened& opened = game.opened;
  PageAbout about{
      .title = fmt::format("☗{} – ☖{}", opened.black.name, opened.white.name), .pictured = opened.game, .ply = ply};
  const std::string_view state = game.ended ? outcome_text(game.ended->outcome, en) : en ? "in progress" : "対局中";
  about.description = en ? fmt::format("{}, {}, {}", opened.game_name, core::counted(game.moves.size(), "move"), state)
                         : fmt::format("{}・{}手・{}", opened.game_name, game.moves.size(), state);
  if (const auto record =
          record_file(opened, {core::record_text(game, {.comments = false, .others = false}), ""}, "ki2u")) {
    // Without what programs tell one another.
    about.html = fmt::format("<pre>{}</pre>", html_escaped_lines(record->bytes, '#'));
  }
  const std::uint64_t id = core::value(opened.game);
  about.html +=
      fmt::format("<p><a href=\"/api/v1/games/{0}.kif\">KIF</a> <a href=\"/api/v1/games/{0}.csa\">CSA</a></p>", id);
  return about;
}

PageAbout about_player(const core::PlayerPage& page, PageLanguage language) {
  const bool en = language == PageLanguage::en;
  const core::PlayerRow& player = page.player;
  PageAbout about{.title = player.name, .description = score_text(player.tally, en)};
  if (player.rate) {
    about.description =
        fmt::format("{} {:.0f}{}{}", en ? "Rate" : "レート", *player.rate, en ? ", " : "・", about.description);
  }
  about.html = "<table>";
  for (const core::PlayerRival& rival : page.rivals) {
    about.html += fmt::format("<tr><th>{}</th><td>{}</td></tr>", html_escaped(rival.id), score_text(rival.tally, en));
  }
  about.html += "</table>";
  return about;
}

PageAbout about_event(const core::RunningEvent& event, std::string_view tables, PageLanguage language) {
  const bool en = language == PageLanguage::en;
  const std::string& title = event.event().title.in(language);
  const std::size_t entrants = event.event().entrants.size();
  PageAbout about{.title = title.empty() ? event.name() : title,
                  .description = en ? fmt::format("Shogi event, {} entrants", entrants)
                                    : fmt::format("将棋大会・参加 {}人", entrants),
                  .pictured = newest_game(event)};
  const std::string_view inside = between(tables, "<body>", "</body>");
  if (inside.size() <= kMostTables) about.html = inside;
  about.html += fmt::format("<p><a href=\"/api/v1/tournaments/{}/tables.txt\">{}</a></p>", event.name(),
                            en ? "Standings" : "順位表");
  return about;
}

std::string page_html(std::string_view index, const PageAbout& about, std::string_view site, std::string_view path) {
  std::string page(index);
  if (about.title.empty()) return page;
  const std::string title = html_escaped(about.title), told = html_escaped(about.description),
                    address = html_escaped(fmt::format("{}{}", site, path)), origin = html_escaped(site);
  const std::uint64_t game = core::value(about.pictured);
  const bool drawn = game != 0;
  std::string head = fmt::format(
      "\n<meta name=\"description\" content=\"{1}\">\n"
      "<meta property=\"og:title\" content=\"{0}\">\n"
      "<meta property=\"og:description\" content=\"{1}\">\n"
      "<meta property=\"og:type\" content=\"website\">\n"
      "<meta property=\"og:site_name\" content=\"Fuhyō\">\n"
      "<meta property=\"og:url\" content=\"{2}\">\n<link rel=\"canonical\" href=\"{2}\">\n",
      title, told, address);
  const std::string query = about.ply ? fmt::format("?ply={}", *about.ply) : "";
  const std::string picture =
      drawn ? fmt::format("{}/api/v1/games/{}.png{}", origin, game, query) : fmt::format("{}/icon-512.png", origin);
  head += fmt::format(
      "<meta property=\"og:image\" content=\"{}\">\n"
      "<meta name=\"twitter:card\" content=\"{}\">\n",
      picture, drawn ? "summary_large_image" : "summary");
  if (drawn) {
    head += fmt::format(
        "<meta property=\"og:image:width\" content=\"{}\">\n"
        "<meta property=\"og:image:height\" content=\"{}\">\n",
        kPictureWidth, kPictureHeight);
  }
  replace(page, "<noscript>", "</noscript>", fmt::format("<h1>{}</h1><p>{}</p>{}", title, told, about.html));
  replace(page, "<title>", "</title>", fmt::format("{} · Fuhyō", title));
  replace(page, "</title>", "<meta name=\"viewport\"", head);  // in place of what is said of all pages
  return page;
}

PageLanguage language_of(std::string_view accepted) {
  return accepted.empty() || accepted.contains("ja") ? PageLanguage::ja : PageLanguage::en;
}

}  // namespace fuhyo::net
