#include "engines/learn/generate/self_play.h"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <optional>

#include "engines/learn/generate/adjudicator.h"
#include "engines/shogi/repetition.h"
#include "engines/usi/engine.h"

namespace fuhyo::learn {
namespace {

using record::ScoredEnd;
using record::ScoredGame;
using record::Winner;

constexpr int kTries = 200;       // starts that are drawn for one game
constexpr int kMate = 32'000;     // less the plies to it
constexpr int kLargest = 30'000;  // of what is no mate

Winner winner(shogi::Color color) { return color == shogi::BLACK ? Winner::black : Winner::white; }

// Of a search that found a move.
std::int16_t value_of(const usi::Score& score) {
  using Kind = usi::Score::Kind;
  const int plies = std::clamp(std::abs(score.value), 0, 1'000);
  if (score.kind == Kind::win) return static_cast<std::int16_t>(kMate - plies);
  if (score.kind == Kind::lose) return static_cast<std::int16_t>(plies - kMate);
  return static_cast<std::int16_t>(std::clamp(score.value * 90 / 100, -kLargest, kLargest));
}

void finish(ScoredGame& game, ScoredEnd end, Winner who) {
  game.end = end;
  game.winner = who;
}

}  // namespace

std::expected<SelfPlay, std::string> SelfPlay::make(const SelfPlayOptions& options) {
  SelfPlay made(options);
  if (auto ready = made.set_up(); !ready) return std::unexpected(ready.error());
  return made;
}

std::expected<void, std::string> SelfPlay::set_up() {
  usi::OptionTable& engine_options = engine_->options();
  const auto set = [&](std::string_view name, const std::string& value) -> std::expected<void, std::string> {
    if (auto done = engine_options.set(name, value); !done) return std::unexpected(done.error());
    return {};
  };
  for (const auto& [name, value] : std::initializer_list<std::pair<std::string_view, std::string>>{
           {"Threads", "1"},
           {"USI_Hash", std::to_string(options_.hash_mb)},
           {"USI_OwnBook", "false"},
           {"FV_SCALE", std::to_string(options_.fv_scale)},
           {"EvalFile", options_.network},
           {"MaxMovesToDraw", std::to_string(options_.draw_at_ply)}}) {
    if (name == "EvalFile" && value.empty()) continue;
    if (auto done = set(name, value); !done) return done;
  }
  return engine_->get_ready();
}

std::expected<ScoredGame, std::string> SelfPlay::play(std::uint64_t number, const Starts& starts) {
  Random random(options_.seed, number);
  const bool adjudicate = random.uniform() >= options_.to_the_end;
  for (int i = 0; i < kTries; ++i) {
    const auto start = starts.draw(random);
    if (!start) continue;
    if (auto game = play_from(options_, *start, adjudicate)) return std::move(*game);
  }
  return std::unexpected(
      fmt::format("game {}: none of {} starts is within {} of even", number, kTries, options_.most_at_start));
}

bool SelfPlay::repeats(const shogi::Position& start, int plies, std::int64_t nodes) {
  SelfPlayOptions options = options_;
  options.nodes = nodes;
  options.most_at_start = INT_MAX;
  options.draw_at_ply = start.ply() + plies;
  return play_from(options, start, false)->end == ScoredEnd::repetition;
}

std::optional<ScoredGame> SelfPlay::play_from(const SelfPlayOptions& options, const shogi::Position& start,
                                              bool adjudicate) {
  engine_->new_game();
  ScoredGame game{.start = start, .moves = {}};
  usi::Game so_far{.start = start, .moves = {}};
  shogi::Position position = start;
  shogi::RepetitionHistory history(shogi::RepetitionRule::REAL);
  history.start(position);
  Adjudicator adjudicator(options.adjudicated_at, options.adjudicated_after);
  while (true) {
    const shogi::Color us = position.side_to_move();
    if (position.ply() >= options.draw_at_ply) return finish(game, ScoredEnd::move_limit, Winner::nobody), game;
    const usi::SearchControl control;
    const usi::SearchResult found = engine_->search(so_far, {.nodes = options.nodes}, control, [](const auto&) {});
    using Kind = usi::BestMove::Kind;
    if (found.best.kind == Kind::win) return finish(game, ScoredEnd::declaration, winner(us)), game;
    if (found.best.kind == Kind::resign) return finish(game, ScoredEnd::no_move, winner(~us)), game;
    const std::int16_t value = value_of(found.score.value_or(usi::Score{}));
    if (game.moves.empty() && std::abs(value) > options.most_at_start) return std::nullopt;
    game.moves.push_back({found.best.move, value});
    const auto ahead = adjudicator.judge(us, value);
    const bool check = position.gives_check(found.best.move);
    position.do_move(found.best.move);
    so_far.moves.push_back(found.best.move);
    switch (history.push(position, check)) {
      case shogi::Repetition::NONE:
        break;
      case shogi::Repetition::DRAW:
        return finish(game, ScoredEnd::repetition, Winner::nobody), game;
      case shogi::Repetition::MOVER_LOSES:
        return finish(game, ScoredEnd::repetition, winner(~us)), game;
      case shogi::Repetition::OPPONENT_LOSES:
        return finish(game, ScoredEnd::repetition, winner(us)), game;
    }
    if (adjudicate && ahead) return finish(game, ScoredEnd::adjudicated, winner(*ahead)), game;
  }
}

}  // namespace fuhyo::learn
