// What a network costs on each instruction set of this machine: ./dev bench network [FILE...]
//
// forward   from sums to the output, on positions of games
// full      the same with no input of the first layer 0: what a first layer that skips nothing costs
// move      sums of both sides after a move that captures nothing; capture: after one that does
// walk      push, raw and pop over whole games, the mean of an evaluation with all that belongs to it
// refresh   both sides from the whole board
// Nanoseconds each, the least of several rounds. Without FILE: the network that is built in, whose weights are special.
#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <random>
#include <sstream>
#include <vector>

#include "engines/machine/memory.h"
#include "engines/nnue/net/choice.h"
#include "engines/nnue/net/evaluator.h"
#include "engines/nnue/net/untrained.h"
#include "engines/shogi/movegen.h"

namespace {

using namespace fuhyo;
using Clock = std::chrono::steady_clock;

struct Ply {
  shogi::Move move;
  shogi::Piece captured;
};
using Line = std::vector<Ply>;

// Games of moves at random, of 20 to 137 plies.
std::vector<Line> lines() {
  std::mt19937 random(7);
  std::vector<Line> all;
  for (std::size_t game = 0; game < 40; ++game) {
    shogi::Position position;
    Line line;
    while (line.size() < 20 + 3 * game) {
      const auto moves = shogi::legal_moves(position);
      if (moves.empty()) break;
      const shogi::Move move = moves[random() % moves.size()];
      line.push_back({.move = move, .captured = position.piece_on(move.to())});
      position.do_move(move);
    }
    all.push_back(std::move(line));
  }
  return all;
}

// The least nanoseconds of one of `count` steps that work() does.
template <class Work>
double measure(std::size_t count, const Work& work) {
  double least = 1e18;
  for (int round = 0; round < 9; ++round) {
    const auto begin = Clock::now();
    work();
    const std::chrono::duration<double, std::nano> time = Clock::now() - begin;
    least = std::min(least, time.count() / static_cast<double>(count));
  }
  return least;
}

struct Sums {
  explicit Sums(std::size_t width) : memory(machine::Memory::allocate(2 * width * sizeof(std::int16_t))), size(width) {}
  std::int16_t* side(int which) {
    return reinterpret_cast<std::int16_t*>(memory->data()) + static_cast<std::size_t>(which) * size;
  }
  std::unique_ptr<machine::Memory> memory;
  std::size_t size;
};

std::int64_t checksum = 0;  // also keeps work from being left out

double walk(const nnue::Network& network, const nnue::Kernels& kernels, bool evaluate, const std::vector<Line>& games) {
  nnue::Evaluator evaluator(std::shared_ptr<const nnue::Network>(&network, [](auto*) {}), kernels);
  std::size_t plies = 0;
  for (const Line& line : games) plies += line.size();
  return measure(plies, [&] {
    for (const Line& line : games) {
      shogi::Position position;
      evaluator.reset(position);
      for (const Ply& ply : line) {
        position.do_move(ply.move);
        evaluator.push(position, ply.move, ply.captured);
        if (evaluate) checksum += evaluator.raw(position);
      }
    }
  });
}

// Values of positions whose sums are known.
double forward(const nnue::Network& network, const nnue::Kernels& kernels, const std::vector<Line>& games) {
  std::vector<shogi::Position> positions;
  std::vector<std::unique_ptr<nnue::Evaluator>> evaluators;
  for (const Line& line : games) {
    shogi::Position& position = positions.emplace_back();
    for (const Ply& ply : line) position.do_move(ply.move);
    const std::shared_ptr<const nnue::Network> lent(&network, [](auto*) {});
    evaluators.emplace_back(std::make_unique<nnue::Evaluator>(lent, kernels))->reset(position);
  }
  return measure(10 * positions.size(), [&] {
    for (int round = 0; round < 10; ++round) {
      for (std::size_t i = 0; i < positions.size(); ++i) checksum += evaluators[i]->raw(positions[i]);
    }
  });
}

void bench(const nnue::Network& network, const nnue::Kernels& kernels, const std::vector<Line>& games) {
  const std::uint32_t width = network.width();
  std::mt19937 random(1);
  std::vector<const std::int16_t*> rows(4096);
  for (auto& row : rows) row = network.row(static_cast<std::uint32_t>(random()) % network.features().inputs);
  std::vector<Sums> sums;
  for (int i = 0; i < 200; ++i) {
    Sums& pair = sums.emplace_back(width);
    for (const int side : {0, 1}) {
      kernels.update(network.biases(), pair.side(side), width, &rows[random() % 4000], 40, nullptr, 0);
    }
  }
  const auto propagate = network.architecture().pairwise ? kernels.pairwise : kernels.classic;
  const auto& stack = network.stack(shogi::BLACK, shogi::make_square(5, 9), shogi::make_square(5, 1));
  const auto update = [&](std::uint32_t count) {
    return 2 * measure(4000, [&] {
             for (std::size_t i = 0; i < 4000; ++i) {
               kernels.update(sums[i % 100].side(0), sums[i % 100 + 100].side(0), width, &rows[i], count, &rows[i + 4],
                              count);
             }
           });
  };
  const double move = update(1), capture = update(2);
  const double refresh = 2 * measure(1000, [&] {
                           for (std::size_t i = 0; i < 1000; ++i) {
                             kernels.update(network.biases(), sums[i % 200].side(0), width, &rows[i], 40, nullptr, 0);
                           }
                         });
  for (Sums& pair : sums) std::fill_n(pair.side(0), 2 * width, std::int16_t{126});
  const double full = measure(sums.size(), [&] {
    for (Sums& pair : sums) checksum += propagate(stack, width, pair.side(0), pair.side(1));
  });
  const double whole = walk(network, kernels, true, games) - walk(network, kernels, false, games);
  fmt::print("{:8} {:9.0f} {:9.0f} {:9.0f} {:9.0f} {:9.0f} {:9.0f}\n", kernels.name, forward(network, kernels, games),
             full, move, capture, refresh, whole);
}

void bench(const nnue::Network::Loaded& network, const std::string& name, const std::vector<Line>& games) {
  if (!network) {
    fmt::print("{}\n", network.error());
    return;
  }
  fmt::print("{} ({})\n{:8} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9}\n", (*network)->architecture().name(), name, "ns",
             "forward", "full", "move", "capture", "refresh", "walk");
  for (const nnue::Kernels* kernels : nnue::kernels_here()) bench(**network, *kernels, games);
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<Line> games = lines();
  for (int i = 1; i < argc; ++i) bench(nnue::Network::load(argv[i]), argv[i], games);
  if (argc == 1) {
    const std::string file = nnue::untrained_network();
    std::istringstream in(file);
    bench(nnue::Network::read(in, file.size(), "untrained"), "untrained", games);
  }
  fmt::print("checksum {}\n", checksum);
}
