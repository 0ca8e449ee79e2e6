// How fast networks learn, on one core: ./dev bench train_speed [FEATURES [WIDTH [STEPS]]] (K+P 256 12)
//
// positions/s   whole steps: inputs listed, forward, backward, weights changed; batches of 16,384, the best of several
// of the limit  how far that is from what this core's arithmetic could do: every product and sum of a step counts as
// one
//               fused multiply-add at the rate of a loop that does nothing else, measured in the same run. The
//               optimiser's own arithmetic is not counted.
#include <random>

#include "engines/learn/train/choice.h"
#include "engines/learn/train/learner.h"
#include "engines/shogi/movegen.h"
#include "tests/bench/measure.h"

namespace {

using namespace fuhyo;
using bench::Clock, bench::seconds_since;

constexpr std::size_t kBatch = 16'384;

// Positions of games of random moves.
std::vector<learn::Sample> samples(std::size_t count) {
  std::mt19937_64 random(7);
  std::vector<learn::Sample> all;
  while (all.size() < count) {
    shogi::Position position;
    for (int ply = 0; ply < 120; ++ply) {
      const auto moves = shogi::legal_moves(position);
      if (moves.empty()) break;
      position.do_move(moves[random() % moves.size()]);
      const int score = static_cast<int>(random() % 2000) - 1000;
      if (const auto sample = learn::sample_of(position, static_cast<std::int16_t>(score), 1)) all.push_back(*sample);
    }
  }
  all.resize(count);
  std::ranges::shuffle(all, random);
  return all;
}

// Fused multiply-adds of one core in a second, in chains long enough to hide their latency.
double peak() {
#if defined(__AVX512F__)
  constexpr std::size_t kLanes = 16;
#elif defined(__AVX2__)
  constexpr std::size_t kLanes = 8;
#else
  constexpr std::size_t kLanes = 4;
#endif
  typedef float Vec __attribute__((vector_size(kLanes * sizeof(float))));
  constexpr int kChains = 12, kTimes = 2'000'000;
  double best = 0;
  for (int round = 0; round < 9; ++round) {
    Vec chains[kChains];
    for (int i = 0; i < kChains; ++i) chains[i] = Vec{} + static_cast<float>(i);
    Vec factor = Vec{} + 0.999F, term = Vec{} + 0.001F;
    const auto begin = Clock::now();
    for (int time = 0; time < kTimes; ++time) {
      for (Vec& chain : chains) {
        chain = chain * factor + term;
        asm volatile("" : "+x"(chain));
      }
    }
    best = std::max(best, double{kTimes} * kChains * kLanes / seconds_since(begin));
  }
  return best;
}

void measure(const learn::FloatKernels& kernels, const learn::ModelShape& shape, double at_peak, int rounds) {
  auto model = bench::sure(learn::Model::make(shape, 1));
  const learn::Features features = model.features();
  double operations = 4.0 * features.active() * shape.width;  // rows added, forward and backward, of two sides
  for (const learn::DenseShape& layer : model.layers())
    operations += 3.0 * static_cast<double>(layer.inputs * layer.outputs);
  learn::ThreadPool alone(1);
  learn::Learner learner(std::move(model), {}, kernels, alone);
  const auto all = samples(kBatch);
  std::vector<std::uint8_t> mirrored(kBatch);
  for (std::size_t i = 0; i < kBatch; ++i) mirrored[i] = i & 1;
  learn::Batch batch;
  double listing = 1e9, whole = 1e9;
  for (int round = 0; round < rounds; ++round) {
    const auto begin = Clock::now();
    batch.fill(all, mirrored, 0.7, features);
    listing = std::min(listing, seconds_since(begin));
    learner.learn(batch, 1e-3, 1e-3);
    whole = std::min(whole, seconds_since(begin));
  }
  const double speed = kBatch / whole, limit = at_peak / operations;
  fmt::print("{:8} {:>12.0f} {:>9.2f} {:>9.2f} {:>12.0f} {:>11.1f} %\n", kernels.name, speed, 1e6 / speed,
             listing / kBatch * 1e6, limit, 100 * speed / limit);
}

}  // namespace

int main(int argc, char** argv) {
  learn::ModelShape shape;
  if (argc > 1) shape.features = argv[1];
  if (argc > 2) shape.width = static_cast<std::uint32_t>(std::atoi(argv[2]));
  const int rounds = argc > 3 ? std::max(std::atoi(argv[3]), 1) : 12;
  const double at_peak = peak();
  fmt::print(
      "{} {}x2-{}-{}, batches of {}, one core; a loop of nothing but fused multiply-adds: {:.1f} thousand million "
      "a second\n",
      shape.features, shape.width, shape.hidden1, shape.hidden2, kBatch, at_peak / 1e9);
  fmt::print("kernels  positions/s   us each   listing        limit  of the limit\n");
  for (const learn::FloatKernels* kernels : learn::float_kernels_here()) measure(*kernels, shape, at_peak, rounds);
}
