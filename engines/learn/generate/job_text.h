// What the texts of jobs for workers have in common: JSON whose every member is looked at, and what files hold. Reads
// files; any thread.
#pragma once

#include <charconv>
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

#include <boost/json.hpp>

namespace fuhyo::learn {

// What the file holds, as 16 digits; empty without a file. An error names the file.
std::expected<std::string, std::string> file_print(const std::string& file);

// Members of an object; the first one that is not what it should be is remembered.
class JobReader {
 public:
  explicit JobReader(const boost::json::object& object) : object_(object) {}

  template <class Number>
  void number(std::string_view key, Number& to, std::int64_t least, std::int64_t most) {
    const boost::json::value* value = object_.if_contains(key);
    if (value != nullptr && value->is_int64() && value->get_int64() >= least && value->get_int64() <= most) {
      to = static_cast<Number>(value->get_int64());
    } else {
      blame(key);
    }
  }
  void real(std::string_view key, double& to, double least, double most) {
    const boost::json::value* value = object_.if_contains(key);
    const double found = value != nullptr && value->is_number() ? value->to_number<double>() : least - 1;
    if (!(found >= least && found <= most)) return blame(key);
    to = found;
  }
  void part(std::string_view key, double& to) { real(key, to, 0, 1); }
  void text(std::string_view key, std::string& to) {
    const boost::json::value* value = object_.if_contains(key);
    if (value == nullptr || !value->is_string()) return blame(key);
    to = std::string_view(value->get_string());
  }
  // 64 bits do not fit into the numbers of JSON.
  void seed(std::string_view key, std::uint64_t& to) {
    std::string digits;
    text(key, digits);
    const auto [end, failed] = std::from_chars(digits.data(), digits.data() + digits.size(), to);
    if (failed != std::errc() || end != digits.data() + digits.size()) blame(key);
  }
  const std::string& wrong() const { return wrong_; }

 private:
  void blame(std::string_view key) {
    if (wrong_.empty()) wrong_ = key;
  }

  const boost::json::object& object_;
  std::string wrong_;
};

// An object of this kind: its member `mark` is 1.
std::expected<boost::json::object, std::string> parse_job_object(std::string_view text, std::string_view mark);

}  // namespace fuhyo::learn
