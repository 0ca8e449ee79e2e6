// The options of an engine: what it declares after "usi" and what "setoption" changes. One thread at a time.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

namespace fuhyo::usi {

class OptionTable {
 public:
  // Options keep the order in which they are added. Names have no blanks (Shogidokoro cannot send them).
  void add_check(std::string name, bool value);
  void add_spin(std::string name, std::int64_t value, std::int64_t min, std::int64_t max);
  void add_combo(std::string name, const std::string& value, std::vector<std::string> choices);
  void add_string(std::string name, const std::string& value);
  void add_filename(std::string name, const std::string& value);

  // Changes an option. Names ignore case, as GUIs differ. A wrong name or value is an error and changes nothing.
  std::expected<void, std::string> set(std::string_view name, std::string_view value);

  // The option must exist and be of that type.
  bool check(std::string_view name) const;
  std::int64_t spin(std::string_view name) const;
  const std::string& text(std::string_view name) const;  // combo, string, filename

  // "option name X type spin default 5 min 1 max 9", one line an option.
  std::vector<std::string> declarations() const;

 private:
  enum class Type : std::uint8_t { check, spin, combo, string, filename };
  struct Option {
    std::string name;
    Type type;
    std::string value, initial;
    std::int64_t min = 0, max = 0;
    std::vector<std::string> choices;
  };
  const Option* find(std::string_view name) const;
  const Option& at(std::string_view name, Type type) const;
  static std::string declaration(const Option& option);
  static std::expected<void, std::string> verify(const Option& option, std::string_view value);

  std::vector<Option> options_;
};

}  // namespace fuhyo::usi
