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

template <class Error>
std::string in_words(const Error& error) {
  if constexpr (requires { std::string(error); }) {
    return error;
  } else if constexpr (requires { to_string(error); }) {
    return to_string(error);
  } else if constexpr (requires { error.text; }) {
    return error.text;
  } else {
    return error.message;
  }
}

// The value; without one the test has failed, and it is an empty one.
template <class Value, class Error>
Value value_of(std::expected<Value, Error> result) {
  EXPECT_TRUE(result.has_value()) << in_words(result.error());
  return result ? std::move(*result) : Value{};
}

// What is said in place of a value; with one the test has failed.
template <class Value, class Error>
std::string refusal_of(const std::expected<Value, Error>& result) {
  EXPECT_FALSE(result.has_value());
  return result ? "" : in_words(result.error());
}

}  // namespace fuhyo::test
