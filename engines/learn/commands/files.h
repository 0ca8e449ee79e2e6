// The flags of commands that read and write training data: files and their formats. Reads the file system.
#pragma once

#include <expected>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engines/learn/data/format.h"
#include "engines/learn/data/record_texts.h"

namespace CLI {
class App;
}

namespace fuhyo::learn {

struct OutputArguments {
  std::string out, to;  // a file; a format, if its name does not tell
  bool force = false;
};

void add_output_flags(CLI::App& command, OutputArguments& arguments);
// An error also if the file exists and is not to be replaced.
std::expected<DataFormat, std::string> output_format(const OutputArguments& arguments);

// The flags of commands that convert CSA records.
struct RecordArguments {
  std::vector<std::string> in;  // files, folders, patterns
  OutputArguments out;
  bool strict = false;  // a game that cannot be read is an error, instead of being counted
};

void add_record_flags(CLI::App& command, RecordArguments& arguments);
// Calls `take` for every game of the files and ends at its first error. It leaves out what it cannot read by `texts`.
using TakeText = std::function<std::expected<void, std::string>(RecordTexts& texts, std::string_view text)>;
std::expected<void, std::string> each_text(std::span<const std::filesystem::path> files,
                                           const RecordArguments& arguments, LeftOut& left_out, const TakeText& take);

// The files that the names mean, with their formats: `from`, or by their names. Of a folder, files of our own format
// unless another one is given; folders of records are searched recursively.
using InputFiles = std::vector<std::pair<std::filesystem::path, DataFormat>>;
std::expected<InputFiles, std::string> input_files(std::span<const std::string> names, const std::string& from);
// The same, for commands whose files must all have one format, the second of the pair.
std::expected<std::pair<std::vector<std::filesystem::path>, DataFormat>, std::string> input_files_of_one_format(
    std::span<const std::string> names, const std::string& from);

}  // namespace fuhyo::learn
