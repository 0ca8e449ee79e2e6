// The words of a command, and of its answer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "server/core/effects.h"

namespace fuhyo::core {

// The words of a command, taken from the front.
class AdminWords {
 public:
  explicit AdminWords(std::string_view text) : rest_(text) { skip(); }
  std::string_view next() {  // empty: there is none
    const std::size_t end = rest_.find(' ');
    const std::string_view word = rest_.substr(0, end);
    rest_.remove_prefix(word.size());
    skip();
    return word;
  }
  std::string_view rest() const { return rest_; }
  bool empty() const { return rest_.empty(); }

 private:
  void skip() {
    while (rest_.starts_with(' ')) rest_.remove_prefix(1);
  }
  std::string_view rest_;
};

AdminResult admin_done(std::string text);
AdminResult admin_refusal(std::string text);
// Lists that strangers can lengthen answer with so many rows, and say so.
constexpr std::size_t kMostListed = 1'000;
std::string admin_listed(std::string text, std::size_t found);
bool admin_finds(std::string_view pattern, std::string_view name);  // in capitals or not; an empty one finds all
std::optional<std::int64_t> admin_number(std::string_view word);
std::optional<Outcome> admin_verdict(std::string_view word);  // "black", "white", "draw", "void"

}  // namespace fuhyo::core
