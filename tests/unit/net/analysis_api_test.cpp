// Analysis of finished games by the API, over an analyst that says what it is told to.
#include "server/net/analysis_api.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/net/fake_analyst.h"
#include "tests/unit/net/fake_catalogue.h"
#include "tests/unit/net/http_fixture.h"
#include "tests/unit/net/json_parts.h"
#include "tests/unit/net/some_facts.h"

namespace fuhyo::net {
namespace {

using core::AnalysisState;
using testing::ElementsAre;
using testing::IsEmpty;

class AnalysisApiTest : public HttpFixture {
 protected:
  void SetUp() override { begin({}); }
  void begin(HttpOptions options, bool on = true) {
    options.archive.catalogue = std::make_shared<FakeCatalogue>();
    if (on) options.archive.analyst = analyst;
    start(std::move(options));
  }

  std::shared_ptr<FakeAnalyst> analyst = std::make_shared<FakeAnalyst>();
};

TEST_F(AnalysisApiTest, OfAPosition) {
  const json::value answer = ok("/api/v1/games/7/analysis?ply=1&lines=3");
  EXPECT_TRUE(holds(answer, R"({"id": 7, "ply": 1, "state": "done", "engine": "Fake <b>", "depth": 12, "nodes": 400000,
      "lines": [{"cp": 60, "mate": null, "pv": ["3c3d", "2g2f"]}]})"));
  EXPECT_EQ(answer.at("lines").at(0).at("win_rate").as_double(), 0.525);
  EXPECT_THAT(analyst->asked, ElementsAre(FakeAnalyst::Asked{7, 1, 3, "127.0.0.1"}));
}

TEST_F(AnalysisApiTest, OfAWholeGameWithItsMistakes) {
  const json::value answer = ok("/api/v1/games/7/analysis");
  EXPECT_TRUE(holds(answer, R"({"state": "done", "positions": 3, "done": 2,
      "points": [{"best": "2g2f"}, {}, {"mate": 3, "best": null}]})"));
  EXPECT_EQ(answer.at("points").at(2).at("win_rate").as_double(), 1);
  EXPECT_EQ(json::serialize(answer.at("marks")),
            R"([{"ply":2,"kind":"blunder","loss":4.875E-1,"line":["8c8d","2g2f"]}])");
}

TEST_F(AnalysisApiTest, WhatIsNotDoneYetIsAskedForAgain) {
  for (const AnalysisState state : {AnalysisState::queued, AnalysisState::running}) {
    analyst->state = state;
    for (const char* target : {"/api/v1/games/7/analysis", "/api/v1/games/7/analysis?ply=0"}) {
      const Response response = get(target);
      EXPECT_EQ(response.result_int(), 202U);
      EXPECT_EQ(response[http::field::retry_after], "1");
      const json::value answer = json::parse(response.body());
      EXPECT_EQ(answer.at("state"), state == AnalysisState::queued ? "queued" : "running");
      if (const auto* marks = answer.as_object().if_contains("marks")) EXPECT_THAT(marks->as_array(), IsEmpty());
    }
  }
}

TEST_F(AnalysisApiTest, RefusalsSayWhy) {
  const std::string target = "/api/v1/games/7/analysis";
  EXPECT_EQ(refused(target + "?ply=-1", 400), "ply: a number from 0 to 100000");
  EXPECT_EQ(refused(target + "?ply=3", 400), "ply: a number from 0 to 2");
  EXPECT_EQ(refused(target + "?ply=1&lines=6", 400), "lines: a number from 1 to 5");
  EXPECT_EQ(refused(target + "?ply=1&lines=0", 400), "lines: a number from 1 to 5");
  EXPECT_EQ(refused(target + "?lines=2", 400), "lines: says something of `ply` only");
  EXPECT_EQ(refused(target + "?depth=9", 400), "depth: there is no such key");
  EXPECT_EQ(refused("/api/v1/games/10/analysis", 404), "there is no such game");
  EXPECT_EQ(refused("/api/v1/games/7.csa/analysis", 404), "there is no such format");
  EXPECT_EQ(refused("/api/v1/games/x/analysis", 404), "there is no such game");
  EXPECT_THAT(analyst->asked, IsEmpty());
  analyst->state = AnalysisState::too_many;
  EXPECT_EQ(refused(target, 429), "you have asked for more than is done so far; ask again");
  analyst->state = AnalysisState::full;
  EXPECT_EQ(refused(target, 503), "too many wait for the engine; ask again");
  EXPECT_EQ(get(target)[http::field::retry_after], "1");
  analyst->state = AnalysisState::away;
  EXPECT_EQ(refused(target, 503), "the engine is away");
  analyst->state = AnalysisState::failed;
  EXPECT_EQ(refused(target, 422), "the engine has no answer to this");
}

TEST_F(AnalysisApiTest, ARunningGameIsNeverAnalysed) {
  Numbering next;
  server->publish({next(opened(7)), next(moved(7, 1, "+7776FU"))});
  EXPECT_EQ(refused("/api/v1/games/7/analysis", 409), "the game is not over");
  EXPECT_EQ(refused("/api/v1/games/7/analysis?ply=0", 409), "the game is not over");
  EXPECT_EQ(refused("/api/v1/games/007/analysis?ply=0", 409), "the game is not over");
  EXPECT_THAT(analyst->asked, IsEmpty()) << "though the catalogue knows such a game";
  EXPECT_EQ(ok("/api/v1/games/7").at("analysis"), false);
  server->publish({next(ended(7))});
  EXPECT_EQ(status("/api/v1/games/7/analysis"), 200U);
  EXPECT_EQ(ok("/api/v1/games/7").at("analysis"), true);
}

TEST_F(AnalysisApiTest, WhereItIsSwitchedOffThePageIsToldSo) {
  EXPECT_EQ(ok("/api/v1/games/7").at("analysis"), true);
  begin({}, false);
  EXPECT_EQ(refused("/api/v1/games/7/analysis", 404), "games are not analysed here");
  EXPECT_EQ(ok("/api/v1/games/7").at("analysis"), false);
}

TEST_F(AnalysisApiTest, CallersBehindAProxyAreToldApart) {
  begin({.web = {.proxy = everybody}});
  get("/api/v1/games/7/analysis", {{"X-Forwarded-For", "192.0.2.7"}});
  EXPECT_EQ(analyst->asked.back().caller, "192.0.2.7");
}

}  // namespace
}  // namespace fuhyo::net
