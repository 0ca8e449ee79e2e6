#include "engines/learn/loop/generation_loop.h"

#include <fmt/format.h>
#include <fstream>

namespace fuhyo::learn {
namespace {

namespace json = boost::json;
using Failure = std::unexpected<std::string>;

json::object elo_object(const match::Measured& elo) {
  json::object object;
  if (elo.value) object["value"] = *elo.value;
  if (elo.low) object["low"] = *elo.low;
  if (elo.high) object["high"] = *elo.high;
  return object;
}

EloFigure elo_in(const json::object& result, std::string_view key) {
  const json::value* value = result.if_contains(key);
  const json::object* object = value == nullptr ? nullptr : value->if_object();
  EloFigure elo;
  if (object == nullptr) return elo;
  if (object->contains("value")) elo.value = number_in(*object, "value");
  if (object->contains("low")) elo.low = number_in(*object, "low");
  if (object->contains("high")) elo.high = number_in(*object, "high");
  return elo;
}

std::string text_of(const GateOptions& options) {
  return fmt::format("elo {} {} nodes {} games {} match {} {} seed {}", options.test.elo0, options.test.elo1,
                     options.test_nodes, options.test_games, options.match_nodes, options.match_games, options.seed);
}

}  // namespace

std::expected<bool, std::string> gate_once(const GateOptions& options, const std::filesystem::path& file,
                                           GenerationReport& report, const std::stop_token& stop) {
  const auto stage = run_stage(file, text_of(options), [&]() -> StageResult {
    const auto gated = gate(options, stop);
    if (!gated) return Failure(gated.error());
    if (!gated->complete) return std::nullopt;
    json::object result{{"verdict", std::string(match::to_string(gated->verdict))},
                        {"games", gated->test_games},
                        {"llr", gated->log_likelihood_ratio},
                        {"elo", elo_object(gated->test.elo)},
                        {"matchGames", gated->match_games}};
    if (gated->match) result["matchElo"] = elo_object(gated->match->elo);
    return result;
  });
  if (!stage) return Failure(stage.error());
  if (!*stage) return false;
  const json::object& result = (*stage)->result;
  report.verdict = std::string_view(result.at("verdict").as_string());
  report.accepted = report.verdict == match::to_string(match::Verdict::h1);
  report.test_games = static_cast<std::int64_t>(whole_in(result, "games"));
  report.match_games = static_cast<std::int64_t>(whole_in(result, "matchGames"));
  report.test = elo_in(result, "elo");
  report.match = elo_in(result, "matchElo");
  report.gate_seconds = (*stage)->seconds;
  return true;
}

void read_train_log(const std::filesystem::path& file, std::string_view test, GenerationReport& report) {
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    boost::system::error_code error;
    const json::value parsed = json::parse(line, error);
    const json::object* object = error ? nullptr : parsed.if_object();
    if (object == nullptr) continue;
    const json::value* kind = object->if_contains("kind");
    const json::value* name = object->if_contains("test");
    const bool validation = kind != nullptr && *kind == "validation";
    const bool wanted = name == nullptr || (name->is_string() && std::string_view(name->get_string()) == test);
    if (validation && !wanted) continue;
    auto& points = validation ? report.validation : report.training;
    points.push_back({number_in(*object, "epoch"), number_in(*object, "loss")});
  }
}

}  // namespace fuhyo::learn
