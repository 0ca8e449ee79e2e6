// The options of an engine: what it declares after "usi", what "setoption" changes, and what "help" says of each. Who
// runs an engine reads the same table from its declarations. One thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fuhyo::usi {

// What an option does, one line in each language, for people. Both must be there: who plays shogi reads Japanese, and
// who does not needs English. The texts must live as long as the program.
struct Help {
  std::string_view english, japanese;
};
// Of constants that only a tuning build exposes: "help" and the page of options leave them out.
constexpr Help kTuningOption{};

class OptionTable {
 public:
  enum class Type : std::uint8_t { check, spin, combo, string, filename };
  struct Option {
    std::string name;
    Type type;
    std::string value, initial;
    std::int64_t min = 0, max = 0;
    std::vector<std::string> choices;
    Help help;
    bool chosen = false;  // it has been set
    bool fixed = false;   // by a file: "setoption" does not change it any more
  };

  // Options keep the order in which they are added. Names have no blanks (Shogidokoro cannot send them).
  void add_check(std::string name, bool value, const Help& help);
  void add_spin(std::string name, std::int64_t value, std::int64_t min, std::int64_t max, const Help& help);
  void add_combo(std::string name, const std::string& value, std::vector<std::string> choices, const Help& help);
  void add_string(std::string name, const std::string& value, const Help& help);
  void add_filename(std::string name, const std::string& value, const Help& help);

  // Adds what an engine declares, the text after "option": "name X type spin default 5 min 1 max 9". A number without
  // limits, a choice of nothing and an unknown type take any text. Ignored: what is no declaration, and more than
  // 2,000 or 128 KiB of them: engines may be strangers'.
  void declare(std::string_view text);

  // Changes an option. Names and choices ignore case, as GUIs differ; "<empty>" is the empty text (USI). A wrong name
  // or value is an error and changes nothing.
  std::expected<void, std::string> set(std::string_view name, std::string_view value);
  // The same for good: from now on set() refuses to change it, and this is the default that is declared.
  std::expected<void, std::string> fix(std::string_view name, std::string_view value);

  // The option must exist and be of that type.
  bool check(std::string_view name) const;
  std::int64_t spin(std::string_view name) const;
  const std::string& text(std::string_view name) const;  // combo, string, filename

  const std::vector<Option>& all() const { return options_; }
  // Null if there is none of that name.
  const Option* find(std::string_view name) const;
  // Whether an engine that declared this table has the option: what begins with "USI_" need not be declared (USI).
  bool has(std::string_view name) const { return name.starts_with("USI_") || find(name) != nullptr; }
  // Why such an engine refuses these names and values, in words.
  std::vector<std::string> refusals(const std::vector<std::pair<std::string, std::string>>& settings) const;

  // "option name X type spin default 5 min 1 max 9", one line an option.
  std::vector<std::string> declarations() const;
  static std::string declaration(const Option& option);
  static std::string_view to_text(Type type);

 private:
  void add(Option option);
  Option* find_to_change(std::string_view name);
  const Option& at(std::string_view name, Type type) const;
  // The value as it is kept.
  static std::expected<std::string, std::string> verify(const Option& option, std::string_view value);

  std::vector<Option> options_;
  std::size_t declared_bytes_ = 0;
};

}  // namespace fuhyo::usi
