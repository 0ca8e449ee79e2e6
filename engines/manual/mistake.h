// What somebody may have meant whose command line was refused. Any thread.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace CLI {
class App;
}

namespace fuhyo::manual {

// "did you mean --max-moves?" for the first word that is no flag or subcommand where it stands and looks like one; else
// empty.
std::string meant(const CLI::App& root, std::span<const std::string_view> words);

}  // namespace fuhyo::manual
