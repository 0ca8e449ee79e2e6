#include "engines/learn/commands/files.h"

#include <filesystem>
#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "engines/learn/data/game_files.h"

namespace fuhyo::learn {

void add_output_flags(CLI::App& command, OutputArguments& arguments) {
  command.add_option("-o,--out", arguments.out, "The file to write")->required();
  command.add_option("--to", arguments.to, "Format of what is written, if its name does not tell")
      ->check(CLI::IsMember(format_names()));
  command.add_flag("--force", arguments.force, "Replace the file if it is there");
}

std::expected<DataFormat, std::string> output_format(const OutputArguments& arguments) {
  const auto format = arguments.to.empty() ? format_of(arguments.out) : format_by_name(arguments.to);
  if (!format) return std::unexpected(which_format(arguments.out, "--to"));
  std::error_code error;
  if (std::filesystem::exists(arguments.out, error) && !arguments.force) {
    return std::unexpected(fmt::format("{}: is there already (--force replaces it)", arguments.out));
  }
  return *format;
}

void add_record_flags(CLI::App& command, RecordArguments& arguments) {
  command.add_option("in", arguments.in, "Records, plain or compressed, folders, or patterns with * and ?")->required();
  add_output_flags(command, arguments.out);
  command.add_flag("--strict", arguments.strict, "Stop at a game that cannot be read, instead of counting it");
}

std::expected<void, std::string> each_text(std::span<const std::filesystem::path> files,
                                           const RecordArguments& arguments, LeftOut& left_out, const TakeText& take) {
  for (const std::filesystem::path& file : files) {
    auto texts = RecordTexts::open(file, DataFormat::csa, arguments.strict ? nullptr : &left_out);
    if (!texts) return std::unexpected(std::move(texts.error()));
    for (;;) {
      const auto text = texts->next();
      if (!text) return std::unexpected(text.error());
      if (!*text) break;
      if (auto taken = take(*texts, **text); !taken) return taken;
    }
  }
  return {};
}

std::expected<InputFiles, std::string> input_files(std::span<const std::string> names, const std::string& from) {
  const DataFormat wanted = format_by_name(from).value_or(DataFormat::games);
  const auto files =
      is_record(wanted) ? record_files_named(names, wanted) : files_named(names, fmt::format(".{}", to_string(wanted)));
  if (!files) return std::unexpected(files.error());
  InputFiles out;
  for (const std::filesystem::path& file : *files) {
    const auto format = from.empty() ? format_of(file) : wanted;
    if (!format) return std::unexpected(which_format(file, "--from"));
    out.emplace_back(file, *format);
  }
  return out;
}

std::expected<std::pair<std::vector<std::filesystem::path>, DataFormat>, std::string> input_files_of_one_format(
    std::span<const std::string> names, const std::string& from) {
  const auto files = input_files(names, from);
  if (!files) return std::unexpected(files.error());
  std::pair<std::vector<std::filesystem::path>, DataFormat> out{{}, files->front().second};
  for (const auto& [file, format] : *files) {
    if (format != out.second) {
      return std::unexpected(
          fmt::format("{}: {} among files of {}", file.string(), to_string(format), to_string(out.second)));
    }
    out.first.push_back(file);
  }
  return out;
}

}  // namespace fuhyo::learn
