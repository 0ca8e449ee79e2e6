#include "engines/mcts/shogi/shogi_model.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <optional>
#include <stdexcept>

#include "engines/mcts/shogi/labels.h"
#include "engines/mcts/shogi/planes.h"
#include "engines/nn/self_test.h"
#include "engines/shogi/movegen.h"
#include "engines/shogi/usi_move.h"

namespace fuhyo::mcts {
namespace {

// What a network must think.
struct Expectation {
  shogi::Position position;
  std::optional<shogi::Move> move;
  std::optional<double> value;
  double tolerance = 0.01;
};

std::optional<std::string> take(nn::ModelOptions& options, const std::string& name) {
  const auto node = options.extract(name);
  if (node.empty()) return {};
  return node.mapped();
}

// A number from 0 to 1.
std::optional<double> part_of_one(const std::string& text) {
  try {
    std::size_t used = 0;
    const double value = std::stod(text, &used);
    if (used == text.size() && value >= 0 && value <= 1) return value;
  } catch (const std::logic_error&) {  // no number, or one that no double holds
  }
  return {};
}

std::expected<Expectation, std::string> take_expectation(nn::ModelOptions& options) {
  Expectation out;
  if (const auto sfen = take(options, "SelfTest_Position")) {
    auto position = shogi::Position::from_sfen(*sfen);
    if (!position) return std::unexpected("SelfTest_Position: " + position.error().message);
    out.position = *std::move(position);
  }
  if (const auto text = take(options, "SelfTest_Move")) {
    out.move = shogi::parse_usi_move(*text);
    if (!out.move || !out.position.is_legal(*out.move)) {
      return std::unexpected(fmt::format("SelfTest_Move: '{}' is no legal move of {}", *text, out.position.sfen()));
    }
  }
  for (const auto& [name, wanted] : {std::pair{"SelfTest_Value", true}, {"SelfTest_Tolerance", false}}) {
    const auto text = take(options, name);
    if (!text) continue;
    const auto number = part_of_one(*text);
    if (!number) return std::unexpected(fmt::format("{}: '{}' is no number from 0 to 1", name, *text));
    if (wanted)
      out.value = *number;
    else
      out.tolerance = *number;
  }
  return out;
}

// What the network said, for people; or what it should have said.
std::expected<std::string, std::string> try_out(const std::shared_ptr<const nn::Model>& model, nn::Backend& backend,
                                                const Expectation& expected) {
  nn::Batch batch(backend.shape(), 1);
  add(expected.position, batch);
  if (model != nullptr) {
    if (const auto same = nn::self_test(model, backend, batch); !same) return std::unexpected(same.error());
  }
  nn::Evaluations out(backend.shape(), 1);
  if (const auto done = backend.evaluate(batch, out); !done) return std::unexpected(done.error());
  const bool numbers = std::ranges::all_of(out.logits(0), [](float logit) { return std::isfinite(logit); });
  if (!numbers || !(out.value(0) >= 0 && out.value(0) <= 1)) {
    return std::unexpected(fmt::format(
        "{}, in {}",
        numbers ? fmt::format("its value is {}, which is no chance", out.value(0)) : "a logit is not a number",
        expected.position.sfen()));
  }
  const shogi::Move move = best_move(expected.position, out.logits(0));
  if (expected.move && move != *expected.move) {
    return std::unexpected(fmt::format("its best move is {} where {} is expected, in {}", shogi::to_usi(move),
                                       shogi::to_usi(*expected.move), expected.position.sfen()));
  }
  if (expected.value && !(std::abs(out.value(0) - *expected.value) <= expected.tolerance)) {
    return std::unexpected(fmt::format("its value is {:.4f} where {:.4f} is expected, in {}", out.value(0),
                                       *expected.value, expected.position.sfen()));
  }
  return fmt::format("plays {} at {:.3f}", shogi::to_usi(move), out.value(0));
}

}  // namespace

shogi::Move best_move(const shogi::Position& position, std::span<const float> logits) {
  shogi::Move best;
  float highest = 0;
  for (const shogi::Move move : shogi::legal_moves(position)) {
    const float logit = logits[label_of(move, position.side_to_move())];
    if (best && logit <= highest) continue;
    best = move;
    highest = logit;
  }
  return best;
}

std::expected<ShogiModel, std::string> load_shogi_model(const nn::ModelSource& source,
                                                        const nn::BackendChoice& choice) {
  auto loaded = nn::load_backend(source, choice);
  if (!loaded) return std::unexpected(loaded.error());
  const auto refusal = [&](const std::string& why) { return std::unexpected(source.name() + ": " + why); };
  if (const auto fits = check_shape(loaded->backend->shape()); !fits) return refusal(fits.error());
  const auto expected = take_expectation(loaded->options);
  if (!expected) return std::unexpected(source.ini_name() + ": " + expected.error());
  const auto said = try_out(loaded->model, *loaded->backend, *expected);
  if (!said) return refusal(said.error());
  return ShogiModel{.backend = std::move(loaded->backend),
                    .options = std::move(loaded->options),
                    .description = fmt::format("{}, {}", loaded->description, *said)};
}

}  // namespace fuhyo::mcts
