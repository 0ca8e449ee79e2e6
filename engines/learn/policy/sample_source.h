// The samples of a training of any game, for the trainer: examples by number, tests, and the file format of the
// network.
#pragma once

#include <cstddef>
#include <expected>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include "engines/learn/policy/example.h"
#include "engines/learn/policy/validation_result.h"
#include "engines/learn/train/thread_pool.h"
#include "engines/nn/kernels.h"
#include "engines/nn/model.h"

namespace fuhyo::learn::policy {

class SampleSource {
 public:
  using Say = std::function<void(const std::string& line)>;

  SampleSource() = default;
  SampleSource(const SampleSource&) = delete;
  SampleSource& operator=(const SampleSource&) = delete;
  virtual ~SampleSource() = default;

  // Whether a network of this shape can learn from these samples. An error says why not.
  virtual std::expected<void, std::string> fits(const nn::Shape& shape) const = 0;
  // Reads all files. To be called once, before the functions below.
  virtual std::expected<void, std::string> read(const Say& say) = 0;

  virtual std::size_t size() const = 0;
  // Of the contents: a training resumes only with the same.
  virtual std::string fingerprint() const = 0;
  // In how many ways a position can be mirrored or rotated; 1 is none but itself.
  virtual std::size_t symmetries() const = 0;
  // Writes a sample in one of its symmetries to `out`. Any thread. An error says what is wrong with the sample.
  virtual std::expected<void, std::string> fill(std::size_t sample, std::size_t symmetry, Example& out) const = 0;

  virtual std::size_t tests() const { return 0; }
  virtual std::string test_name(std::size_t) const { return {}; }
  // Validates with at most so many samples of a test.
  virtual std::expected<ValidationResult, std::string> validate(std::size_t, std::size_t, const nn::Model&,
                                                                const nn::Kernels&, ThreadPool&) const {
    return ValidationResult{};
  }
  // Writes the network and the files that belong to it.
  virtual std::expected<void, std::string> save(const nn::Model& model, std::string_view remark,
                                                const std::filesystem::path& file) const = 0;
};

}  // namespace fuhyo::learn::policy
