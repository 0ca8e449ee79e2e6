// Steps that are done once.
#include "engines/learn/loop/stage.h"

#include "tests/unit/learn/support.h"

namespace fuhyo::learn {
namespace {

using StepTest = FolderTest;

TEST_F(StepTest, KeepsItsResultAndAllItsTime) {
  auto stage = must(Stage::open(folder_ / "a.json", "terms"));
  EXPECT_FALSE(stage.result());
  EXPECT_FALSE(must(stage.stopped(2)));
  auto again = must(Stage::open(folder_ / "a.json", "terms"));
  EXPECT_FALSE(again.result());
  EXPECT_EQ(again.seconds(), 2);
  ASSERT_TRUE(again.done({{"games", 5}}, 1.5));
  const auto done = must(Stage::open(folder_ / "a.json", "terms"));
  EXPECT_EQ(done.result().value(), (boost::json::object{{"games", 5}}));
  EXPECT_EQ(done.seconds(), 3.5);
}

TEST_F(StepTest, IsNotThatOfOtherOptions) {
  ASSERT_TRUE(Stage::open(folder_ / "a.json", "one")->done({}, 1));
  EXPECT_THAT(Stage::open(folder_ / "a.json", "other").error(),
              AllOf(HasSubstr("a.json"), HasSubstr("other terms (one)")));
}

TEST_F(StepTest, SaysWhatItCannotReadOrWrite) {
  EXPECT_THAT(Stage::open(folder_.write("a.json", "{}"), "x").error(), HasSubstr("a.json"));
  EXPECT_THAT(Stage::open(folder_.write("b.json", "{\"terms\":\"x\",\"sec"), "x").error(), HasSubstr("b.json"));
  EXPECT_THAT(must(Stage::open(folder_ / "missing/c.json", "x")).done({}, 1).error(), HasSubstr("c.json"));
}

}  // namespace
}  // namespace fuhyo::learn
