// A command as Windows wants it: one line, from which the program makes its words again. Windows only.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fuhyo::usi {

// Of the code page of this program.
std::wstring wide(std::string_view text);
// As ChildProcess::Options has them.
std::wstring command_line(const std::vector<std::string>& command, const std::string& working_dir);

}  // namespace fuhyo::usi
