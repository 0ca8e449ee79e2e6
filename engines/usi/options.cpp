#include "engines/usi/options.h"

#include <algorithm>
#include <array>
#include <cstdlib>

#include "engines/usi/text.h"

namespace fuhyo::usi {
namespace {

constexpr std::size_t kMostDeclared = 2'000, kMostDeclaredBytes = std::size_t{128} * 1024;
constexpr std::array<std::string_view, 5> kTypes = {"check", "spin", "combo", "string", "filename"};

std::string listed(const std::vector<std::string>& choices) {
  std::string out;
  for (const std::string& choice : choices) out += (out.empty() ? "" : ", ") + choice;
  return out;
}

// Takes what stands behind the word off `rest`, up to the word `end`: texts may hold blanks.
std::string_view take_value(std::string_view& rest, std::string_view word, std::string_view end) {
  const std::size_t at = rest.find(word);
  if (at == std::string_view::npos) return {};
  rest.remove_prefix(at + word.size());
  const std::string_view value = rest.substr(0, rest.find(end));
  rest.remove_prefix(value.size());
  return trim(value);
}

}  // namespace

void OptionTable::add(Option option) {
  option.initial = option.value;
  options_.push_back(std::move(option));
}

void OptionTable::add_check(std::string name, bool value, const Help& help) {
  add({.name = std::move(name),
       .type = Type::check,
       .value = value ? "true" : "false",
       .initial = {},
       .choices = {},
       .help = help});
}

void OptionTable::add_spin(std::string name, std::int64_t value, std::int64_t min, std::int64_t max, const Help& help) {
  add({.name = std::move(name),
       .type = Type::spin,
       .value = std::to_string(value),
       .initial = {},
       .min = min,
       .max = max,
       .choices = {},
       .help = help});
}

void OptionTable::add_combo(std::string name, const std::string& value, std::vector<std::string> choices,
                            const Help& help) {
  add({.name = std::move(name),
       .type = Type::combo,
       .value = value,
       .initial = {},
       .choices = std::move(choices),
       .help = help});
}

void OptionTable::add_string(std::string name, const std::string& value, const Help& help) {
  add({.name = std::move(name), .type = Type::string, .value = value, .initial = {}, .choices = {}, .help = help});
}

void OptionTable::add_filename(std::string name, const std::string& value, const Help& help) {
  add({.name = std::move(name), .type = Type::filename, .value = value, .initial = {}, .choices = {}, .help = help});
}

void OptionTable::declare(std::string_view text) {
  declared_bytes_ += text.size();
  if (options_.size() >= kMostDeclared || declared_bytes_ > kMostDeclaredBytes || next_word(text) != "name") return;
  const std::string_view name = trim(text.substr(0, text.find(" type ")));
  const std::string_view type = take_value(text, " type ", " ");
  Option option{.name = std::string(name), .type = Type::string, .value = {}, .initial = {}, .choices = {}, .help = {}};
  for (std::size_t i = 0; i < kTypes.size(); ++i) {
    if (type == kTypes[i]) option.type = Type{static_cast<std::uint8_t>(i)};
  }
  const bool is_spin = option.type == Type::spin, is_combo = option.type == Type::combo;
  std::string_view rest = text;
  option.value = take_value(rest, " default ", is_spin ? " min " : is_combo ? " var " : "\n");
  if (option.value == "<empty>") option.value.clear();
  if (is_spin) {
    const auto number = [&](std::string_view word) {
      std::string_view from_here = text;
      return to_integer(take_value(from_here, word, " "));
    };
    const auto min = number(" min "), max = number(" max ");
    if (!min || !max) option.type = Type::string;
    option.min = min.value_or(0);
    option.max = max.value_or(0);
  }
  while (is_combo && rest.contains(" var ")) option.choices.emplace_back(take_value(rest, " var ", " var "));
  if (is_combo && option.choices.empty()) option.type = Type::string;
  if (find_to_change(name) == nullptr) add(std::move(option));
}

OptionTable::Option* OptionTable::find_to_change(std::string_view name) {
  const auto option = std::ranges::find_if(options_, [&](const Option& o) { return same_name(o.name, name); });
  return option == options_.end() ? nullptr : &*option;
}

std::expected<void, std::string> OptionTable::set(std::string_view name, std::string_view value) {
  Option* const option = find_to_change(name);
  if (option == nullptr) return std::unexpected("no option named '" + std::string(name) + "'");
  auto kept = verify(*option, value);
  if (!kept) return std::unexpected(kept.error());
  if (option->fixed) {
    if (*kept == option->value) return {};
    return std::unexpected("option " + option->name + ": stays at " + option->value + ", as engine_options.txt says");
  }
  option->value = *std::move(kept);
  option->chosen = true;
  return {};
}

std::expected<void, std::string> OptionTable::fix(std::string_view name, std::string_view value) {
  if (Option* const option = find_to_change(name)) option->fixed = false;
  if (auto changed = set(name, value); !changed) return changed;
  Option* const option = find_to_change(name);
  option->initial = option->value;
  option->fixed = true;
  return {};
}

std::expected<std::string, std::string> OptionTable::verify(const Option& option, std::string_view value) {
  const auto refuse = [&](const std::string& wanted) {
    return std::unexpected("option " + option.name + ": " + wanted + " expected, not '" + std::string(value) + "'");
  };
  switch (option.type) {
    case Type::check:
      if (same_name(value, "true")) return "true";
      if (same_name(value, "false")) return "false";
      return refuse("true or false");
    case Type::spin:
      if (const auto number = to_integer(value); number && *number >= option.min && *number <= option.max)
        return std::to_string(*number);
      return refuse("a number from " + std::to_string(option.min) + " to " + std::to_string(option.max));
    case Type::combo: {
      const auto choice = std::ranges::find_if(option.choices, [&](const auto& c) { return same_name(c, value); });
      if (choice != option.choices.end()) return *choice;
      return refuse("one of " + listed(option.choices));
    }
    case Type::string:
    case Type::filename:
      break;
  }
  return value == "<empty>" ? "" : std::string(value);
}

std::vector<std::string> OptionTable::refusals(const std::vector<std::pair<std::string, std::string>>& settings) const {
  std::vector<std::string> out;
  for (const auto& [name, value] : settings) {
    const Option* const option = find(name);
    if (!has(name)) out.push_back("no option named '" + name + "'");
    if (option == nullptr) continue;
    if (const auto kept = verify(*option, value); !kept) out.push_back(kept.error());
  }
  return out;
}

const OptionTable::Option* OptionTable::find(std::string_view name) const {
  const auto option = std::ranges::find_if(options_, [&](const Option& o) { return same_name(o.name, name); });
  return option == options_.end() ? nullptr : &*option;
}

// Asking for an option that was never added is a programmer's error.
const OptionTable::Option& OptionTable::at(std::string_view name, Type type) const {
  const Option* option = find(name);
  if (option == nullptr || (option->type != type && (type == Type::check || type == Type::spin))) std::abort();
  return *option;
}

bool OptionTable::check(std::string_view name) const { return at(name, Type::check).value == "true"; }
std::int64_t OptionTable::spin(std::string_view name) const { return *to_integer(at(name, Type::spin).value); }
const std::string& OptionTable::text(std::string_view name) const { return at(name, Type::string).value; }

std::string_view OptionTable::to_text(Type type) { return kTypes[static_cast<std::size_t>(type)]; }

std::string OptionTable::declaration(const Option& option) {
  std::string out = "option name " + option.name + " type " + std::string(to_text(option.type));
  // An empty default is written "<empty>" (USI).
  out += " default " + (option.initial.empty() ? "<empty>" : option.initial);
  if (option.type == Type::spin) out += " min " + std::to_string(option.min) + " max " + std::to_string(option.max);
  for (const std::string& choice : option.choices) out += " var " + choice;
  return out;
}

std::vector<std::string> OptionTable::declarations() const {
  std::vector<std::string> lines;
  lines.reserve(options_.size());
  for (const Option& option : options_) lines.push_back(declaration(option));
  return lines;
}

}  // namespace fuhyo::usi
