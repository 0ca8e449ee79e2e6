// Tables of a TOML file, read key by key; any other key in the file is an error. One thread at a time.
#pragma once

#include <array>
#include <cstdint>
#include <expected>
#include <filesystem>
#include <fmt/format.h>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "engines/machine/toml.h"

namespace fuhyo::machine {

// The file's text as a table. An error names the file and the line.
inline std::expected<toml::table, std::string> parse_toml(std::string_view text, const std::filesystem::path& file) {
  toml::parse_result parsed = toml::parse(text, file.string());
  if (parsed) return std::move(parsed).table();
  const toml::parse_error& error = parsed.error();
  return std::unexpected(fmt::format("{}:{}: {}", file.string(), error.source().begin.line, error.description()));
}
// A table of the file, and the keys that were read. `wrong` gets the first error.
class TomlTable {
 public:
  TomlTable(const toml::table& table, std::string name, const std::filesystem::path& file, std::string& wrong)
      : table_(table), name_(std::move(name)), file_(file), wrong_(wrong) {}

  template <class Number>
  void integer(std::string_view key, Number& to, std::int64_t least, std::int64_t most) {
    const toml::node* node = find(key);
    if (node == nullptr) return;
    const auto* value = node->as_integer();
    if (value == nullptr || value->get() < least || value->get() > most) {
      return blame(node, key, fmt::format("a whole number from {} to {}", least, most));
    }
    to = static_cast<Number>(value->get());
  }
  template <class Real>
  void real(std::string_view key, Real& to, double least, double most) {
    const toml::node* node = find(key);
    if (node == nullptr) return;
    const auto value = node->value<double>();
    if (!value || !(*value >= least && *value <= most)) {
      return blame(node, key, fmt::format("a number from {} to {}", least, most));
    }
    to = static_cast<Real>(*value);
  }
  void flag(std::string_view key, bool& to) {
    const toml::node* node = find(key);
    if (node == nullptr) return;
    if (!node->is_boolean()) return blame(node, key, "true or false");
    to = node->as_boolean()->get();
  }
  void text(std::string_view key, std::string& to) {
    const toml::node* node = find(key);
    if (node == nullptr) return;
    if (!node->is_string()) return blame(node, key, "a string in quotes");
    to = node->as_string()->get();
  }
  // Relative to the folder of the file.
  void path(std::string_view key, std::string& to) {
    std::string name = to;
    text(key, name);
    if (name != to) to = (file_.parent_path() / name).lexically_normal().string();
  }
  // At most 100, relative to the folder of the file.
  void paths(std::string_view key, std::vector<std::string>& to) {
    const toml::node* node = find(key);
    if (node == nullptr) return;
    const auto* values = node->as_array();
    bool good = values != nullptr && values->size() <= 100;
    std::vector<std::string> found;
    for (std::size_t i = 0; good && i < values->size(); ++i) {
      const auto* value = (*values)[i].as_string();
      good = value != nullptr;
      if (good) found.push_back((file_.parent_path() / value->get()).lexically_normal().string());
    }
    if (!good) return blame(node, key, "a list of strings in quotes");
    to = std::move(found);
  }
  // Two numbers, the first at least `least_first`.
  void pair(std::string_view key, double& first, double& second, double least, double most, double least_first) {
    const toml::node* node = find(key);
    if (node == nullptr) return;
    const auto* values = node->as_array();
    std::array<double, 2> found{};
    bool good = values != nullptr && values->size() == 2;
    for (std::size_t i = 0; good && i < 2; ++i) {
      const auto value = (*values)[i].value<double>();
      good = value && *value >= least && *value <= most;
      if (good) found[i] = *value;
    }
    if (!good || found[0] < least_first) {
      const std::string also = least_first > least ? fmt::format(", the first at least {}", least_first) : "";
      return blame(node, key, fmt::format("two numbers from {} to {}{}", least, most, also));
    }
    first = found[0], second = found[1];
  }
  // At most 100 of them.
  void integers(std::string_view key, std::vector<int>& to, int least, int most) {
    const toml::node* node = find(key);
    if (node == nullptr) return;
    const auto* values = node->as_array();
    bool good = values != nullptr && values->size() <= 100;
    std::vector<int> found;
    for (std::size_t i = 0; good && i < values->size(); ++i) {
      const auto* value = (*values)[i].as_integer();
      good = value != nullptr && value->get() >= least && value->get() <= most;
      if (good) found.push_back(static_cast<int>(value->get()));
    }
    if (!good) return blame(node, key, fmt::format("a list of whole numbers from {} to {}", least, most));
    to = std::move(found);
  }
  // `take` returns what is wrong with the word, or nothing.
  void word(std::string_view key, const std::function<std::string(const std::string&)>& take) {
    std::string found;
    text(key, found);
    if (found.empty()) return;
    if (const std::string error = take(found); !error.empty()) blame(find(key), key, error);
  }

  // Calls read(table) for the table of this name, if there is one; keys that it does not read are errors.
  template <class Self, class Read>
  void part(this Self& self, std::string_view key, const Read& read) {
    const toml::node* node = self.find(key);
    if (node == nullptr) return;
    if (!node->is_table()) return self.blame(node, key, fmt::format("a table: [{}]", key));
    self.read_part(*node, key, read);
  }
  // ... for each of the tables.
  template <class Self, class Read>
  void parts(this Self& self, std::string_view key, const Read& read) {
    const toml::node* node = self.find(key);
    if (node == nullptr) return;
    if (!node->is_array_of_tables()) return self.blame(node, key, fmt::format("tables: [[{}]]", key));
    for (const toml::node& each : *node->as_array()) self.read_part(each, key, read);
  }
  bool has(std::string_view key) const { return table_.contains(key); }
  // Reports an error of the whole table.
  void complain(const std::string& what) { complain(table_.source().begin.line, what); }

  // Reports keys that were not read.
  void finish() {
    for (const auto& [key, node] : table_) {
      if (known_.contains(key.str())) continue;
      return complain(node.source().begin.line, fmt::format("there is no key '{}'{}", key.str(), in()));
    }
  }

 private:
  template <class Self, class Read>
  void read_part(this Self& self, const toml::node& node, std::string_view key, const Read& read) {
    Self table(*node.as_table(), std::string(key), self.file_, self.wrong_);
    read(table);
    table.finish();
  }
  const toml::node* find(std::string_view key) {
    known_.emplace(key);
    return table_.get(key);
  }
  std::string in() const { return name_.empty() ? "" : fmt::format(" in [{}]", name_); }
  void blame(const toml::node* node, std::string_view key, std::string_view wanted) {
    complain(node->source().begin.line, fmt::format("'{}'{}: {} is expected", key, in(), wanted));
  }
  void complain(std::uint32_t line, const std::string& what) {
    if (wrong_.empty()) wrong_ = fmt::format("{}:{}: {}", file_.string(), line, what);
  }

  const toml::table& table_;
  std::string name_;
  const std::filesystem::path& file_;
  std::string& wrong_;
  std::set<std::string, std::less<>> known_;
};

}  // namespace fuhyo::machine
