// What the tree search costs beside its network: ./dev bench mcts [FLAG...]
//
//   --playouts N       of each search (default 20000)
//   --rounds N         the median counts (default 5)
//   --hash-mb N        memory of the tree (default 512)
//
// The network's place is taken by logits and values at random, which cost nothing. Everything else is there: inputs,
// moves, priors, selection, repetition, backup. Seconds are those that the one thread had a core for. Columns:
//   us/node   microseconds for each playout; what is asked of it is 10 without looking for mates
//   eval      playouts of a hundred that asked the network
#include <cstdio>
#include <random>

#include "engines/mcts/shogi/planes.h"
#include "engines/mcts/shogi/shogi_game.h"
#include "engines/mcts/tree/search_threads.h"
#include "tests/bench/flags.h"
#include "tests/bench/measure.h"

namespace {

using namespace fuhyo;

struct Settings {
  std::int64_t playouts = 20'000;
  int rounds = 5;
  std::size_t hash_mb = 512;
};

constexpr std::string_view kPositions[] = {
    "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
    "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1",
    "l7l/3s5/prnp2kp1/2p1Gppnp/1P7/PnPP1P3/3BP2PP/1S1G5/LN1K1G1+rL b SBG3ps 91",
};

// Logits that differ from one evaluation to the next by their place in the batch, and values around one half.
class NoiseBackend final : public nn::Backend {
 public:
  const nn::Shape& shape() const override { return shape_; }
  std::string name() const override { return "noise"; }
  std::uint32_t best_batch() const override { return 8; }
  std::unique_ptr<nn::Backend> for_another_thread() const override { return std::make_unique<NoiseBackend>(); }
  std::expected<void, std::string> evaluate(const nn::Batch& inputs, nn::Evaluations& out) override {
    for (; filled_ < inputs.capacity(); ++filled_) {
      for (float& logit : out.logits(filled_)) logit = normal_(random_);
    }
    for (std::uint32_t i = 0; i < inputs.size(); ++i) {
      out.value(i) = 0.4F + 0.2F * static_cast<float>(random_() % 1024) / 1024;
    }
    return {};
  }

 private:
  nn::Shape shape_{.channels = 1};
  std::uint32_t filled_ = 0;
  std::mt19937 random_{1};
  std::normal_distribution<float> normal_{0, 3};
};

void measure(const Settings& settings, std::uint32_t batch, int mate_plies) {
  std::vector<double> costs;
  std::int64_t playouts = 0, evaluations = 0;
  mcts::Tree tree(settings.hash_mb << 20);
  for (int round = 0; round < settings.rounds; ++round) {
    double seconds = 0;
    playouts = evaluations = 0;
    for (const std::string_view sfen : kPositions) {
      const auto start = shogi::Position::from_sfen(sfen);
      if (!start) std::abort();
      const mcts::ShogiGame game(*start, {}, {.mate_plies = mate_plies});
      std::vector<std::unique_ptr<nn::Backend>> backends;
      backends.push_back(std::make_unique<NoiseBackend>());
      mcts::SearchThreads<mcts::ShogiGame> search_threads(std::move(backends), batch);
      tree.clear();
      mcts::TreeSearch<mcts::ShogiGame> search(tree, {}, game);
      mcts::Allowance allowance{.playouts = settings.playouts};
      const double begin = bench::thread_seconds();
      if (!search_threads.prepare(search, std::nullopt) || !search_threads.play_out(search, allowance, {}))
        std::abort();
      seconds += bench::thread_seconds() - begin;
      playouts += search.counts().playouts;
      evaluations += search.counts().evaluations;
    }
    costs.push_back(1e6 * seconds / static_cast<double>(playouts));
  }
  fmt::print("{:>6} {:>10} {:>9.2f} {:>6.0f}\n", batch, mate_plies, bench::median(costs),
             100.0 * static_cast<double>(evaluations) / static_cast<double>(playouts));
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  bench::take_flags(
      argc, argv, {{"--playouts", settings.playouts}, {"--rounds", settings.rounds}, {"--hash-mb", settings.hash_mb}});
  fmt::print("{:>6} {:>10} {:>9} {:>6}\n", "batch", "mate plies", "us/node", "eval");
  for (const std::uint32_t batch : {1U, 8U}) {
    for (const int plies : {0, 1, 3}) measure(settings, batch, plies);
  }
}
