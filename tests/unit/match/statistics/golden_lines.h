// Lines of tests/golden/match: "words: numbers", with # comments.
#pragma once

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>
#include <string>
#include <vector>

namespace fuhyo::match {

struct GoldenLine {
  std::vector<std::string> words;
  std::vector<double> numbers;
  std::string text;
};

inline std::vector<GoldenLine> golden_lines(const std::string& name) {
  std::ifstream in(std::filesystem::path(FUHYO_SOURCE_DIR) / "tests/golden/match" / name);
  EXPECT_TRUE(in) << name;
  std::vector<GoldenLine> lines;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with('#')) continue;
    GoldenLine out{.words = {}, .numbers = {}, .text = line};
    std::istringstream words(line.substr(0, line.find(':'))), numbers(line.substr(line.find(':') + 1));
    for (std::string word; words >> word;) out.words.push_back(word);
    for (double number = 0; numbers >> number;) out.numbers.push_back(number);
    lines.push_back(out);
  }
  return lines;
}

}  // namespace fuhyo::match
