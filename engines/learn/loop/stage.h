// A stage of a run: its result is kept in a file with the options that it depends on, and is not computed again. Reads
// and writes files; one thread at a time.
#pragma once

#include <chrono>
#include <cstdint>
#include <expected>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include <boost/json.hpp>

namespace fuhyo::learn {

class Stage {
 public:
  // `options`: everything that the result depends on, as text. Errors: a file that was made with other options, with
  // the file to delete for a new start; a file that cannot be read.
  static std::expected<Stage, std::string> open(std::filesystem::path file, std::string options);

  // The result, if the stage is complete.
  const std::optional<boost::json::object>& result() const { return result_; }
  // Seconds of all runs of this stage so far.
  double seconds() const { return seconds_; }
  // Adds the time of a run that was stopped; false.
  std::expected<bool, std::string> stopped(double seconds);
  std::expected<void, std::string> done(boost::json::object result, double seconds);

 private:
  Stage(std::filesystem::path file, std::string options) : file_(std::move(file)), options_(std::move(options)) {}
  std::expected<void, std::string> write() const;

  std::filesystem::path file_;
  std::string options_;
  std::optional<boost::json::object> result_;
  double seconds_ = 0;
};

// What a stage computes; nothing: it was stopped.
using StageResult = std::expected<std::optional<boost::json::object>, std::string>;
struct CompleteStage {
  boost::json::object result;
  double seconds = 0;
};
// The result in the file, or else that of `work`, which is then kept there. Nothing: it was stopped.
std::expected<std::optional<CompleteStage>, std::string> run_stage(std::filesystem::path file, std::string options,
                                                                   const std::function<StageResult()>& work);

class Stopwatch {
 public:
  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count(); }

 private:
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
};

// A number of a result; 0 if it is missing.
double number_in(const boost::json::object& object, std::string_view key);
std::uint64_t whole_in(const boost::json::object& object, std::string_view key);

}  // namespace fuhyo::learn
