#include "server/app/store/site.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fmt/format.h>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <boost/json.hpp>

#include "server/app/commands.h"
#include "server/app/serve/pages.h"
#include "server/core/counted.h"
#include "server/net/html_text.h"
#include "server/net/http_server.h"
#include "server/net/tournament/tables.h"
#include "server/store/records/disk.h"
#include "server/store/store.h"

namespace fuhyo::app {
namespace {

namespace fs = std::filesystem;
namespace json = boost::json;

constexpr std::size_t kMostSiteGames = 1'000;  // as many as one archive of records holds
constexpr std::string_view kHost = "site.invalid", kOrigin = "http://site.invalid";
// The pages for this, among those of the program.
constexpr std::string_view kFiles = "/site/", kFilesIndex = "/site/index";
constexpr std::array<std::string_view, 3> kIcons = {"/icon.svg", "/icon-192.png", "/icon-512.png"};
constexpr std::array<std::string_view, 3> kGameFiles = {"csa", "kif", "usi"};
constexpr std::array<std::string_view, 3> kTableFiles = {"csv", "html", "txt"};
constexpr std::array<std::string_view, 2> kLanguages = {"ja", "en"};
constexpr std::string_view kGames = "/games", kCross = "/crosstable";
constexpr mode_t kForAll = 0644;  // it is made to be seen
constexpr std::string_view kNoScript = "<noscript>", kNoScriptEnd = "</noscript>";

// As fileOf() of web/src/site.ts, without a query.
std::string file_of(std::string_view path) {
  if (path == "/") return "index.html";
  const bool is_page =
      path.starts_with("/game/") || path.starts_with("/tournament/") || path == kGames || path == kCross;
  return fmt::format("{}{}", path.substr(1), is_page ? ".html" : "");
}

std::string between(std::string_view text, std::string_view begin, std::string_view end) {
  const std::size_t from = text.find(begin), to = text.find(end, from);
  if (to == text.npos) return {};
  return std::string(text.substr(from + begin.size(), to - from - begin.size()));
}

void replace_first(std::string& text, std::string_view what, std::string_view by) {
  if (const std::size_t at = text.find(what); at != text.npos) text.replace(at, what.size(), by);
}

// Cards of links want whole addresses: without them there is nothing for cards.
std::string without_origin(std::string_view html) {
  std::string out;
  while (!html.empty()) {
    const std::string_view line = html.substr(0, html.find('\n') + 1);
    if (line.empty()) return out += html;
    if (!line.contains(kOrigin)) out += line;
    html.remove_prefix(line.size());
  }
  return out;
}

// Every attribute that is an address of ours, as seen from a page that is `root` away from the folder.
std::string with_files(std::string_view html, std::string_view root, const std::string& address) {
  std::string out;
  for (;;) {
    const std::size_t at = html.find("=\"");
    if (at == html.npos) return out += html;
    out += html.substr(0, at + 2);
    html.remove_prefix(at + 2);
    const bool whole = html.starts_with(kOrigin);
    const std::string_view path = html.substr(whole ? kOrigin.size() : 0);
    if (!path.starts_with('/')) continue;
    const std::string_view target = path.substr(0, path.find('"'));
    out += whole ? address + "/" : std::string(root);
    out += file_of(target);
    html = path.substr(target.size());
  }
}

std::string text_at(const json::object& object, std::string_view key) {
  const json::value* value = object.if_contains(key);
  return value != nullptr && value->is_string() ? std::string(value->get_string()) : std::string();
}

std::uint64_t id_of(const json::value& game) { return game.as_object().at("id").to_number<std::uint64_t>(); }

// The games as links that need no script.
std::string list_html(const json::array& games) {
  constexpr std::array<std::array<std::string_view, 3>, 4> kMarks = {
      {{"black", "○", "●"}, {"white", "●", "○"}, {"draw", "△", "△"}, {"none", "", ""}}};
  std::string html = "<ul>";
  for (const json::value& game : games) {
    const json::object& row = game.as_object();
    const auto name = [&](std::string_view seat) {
      return net::html_escaped(text_at(row.at(seat).as_object(), "name"));
    };
    const auto marks = std::ranges::find(kMarks, text_at(row, "outcome"), [](const auto& each) { return each[0]; });
    if (marks == kMarks.end()) continue;
    html += fmt::format("<li><a href=\"/game/{}\">☗{} {} – ☖{} {}</a> {}</li>", id_of(game), name("black"), (*marks)[1],
                        name("white"), (*marks)[2], net::html_escaped(text_at(row, "date")));
  }
  return html + "</ul>";
}

// Once something has failed nothing more is done: fault() says what.
class SiteWriter {
 public:
  SiteWriter(net::HttpServer& server, const SiteWish& wish) : server_(server), wish_(wish) {}

  void write() {
    const json::array games = write_list();
    for (const std::string_view icon : kIcons) copy(icon);
    for (const json::value& game : games) write_game(id_of(game));
    copy(fmt::format("/api/v1/games.zip?{}", wish_.games));
    answer(fmt::format("/api/v1/crosstable?{}&players=100", wish_.games));
    copy(fmt::format("/api/v1/crosstable.csv?{}", wish_.games));
    answer("/api/v1/buoys?limit=1000");  // they name the starts of games
    const std::string list = list_html(games);
    page(kGames, "games.html", list);
    page(kCross, "crosstable.html", list);
    if (wish_.event.empty()) return page(kGames, "index.html", list);
    const std::string path = fmt::format("/tournament/{}", wish_.event);
    page(path, file_of(path), list);
    page(path, "index.html", list);
    write_event();
  }

  void put(std::string_view file, std::string_view bytes) {
    const fs::path path = fs::path(wish_.folder) / file;
    auto written = store::make_folder(path.parent_path(), kForAll);
    if (written) written = store::write_file(path, bytes, kForAll);
    if (!written && fault_.empty()) fault_ = written.error();
    bytes_ += bytes.size();
  }

  const std::string& fault() const { return fault_; }
  std::size_t games() const { return count_; }
  std::size_t bytes() const { return bytes_; }

 private:
  std::string ask(std::string_view target, std::string_view language = "ja") {
    if (!fault_.empty()) return {};
    net::LocalAnswer answer = server_.get(target, kHost, language);
    if (answer.status != 200) fault_ = fmt::format("{}: {}", target, answer.body);
    return std::move(answer.body);
  }

  json::object object_at(std::string_view target) {
    boost::system::error_code error;
    const json::value answer = json::parse(ask(target), error);
    if (answer.is_object()) return answer.get_object();
    if (fault_.empty()) fault_ = fmt::format("{}: no object", target);
    return {};
  }

  void copy(std::string_view target) {
    const std::string bytes = ask(target);
    if (fault_.empty()) put(target.substr(1, target.find('?') - 1), bytes);
  }

  // What the API says there, as a script; the query is left out of its name.
  void answer(std::string_view target) { script(target.substr(0, target.find('?')), ask(target)); }
  void script(std::string_view path, std::string_view text) {
    if (fault_.empty())
      put(fmt::format("{}.js", path.substr(1)), fmt::format("(globalThis.fuhyo?\?={{}})[\"{}\"]={}\n", path, text));
  }

  // All games of the list in one answer.
  json::array write_list() {
    json::array games;
    json::object part;
    do {
      const json::value* next = part.if_contains("next");
      const std::string before = next == nullptr ? "" : fmt::format("&before={}", next->to_number<std::uint64_t>());
      part = object_at(fmt::format("/api/v1/games?{}&limit=100{}", wish_.games, before));
      if (!fault_.empty()) return {};
      for (json::value& game : part.at("games").as_array()) games.push_back(std::move(game));
    } while (!part.at("next").is_null() && games.size() <= kMostSiteGames);
    if (games.size() > kMostSiteGames) fault_ = fmt::format("these are more than {} games", kMostSiteGames);
    if (games.empty() && wish_.event.empty()) fault_ = "there are no such games";
    part["games"] = games;
    script("/api/v1/games", json::serialize(part));
    count_ = games.size();
    return games;
  }

  void write_game(std::uint64_t id) {
    const std::string path = fmt::format("/api/v1/games/{}", id);
    answer(path);
    for (const std::string_view end : kGameFiles) copy(fmt::format("{}.{}", path, end));
    if (!wish_.address.empty()) copy(path + ".png");  // what cards of links show
    page(fmt::format("/game/{}", id), fmt::format("game/{}.html", id), {});
  }

  void write_event() {
    const std::string path = fmt::format("/api/v1/tournaments/{}", wish_.event);
    const json::object event = object_at(path);
    if (!fault_.empty()) return;
    script(path, json::serialize(event));
    for (const json::value& stage : event.at("stages").as_array()) {
      for (const json::value& division : stage.at("divisions").as_array()) {
        if (division.at("table").is_null()) continue;
        write_tables(path, text_at(stage.as_object(), "name"), text_at(division.as_object(), "name"));
      }
    }
  }

  void write_tables(const std::string& path, const std::string& stage, const std::string& division) {
    for (const std::string_view end : kTableFiles) {
      for (const std::string_view language : kLanguages) {
        const std::string table = ask(fmt::format("{}/tables.{}?division={}/{}&lang={}", path, end,
                                                  net::url_escaped(stage), net::url_escaped(division), language));
        put(fmt::format("{}/tables-{}-{}-{}.{}", path.substr(1), stage, division, language, end), table);
        if (end == "txt" && language == "ja") put(fmt::format("{}/tables.txt", path.substr(1)), table);
      }
    }
  }

  // In both languages for who has no script, with `list` behind it; the answer to a page of lists says nothing there.
  void page(std::string_view path, std::string_view file, std::string_view list) {
    std::string html = ask(path);
    std::string english = between(ask(path, "en"), kNoScript, kNoScriptEnd);
    english.resize(std::min(english.size(), english.find("<pre>")));  // moves are the same
    const std::string inside = between(html, kNoScript, kNoScriptEnd);
    const bool is_list = path == kGames || path == kCross;
    const std::string told = is_list ? "" : inside + english;
    replace_first(html, fmt::format("{}{}", kNoScript, inside), fmt::format("{}{}{}", kNoScript, told, list));
    const std::string_view root = file.contains('/') ? "../" : "";
    html = with_files(wish_.address.empty() ? without_origin(html) : html, root, wish_.address);
    replace_first(html, "<html", fmt::format("<html data-path=\"{}\" data-root=\"{}\"", path, root));
    if (fault_.empty()) put(file, html);
  }

  net::HttpServer& server_;
  const SiteWish& wish_;
  std::string fault_;
  std::size_t count_ = 0, bytes_ = 0;
};

int site_failed(int code, std::string_view why) {
  fmt::print(stderr, "fuhyo: {}\n", why);
  return code;
}

}  // namespace

int write_site(ServeConfig config, const SiteWish& wish) {
  std::error_code error;
  if (fs::exists(wish.folder, error) && !fs::is_empty(wish.folder, error)) {
    return site_failed(kExitCannotCreate, fmt::format("{}: there is something already", wish.folder));
  }
  Log log("warning", "text");
  const auto store = store::make_store(config.store_address(), {.warn = log.warner()});
  if (!store) return site_failed(kExitUsage, store.error());
  const auto stands = (*store)->look();
  if (!stands) return site_failed(kExitIo, stands.error());
  config.analysis_engine.clear();  // no viewer can ask it
  net::HttpOptions options;
  if (const auto set = set_pages(config, **store, log, options); !set) {
    return site_failed(set.error().exit_code, set.error().text);
  }
  if (!options.assets.begin_with(kFilesIndex)) return site_failed(kExitUsage, "these pages need a server (web-root)");
  std::vector<std::pair<std::string, std::string_view>> assets;  // the server's, as long as it lives
  for (const auto& [path, asset] : options.assets.all()) {
    if (path.starts_with(kFiles) && path != kFilesIndex) assets.emplace_back(path.substr(kFiles.size()), asset.plain);
  }
  net::HttpServer server(std::move(options), *stands);
  server.start();
  SiteWriter site(server, wish);
  for (const auto& [file, bytes] : assets) site.put(file, bytes);
  site.write();
  if (!site.fault().empty()) return site_failed(kExitFailed, site.fault());
  fmt::print("{}: {}, {:.1f} MB\n", wish.folder, core::counted(site.games(), "game"),
             static_cast<double>(site.bytes()) / 1e6);
  return kExitOk;
}

}  // namespace fuhyo::app
