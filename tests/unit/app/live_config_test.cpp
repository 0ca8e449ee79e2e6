// What a running server takes over of a configuration that has changed.
#include "server/app/serve/live_config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/expected.h"

namespace fuhyo::app {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

struct LiveConfigTest : testing::Test {
  std::expected<Resolved, std::string> resolve() const {
    return resolve_config(flags, [](const char*) -> const char* { return nullptr; }, {});
  }
  Words flags{{"max-moves", {"256"}}, {"csa", {"127.0.0.1:1"}}};
  LiveConfig config{*resolve(), [this] { return resolve(); }};
};

TEST_F(LiveConfigTest, WhatCanChangeDoesAndTheRestIsNamed) {
  flags["max-moves"] = {"300"};
  flags["csa"] = {"127.0.0.1:2"};
  flags["operator"] = {"name=aki role=admin secret_hash=" + std::string(32, '0') + ":" + std::string(64, '0')};
  const auto change = config.reread();
  ASSERT_TRUE(change) << change.error();
  EXPECT_THAT(change->made, ElementsAre("max-moves", "operator"));
  EXPECT_THAT(change->later, ElementsAre("csa"));
  EXPECT_EQ(config.now().max_moves, 300);
  EXPECT_EQ(config.now().operators.size(), 1u);
  EXPECT_THAT(config.now().csa, ElementsAre("127.0.0.1:1"));
  const auto again = config.reread();
  EXPECT_THAT(again->made, IsEmpty());
  EXPECT_THAT(again->later, ElementsAre("csa"));  // until the restart
}

TEST_F(LiveConfigTest, AFaultChangesNothingAndIsOneLine) {
  flags["max-moves"] = {"300"};
  flags["csa"] = flags["http"] = {"nowhere"};
  const std::string fault = test::error_of(config.reread());
  EXPECT_THAT(fault, AllOf(HasSubstr("--csa"), HasSubstr(";--http"), Not(HasSubstr("\n"))));
  EXPECT_EQ(config.now().max_moves, 256);
}

}  // namespace
}  // namespace fuhyo::app
