// Samples of shogi, and trainings with them. One thread at a time, except for fill() (sample_source.h).
#pragma once

#include <string>
#include <vector>

#include "engines/learn/policy/sample.h"
#include "engines/learn/policy/trainer.h"

namespace fuhyo::learn::policy {

// A teacher's samples beside those to learn, so that a network that learns from its own games keeps what it learnt
// before. They are drawn at random, each again only after all the others, and are this part of all samples.
struct MixOptions {
  std::vector<std::string> files{};  // none: nothing is mixed in
  double part = 0.5;                 // below 1
};
// Without the files.
template <class A>
void fields(A& a, MixOptions& mix) {
  a(mix.part, {"teacher_part", "... which part of everything they are (0.5)", 0.01, 0.99, "--mix-part"});
}

// Files of samples (sample_file.h) or of games with visits (from_searches.h) to learn, and others to test with. The
// network is saved as a container with weights of 16 bits, with FILE.ini (shogi_network.h).
class ShogiSampleSource final : public SampleSource {
 public:
  // `lambda`: of value_target(). `seed`: of the order of tests.
  ShogiSampleSource(std::vector<std::string> data, std::vector<std::string> tests, double lambda, std::uint64_t seed,
                    MixOptions mix = {})
      : files_(std::move(data)), test_files_(std::move(tests)), mix_(std::move(mix)), lambda_(lambda), seed_(seed) {}

  std::expected<void, std::string> fits(const nn::Shape& shape) const override;
  std::expected<void, std::string> read(const Say& say) override;
  std::size_t size() const override { return samples_.size(); }
  std::string fingerprint() const override { return fingerprint_; }
  std::size_t symmetries() const override { return 2; }
  std::expected<void, std::string> fill(std::size_t sample, std::size_t symmetry, Example& out) const override;
  std::size_t tests() const override { return tests_.size(); }
  std::string test_name(std::size_t test) const override { return test_files_[test]; }
  std::expected<ValidationResult, std::string> validate(std::size_t test, std::size_t most, const nn::Model& model,
                                                        const nn::Kernels& kernels, ThreadPool& pool) const override;
  std::expected<void, std::string> save(const nn::Model& model, std::string_view remark,
                                        const std::filesystem::path& file) const override;

 private:
  std::expected<void, std::string> read_one(const std::string& name, std::vector<Sample>& to, const Say& say);
  std::expected<void, std::string> mix_in(const Say& say);

  std::vector<std::string> files_, test_files_;
  MixOptions mix_;
  double lambda_;
  std::uint64_t seed_;
  std::vector<Sample> samples_;
  std::vector<std::vector<Visits>> visits_;  // of the sample with this number; none for what has only a move
  std::vector<std::vector<Sample>> tests_;
  std::string fingerprint_;
};

// The shape that is learnt if nothing else is said: 5 blocks of 64 channels.
nn::Shape default_shape();

// A training with files of samples.
std::expected<Trained, std::string> train(const TrainOptions& options, const std::vector<std::string>& data,
                                          const std::vector<std::string>& tests, const std::filesystem::path& folder,
                                          const std::stop_token& stop, const MixOptions& mix = {});

}  // namespace fuhyo::learn::policy
