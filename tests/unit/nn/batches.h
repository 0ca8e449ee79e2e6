// Inputs at random, and how far two evaluations of the same are apart.
#pragma once

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <random>

#include "engines/nn/backend.h"

namespace fuhyo::nn {

// Planes with about as many pieces as games have; half of the scalars are 1.
inline Batch random_batch(const Shape& shape, std::uint32_t size, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  Batch batch(shape, size);
  while (batch.size() < size) {
    const std::uint32_t i = batch.add();
    for (Plane& plane : batch.planes(i)) {
      for (std::uint32_t s = 0; s < shape.squares(); ++s) {
        if (random() % 8 == 0) plane[s / 64] |= std::uint64_t{1} << (s % 64);
      }
    }
    for (float& scalar : batch.scalars(i)) scalar = static_cast<float>(random() % 2);
  }
  return batch;
}

// Not a number is as far as can be.
inline float largest_difference(const Evaluations& a, const Evaluations& b, std::uint32_t size) {
  float most = 0;
  const auto add = [&](float x, float y) {
    const float difference = std::abs(x - y);
    most = std::isnan(difference) ? INFINITY : std::max(most, difference);
  };
  for (std::uint32_t i = 0; i < size; ++i) {
    for (std::size_t label = 0; label < a.logits(i).size(); ++label) add(a.logits(i)[label], b.logits(i)[label]);
    add(a.value(i), b.value(i));
  }
  return most;
}

// Few inputs, and small heads: most of the work of an emulated device, and of the reference, would be theirs.
inline Shape small(Shape shape) {
  shape.planes = 5;
  shape.scalars = 3;
  shape.policy_planes = shape.value_planes = 2;
  shape.value_hidden = 20;
  return shape;
}

}  // namespace fuhyo::nn
