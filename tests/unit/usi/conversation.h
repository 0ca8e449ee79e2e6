// Whole conversations with an engine of ours, and what its options owe their documentation.
#pragma once

#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

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

// Rows of a table of options; of docs/engine-options.md those below headings that name the program.
inline std::vector<std::string> option_rows(std::istream&& in, const std::string& program) {
  std::vector<std::string> rows;
  bool ours = true;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("## ")) ours = line.contains('`' + program + '`');
    if (ours && line.starts_with("| `")) rows.push_back(line);
  }
  return rows;
}

// docs/engine-options.md has what the program says by "help page", and nothing else.
inline void expect_documented(usi::Engine& engine, const std::string& program) {
  const auto page = std::filesystem::path(FUHYO_SOURCE_DIR) / "docs/engine-options.md";
  const auto said = option_rows(std::istringstream(usi::options_page(engine.options())), program);
  EXPECT_THAT(option_rows(std::ifstream(page), program), ::testing::UnorderedElementsAreArray(said));
  for (const auto& option : engine.options().all()) {
    EXPECT_FALSE(option.help.english.empty() || option.help.japanese.empty()) << option.name;
  }
}

}  // namespace fuhyo::test
