// Steps that are done once.
#include "engines/learn/loop/step.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/temporary_folder.h"

namespace fuhyo::learn {
namespace {

using testing::HasSubstr;

TEST(Step, KeepsItsResultAndAllItsTime) {
  const test::TemporaryFolder folder;
  auto step = Step::open(folder / "a.json", "terms");
  ASSERT_TRUE(step) << step.error();
  EXPECT_FALSE(step->result());
  ASSERT_TRUE(step->interrupted(2));
  auto again = Step::open(folder / "a.json", "terms");
  ASSERT_TRUE(again);
  EXPECT_FALSE(again->result());
  EXPECT_EQ(again->seconds(), 2);
  ASSERT_TRUE(again->done({{"games", 5}}, 1.5));
  const auto done = Step::open(folder / "a.json", "terms");
  ASSERT_TRUE(done);
  EXPECT_EQ(done->result().value(), (boost::json::object{{"games", 5}}));
  EXPECT_EQ(done->seconds(), 3.5);
}

TEST(Step, IsNotThatOfOtherTerms) {
  const test::TemporaryFolder folder;
  ASSERT_TRUE(Step::open(folder / "a.json", "one")->done({}, 1));
  EXPECT_THAT(Step::open(folder / "a.json", "other").error(),
              testing::AllOf(HasSubstr("a.json"), HasSubstr("other terms (one)")));
}

TEST(Step, SaysWhatItCannotReadOrWrite) {
  const test::TemporaryFolder folder;
  EXPECT_THAT(Step::open(folder.write("a.json", "{}"), "x").error(), HasSubstr("a.json"));
  EXPECT_THAT(Step::open(folder.write("b.json", "{\"terms\":\"x\",\"sec"), "x").error(), HasSubstr("b.json"));
  auto step = Step::open(folder / "missing/c.json", "x");
  ASSERT_TRUE(step);
  EXPECT_THAT(step->done({}, 1).error(), HasSubstr("c.json"));
}

}  // namespace
}  // namespace fuhyo::learn
