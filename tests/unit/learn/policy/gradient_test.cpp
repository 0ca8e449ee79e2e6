// Losses and gradients of the fast network against the definition and its finite differences, both in double.
#include <cmath>
#include <random>

#include "engines/learn/policy/choice.h"
#include "engines/learn/policy/pass.h"
#include "tests/unit/learn/policy/slow_network.h"
#include "tests/unit/learn/support.h"

namespace fuhyo::learn::policy {
namespace {

// More than a chunk of channels, so that neither padding nor chunks are left out.
nn::Shape small(std::uint32_t edge, std::uint32_t channels) {
  return {.edge = edge,
          .planes = 3,
          .scalars = 2,
          .channels = channels,
          .blocks = 2,
          .policy_planes = 3,
          .value_planes = 2,
          .value_hidden = 5};
}

std::vector<Example> examples(const nn::Shape& shape, std::size_t count, std::mt19937& random) {
  std::vector<Example> out(count);
  for (Example& example : out) {
    for (std::uint32_t plane = 0; plane < shape.planes; ++plane) {
      nn::Plane bits{};
      for (std::uint32_t s = 0; s < shape.squares(); ++s) bits[s / 64] |= std::uint64_t{random() % 3 == 0} << s % 64;
      example.planes.push_back(bits);
    }
    for (std::uint32_t i = 0; i < shape.scalars; ++i) example.scalars.push_back(static_cast<float>(random() % 3) / 2);
    for (std::uint16_t label = 0; label + 1U < shape.policy_size(); ++label) {
      if (random() % 4 == 0) example.labels.push_back(label);
    }
    example.labels.push_back(static_cast<std::uint16_t>(shape.policy_size() - 1));
    example.played = random() % example.labels.size();
    if (&example == &out[0]) {  // what a search thought of the moves, not which was played
      double sum = 0;
      for (std::size_t i = 0; i < example.labels.size(); ++i) sum += example.shares.emplace_back(random() % 4);
      example.shares.back() += 1;
      for (float& share : example.shares) share /= static_cast<float>(sum + 1);
    }
    if (&example != &out[1]) example.value = static_cast<float>(random() % 11) / 10;
  }
  return out;
}

// Those that training begins with have norms that pass nothing on, and no biases.
Floats lively_weights(const Layout& layout, std::mt19937& random) {
  Floats weights = first_weights(layout, 5);
  const auto any = [&] { return static_cast<float>(random() % 2001) / 1000 - 1; };
  const auto norm = [&](const Norm& norm, std::size_t channels) {
    for (std::size_t c = 0; c < channels; ++c) {
      weights[norm.scale + c] = 1 + any() / 2;
      weights[norm.shift + c] = any() / 2;
    }
  };
  for (const Layout::Convolution& convolution : layout.convolutions) norm(convolution.norm, layout.shape.channels);
  norm(layout.value_norm, layout.shape.value_planes);
  for (std::size_t plane = 0; plane < layout.shape.policy_planes; ++plane) {
    for (std::size_t s = 0; s < layout.shape.squares(); ++s) weights[layout.policy_bias + s * 16 + plane] = any();
  }
  for (std::size_t i = 0; i < layout.shape.value_hidden; ++i) weights[layout.hidden_bias + i] = any();
  weights[layout.out_bias] = any();
  return weights;
}

struct Found {
  Losses losses;
  Floats gradient;
};

Found fast(const Layout& layout, const Kernels& kernels, const Floats& weights, std::span<const Example> of,
           float value_weight) {
  Packed packed(layout, kernels);
  for (std::size_t part = 0; part < packed.parts(); ++part) packed.pack(weights, part);
  Gradients gradients(layout);
  Pass pass(layout, kernels, of.size() + 3);
  Found found;
  found.losses = pass.run(packed, weights, of, 1, value_weight, gradients);
  found.gradient = gradients.weights;
  for (std::size_t i = 0; i < layout.convolutions.size(); ++i) {
    const Layout::Convolution& convolution = layout.convolutions[i];
    kernels.weights_gradient(gradients.points[i].data(), convolution.inputs, layout.channels,
                             found.gradient.data() + convolution.weights);
  }
  return found;
}

// Every `each`-th weight of each layer, padding left out: all kinds of layers are among them.
std::vector<std::size_t> weights_of(const Layout& layout, std::size_t each) {
  const nn::Shape& shape = layout.shape;
  std::vector<std::size_t> out;
  std::size_t count = 0;
  const auto rows = [&](std::size_t at, std::size_t first, std::size_t last, std::size_t row, std::size_t width) {
    for (std::size_t r = first; r < last; ++r) {
      for (std::size_t i = 0; i < width; ++i) {
        if (count++ % each == 0) out.push_back(at + r * row + i);
      }
    }
  };
  const auto norm = [&](const Norm& of, std::size_t channels) {
    rows(of.scale, 0, 1, 0, channels);
    rows(of.shift, 0, 1, 0, channels);
  };
  for (std::size_t i = 0; i < layout.convolutions.size(); ++i) {
    const Layout::Convolution& convolution = layout.convolutions[i];
    for (std::size_t tap = 0; tap < 9; ++tap) {
      const std::size_t first = tap * convolution.inputs;
      rows(convolution.weights, first, first + (i == 0 ? shape.planes : shape.channels), layout.channels,
           shape.channels);
    }
    norm(convolution.norm, shape.channels);
  }
  rows(layout.scalars, 0, shape.scalars, layout.channels, shape.channels);
  rows(layout.heads, 0, shape.channels, layout.heads_width(), shape.policy_planes);
  rows(layout.heads + layout.policy, 0, shape.channels, layout.heads_width(), shape.value_planes);
  norm(layout.value_norm, shape.value_planes);
  for (std::size_t square = 0; square < shape.squares(); ++square) {
    rows(layout.value_hidden, square * 16, square * 16 + shape.value_planes, layout.hidden, shape.value_hidden);
  }
  rows(layout.policy_bias, 0, shape.squares(), 16, shape.policy_planes);
  rows(layout.hidden_bias, 0, 1, 0, shape.value_hidden);
  rows(layout.value_out, 0, 1, 0, shape.value_hidden);
  rows(layout.out_bias, 0, 1, 0, 1);
  return out;
}

void compare(const nn::Shape& shape, std::size_t boards, std::size_t each) {
  const Layout layout = must(Layout::make(shape));
  std::mt19937 random(7);
  const std::vector<Example> of = examples(shape, boards, random);
  const Floats weights = lively_weights(layout, random);
  std::vector<double> exact(weights.begin(), weights.end());
  constexpr double kValueWeight = 0.75, kStep = 1e-6;
  const double loss = slow_loss(layout, exact, of, kValueWeight);
  std::vector<std::pair<std::size_t, double>> slopes;
  for (const std::size_t i : weights_of(layout, each)) {
    const double here = exact[i];
    exact[i] = here + kStep;
    const double above = slow_loss(layout, exact, of, kValueWeight);
    exact[i] = here - kStep;
    slopes.emplace_back(i, (above - slow_loss(layout, exact, of, kValueWeight)) / (2 * kStep));
    exact[i] = here;
  }
  const auto moved = std::ranges::count_if(slopes, [](const auto& one) { return std::abs(one.second) > 1e-3; });
  EXPECT_GT(moved, std::ssize(slopes) / 2) << "most differences are about nothing";
  for (const Kernels* kernels : kernels_here()) {
    const Found found = fast(layout, *kernels, weights, of, static_cast<float>(kValueWeight));
    EXPECT_NEAR(found.losses.policy + kValueWeight * found.losses.value, loss, 1e-4 * loss) << kernels->name;
    for (const auto& [i, slope] : slopes) {
      ASSERT_NEAR(found.gradient[i], slope, 2e-4 * std::max(1.0, std::abs(slope)))
          << kernels->name << ", weight " << i << " of " << layout.size;
    }
  }
}

TEST(PolicyGradients, AreThoseOfTheDefinition) { compare(small(4, 5), 4, 61); }

TEST(PolicyGradients, AreThoseOnABoardOfOthello) { compare(small(8, 16), 2, 1499); }

TEST(PolicyGradients, AreThoseOnABoardOfShogiWithSeveralChunks) { compare(small(9, 20), 3, 997); }

TEST(PolicyGradients, OfPassesWithoutValuesAreOfMovesOnly) {
  const Layout layout = must(Layout::make(small(9, 16)));
  std::mt19937 random(3);
  std::vector<Example> of = examples(layout.shape, 4, random);
  for (Example& example : of) example.value.reset();
  const Found found = fast(layout, *kernels_here().front(), lively_weights(layout, random), of, 1);
  EXPECT_EQ(found.losses.values, 0U);
  EXPECT_EQ(found.losses.value, 0);
  for (std::size_t i = 0; i < layout.value * layout.shape.squares() * layout.hidden; ++i) {
    ASSERT_EQ(found.gradient[layout.value_hidden + i], 0);
  }
}

// More boards than go through a convolution together, fewer than there is room for.
TEST(PolicyGradients, AreTheSameOfAnyKernels) {
  const Layout layout = must(Layout::make(small(9, 32)));
  std::mt19937 random(11);
  const std::vector<Example> of = examples(layout.shape, 19, random);
  const Floats weights = lively_weights(layout, random);
  const Found plain = fast(layout, kPlainKernels, weights, of, 1);
  for (const Kernels* kernels : kernels_here()) {
    const Found found = fast(layout, *kernels, weights, of, 1);
    EXPECT_NEAR(found.losses.policy, plain.losses.policy, 1e-3);
    for (std::size_t i = 0; i < layout.size; ++i) {
      ASSERT_NEAR(found.gradient[i], plain.gradient[i], 1e-3 * std::max(1.F, std::abs(plain.gradient[i])))
          << kernels->name << " " << i;
    }
  }
}

TEST(PolicyLayout, RefusesWhatIsNotLearnt) {
  nn::Shape shape = small(9, 16);
  shape.activation = nn::Activation::silu;
  EXPECT_EQ(error_of(Layout::make(shape)), "plain blocks with SiLU: only plain ones with ReLU are learnt");
  shape.channels = 0;
  EXPECT_EQ(error_of(Layout::make(shape)), "0 channels where 1 to 1024 are possible");
}

}  // namespace
}  // namespace fuhyo::learn::policy
