// How fast policy and value networks learn, on one core: ./dev bench policy_speed [BLOCKS [CHANNELS [STEPS]]] (5 64 6)
//
// Whole steps of 256 positions, with and without values; seconds are those that the thread had a core for, so that what
// else the machine does counts less; the best of several steps. Also: how long positions take to become examples.
#include <random>

#include "engines/learn/policy/choice.h"
#include "engines/learn/policy/learner.h"
#include "engines/learn/policy/sample.h"
#include "engines/learn/policy/shogi_sample_source.h"
#include "engines/learn/train/choice.h"
#include "engines/shogi/movegen.h"
#include "tests/bench/measure.h"

namespace {

using namespace fuhyo;
using namespace fuhyo::learn;

constexpr std::size_t kBatch = 256;

// Positions of games of random moves.
std::vector<policy::Sample> samples() {
  std::mt19937_64 random(7);
  std::vector<policy::Sample> all;
  while (all.size() < kBatch) {
    shogi::Position position;
    for (int ply = 0; ply < 120 && all.size() < kBatch; ++ply) {
      const auto moves = shogi::legal_moves(position);
      if (moves.empty()) break;
      const shogi::Move move = moves[random() % moves.size()];
      if (auto sample = policy::sample_of(position, move)) {
        sample->result = static_cast<std::uint8_t>(random() % 3);
        all.push_back(*sample);
      }
      position.do_move(move);
    }
  }
  return all;
}

void measure(const policy::Kernels& kernels, const policy::Layout& layout, std::size_t pass, int rounds) {
  ThreadPool alone(1);
  policy::Learner learner(layout, {.pass = pass}, kernels, *float_kernels_here().front(), alone, 1);
  const auto all = samples();
  double listing = 1e9, moves = 1e9, both = 1e9;
  std::vector<policy::Example> examples(kBatch), valued(kBatch);
  for (int round = 0; round < rounds; ++round) {
    double begin = bench::thread_seconds();
    for (std::size_t i = 0; i < kBatch; ++i) {
      if (!policy::fill_example(all[i], i % 2 != 0, 0.7, valued[i])) std::exit(1);
    }
    listing = std::min(listing, bench::thread_seconds() - begin);
    examples = valued;
    for (policy::Example& example : examples) example.value.reset();
    begin = bench::thread_seconds();
    learner.learn(examples, 1e-3);
    moves = std::min(moves, bench::thread_seconds() - begin);
    begin = bench::thread_seconds();
    learner.learn(valued, 1e-3);
    both = std::min(both, bench::thread_seconds() - begin);
  }
  fmt::print("{:8} {:>5} {:>13.0f} {:>13.0f} {:>11.2f}\n", kernels.name, pass, kBatch / (moves + listing),
             kBatch / (both + listing), listing / kBatch * 1e6);
}

}  // namespace

int main(int argc, char** argv) {
  nn::Shape shape = policy::default_shape();
  if (argc > 1) shape.blocks = static_cast<std::uint32_t>(std::atoi(argv[1]));
  if (argc > 2) shape.channels = static_cast<std::uint32_t>(std::atoi(argv[2]));
  const int rounds = argc > 3 ? std::max(std::atoi(argv[3]), 1) : 6;
  const auto layout = bench::sure(policy::Layout::make(shape));
  fmt::print("{}, batches of {}, one thread, positions/s\n", shape.name(), kBatch);
  fmt::print("kernels   pass         moves    and values  us to list\n");
  for (const policy::Kernels* kernels : policy::kernels_here()) {
    for (const std::size_t pass : {16U, 64U}) measure(*kernels, layout, pass, rounds);
  }
}
