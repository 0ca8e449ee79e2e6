// Reads a network of any supported format, with the options of FILE.ini beside it, as dlshogi has them. A program may
// contain both. One thread at a time.
#pragma once

#include <expected>
#include <filesystem>
#include <istream>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "engines/nn/model.h"

namespace fuhyo::nn {

constexpr std::uint64_t kLargestFile = std::uint64_t{2} << 30;
constexpr std::size_t kMostIniLines = 1000;
constexpr std::size_t kLongestIniLine = 4096;

// Names and values as they stand in lines NAME=VALUE; ";" and "#" begin comments, [sections] say nothing. What a name
// means is for the engine to know.
using ModelOptions = std::map<std::string, std::string>;

// Where a network and its options are.
class ModelSource {
 public:
  // In a file, and in FILE.ini if that is there.
  ModelSource(std::filesystem::path file);  // NOLINT(google-explicit-constructor): a file is where networks are
  // In the program: the bytes of the file with this name, and those of FILE.ini, which stay where they are.
  static ModelSource of_program(std::string_view name, std::string_view bytes, std::string_view ini);

  bool is_file() const { return is_file_; }
  const std::filesystem::path& file() const { return file_; }
  std::string_view bytes() const { return bytes_; }
  std::string_view ini() const { return ini_; }
  // For people: "nets/a.nn", or "a.nn of the program"; and where its options are.
  std::string name() const { return name_ + place(); }
  std::string ini_name() const { return name_ + ".ini" + place(); }

 private:
  std::string place() const { return is_file_ ? "" : " of the program"; }

  bool is_file_ = true;
  std::filesystem::path file_;
  std::string name_;
  std::string_view bytes_, ini_;
};

// An error names the line.
std::expected<ModelOptions, std::string> read_ini(std::istream& in);

// The options that go with the network; none without an ini. An error names that.
std::expected<ModelOptions, std::string> read_options(const ModelSource& source);

// The text with a question mark for each character that would disturb a terminal or a protocol of lines.
std::string printable(std::string text);

struct ModelFile {
  std::shared_ptr<const Model> model;
  ModelOptions options;     // of FILE.ini
  std::string description;  // one line for people: where it is from, and what it is
};

// Our own container, or ONNX: the bytes themselves say which. An error is one printable line that begins with the name
// of the source.
std::expected<ModelFile, std::string> load_model(const ModelSource& source);

}  // namespace fuhyo::nn
