// The rules are those of CommandLineToArgvW: backslashes mean themselves, except before a quote.
#include "engines/usi/process_command_windows.h"

#include <filesystem>
#include <windows.h>

namespace fuhyo::usi {
namespace {

std::string in_quotes(std::string_view word) {
  if (!word.empty() && word.find_first_of(" \t\"") == std::string_view::npos) return std::string(word);
  std::string out = "\"";
  std::size_t backslashes = 0;
  for (const char c : word) {
    if (c == '"') out.append(backslashes + 1, '\\');
    backslashes = c == '\\' ? backslashes + 1 : 0;
    out += c;
  }
  out.append(backslashes, '\\');
  return out + "\"";
}

// A name with a folder counts from the folder that the program begins in, as on other systems.
std::string program(const std::string& name, const std::string& working_dir) {
  const std::filesystem::path path = name;
  if (working_dir.empty() || path.is_absolute() || !path.has_parent_path()) return name;
  return (std::filesystem::path(working_dir) / path).string();
}

}  // namespace

std::wstring wide(std::string_view text) {
  if (text.empty()) return {};
  const int size = static_cast<int>(text.size());
  std::wstring out(static_cast<std::size_t>(::MultiByteToWideChar(CP_ACP, 0, text.data(), size, nullptr, 0)), L'\0');
  ::MultiByteToWideChar(CP_ACP, 0, text.data(), size, out.data(), static_cast<int>(out.size()));
  return out;
}

std::wstring command_line(const std::vector<std::string>& command, const std::string& working_dir) {
  std::string line = in_quotes(program(command.front(), working_dir));
  for (std::size_t i = 1; i < command.size(); ++i) line += " " + in_quotes(command[i]);
  return wide(line);
}

}  // namespace fuhyo::usi
