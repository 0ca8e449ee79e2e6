// The query string of a target, as values (form encoding, WHATWG URL Standard 5.1). Pure; any thread.
#pragma once

#include <cstdint>
#include <expected>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace fuhyo::net {

// "%2B" as a byte; '+' as a blank if `form`. Nothing: a percent sign without two digits behind it.
std::optional<std::string> percent_decoded(std::string_view text, bool form);

// Takes values key by key; at the end nothing may be left. The first thing that is wrong is kept, and no value counts
// then.
class Query {
 public:
  explicit Query(std::string_view text);

  std::string text(std::string_view key);  // empty: it is not there
  // Within these bounds; `missing` where it is not there.
  std::int64_t number(std::string_view key, std::int64_t least, std::int64_t most, std::int64_t missing);
  // Refuses a value in words: "limit: a number from 1 to 100".
  void refuse(std::string_view key, std::string_view why);
  // What is wrong, if anything; keys that nobody took are.
  std::optional<std::string> fault();

 private:
  std::map<std::string, std::string, std::less<>> values_;
  std::optional<std::string> fault_;
};

}  // namespace fuhyo::net
