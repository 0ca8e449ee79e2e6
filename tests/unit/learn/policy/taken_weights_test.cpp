// The first weights of a training out of a checkpoint of another one, whose value head may be another one, too.
#include "engines/learn/policy/taken_weights.h"

#include <cmath>

#include "engines/learn/policy/checkpoint.h"
#include "tests/unit/learn/support.h"

namespace fuhyo::learn::policy {
namespace {

using ::testing::EndsWith;

nn::Shape shape_with(std::uint32_t value_planes, std::uint32_t value_hidden) {
  return {.channels = 16, .blocks = 1, .value_planes = value_planes, .value_hidden = value_hidden};
}

// As the trainer writes it.
std::string text_of(const nn::Shape& shape) {
  return fmt::format(R"({{"terms":{{"channels":{},"blocks":{},"scalars":{},"value_planes":{},"value_hidden":{}}}}})",
                     shape.channels, shape.blocks, shape.scalars, shape.value_planes, shape.value_hidden);
}

class TakenWeights : public FolderTest {
 protected:
  // A state whose statistics are of no other seed's, either.
  static Learner::State state(const Layout& layout, std::uint64_t seed) {
    Learner::State state;
    state.weights = first_weights(layout, seed);
    state.statistics = first_statistics(layout);
    for (std::size_t i = 0; i < state.statistics.size(); ++i) {
      state.statistics[i] += 0.5F + 0.4F * std::sin(static_cast<float>(i + seed));
    }
    state.mean.resize(layout.size);
    state.square.resize(layout.size);
    return state;
  }
  static nn::Model model(const Layout& layout, const Learner::State& state) {
    return folded(layout, state.weights, state.statistics);
  }
  void write(const nn::Shape& shape, const std::string& text) const {
    ASSERT_TRUE(write_checkpoint(file_, text, state(Layout(shape), kTheirs)));
  }
  std::string refusal(const nn::Shape& shape) const {
    const Layout layout(shape);
    Learner::State own = state(layout, kOwn);
    const auto taken = take_weights(file_, layout, own);
    EXPECT_FALSE(taken);
    EXPECT_EQ(own.weights, state(layout, kOwn).weights);
    return error_of(taken);
  }

  static constexpr std::uint64_t kTheirs = 1, kOwn = 2;
  fs::path file_ = folder_ / "checkpoint";
};

TEST_F(TakenWeights, AreAllOfThemWhereTheShapeIsTheSame) {
  const nn::Shape shape = shape_with(2, 8);
  write(shape, text_of(shape));
  const Layout layout(shape);
  Learner::State own = state(layout, kOwn);
  const auto taken = must(take_weights(file_, layout, own));
  EXPECT_EQ(taken, "weights of " + file_.string());
  EXPECT_EQ(own.weights, state(layout, kTheirs).weights);
  EXPECT_EQ(own.statistics, state(layout, kTheirs).statistics);
}

// 4 planes are padded to as many numbers as 2 are; 20 planes and 24 hidden values move whatever stands behind them.
TEST_F(TakenWeights, AreAllButTheValueHeadsWhereThatIsAnotherOne) {
  const nn::Shape theirs = shape_with(2, 8);
  write(theirs, text_of(theirs));
  const Layout their_layout(theirs);
  const nn::Model their_model = model(their_layout, state(their_layout, kTheirs));
  for (const nn::Shape& shape : {shape_with(4, 8), shape_with(2, 24), shape_with(20, 24)}) {
    const Layout layout(shape);
    const Learner::State before = state(layout, kOwn);
    Learner::State own = before;
    const auto taken = must(take_weights(file_, layout, own));
    EXPECT_THAT(taken, EndsWith(fmt::format("but for the value head, which begins anew: 2 planes and 8 hidden values "
                                            "there, {} planes and {} hidden values here",
                                            shape.value_planes, shape.value_hidden)));
    const nn::Model mixed = model(layout, own), fresh = model(layout, before);
    EXPECT_EQ(mixed.planes.weights, their_model.planes.weights);
    EXPECT_EQ(mixed.planes.bias, their_model.planes.bias);
    EXPECT_EQ(mixed.scalars.weights, their_model.scalars.weights);
    EXPECT_EQ(mixed.blocks[0].first.weights, their_model.blocks[0].first.weights);
    EXPECT_EQ(mixed.blocks[0].second.weights, their_model.blocks[0].second.weights);
    EXPECT_EQ(mixed.blocks[0].second.bias, their_model.blocks[0].second.bias);
    EXPECT_EQ(mixed.policy.weights, their_model.policy.weights);
    EXPECT_EQ(mixed.policy_bias, their_model.policy_bias);
    EXPECT_EQ(mixed.value.weights, fresh.value.weights);
    EXPECT_EQ(mixed.value.bias, fresh.value.bias);
    EXPECT_EQ(mixed.value_hidden.weights, fresh.value_hidden.weights);
    EXPECT_EQ(mixed.value_hidden.bias, fresh.value_hidden.bias);
    EXPECT_EQ(mixed.value_out.weights, fresh.value_out.weights);
    // Padding, too: it is zeros, and a network would learn with anything else there.
    for (std::size_t i = layout.value_hidden; i < layout.decayed; ++i) ASSERT_EQ(own.weights[i], before.weights[i]);
  }
}

// 12 channels are padded to as many numbers as 16 are.
TEST_F(TakenWeights, AreOfNoOtherTrunk) {
  nn::Shape theirs = shape_with(2, 8);
  theirs.channels = 12;
  write(theirs, text_of(theirs));
  EXPECT_THAT(refusal(shape_with(2, 8)),
              HasSubstr("a checkpoint of a network of another shape: 1 blocks x 12 channels, "));
  theirs = shape_with(2, 8);
  theirs.blocks = 2;
  write(theirs, text_of(theirs));
  EXPECT_THAT(refusal(shape_with(4, 8)), HasSubstr("another shape: 2 blocks x 16 channels, "));
}

TEST_F(TakenWeights, AreOfACheckpointThatSaysWhatItIs) {
  const nn::Shape shape = shape_with(2, 8);
  for (const std::string text : {"", "{}", R"({"terms":{"channels":16}})", R"({"terms":{"channels":-1}})", "[]"}) {
    write(shape, text);
    EXPECT_EQ(refusal(shape), file_.string() + ": it does not say what it belongs to") << text;
  }
  write(shape, text_of(shape_with(20, 8)));
  EXPECT_THAT(refusal(shape), EndsWith("a checkpoint of a network of another shape")) << "it says what it is not";
  write(shape, text_of(shape_with(257, 8)));
  EXPECT_THAT(refusal(shape), HasSubstr("257")) << "what no network may be";
  EXPECT_THAT((file_ = "/nowhere/checkpoint", refusal(shape)), HasSubstr("/nowhere/checkpoint"));
}

}  // namespace
}  // namespace fuhyo::learn::policy
