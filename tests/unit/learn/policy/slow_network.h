// The definition of what a policy and value network learns, in double and plain loops: the fast one is held to it.
#pragma once

#include <span>
#include <vector>

#include "engines/learn/policy/example.h"
#include "engines/learn/policy/layout.h"

namespace fuhyo::learn::policy {

// The sum over all examples of the losses of moves and, times `value_weight`, of values. Batch norms take their means
// from these examples.
double slow_loss(const Layout& layout, const std::vector<double>& weights, std::span<const Example> examples,
                 double value_weight);

}  // namespace fuhyo::learn::policy
