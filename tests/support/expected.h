// What tests ask of values that may be errors.
#pragma once

#include <expected>
#include <gtest/gtest.h>
#include <string>
#include <utility>

namespace fuhyo::test {

// The error; nothing where there is a value.
template <class Value, class Error>
Error error_of(const std::expected<Value, Error>& result) {
  return result ? Error{} : result.error();
}

// The value; without one the test has failed, and it is an empty one.
template <class Value>
Value value_of(std::expected<Value, std::string> result) {
  EXPECT_TRUE(result.has_value()) << result.error();
  return result ? std::move(*result) : Value{};
}

}  // namespace fuhyo::test
