// What it is worth to play many games of a policy network at once: ./dev bench self_play_policy [FLAG...]
//
//   --openings FILE    lines to start from (default: random moves); with them games are met in all their phases
//   --network FILE     the network (default: the one that is built in)
//   --games N          at once, beside one at a time (default 256)
//   --window N         seconds of the one thread that each plays in a round (default 20)
//   --rounds N         which take turns, so that what else the machine does falls on both (default 6)
//
// Options are those of `fuhyo-learn self-play-policy` (128 and 24 playouts, 64 MB of evaluations). Seconds are those
// that the thread had a core for. Columns, a second: positions in which a move was made, playouts, evaluations by the
// network, evaluations with those that were known; games an hour: positions over the length of the games that ended.
#include <optional>
#include <stop_token>

#include "engines/learn/generate/policy/self_play.h"
#include "tests/bench/flags.h"
#include "tests/bench/measure.h"

namespace {

using namespace fuhyo::learn;
using fuhyo::bench::sure, fuhyo::bench::thread_seconds;

struct Settings {
  std::string openings, network;
  std::uint32_t games = 256;
  double window_s = 20;
  int rounds = 6;
};

// Games that go on window after window.
class Table {
 public:
  Table(const PolicyPlayOptions& options, std::uint32_t at_once) : games_(4'096) {
    play_.emplace(
        sure(PolicySelfPlay::make(options, {.at_once = at_once, .between_batches = [this] { between_batches(); }})));
  }
  void play(const Starts& starts, double seconds) {
    stop_ = std::stop_source();
    until_ = thread_seconds() + seconds;
    const double begin = thread_seconds();
    sure(play_->play(0, games_, starts, stop_.get_token()));
    seconds_ += thread_seconds() - begin;
  }
  const PolicyCounts& counts() const { return play_->counts(); }
  double rate(std::uint64_t count) const { return static_cast<double>(count) / seconds_; }
  // Moves of the games that ended, and their number.
  std::pair<double, double> lengths() const {
    double moves = 0, games = 0;
    for (const PolicyGame& game : games_) {
      if (game.over) moves += static_cast<double>(game.record.moves.size()), ++games;
    }
    return {moves, games};
  }

 private:
  void between_batches() {
    if (thread_seconds() >= until_) stop_.request_stop();
  }

  std::vector<PolicyGame> games_;
  std::optional<PolicySelfPlay> play_;
  std::stop_source stop_;
  double until_ = 0, seconds_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  fuhyo::bench::take_flags(argc, argv,
                           {{"--openings", settings.openings},
                            {"--network", settings.network},
                            {"--games", settings.games},
                            {"--window", settings.window_s},
                            {"--rounds", settings.rounds}});
  StartOptions lines{.first_ply = 8, .last_ply = settings.openings.empty() ? 16 : 120};
  const Starts starts = settings.openings.empty() ? Starts(lines) : sure(Starts::read(settings.openings, lines));
  const PolicyPlayOptions options{.network = settings.network};
  Table one(options, 1), many(options, settings.games);
  for (int round = 0; round < settings.rounds; ++round) {
    one.play(starts, settings.window_s);
    many.play(starts, settings.window_s);
  }
  const auto [moves, games] = one.lengths();
  const auto [more_moves, more_games] = many.lengths();
  const double length = (moves + more_moves) / std::max(1.0, games + more_games);
  fmt::print(
      "at once  positions/s  playouts/s  evaluated/s  with known  batches full  games/h ({:.0f} games, {:.0f} "
      "moves each)\n",
      games + more_games, length);
  for (const auto& [table, count] : {std::pair{&one, 1U}, {&many, settings.games}}) {
    const PolicyCounts& counts = table->counts();
    fmt::print(
        "{:7} {:12.2f} {:11.0f} {:12.0f} {:11.0f} {:11.0f} % {:8.0f}\n", count, table->rate(counts.positions),
        table->rate(counts.playouts), table->rate(counts.evaluated), table->rate(counts.evaluated + counts.hits),
        100 * static_cast<double>(counts.evaluated) / static_cast<double>(std::max<std::uint64_t>(1, counts.room)),
        length > 0 ? 3600 * table->rate(counts.positions) / length : 0.0);
  }
  const double gain = many.rate(many.counts().positions) / one.rate(one.counts().positions);
  fmt::print("{} at once make {:.2f} times the positions of one at a time\n", settings.games, gain);
}
