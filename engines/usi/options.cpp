#include "engines/usi/options.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>

#include "engines/usi/text.h"

namespace fuhyo::usi {
namespace {

bool same_name(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

}  // namespace

void OptionTable::add_check(std::string name, bool value) {
  const std::string text = value ? "true" : "false";
  options_.push_back({.name = std::move(name), .type = Type::check, .value = text, .initial = text, .choices = {}});
}

void OptionTable::add_spin(std::string name, std::int64_t value, std::int64_t min, std::int64_t max) {
  const std::string text = std::to_string(value);
  options_.push_back({.name = std::move(name),
                      .type = Type::spin,
                      .value = text,
                      .initial = text,
                      .min = min,
                      .max = max,
                      .choices = {}});
}

void OptionTable::add_combo(std::string name, const std::string& value, std::vector<std::string> choices) {
  options_.push_back(
      {.name = std::move(name), .type = Type::combo, .value = value, .initial = value, .choices = std::move(choices)});
}

void OptionTable::add_string(std::string name, const std::string& value) {
  options_.push_back({.name = std::move(name), .type = Type::string, .value = value, .initial = value, .choices = {}});
}

void OptionTable::add_filename(std::string name, const std::string& value) {
  options_.push_back(
      {.name = std::move(name), .type = Type::filename, .value = value, .initial = value, .choices = {}});
}

std::expected<void, std::string> OptionTable::set(std::string_view name, std::string_view value) {
  const auto option = std::ranges::find_if(options_, [&](const Option& o) { return same_name(o.name, name); });
  if (option == options_.end()) return std::unexpected("no option named '" + std::string(name) + "'");
  if (auto fits = verify(*option, value); !fits) return fits;
  option->value = std::string(value);
  return {};
}

std::expected<void, std::string> OptionTable::verify(const Option& option, std::string_view value) {
  const auto refuse = [&](const std::string& wanted) {
    return std::unexpected("option " + option.name + ": " + wanted + " expected, not '" + std::string(value) + "'");
  };
  if (option.type == Type::check && value != "true" && value != "false") return refuse("true or false");
  if (option.type == Type::spin) {
    const auto number = to_integer(value);
    if (!number || *number < option.min || *number > option.max) {
      return refuse("a number from " + std::to_string(option.min) + " to " + std::to_string(option.max));
    }
  }
  if (option.type == Type::combo && std::ranges::find(option.choices, value) == option.choices.end())
    return refuse("one of its choices");
  return {};
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

std::string OptionTable::declaration(const Option& option) {
  static constexpr std::string_view kTypes[] = {"check", "spin", "combo", "string", "filename"};
  std::string out = "option name " + option.name + " type " + std::string(kTypes[static_cast<int>(option.type)]);
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
