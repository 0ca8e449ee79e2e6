// Any tuner out of its state. Pure.
#include "engines/match/tune/tuner.h"

#include <fmt/format.h>

#include "engines/match/tune/spsa.h"
#include "engines/match/tune/state_file.h"
#include "engines/match/tune/two_stage.h"

namespace fuhyo::match::tune {
namespace {

template <typename Method>
std::expected<std::unique_ptr<Tuner>, std::string> load(const StateFile& state, std::string_view file) {
  auto tuner = Method::load(state);
  if (!tuner) return std::unexpected(fmt::format("{}: {}", file, tuner.error()));
  return std::make_unique<Method>(std::move(*tuner));
}

}  // namespace

std::expected<std::unique_ptr<Tuner>, std::string> load_tuner(std::string_view text, std::string_view file) {
  const auto state = parse_state(text, file);
  if (!state) return std::unexpected(state.error());
  if (state->method == "spsa") return load<Spsa>(*state, file);
  if (state->method == "two-stage") return load<TwoStage>(*state, file);
  return std::unexpected(fmt::format("{}:2: unknown method '{}'", file, state->method));
}

}  // namespace fuhyo::match::tune
