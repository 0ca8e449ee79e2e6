// The JSON of jobs, every member of which is checked, and fingerprints of files.
// Reads files; any thread.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <type_traits>

#include <boost/json.hpp>

#include "engines/learn/generate/starts.h"
#include "engines/learn/setting_json.h"
#include "engines/shogi/number.h"

namespace fuhyo::learn {

// The fingerprint of a file, 16 digits; empty without a file. An error names the file.
std::expected<std::string, std::string> file_print(const std::string& file);

// The fingerprints of a job's network and openings. Fails if a file cannot be read.
template <class Job>
std::expected<void, std::string> take_prints(Job& job) {
  auto network = file_print(job.play.network), openings = file_print(job.openings);
  if (!network) return std::unexpected(network.error());
  if (!openings) return std::unexpected(openings.error());
  job.network_print = std::move(*network);
  job.openings_print = std::move(*openings);
  return {};
}

// Where games of a job that another machine has made begin. An error: its files are missing, or others have their
// names.
template <class Job>
std::expected<Starts, std::string> starts_here(const Job& job) {
  Job here = job;
  if (auto taken = take_prints(here); !taken) return std::unexpected(taken.error());
  if (here.network_print != job.network_print) {
    return std::unexpected(job.play.network + ": another network has this name");
  }
  if (here.openings_print != job.openings_print) {
    return std::unexpected(job.openings + ": other openings have this name");
  }
  if (job.openings.empty()) return Starts(job.starts);
  return Starts::read(job.openings, job.starts);
}

// A visitor of fields() (engines/learn/setting.h): reads all members of an object. The first member that is not what it
// should be is remembered.
class JobReader {
 public:
  static constexpr bool kReads = true;

  explicit JobReader(const boost::json::object& object) : object_(object) {}

  template <class T>
  void operator()(T& to, const Setting& setting) {
    const std::string key = setting.json_key();
    const boost::json::value* value = object_.if_contains(key);
    if ((value == nullptr || !take(*value, to, setting)) && wrong_.empty()) wrong_ = key;
  }
  const std::string& wrong() const { return wrong_; }

 private:
  template <class T>
  static bool take(const boost::json::value& value, T& to, const Setting& setting) {
    if constexpr (std::is_arithmetic_v<T> && !std::is_same_v<T, std::uint64_t>) {
      if (std::is_integral_v<T> ? !value.is_int64() : !value.is_number()) return false;
      const auto found = value.to_number<std::conditional_t<std::is_integral_v<T>, std::int64_t, double>>();
      to = static_cast<T>(found);
      return static_cast<double>(found) >= setting.least && static_cast<double>(found) <= setting.most;
    } else {
      return value.is_string() && take_text(value.get_string(), to);
    }
  }
  static bool take_text(std::string_view text, std::string& to) {
    to = text;
    return true;
  }
  static bool take_text(std::string_view digits, std::uint64_t& to) {
    const auto value = shogi::number_of<std::uint64_t>(digits);
    to = value.value_or(to);
    return value.has_value();
  }
  template <class Enum>
  static bool take_text(std::string_view word, Enum& to) {
    const auto value = value_named<Enum>(word);
    to = value.value_or(to);
    return value.has_value();
  }

  const boost::json::object& object_;
  std::string wrong_;
};

// An object of this kind: its member `mark` is 1.
std::expected<boost::json::object, std::string> parse_job_object(std::string_view text, std::string_view mark);

// The text of such a job, and the job of such a text.
template <class Job>
std::string job_text(Job job, std::string_view mark) {
  boost::json::object object{{mark, 1}};
  JsonWriter writer(object);
  fields(writer, job);
  return boost::json::serialize(object);
}
template <class Job>
std::expected<Job, std::string> parse_job(std::string_view text, std::string_view mark) {
  const auto object = parse_job_object(text, mark);
  if (!object) return std::unexpected(object.error());
  Job job;
  JobReader reader(*object);
  fields(reader, job);
  if (reader.wrong().empty()) return job;
  return std::unexpected("self-play whose '" + reader.wrong() + "' cannot be read");
}

}  // namespace fuhyo::learn
