#include "engines/usi/option_file.h"

#include <expected>
#include <istream>

#include "engines/usi/text.h"

namespace fuhyo::usi {
namespace {

struct Setting {
  std::string_view name, value;
};

// What follows "option": "name X type T default V min 1 max 9". A text may hold blanks and stands last.
std::expected<Setting, std::string> declared(const OptionTable& table, std::string_view rest) {
  Setting setting;
  for (std::string_view word = next_word(rest); !word.empty(); word = next_word(rest)) {
    if (word == "name") {
      setting.name = next_word(rest);
    } else if (word == "default") {
      using enum OptionTable::Type;
      const OptionTable::Option* const option = table.find(setting.name);
      if (option != nullptr && (option->type == string || option->type == filename))
        return Setting{setting.name, trim(rest)};
      setting.value = next_word(rest);
    } else if (word == "type" || word == "min" || word == "max" || word == "var") {
      next_word(rest);
    } else {
      return std::unexpected("'" + std::string(word) + "' has no meaning here");
    }
  }
  if (setting.name.empty()) return std::unexpected(std::string("an option without a name"));
  return setting;
}

// "X V" or "X=V".
Setting plain(std::string_view line) {
  const std::size_t end = line.find_first_of("= \t");
  if (end == std::string_view::npos) return {line, {}};
  std::string_view value = trim(line.substr(end));
  if (value.starts_with('=')) value = trim(value.substr(1));
  return {line.substr(0, end), value};
}

}  // namespace

std::vector<std::string> read_option_file(OptionTable& table, std::istream& in) {
  std::vector<std::string> notes;
  int number = 0, fixed = 0;
  for (std::string text; std::getline(in, text);) {
    ++number;
    const auto complain = [&](const std::string& why) {
      notes.push_back(std::string(kOptionFile) + " line " + std::to_string(number) + ": " + why);
    };
    std::string_view line = trim(text);
    if (line.empty() || line.starts_with('#') || line.starts_with("//")) continue;
    std::expected<Setting, std::string> setting = plain(line);
    if (peek_word(line) == "option") {
      next_word(line);
      setting = declared(table, line);
    }
    if (!setting) {
      complain(setting.error());
    } else if (auto done = table.fix(setting->name, setting->value); !done) {
      complain(done.error());
    } else {
      ++fixed;
    }
  }
  notes.push_back(std::string(kOptionFile) + ": " + std::to_string(fixed) + " options are fixed");
  return notes;
}

}  // namespace fuhyo::usi
