#include "engines/learn/policy/shogi_sample_source.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <iterator>

#include "engines/learn/policy/from_searches.h"
#include "engines/learn/policy/order.h"
#include "engines/learn/policy/sample_file.h"
#include "engines/learn/policy/shogi_network.h"
#include "engines/learn/policy/validation.h"
#include "engines/mcts/shogi/labels.h"
#include "engines/mcts/shogi/planes.h"
#include "engines/record/counted.h"

namespace fuhyo::learn::policy {

std::expected<void, std::string> ShogiSampleSource::fits(const nn::Shape& shape) const {
  return mcts::check_shape(shape);
}

std::expected<void, std::string> ShogiSampleSource::read_one(const std::string& name, std::vector<Sample>& to,
                                                             const Say& say) {
  const bool to_learn = &to == &samples_;
  std::uint32_t checksum = 0;
  if (name.ends_with(kSearchesEnd)) {
    auto found = read_searches(name);
    if (!found) return std::unexpected(found.error());
    say(fmt::format("{}: {} of {}, with visits", name, record::counted(found->samples.size(), "position"),
                    record::counted(found->games, "game")));
    if (to_learn) {
      visits_.resize(to.size());
      std::ranges::move(found->visits, std::back_inserter(visits_));
    }
    to.insert(to.end(), found->samples.begin(), found->samples.end());
    checksum = found->checksum;
  } else {
    const auto file = read_samples(name);
    if (!file) return std::unexpected(file.error());
    say(fmt::format("{}: {} ({})", name, record::counted(file->samples.size(), "sample"), file->made_by));
    to.insert(to.end(), file->samples.begin(), file->samples.end());
    checksum = file->checksum;
  }
  if (to_learn) fingerprint_ += fmt::format("{:08x} ", checksum);
  return {};
}

std::expected<void, std::string> ShogiSampleSource::mix_in(const Say& say) {
  std::vector<Sample> teacher;
  for (const std::string& name : mix_.files) {
    const auto file = read_samples(name);
    if (!file) return std::unexpected(file.error());
    teacher.insert(teacher.end(), file->samples.begin(), file->samples.end());
    fingerprint_ += fmt::format("mixed {:08x} ", file->checksum);
  }
  if (teacher.empty()) return {};
  fingerprint_ += fmt::format("{} {} ", mix_.part, seed_);
  const double wanted = static_cast<double>(samples_.size()) * mix_.part / (1 - mix_.part);
  shuffle(teacher, seed_);
  const auto count = static_cast<std::size_t>(std::llround(wanted));
  samples_.reserve(samples_.size() + count);
  for (std::size_t i = 0; i < count; ++i) samples_.push_back(teacher[i % teacher.size()]);
  say(fmt::format("{} of {} samples of a teacher mixed in", count, teacher.size()));
  return {};
}

std::expected<void, std::string> ShogiSampleSource::read(const Say& say) {
  for (const std::string& name : files_) {
    if (auto done = read_one(name, samples_, say); !done) return done;
  }
  if (auto done = mix_in(say); !done) return done;
  for (const std::string& name : test_files_) {
    if (auto done = read_one(name, tests_.emplace_back(), say); !done) return done;
    // In an order of their own, so that the first ones are of all kinds.
    shuffle(tests_.back(), seed_);
  }
  return {};
}

std::expected<void, std::string> ShogiSampleSource::fill(std::size_t sample, std::size_t symmetry, Example& out) const {
  const std::span<const Visits> visits = sample < visits_.size() ? visits_[sample] : std::span<const Visits>();
  return fill_example(samples_[sample], symmetry == 1, lambda_, out, visits);
}

std::expected<ValidationResult, std::string> ShogiSampleSource::validate(std::size_t test, std::size_t most,
                                                                         const nn::Model& model,
                                                                         const nn::Kernels& kernels,
                                                                         ThreadPool& pool) const {
  const std::span<const Sample> samples = tests_[test];
  return policy::validate(model, samples.first(std::min(samples.size(), most)), lambda_, kernels, pool);
}

std::expected<void, std::string> ShogiSampleSource::save(const nn::Model& model, std::string_view remark,
                                                         const std::filesystem::path& file) const {
  return save_shogi_network(model, remark, file);
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

std::expected<Trained, std::string> train(const TrainOptions& options, const std::vector<std::string>& data,
                                          const std::vector<std::string>& tests, const std::filesystem::path& folder,
                                          const std::stop_token& stop, const MixOptions& mix) {
  ShogiSampleSource source(data, tests, options.lambda, options.seed, mix);
  return train(options, source, folder, stop);
}

}  // namespace fuhyo::learn::policy
