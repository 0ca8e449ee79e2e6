#include "engines/match/queue/job.h"

#include <algorithm>
#include <fmt/format.h>
#include <optional>
#include <utility>

#include <boost/json.hpp>

#include "engines/match/output/json.h"
#include "engines/shogi/number.h"

namespace fuhyo::match {
namespace {

namespace json = boost::json;
using Failure = std::unexpected<std::string>;

json::value or_null(const std::optional<int>& number) { return number ? json::value(*number) : json::value(nullptr); }

json::object rules_object(const Rules& rules) {
  const Adjudication& ends = rules.adjudication;
  return {{"moveLimit", rules.move_limit},
          {"declaration", static_cast<int>(rules.declaration)},
          {"marginMs", rules.margin_ms},
          {"hangMs", rules.hang_ms},
          {"patienceMs", rules.patience_ms},
          {"resign", json::array{or_null(ends.resign_cp), ends.resign_moves, ends.both}},
          {"draw", json::array{or_null(ends.draw_cp), ends.draw_moves, ends.draw_after}}};
}

// Values of an object or array; the first one that is not what it should be makes the whole text none.
class Reader {
 public:
  std::int64_t integer(const json::value* value, std::int64_t least, std::int64_t most) {
    if (value == nullptr || !value->is_int64() || value->get_int64() < least || value->get_int64() > most) {
      good_ = false;
      return least;
    }
    return value->get_int64();
  }
  int small(const json::value* value) { return static_cast<int>(integer(value, 0, INT32_MAX)); }
  std::optional<int> small_or_null(const json::value* value) {
    if (value != nullptr && value->is_null()) return std::nullopt;
    return small(value);
  }
  bool flag(const json::value* value) {
    if (value != nullptr && value->is_bool()) return value->get_bool();
    good_ = false;
    return false;
  }
  // Of three values.
  const json::value* in(const json::value* array, std::size_t index) {
    if (array != nullptr && array->is_array() && array->get_array().size() == 3) return &array->get_array()[index];
    good_ = false;
    return nullptr;
  }
  bool good() const { return good_; }

 private:
  bool good_ = true;
};

std::optional<Rules> rules_of(const json::object& object) {
  Reader reader;
  Rules rules;
  rules.move_limit = reader.small(object.if_contains("moveLimit"));
  rules.declaration = static_cast<shogi::DeclarationRule>(
      reader.integer(object.if_contains("declaration"), 0, static_cast<int>(shogi::DeclarationRule::TRY)));
  rules.margin_ms = reader.integer(object.if_contains("marginMs"), 0, INT32_MAX);
  rules.hang_ms = reader.integer(object.if_contains("hangMs"), 0, INT32_MAX);
  rules.patience_ms = reader.integer(object.if_contains("patienceMs"), 0, INT32_MAX);
  const json::value *resign = object.if_contains("resign"), *draw = object.if_contains("draw");
  rules.adjudication = {.resign_cp = reader.small_or_null(reader.in(resign, 0)),
                        .resign_moves = reader.small(reader.in(resign, 1)),
                        .both = reader.flag(reader.in(resign, 2)),
                        .draw_cp = reader.small_or_null(reader.in(draw, 0)),
                        .draw_moves = reader.small(reader.in(draw, 1)),
                        .draw_after = reader.small(reader.in(draw, 2))};
  if (!reader.good()) return std::nullopt;
  return rules;
}

}  // namespace

std::string to_text(const MatchJob& job) {
  json::array engines;
  for (const Contestant& engine : job.engines) engines.push_back(json::value(to_text(engine)));
  return json::serialize(json::object{{"fuhyoMatchJob", 1},
                                      {"engines", std::move(engines)},
                                      {"rules", rules_object(job.rules)},
                                      {"seed", fmt::format("{}", job.seed)}});
}

std::expected<MatchJob, std::string> parse_match_job(std::string_view text) {
  boost::system::error_code error;
  const json::value parsed = json::parse(text, error);
  const json::object* object = error ? nullptr : parsed.if_object();
  const json::value* version = object == nullptr ? nullptr : object->if_contains("fuhyoMatchJob");
  if (version == nullptr || *version != 1) return Failure("this is no match that this program can play");
  const auto wrong = [](std::string_view what) {
    return Failure(fmt::format("a match whose {} cannot be read", what));
  };
  MatchJob job;
  const json::value *engines = object->if_contains("engines"), *rules = object->if_contains("rules"),
                    *seed = object->if_contains("seed");
  if (engines == nullptr || !engines->is_array()) return wrong("engines");
  for (const json::value& each : engines->get_array()) {
    if (!each.is_string()) return wrong("engines");
    auto engine = parse_contestant(std::string_view(each.get_string()));
    if (!engine) return Failure(engine.error());
    job.engines.push_back(std::move(*engine));
  }
  if (rules == nullptr || !rules->is_object()) return wrong("rules");
  const auto known = rules_of(rules->get_object());
  if (!known) return wrong("rules");
  job.rules = *known;
  if (seed == nullptr || !seed->is_string()) return wrong("seed");
  const auto digits = shogi::number_of<decltype(job.seed)>(seed->get_string());
  if (!digits) return wrong("seed");
  job.seed = *digits;
  return job;
}

std::string games_text(const std::vector<PlayedGame>& games) {
  std::string text;
  for (const PlayedGame& game : games) text += to_json(game) + "\n";
  return text;
}

std::expected<std::vector<PlayedGame>, std::string> parse_games(std::string_view text) {
  std::vector<PlayedGame> games;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    auto game = game_from_json(text.substr(0, end));
    if (!game) return Failure(fmt::format("line {}: {}", games.size() + 1, game.error()));
    games.push_back(std::move(*game));
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  }
  return games;
}

jobs::Batch to_batch(const Match& match, std::string name, std::int64_t encounters) {
  const MatchPlan& plan = match.plan();
  jobs::Batch batch{
      .name = std::move(name),
      .kind = std::string(kMatchKind),
      .payload = to_text(MatchJob{.engines = plan.engines, .rules = plan.runner.rules, .seed = plan.runner.seed}),
      .chunks = {}};
  const std::int64_t games = match.schedule().games();
  const std::int64_t size = std::max<std::int64_t>(encounters, 1) * plan.schedule.games_per_encounter;
  for (std::int64_t from = 0; from < games; from += size) {
    std::vector<PlayedGame> planned;
    for (std::int64_t number = from; number < std::min(from + size, games); ++number) {
      planned.push_back(match.assignment(number).game);
    }
    batch.chunks.push_back(games_text(planned));
  }
  if (batch.name.empty()) batch.name = fmt::format("match-{:016x}", jobs::digest(batch));
  return batch;
}

}  // namespace fuhyo::match
