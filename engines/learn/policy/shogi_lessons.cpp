#include "engines/learn/policy/shogi_lessons.h"

#include <algorithm>
#include <fmt/format.h>

#include "engines/learn/policy/order.h"
#include "engines/learn/policy/sample_file.h"
#include "engines/learn/policy/shipping.h"
#include "engines/learn/policy/validation.h"
#include "engines/mcts/shogi/labels.h"
#include "engines/mcts/shogi/planes.h"

namespace fuhyo::learn::policy {

std::expected<void, std::string> ShogiLessons::fits(const nn::Shape& shape) const { return mcts::check_shape(shape); }

std::expected<void, std::string> ShogiLessons::read(const Say& say) {
  const auto read_one = [&](const std::string& name, std::vector<Sample>& to) -> std::expected<void, std::string> {
    const auto file = read_samples(name);
    if (!file) return std::unexpected(file.error());
    say(fmt::format("{}: {} samples ({})", name, file->samples.size(), file->made_by));
    to.insert(to.end(), file->samples.begin(), file->samples.end());
    if (&to == &samples_) fingerprint_ += fmt::format("{:08x} ", file->checksum);
    return {};
  };
  for (const std::string& name : files_) {
    if (auto done = read_one(name, samples_); !done) return done;
  }
  for (const std::string& name : test_files_) {
    if (auto done = read_one(name, tests_.emplace_back()); !done) return done;
    // In an order of their own, so that the first ones are of all kinds.
    shuffle(tests_.back(), seed_);
  }
  return {};
}

std::expected<void, std::string> ShogiLessons::fill(std::size_t sample, std::size_t look, Example& out) const {
  return fill_example(samples_[sample], look == 1, lambda_, out);
}

std::expected<ValidationResult, std::string> ShogiLessons::validate(std::size_t test, std::size_t most,
                                                                    const nn::Model& model, const nn::Kernels& kernels,
                                                                    Team& team) const {
  const std::span<const Sample> samples = tests_[test];
  return policy::validate(model, samples.first(std::min(samples.size(), most)), lambda_, kernels, team);
}

std::expected<void, std::string> ShogiLessons::leave(const nn::Model& model, std::string_view remark,
                                                     const std::filesystem::path& file) const {
  return ship(model, remark, file);
}

nn::Shape default_shape() {
  return {.planes = mcts::kPlanes,
          .scalars = mcts::kScalars,
          .channels = 64,
          .blocks = 5,
          .policy_planes = mcts::kWays,
          .value_planes = 16,
          .value_hidden = 128};
}

std::expected<Trained, std::string> train(const TrainTerms& terms, const std::vector<std::string>& data,
                                          const std::vector<std::string>& tests, const std::filesystem::path& folder,
                                          const std::stop_token& stop) {
  ShogiLessons lessons(data, tests, terms.lambda, terms.seed);
  return train(terms, lessons, folder, stop);
}

}  // namespace fuhyo::learn::policy
