// What a policy and value network learns from, whatever the game: examples by number, what it is tested with, and how
// it is left for those who play by it. The trainer asks; it knows no game.
#pragma once

#include <cstddef>
#include <expected>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include "engines/learn/policy/example.h"
#include "engines/learn/policy/validation_result.h"
#include "engines/learn/train/team.h"
#include "engines/nn/kernels.h"
#include "engines/nn/model.h"

namespace fuhyo::learn::policy {

class Lessons {
 public:
  using Say = std::function<void(const std::string& line)>;

  Lessons() = default;
  Lessons(const Lessons&) = delete;
  Lessons& operator=(const Lessons&) = delete;
  virtual ~Lessons() = default;

  // Whether a network of this shape can learn from them.
  virtual std::expected<void, std::string> fits(const nn::Shape& shape) const = 0;
  // Reads everything. To be called once, before what follows.
  virtual std::expected<void, std::string> read(const Say& say) = 0;

  virtual std::size_t size() const = 0;
  // Tells contents apart: a training goes on with the same ones only.
  virtual std::string fingerprint() const = 0;
  // In how many ways a position looks the same, mirrored or turned round.
  virtual std::size_t looks() const = 0;
  // Any thread. An error says what is wrong with the sample.
  virtual std::expected<void, std::string> fill(std::size_t sample, std::size_t look, Example& out) const = 0;

  virtual std::size_t tests() const { return 0; }
  virtual std::string test_name(std::size_t) const { return {}; }
  // With so many samples of a test at most.
  virtual std::expected<ValidationResult, std::string> validate(std::size_t, std::size_t, const nn::Model&,
                                                                const nn::Kernels&, Team&) const {
    return ValidationResult{};
  }
  // Writes the network and what belongs to it.
  virtual std::expected<void, std::string> leave(const nn::Model& model, std::string_view remark,
                                                 const std::filesystem::path& file) const = 0;
};

}  // namespace fuhyo::learn::policy
