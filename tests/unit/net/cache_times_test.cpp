// What each answer that anybody may read says to HTTP caches.
#include "server/net/cache_times.h"

#include <filesystem>
#include <gtest/gtest.h>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "server/net/http_routes.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/net/fake_catalogue.h"
#include "tests/unit/net/http_fixture.h"
#include "tests/unit/net/some_facts.h"

namespace fuhyo::net {
namespace {

constexpr std::string_view kByNobody = "no-store";

struct KeptPath {
  std::string_view path, kept;
};
constexpr KeptPath kKeptPaths[] = {
    {"/", kCachedForAMoment},
    {"/game/9", kCachedForAMoment},
    {"/embed/9", kCachedForAMoment},
    {"/overlay/9", kCachedForAMoment},
    {"/games", kCachedForAMoment},
    {"/crosstable", kCachedForAMoment},
    {"/players", kCachedForAMoment},
    {"/player/alice%2B1", kCachedForAMoment},
    {"/rounds", kCachedForAMoment},
    {"/buoys", kCachedForAMoment},
    {"/rooms", kCachedForAMoment},
    {"/room/main", kCachedForAMoment},
    {"/tournaments", kCachedForAMoment},
    {"/tournament/cup", kCachedForAMoment},
    {"/api", kCachedForAMoment},
    {"/share", kCachedForAMoment},
    {"/docs", kCachedForAMoment},
    {"/docs/tour", kCachedForAMoment},
    {"/ticker/cup", kCachedForAMoment},
    {"/play", kCachedForAMoment},
    {"/console", kCachedForAMoment},
    {"/games.rss", kCachedForAMoment},
    {"/assets/a-1.js", kCachedForEver},
    {"/icon.svg", kCachedForAMoment},
    {"/icon-192.png", kCachedForAMoment},
    {"/icon-512.png", kCachedForAMoment},
    {"/manifest.webmanifest", kCachedForAMoment},
    {"/openapi.json", kCachedForAMoment},
    {"/robots.txt", kCachedForAMoment},
    {"/healthz", kByNobody},
    {"/readyz", kByNobody},
    {"/metrics", kByNobody},
    {"/api/v1/events", kByNobody},
    {"/api/v1/events.ndjson", kByNobody},
    {"/api/v1/games", kCachedForAMoment},
    {"/api/v1/games.zip", kCachedForAMoment},
    {"/api/v1/games/10", kCachedForAMoment},
    {"/api/v1/games/10.csa", kCachedForAMoment},
    {"/api/v1/games/10.png", kCachedForAMoment},
    {"/api/v1/games/9", kCachedForADay},
    {"/api/v1/games/9.csa", kCachedForEver},
    {"/api/v1/games/9.kif", kCachedForEver},
    {"/api/v1/games/9.png?ply=1", kCachedForEver},
    {"/api/v1/crosstable", kCachedForAMoment},
    {"/api/v1/crosstable.csv", kCachedForAMoment},
    {"/api/v1/players", kCachedForAMoment},
    {"/api/v1/players/alice%2B1", kCachedForAMoment},
    {"/api/v1/rounds", kCachedForAMoment},
    {"/api/v1/buoys", kCachedForAMoment},
    {"/api/v1/openings?sfen=startpos", kCachedForAMoment},
    {"/api/v1/rooms", kCachedForAMoment},
    {"/api/v1/tournaments", kCachedForAMoment},
    {"/api/v1/tournaments/cup", kCachedForAMoment},
    {"/api/v1/tournaments/cup/tables.csv", kCachedForAMoment},
    {"/api/v1/tournaments/cup/tables.html", kCachedForAMoment},
    {"/api/v1/tournaments/cup/tables.txt", kCachedForAMoment},
};

class CacheTimes : public HttpFixture {
 protected:
  void SetUp() override {
    for (const char* made : {"assets", "docs"}) std::filesystem::create_directories(folder / made);
    for (const char* file : {"index.html", "docs.html", "docs/tour.html", "assets/a-1.js", "icon.svg", "icon-192.png",
                             "icon-512.png", "manifest.webmanifest", "openapi.json", "robots.txt"}) {
      folder.write(file, file);
    }
    HttpOptions options;
    options.assets = Assets::of_folder(folder.path()).value();
    options.archive.catalogue = std::make_shared<FakeCatalogue>();
    options.archive.clock = [] { return core::Instant{}; };
    Numbering next;
    const core::TournamentSet cup{.name = "cup", .text = "name\tcup\nformat\tround-robin\ntime\t300-10F\n"};
    const core::tournament::DivisionFormed formed{.division = {}, .members = {{"alice+1", 1}, {"bob+1", 2}}};
    start(std::move(options));
    server->publish({next(cup), next(core::TournamentDecided{.event = "cup", .decision = formed}), next(opened(10))});
  }

  test::TemporaryFolder folder;
};

TEST_F(CacheTimes, OfEveryPath) {
  // A WebSocket, and an analysis, which is made for who asks and is not here.
  std::set<const HttpRoute*> seen = {find_route("GET", kCsaPath), find_route("GET", "/api/v1/games/9/analysis")};
  for (const auto& [path, kept] : kKeptPaths) {
    const Response response = get(path);
    EXPECT_EQ(response.result_int(), 200u) << path;
    EXPECT_EQ(response[http::field::cache_control], kept) << path;
    EXPECT_EQ(response.count(http::field::set_cookie), 0u) << path;
    seen.insert(find_route("GET", path.substr(0, path.find('?'))));
  }
  for (const HttpRoute& route : http_routes()) {
    EXPECT_TRUE(route.method != "GET" || route.signed_in || seen.contains(&route)) << route.path;
  }
}

// Who has the page in one language or packed must not be given as what another one asks for.
TEST_F(CacheTimes, WhatDependsOnWhoAsksSaysSo) {
  for (const char* path : {"/", "/docs/tour", "/assets/a-1.js"}) {
    EXPECT_EQ(get(path)[http::field::vary], "Accept-Encoding") << path;
  }
  for (const char* path : {"/game/9", "/player/alice%2B1", "/tournament/cup"}) {
    EXPECT_EQ(get(path)[http::field::vary], "Accept-Language") << path;
  }
}

TEST_F(CacheTimes, RefusalsAreKeptByNobody) {
  for (const char* path :
       {"/api/v1/games/11", "/api/v1/games/9.xyz", "/api/v1/games?limit=0", "/api/v1/players/x",
        "/api/v1/tournaments/club", "/api/v1/games/9/analysis", "/assets/b-2.js", "/game/11", "/player/x"}) {
    EXPECT_EQ(get(path)[http::field::cache_control], kByNobody) << path;
  }
}

}  // namespace
}  // namespace fuhyo::net
