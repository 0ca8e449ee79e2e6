#include "engines/learn/commands/output.h"

#include <filesystem>
#include <fmt/format.h>

#include <CLI/CLI.hpp>

namespace fuhyo::learn {

void add_output_flags(CLI::App& command, OutputOptions& options) {
  command.add_option("-o,--out", options.out, "The file to write")->required();
  command.add_option("--to", options.to, "Format of what is written, if its name does not tell")
      ->check(CLI::IsMember(format_names()));
  command.add_flag("--force", options.force, "Replace the file if it is there");
}

std::expected<DataFormat, std::string> output_format(const OutputOptions& options) {
  const auto format = options.to.empty() ? format_of(options.out) : format_by_name(options.to);
  if (!format) return std::unexpected(which_format(options.out, "--to"));
  std::error_code error;
  if (std::filesystem::exists(options.out, error) && !options.force) {
    return std::unexpected(fmt::format("{}: is there already (--force replaces it)", options.out));
  }
  return *format;
}

}  // namespace fuhyo::learn
