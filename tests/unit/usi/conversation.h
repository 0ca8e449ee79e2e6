// Whole conversations with an engine of ours, and what its options owe their documentation.
#pragma once

#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <iterator>
#include <sstream>
#include <string>
#include <string_view>

#include "engines/usi/help.h"
#include "engines/usi/loop.h"

namespace fuhyo::test {

// What it says to this input, up to "quit" or the end of the input.
inline std::string converse(usi::Engine& engine, const std::string& input) {
  std::istringstream in(input);
  std::ostringstream out;
  usi::run_loop(engine, in, out);
  return out.str();
}

inline std::size_t count(std::string_view text, std::string_view part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

// docs/engine-options.md is what the program says: print it anew by "help page".
inline void expect_documented(usi::Engine& engine) {
  std::ifstream file(std::filesystem::path(FUHYO_SOURCE_DIR) / "docs/engine-options.md");
  const std::string page((std::istreambuf_iterator<char>(file)), {});
  EXPECT_THAT(page, ::testing::HasSubstr(usi::options_page(engine.options())));
  for (const auto& option : engine.options().all()) {
    EXPECT_FALSE(option.help.english.empty() || option.help.japanese.empty()) << option.name;
  }
}

}  // namespace fuhyo::test
