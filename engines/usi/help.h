// What is said to people about options: "help", and the page of them. Pure; any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engines/usi/options.h"

namespace fuhyo::usi {

enum class Language : std::uint8_t { english, japanese };
// By the value of LANG or LC_ALL: "ja_JP.UTF-8". Anything else, and null, is English.
Language language_of(const char* locale);

// "help ...": lists the options that have a help text, or tells of the ones named. `rest` may hold names of options
// and "en" or "ja"; without the latter it is in `language`.
std::vector<std::string> help_lines(const OptionTable& table, std::string_view rest, Language language);

// What "--help" says of a program of this name.
std::string usage(std::string_view program);

// The rows of docs/engine-options.md for this table: one an option, or one for several with the same text and values.
std::string options_page(const OptionTable& table);

}  // namespace fuhyo::usi
