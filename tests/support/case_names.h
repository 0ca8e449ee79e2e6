// Names of cases by value, for INSTANTIATE_TEST_SUITE_P, of what the cases call themselves.
#pragma once

#include <cctype>
#include <gtest/gtest.h>
#include <string>
#include <string_view>

namespace fuhyo::test {

// Letters and digits; what is between them is one underscore: "2 s + 0.1 s" is "2_s_0_1_s".
inline std::string case_name(std::string_view text) {
  std::string name;
  for (const char c : text) {
    const bool fits = std::isalnum(static_cast<unsigned char>(c)) != 0;
    if (fits) name += c;
    if (!fits && !name.empty() && name.back() != '_') name += '_';
  }
  return name;
}

// Of a case with a `name`.
struct NameOfCase {
  template <class Case>
  std::string operator()(const ::testing::TestParamInfo<Case>& info) const {
    return case_name(info.param.name);
  }
};

}  // namespace fuhyo::test
