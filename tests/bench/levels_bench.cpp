// How strong the levels of an engine are: neighbours play each other over USI, each opening with both colours.
//   bench_levels --engine COMMAND [--option NAME=VALUE]... [--levels 1-30] [--games 200] [--step 1]
//                [--material yes|blind] [--plies N] [--seed N] [--state FILE]
// Prints the Elo between each level and the next, with its 95% interval; with --material, what each level scores
// against the 1-ply material player (level_games.h; blind: one that does not know of mate). Openings are made by the
// engine: random plies, then moves of its own levels, and its full strength must find them balanced. With the same
// seed, the same engine plays the same games. Results are kept in the state file, so that an interrupted run goes on.
#include <fmt/core.h>
#include <fstream>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "engines/shogi/movegen.h"
#include "engines/usi/text.h"
#include "tests/bench/level_games.h"
#include "tests/bench/usi_player.h"

namespace {

using namespace fuhyo;
using bench::Player;
using bench::UsiPlayer;

constexpr std::string_view kUsage = R"(usage: bench_levels --engine COMMAND [option value]...
  --option NAME=VALUE   for the engine, any number of times
  --levels A-B          the levels to compare, each with the next (1-30)
  --step N              ... with the one N higher (1)
  --games N             between each two, even (200)
  --material yes|blind  no neighbours: each level against the 1-ply material player, or one that does not know of mate
  --plies N             length of the openings; 0: from 8 to 24 by chance (0)
  --seed N              of everything that is left to chance (1)
  --state FILE          where results are kept, and found again (none)
)";

struct Options {
  std::string engine;
  std::vector<std::string> engine_options = {"Threads=1", "USI_Hash=16"};
  int first = 1, last = 30, step = 1, games = 200, plies = 0;
  std::string material;
  unsigned seed = 1;
  std::string state;
};

int number(const std::string& text) {
  const auto value = usi::to_integer(text);
  if (!value || *value < 0 || *value > 1'000'000) throw std::runtime_error("not a number: " + text);
  return static_cast<int>(*value);
}

Options parse(const std::vector<std::string>& arguments) {
  Options options;
  for (std::size_t i = 0; i + 1 < arguments.size(); i += 2) {
    const std::string &name = arguments[i], &value = arguments[i + 1];
    if (name == "--engine") {
      options.engine = value;
    } else if (name == "--option") {
      options.engine_options.push_back(value);
    } else if (name == "--levels") {
      const std::size_t dash = value.find('-');
      options.first = number(value.substr(0, dash));
      options.last = dash == std::string::npos ? options.first : number(value.substr(dash + 1));
    } else if (name == "--step") {
      options.step = number(value);
    } else if (name == "--games") {
      options.games = number(value);
    } else if (name == "--material" && (value == "yes" || value == "blind")) {
      options.material = value;
    } else if (name == "--plies") {
      options.plies = number(value);
    } else if (name == "--seed") {
      options.seed = static_cast<unsigned>(number(value));
    } else if (name == "--state") {
      options.state = value;
    } else {
      throw std::runtime_error("unknown option " + name);
    }
  }
  if (options.engine.empty() || arguments.size() % 2 != 0) throw std::runtime_error("--engine is missing");
  return options;
}

// ---- results ----

// Who played: a level, and the level above or a material player. Then the games, by number.
using Games = std::map<int, int>;

class Results {
 public:
  // The state belongs to these conditions; a file of other ones is refused.
  Results(const std::string& file, const std::string& conditions) {
    if (file.empty()) return;
    std::ifstream in(file);
    const bool fresh = !in;
    if (!fresh) {
      std::string head;
      std::getline(in, head);
      if (head != conditions) throw std::runtime_error(file + " is of other conditions: " + head);
      std::string pairing;
      for (int game = 0, points = 0; in >> pairing >> game >> points;) games_[pairing][game] = points;
    }
    // Appending, so that several programs may share the file.
    out_.open(file, std::ios::app);
    if (fresh) out_ << conditions << std::endl;
    if (!out_) throw std::runtime_error(file + ": cannot be written");
  }

  bool has(const std::string& pairing, int game) { return games_[pairing].contains(game); }
  void add(const std::string& pairing, int game, int half_points) {
    games_[pairing][game] = half_points;
    if (out_.is_open()) out_ << pairing << ' ' << game << ' ' << half_points << std::endl;
  }
  bench::Strength strength(const std::string& pairing, int games) {
    std::vector<int> points;
    for (int game = 0; game < games; ++game) points.push_back(games_[pairing][game]);
    return bench::strength_of(points);
  }

 private:
  std::map<std::string, Games> games_;
  std::ofstream out_;
};

// ---- openings ----

constexpr int kBalanced = 150;      // centipawns, or less
constexpr int kBalancedDeep = 400;  // of openings that reach far into the game
constexpr int kRandomPlies = 6;     // the rest is played by a level, by chance but not without sense
constexpr int kOpeningLevel = 12;
constexpr std::string_view kJudge = "go nodes 5000";

class Openings {
 public:
  Openings(const Options& options) : engine_(options.engine, options.engine_options), options_(options) {}

  const usi::Game& get(int number) {
    while (openings_.size() <= static_cast<std::size_t>(number)) {
      random_.seed(options_.seed + 1'000'003U * static_cast<unsigned>(openings_.size()));
      while (!make()) {
      }
    }
    return openings_[static_cast<std::size_t>(number)];
  }

 private:
  bool make() {
    const int plies = options_.plies != 0 ? options_.plies : 8 + static_cast<int>(random_() % 17);
    usi::Game game;
    shogi::Position position;
    engine_.set("Level", std::to_string(kOpeningLevel));
    engine_.set("LevelSeed", std::to_string(1 + random_() % 1'000'000));
    engine_.new_game();
    for (int ply = 0; ply < plies; ++ply) {
      const shogi::MoveList<shogi::GenKind::SEARCH> moves(position);
      if (moves.empty()) return false;
      shogi::Move move = moves[random_() % moves.size()];
      if (ply >= kRandomPlies) move = engine_.think(usi::position_text(game.start, game.moves), "go nodes 5000").move;
      if (!position.is_legal(move)) return false;
      position.do_move(move);
      game.moves.push_back(move);
    }
    engine_.set("Level", "0");
    engine_.new_game();
    int score = 30'000;
    engine_.think(usi::position_text(game.start, game.moves), std::string(kJudge), &score);
    if (std::abs(score) > (plies > 30 ? kBalancedDeep : kBalanced)) return false;
    openings_.push_back(game);
    return true;
  }

  UsiPlayer engine_;
  const Options& options_;
  std::mt19937 random_;
  std::vector<usi::Game> openings_;
};

// ---- games ----

class Calibration {
 public:
  explicit Calibration(const Options& options)
      : options_(options),
        openings_(options),
        engines_{UsiPlayer(options.engine, options.engine_options), UsiPlayer(options.engine, options.engine_options)},
        results_(options.state, conditions(options)) {}

  void run() {
    const bool material = !options_.material.empty();
    for (int level = options_.first; level <= options_.last - (material ? 0 : options_.step); ++level) {
      const std::string other = material ? options_.material : std::to_string(level + options_.step);
      const std::string pairing = std::to_string(level) + ":" + other;
      for (int game = 0; game < options_.games; ++game) {
        if (!results_.has(pairing, game)) results_.add(pairing, game, play(level, game));
      }
      const bench::Strength s = results_.strength(pairing, options_.games);
      fmt::print("level {:2} against {:>5}: {:5.1f}% of {} games, Elo {:+.0f} [{:+.0f}, {:+.0f}]\n", level, other,
                 100 * s.score, s.games, s.elo, s.low, s.high);
      std::fflush(stdout);
    }
  }

 private:
  static std::string conditions(const Options& options) {
    std::string text = "engine " + options.engine;
    for (const std::string& option : options.engine_options) text += " " + option;
    return text + " plies " + std::to_string(options.plies) + " seed " + std::to_string(options.seed);
  }

  // Half points of the level.
  int play(int level, int game) {
    const usi::Game& opening = openings_.get(game / 2);
    const unsigned seed = options_.seed * 1'000'000 + static_cast<unsigned>(game + 1);
    const Player lower = at_level(engines_[0], level, seed);
    std::mt19937 random(seed);
    const Player other = options_.material.empty()
                             ? at_level(engines_[1], level + options_.step, seed + 500'000)
                             : Player([&](const usi::Game&, const shogi::Position& position) {
                                 return bench::material_move(position, random, options_.material == "yes");
                               });
    return game % 2 == 0 ? bench::play_game(opening, lower, other) : 2 - bench::play_game(opening, other, lower);
  }

  static Player at_level(UsiPlayer& engine, int level, unsigned seed) {
    engine.set("Level", std::to_string(level));
    engine.set("LevelSeed", std::to_string(seed % 2'000'000'000));
    engine.new_game();
    return [&engine](const usi::Game& game, const shogi::Position&) {
      return engine.think(usi::position_text(game.start, game.moves), "go nodes 100000000");
    };
  }

  const Options& options_;
  Openings openings_;
  UsiPlayer engines_[2];
  Results results_;
};

}  // namespace

int main(int argc, char** argv) {
  try {
    const Options options = parse(std::vector<std::string>(argv + 1, argv + argc));
    Calibration(options).run();
  } catch (const std::exception& error) {
    fmt::print(stderr, "bench_levels: {}\n{}", error.what(), kUsage);
    return 64;
  }
}
