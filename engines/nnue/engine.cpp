#include "engines/nnue/engine.h"

#include <new>
#include <random>

#include "engines/nnue/evaluate.h"
#include "engines/nnue/search.h"
#include "engines/usi/time_manager.h"

namespace fuhyo::nnue {

Engine::Engine() {
  options_.add_spin("USI_Hash", 64, 1, 65'536);
  options_.add_check("USI_Ponder", false);
  // For demonstrations and sparring: a little noise in the evaluation makes every game a new one.
  options_.add_spin("EvalNoise", 0, 0, 1'000);
  // For "go mate": its memory in megabytes, and whether it looks on for the shortest mate.
  options_.add_spin("MateHash", 64, 1, 65'536);
  options_.add_check("MateShortestLine", false);
  LoadedNetwork::add_options(options_);
  usi::add_time_options(options_);
}

std::string Engine::name() const {
  return LoadedNetwork::would_be_untrained(options_) ? "Fuhyo NNUE (untrained)" : "Fuhyo NNUE";
}

std::expected<void, std::string> Engine::get_ready() {
  if (auto loaded = network_.update(options_); !loaded) return loaded;
  const auto megabytes = static_cast<std::size_t>(options_.spin("USI_Hash"));
  if (megabytes == table_.megabytes()) return {};
  try {
    table_.resize(megabytes);
  } catch (const std::bad_alloc&) {
    table_.resize(1);
    return std::unexpected("USI_Hash: there is no memory for " + std::to_string(megabytes) + " MB");
  }
  return {};
}

void Engine::new_game() {
  if (table_.megabytes() != 0) table_.clear();
  ordering_.clear();
  noise_seed_ = std::random_device()();
}

usi::SearchResult Engine::search(const usi::Game& game, const usi::GoLimits& limits, const usi::SearchControl& control,
                                 const std::function<void(const usi::Info&)>& report) {
  const usi::TimeOptions time = usi::time_options(options_);
  const shogi::Position root = game.current();
  const SearchTask task{.game = game,
                        .limits = limits,
                        .plan = usi::TimePlan::make(limits, root.side_to_move(), root.ply(), time),
                        .max_moves = time.max_moves,
                        .noise = static_cast<int>(options_.spin("EvalNoise")),
                        .noise_seed = noise_seed_};
  return Search(table_, ordering_, task, control, report).run();
}

usi::Checkmate Engine::solve_mate(const usi::Game& game, const usi::GoLimits& limits, const usi::SearchControl& control,
                                  const std::function<void(const usi::Info&)>& report) {
  using Kind = mate::Answer::Kind;
  const auto megabytes = static_cast<std::size_t>(options_.spin("MateHash"));
  try {
    if (megabytes != mate_solver_.megabytes()) mate_solver_.resize(megabytes);
  } catch (const std::bad_alloc&) {
    report({.text = "Error! MateHash: there is no memory for " + std::to_string(megabytes) + " MB"});
    return {.kind = usi::Checkmate::Kind::timeout};
  }
  const std::int64_t limit_ms = limits.mate_ms.value_or(usi::kForever);
  const mate::Answer answer = mate_solver_.solve(game.current(), options_.check("MateShortestLine"),
                                                 [&] { return control.stopped() || control.elapsed_ms() >= limit_ms; });
  usi::Info info{.time_ms = control.elapsed_ms(), .nodes = static_cast<std::int64_t>(answer.nodes)};
  if (answer.kind == Kind::mate) {
    info.score = {.kind = usi::Score::Kind::win, .value = static_cast<int>(answer.line.size())};
    info.pv = answer.line;
  }
  report(info);
  switch (answer.kind) {
    case Kind::mate:
      return {.kind = usi::Checkmate::Kind::mate, .line = answer.line};
    case Kind::no_mate:
      return {.kind = usi::Checkmate::Kind::no_mate};
    case Kind::unknown:
      break;
  }
  return {.kind = usi::Checkmate::Kind::timeout};
}

int Engine::evaluate(const shogi::Position& position) { return to_centipawns(network_.value(position)); }

std::vector<std::string> Engine::eval_lines(const shogi::Position& position) { return network_.eval_lines(position); }

}  // namespace fuhyo::nnue
