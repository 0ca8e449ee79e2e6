// A step of a long run that is done once: its result lies in a file beside what it was made by, and what was done is
// not done again. Reads and writes files; one thread at a time.
#pragma once

#include <cstdint>
#include <expected>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include <boost/json.hpp>

namespace fuhyo::learn {

class Step {
 public:
  // `options`: everything that decides what the result is, as JSON text. A file that was made by other options is an
  // error that says which file to delete for it to be made anew; so is one that cannot be read.
  static std::expected<Step, std::string> open(std::filesystem::path file, std::string options);

  // The result, if the step is done.
  const std::optional<boost::json::object>& result() const { return result_; }
  // Seconds of all runs of this step so far.
  double seconds() const { return seconds_; }
  // A run that did not come to an end: only its time counts.
  std::expected<void, std::string> interrupted(double seconds);
  std::expected<void, std::string> done(boost::json::object result, double seconds);

 private:
  Step(std::filesystem::path file, std::string options) : file_(std::move(file)), options_(std::move(options)) {}
  std::expected<void, std::string> write() const;

  std::filesystem::path file_;
  std::string options_;
  std::optional<boost::json::object> result_;
  double seconds_ = 0;
};

// A number of a result; 0 if there is none.
double number_in(const boost::json::object& object, std::string_view key);
std::uint64_t whole_in(const boost::json::object& object, std::string_view key);

}  // namespace fuhyo::learn
