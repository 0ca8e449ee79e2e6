// JSON compared by the parts that a test names.
#pragma once

#include <cstddef>
#include <gtest/gtest.h>
#include <string>
#include <string_view>

#include <boost/json.hpp>

namespace fuhyo::net {

// The first part of `expected` that `actual` lacks; "": none. Objects may have more members, arrays no more elements.
inline std::string lacking(const boost::json::value& actual, const boost::json::value& expected,
                           const std::string& place = {}) {
  std::string fault;
  if (expected.is_object() && actual.is_object()) {
    for (const auto& [key, part] : expected.as_object()) {
      const std::string at = place + "." + std::string(key);
      const boost::json::value* found = actual.as_object().if_contains(key);
      if (fault.empty()) fault = found != nullptr ? lacking(*found, part, at) : at + " is not there";
    }
    return fault;
  }
  if (expected.is_array() && actual.is_array() && expected.as_array().size() == actual.as_array().size()) {
    for (std::size_t i = 0; i < expected.as_array().size() && fault.empty(); ++i) {
      fault = lacking(actual.at(i), expected.at(i), place + "[" + std::to_string(i) + "]");
    }
    return fault;
  }
  return actual == expected ? "" : place + " is " + boost::json::serialize(actual);
}

inline testing::AssertionResult holds(const boost::json::value& actual, std::string_view expected) {
  const std::string fault = lacking(actual, boost::json::parse(expected));
  return fault.empty() ? testing::AssertionSuccess() : testing::AssertionFailure() << fault;
}

}  // namespace fuhyo::net
