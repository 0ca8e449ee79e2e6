// One function object out of several, for std::visit().
#pragma once

namespace fuhyo::core {

template <class... F>
struct Overload : F... {
  using F::operator()...;
};

}  // namespace fuhyo::core
