// The log of a training: lines of JSON, one after the other. One thread at a time.
#pragma once

#include <cstdint>
#include <expected>
#include <filesystem>
#include <fstream>
#include <string>

#include "engines/learn/train/validation.h"

namespace fuhyo::learn {

struct TrainLine {
  std::uint64_t step = 0;
  double epoch = 0;            // passes over the data so far
  double loss = 0;             // mean since the last line
  double comparison_loss = 0;  // likewise; 0 without comparisons
  double rate = 0;
  double seconds = 0;     // of training, those before it was interrupted among them
  double per_second = 0;  // positions, since the last line
};

class TrainLog {
 public:
  // Keeps the lines of steps up to this one, and appends after them.
  static std::expected<TrainLog, std::string> open(const std::filesystem::path& file, std::uint64_t steps);

  std::expected<void, std::string> add_line(const std::string& line);  // without its end
  std::expected<void, std::string> add(const TrainLine& line);
  std::expected<void, std::string> add(std::uint64_t step, double epoch, double seconds,
                                       const ValidationResult& result);

 private:
  explicit TrainLog(std::filesystem::path file) : file_(std::move(file)) {}

  std::filesystem::path file_;
  std::ofstream out_;
};

// "1 h 02 min", "3 min 20 s".
std::string duration_text(double seconds);

}  // namespace fuhyo::learn
