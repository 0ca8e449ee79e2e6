// The configuration as text: the effective settings, and the file that explains every setting. Any thread.
#pragma once

#include <string>
#include <string_view>

#include "server/app/config/config.h"

namespace fuhyo::app {

enum class Printed { said, effective };  // what somebody said; defaults, too

// TOML, a line a setting, with the origin of each value. Passwords and hashes of secrets are blacked out; but for these
// it can be read back.
std::string print_config(const Resolved& resolved, Printed which);

// A string of TOML, in its quotes.
std::string quoted_toml(std::string_view text);

// A file with every setting, explained and commented out: as it is, it changes nothing. The same on every machine.
std::string example_config();

}  // namespace fuhyo::app
