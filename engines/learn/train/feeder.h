// Batches out of a sampler, pass after pass. With a thread of its own it prepares the next batch in advance; the
// batches are the same. One thread at a time calls it.
#pragma once

#include <array>
#include <expected>
#include <future>
#include <string>
#include <vector>

#include "engines/learn/train/batch.h"
#include "engines/learn/train/comparisons.h"
#include "engines/learn/train/sampler.h"

namespace fuhyo::learn {

struct FeedOptions {
  std::size_t batch = 16'384;
  double lambda = 0.7;
  std::uint64_t seed = 1;  // of mirroring (half of the positions, at random) and of comparisons
  ComparisonOptions comparison{};
};

// The place of a training in its data.
struct DataPlace {
  std::uint64_t pass = 0, given = 0;  // samples of the pass
  bool operator==(const DataPlace&) const = default;
};

class Feeder {
 public:
  // All must outlive this; nobody else uses the sampler meanwhile, which has surveyed its games. `comparisons` are not
  // used where the options want none.
  Feeder(Sampler& sampler, const Comparisons& comparisons, const Features& features, const FeedOptions& options,
         bool own_thread);
  ~Feeder();
  Feeder(const Feeder&) = delete;
  Feeder& operator=(const Feeder&) = delete;

  // Once, before the first batch.
  std::expected<void, std::string> begin(const DataPlace& place);
  // The next batch; valid until the next call.
  std::expected<const Batch*, std::string> next();
  // Where the next batch begins.
  const DataPlace& place() const { return place_; }

 private:
  struct Fed {
    Batch batch;
    std::vector<Sample> samples;
    std::vector<std::uint8_t> mirrored;
    DataPlace end;
  };
  using Filled = std::expected<void, std::string>;
  Filled fill(Fed& fed);
  void add_comparisons(Fed& fed);

  Sampler& sampler_;
  const Comparisons& comparisons_;
  const Features& features_;
  FeedOptions options_;
  bool own_thread_;
  std::array<Fed, 2> fed_;
  std::size_t turn_ = 0;
  std::future<Filled> coming_;  // into fed_[turn_]
  DataPlace place_;
};

}  // namespace fuhyo::learn
