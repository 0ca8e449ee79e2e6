// The scale of scores in dlshogi's data. Any thread.
#pragma once

namespace fuhyo::learn {

// A score is this times ln(chance / (1 - chance)).
constexpr double kChanceScale = 756.0864951962751;

}  // namespace fuhyo::learn
