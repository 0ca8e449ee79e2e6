// What stands behind the method of a request: a target leads to a way that is in the table or nowhere, to a file that
// the program carries or to none, and its keys are values within their bounds or refused in words (row W4).

#include <string>

#include "server/net/archive_api.h"
#include "server/net/archive_query.h"
#include "server/net/assets.h"
#include "server/net/endpoint.h"
#include "server/net/http_routes.h"
#include "server/net/query.h"
#include "server/net/tournament_api.h"
#include "tests/fuzz/fuzz.h"

namespace {

using fuhyo::fuzz::require;
namespace net = fuhyo::net;

void check_decoding(std::string_view text) {
  for (const bool form : {false, true}) {
    const auto decoded = net::percent_decoded(text, form);
    if (!decoded) {
      require(text.find('%') != std::string_view::npos, "only a percent sign can be wrong");
      continue;
    }
    require(decoded->size() <= text.size(), "decoding makes nothing longer");
    require(text.size() - decoded->size() <= 2 * static_cast<std::size_t>(std::ranges::count(text, '%')),
            "and loses nothing but what is decoded");
  }
}

void check_way(std::string_view path) {
  static const net::Assets assets = net::Assets::embedded();
  for (const std::string_view method : {"GET", "HEAD", "POST", "PUT", "DELETE", "TRACE"}) {
    const net::HttpRoute* way = net::find_route(method, path);
    if (way == nullptr) continue;
    require(method == "HEAD" ? way->method == "GET" : way->method == method, "a way is found by its method");
    require(!net::allowed_methods(path, true).empty(), "what leads somewhere has methods");
    require(way->path.front() == '/' && path.starts_with(way->path.substr(0, way->path.find('*'))), "and by its path");
  }
  const net::Asset* asset = assets.find(path);
  require(asset == nullptr || !asset->content_type.empty(), "a file has a type");
  require(asset == nullptr || path.find("..") == std::string_view::npos, "no file lies above");
  if (net::ArchiveApi::takes(path)) require(path.starts_with('/'), "the archive has paths");
  if (net::TournamentApi::takes(path)) require(path.starts_with("/api/"), "so have events");
}

template <class Read>
void check_query(std::string_view text, Read read) {
  net::Query query(text);
  read(query);
  if (const auto fault = query.fault()) require(!fault->empty(), "a refusal says why");
}

void check_queries(std::string_view text) {
  check_query(text, [](net::Query& query) {
    const std::int64_t limit = query.number("limit", 1, 100, 20);
    require(limit >= 1 && limit <= 100, "a number is within its bounds");
  });
  check_query(text, [](net::Query& query) {
    const auto asked = net::game_query(query);
    require(query.fault() || asked.limit <= static_cast<std::size_t>(net::kMostGames), "a page of games is bounded");
  });
  check_query(text, [](net::Query& query) { net::cross_query(query); });
  check_query(text, [](net::Query& query) { net::player_query(query); });
  check_query(text, [](net::Query& query) { net::round_query(query); });
  check_query(text, [](net::Query& query) { net::position_of(query, "sfen"); });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view target = fuhyo::fuzz::text(data, size);
  const std::size_t mark = target.find('?');
  check_decoding(target);
  check_way(target.substr(0, mark));
  check_queries(mark == std::string_view::npos ? target : target.substr(mark + 1));
  return 0;
}
