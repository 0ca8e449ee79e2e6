// What tests ask of values that may be errors.
#pragma once

#include <expected>
#include <string>

namespace fuhyo::test {

// The error; nothing where there is a value.
template <class Value, class Error>
Error error_of(const std::expected<Value, Error>& result) {
  return result ? Error{} : result.error();
}

}  // namespace fuhyo::test
