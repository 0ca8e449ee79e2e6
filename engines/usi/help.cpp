#include "engines/usi/help.h"

#include <algorithm>
#include <fmt/format.h>

#include "engines/usi/text.h"

namespace fuhyo::usi {
namespace {

using Option = OptionTable::Option;

bool has_help(const Option& option) { return !option.help.english.empty(); }

std::string_view text_of(const Option& option, Language language) {
  return language == Language::japanese ? option.help.japanese : option.help.english;
}

std::string shown(const std::string& value) { return value.empty() ? "<empty>" : value; }

std::string summary(const Option& option, Language language) {
  return fmt::format("{} = {}: {}", option.name, shown(option.value), text_of(option, language));
}

std::string range_of(const Option& option) {
  if (option.type == OptionTable::Type::spin) return fmt::format("{} ... {}", option.min, option.max);
  std::string out;
  for (const std::string& choice : option.choices) out += (out.empty() ? "" : ", ") + choice;
  return out;
}

// Whether one row of the page tells of both, as of Engine1 and Engine2.
bool are_alike(const Option& a, const Option& b) {
  return a.type == b.type && a.help.english == b.help.english && range_of(a) == range_of(b);
}

std::string in_code(const std::string& value, std::string_view without) {
  return value.empty() ? std::string(without) : '`' + value + '`';
}

}  // namespace

Language language_of(const char* locale) {
  return locale != nullptr && std::string_view(locale).starts_with("ja") ? Language::japanese : Language::english;
}

std::vector<std::string> help_lines(const OptionTable& table, std::string_view rest, Language language) {
  std::vector<std::string_view> names;
  for (std::string_view word = next_word(rest); !word.empty(); word = next_word(rest)) {
    if (word == "ja" || word == "en") {
      language = word == "ja" ? Language::japanese : Language::english;
    } else {
      names.push_back(word);
    }
  }
  std::vector<std::string> lines;
  for (const std::string_view name : names) {
    const Option* const option = table.find(name);
    if (option == nullptr) {
      lines.push_back(fmt::format("no option named '{}'; \"help\" lists them all", name));
      continue;
    }
    lines.push_back(OptionTable::declaration(*option));
    lines.push_back(summary(*option, language));
  }
  if (!names.empty()) return lines;
  for (const Option& option : table.all()) {
    if (has_help(option)) lines.push_back(summary(option, language));
  }
  lines.emplace_back(language == Language::japanese
                         ? "設定: setoption name 名前 value 値、または: 名前 値。English: help en"
                         : "to set one: setoption name NAME value VALUE, or NAME VALUE. "
                           "日本語: help ja");
  return lines;
}

std::string usage(std::string_view program) {
  return fmt::format(
      "usage: {0} [COMMAND [, COMMAND]...]\n\n"
      "A shogi engine for any GUI that speaks USI. Without words it reads commands from the standard input; with "
      "words\n"
      "it runs each COMMAND once the search before it is over, and ends:\n\n"
      "  {0} Threads 2 , isready , go movetime 1000\n"
      "  {0} help              every option, in English or Japanese (help ja)\n"
      "  {0} bench             how fast it is\n"
      "  {0} --version\n",
      program);
}

std::string options_page(const OptionTable& table) {
  std::string page = "| option | default | values | what it does | 説明 |\n| --- | --- | --- | --- | --- |\n";
  const auto& all = table.all();
  for (auto first = all.begin(); first != all.end(); ++first) {
    const auto alike = [first](const Option& other) { return are_alike(*first, other); };
    if (!has_help(*first) || std::any_of(all.begin(), first, alike)) continue;
    std::string names, initials;
    bool differ = false;
    for (auto other = first; other != all.end(); ++other) {
      if (!alike(*other)) continue;
      names += fmt::format("{}`{}`", names.empty() ? "" : ", ", other->name);
      initials += fmt::format("{}{}", initials.empty() ? "" : ", ", in_code(other->initial, "none"));
      differ = differ || other->initial != first->initial;
    }
    page += fmt::format("| {} | {} | {} | {} | {} |\n", names, differ ? initials : in_code(first->initial, ""),
                        range_of(*first), first->help.english, first->help.japanese);
  }
  return page;
}

}  // namespace fuhyo::usi
