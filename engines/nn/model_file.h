// A network out of a file of any format that is read, with what stands beside it: FILE.ini, options that go with the
// network, as dlshogi has them. One thread at a time.
#pragma once

#include <expected>
#include <filesystem>
#include <istream>
#include <map>
#include <memory>
#include <string>

#include "engines/nn/model.h"

namespace fuhyo::nn {

constexpr std::uint64_t kLargestFile = std::uint64_t{2} << 30;
constexpr std::size_t kMostIniLines = 1000;
constexpr std::size_t kLongestIniLine = 4096;

// Names and values as they stand in lines NAME=VALUE; ";" and "#" begin comments, [sections] say nothing. What a name
// means is for the engine to know.
using ModelOptions = std::map<std::string, std::string>;

// An error names the line.
std::expected<ModelOptions, std::string> read_ini(std::istream& in);

// Those of FILE.ini beside the network; empty without it. An error names that file.
std::expected<ModelOptions, std::string> read_options_beside(const std::filesystem::path& file);

// The text with a question mark for each character that would disturb a terminal or a protocol of lines.
std::string printable(std::string text);

struct ModelFile {
  std::shared_ptr<const Model> model;
  ModelOptions options;     // of FILE.ini
  std::string description;  // one line for people: where it is from, and what it is
};

// Our own container, or ONNX: the file itself says which. An error is one printable line that begins with the file.
std::expected<ModelFile, std::string> load_model(const std::filesystem::path& file);

}  // namespace fuhyo::nn
