#include "engines/learn/train/feeder.h"

namespace fuhyo::learn {
namespace {

constexpr std::uint64_t kMirrors = 0x6d6972726f72, kCompared = 0x636f6d7061726564;

}  // namespace

Feeder::Feeder(Sampler& sampler, const Comparisons& comparisons, const Features& features, const FeedOptions& options,
               bool own_thread)
    : sampler_(sampler), comparisons_(comparisons), features_(features), options_(options), own_thread_(own_thread) {}

Feeder::~Feeder() {
  if (coming_.valid()) coming_.wait();
}

std::expected<void, std::string> Feeder::begin(const DataPlace& place) {
  place_ = place;
  return sampler_.begin(place.pass, place.given);
}

Feeder::Filled Feeder::fill(Fed& fed) {
  fed.samples.resize(options_.batch);
  fed.mirrored.resize(options_.batch);
  for (std::size_t i = 0; i < options_.batch; ++i) {
    auto sample = sampler_.next();
    if (sample && !*sample) {
      if (sampler_.given() == 0) return std::unexpected("no game has a position to learn from");
      if (auto begun = sampler_.begin(sampler_.pass() + 1); !begun) return begun;
      sample = sampler_.next();
    }
    if (!sample) return std::unexpected(sample.error());
    if (!*sample) return std::unexpected("no game has a position to learn from");
    // By the sample's number, so that no state has to be kept.
    match::tune::Random random(options_.seed ^ kMirrors ^ (sampler_.pass() << 40U), sampler_.given());
    fed.samples[i] = **sample;
    fed.mirrored[i] = random.coin() ? 1 : 0;
  }
  fed.batch.fill(fed.samples, fed.mirrored, options_.lambda, features_);
  fed.end = {sampler_.pass(), sampler_.given()};
  if (options_.comparison.any()) add_comparisons(fed);
  return {};
}

void Feeder::add_comparisons(Fed& fed) {
  match::tune::Random random(options_.seed ^ kCompared ^ (fed.end.pass << 40U), fed.end.given);
  fed.samples.clear();
  fed.mirrored.clear();
  for (std::size_t i = 0; i < options_.comparison.each_step; ++i) {
    const auto choices = comparisons_.draw(random);
    fed.samples.insert(fed.samples.end(), choices.begin(), choices.end());
    fed.mirrored.push_back(random.coin() ? 1 : 0);
  }
  fed.batch.add_comparisons(fed.samples, fed.mirrored, options_.comparison, features_);
}

std::expected<const Batch*, std::string> Feeder::next() {
  Fed& now = fed_[turn_];
  const auto filled = coming_.valid() ? coming_.get() : fill(now);
  if (!filled) return std::unexpected(filled.error());
  place_ = now.end;
  turn_ ^= 1;
  if (own_thread_) coming_ = std::async(std::launch::async, [this, &fed = fed_[turn_]] { return fill(fed); });
  return &now.batch;
}

}  // namespace fuhyo::learn
