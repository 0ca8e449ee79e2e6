// Flags of a bench's command line: "--name VALUE ...".
#pragma once

#include <charconv>
#include <concepts>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fuhyo::bench {

template <class Value>
concept Number = std::integral<Value> || std::floating_point<Value>;

// Where the value of a flag goes: a text or a path, a number, or a function of the text that says whether it is one.
class Flag {
 public:
  Flag(std::string& text) : take_([&text](std::string_view value) { return text = value, true; }) {}
  Flag(std::filesystem::path& path) : take_([&path](std::string_view value) { return path = value, true; }) {}
  template <Number Value>
  Flag(Value& number)
      : take_([&number](std::string_view value) {
          const auto [end, fault] = std::from_chars(value.data(), value.data() + value.size(), number);
          return fault == std::errc() && end == value.data() + value.size();
        }) {}
  template <std::predicate<std::string_view> Take>
  Flag(Take take) : take_(std::move(take)) {}
  bool take(std::string_view value) const { return take_(value); }

 private:
  std::function<bool(std::string_view)> take_;
};

// A list of texts or of numbers from 1 on: "1,8,16".
template <class Value>
auto list(std::vector<Value>& values) {
  return [&values](std::string_view text) {
    values.clear();
    for (;;) {
      const std::size_t comma = text.find(',');
      Value value{};
      if (!Flag(value).take(text.substr(0, comma)) || value == Value{}) return false;
      values.push_back(value);
      if (comma == text.npos) return true;
      text.remove_prefix(comma + 1);
    }
  };
}

// Ends the program (exit code 64) at a flag that is not among them, or whose value is none.
inline void take_flags(int argc, char** argv, std::initializer_list<std::pair<std::string_view, Flag>> flags) {
  for (int i = 1; i < argc; i += 2) {
    const std::string_view name = argv[i];
    bool taken = false;
    for (const auto& [known, flag] : flags) taken = taken || (known == name && i + 1 < argc && flag.take(argv[i + 1]));
    if (taken) continue;
    fmt::print(stderr, "{}: {}: no flag, or its value is none; there are:", argv[0], name);
    for (const auto& [known, flag] : flags) fmt::print(stderr, " {}", known);
    fmt::print(stderr, "\n");
    std::exit(64);
  }
}

}  // namespace fuhyo::bench
