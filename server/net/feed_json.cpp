#include "server/net/feed_json.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <functional>
#include <variant>

#include <boost/json.hpp>

#include "server/core/comments.h"
#include "server/core/position_key.h"
#include "server/net/json_parts.h"

namespace fuhyo::net {
namespace {

namespace json = boost::json;

std::string_view state_of(const core::GameStory& game) {
  if (game.ended) return "ended";
  return game.phase.has_started() ? "running" : "agreeing";
}

json::object seat(const core::Seat& seat, std::int32_t rate) {
  json::object result{{"name", clean(seat.name)}, {"id", nullptr}, {"builtin", seat.builtin}, {"rate", nullptr}};
  if (!seat.id.empty()) result["id"] = clean(seat.id);
  if (rate != 0) result["rate"] = rate;
  return result;
}

json::value sfen(const core::LiveGame& game) {
  if (!game.position) return nullptr;
  return json::string(game.position->sfen());
}

json::array moves(const core::GameStory& game) { return json::array(game.moves.begin(), game.moves.end()); }

json::object end(const core::GameEnded& ended) {
  return {{"kind", core::summary_type(ended.kind)},
          {"outcome", outcome_name(ended.outcome)},
          {"line", clean(ended.line)},
          {"plies", ended.plies},
          {"reason", clean(ended.reason)},
          {"at_ms", ms(ended.at)}};
}

// The newest of Black and of White.
json::array last_comments(const core::GameStory& game) {
  json::array last{nullptr, nullptr};
  for (std::size_t ply = game.moves.size(); ply > game.opened.preset_moves.size(); --ply) {
    json::value& of_side = last[game.moves[ply - 1].starts_with('-') ? 1 : 0];
    const std::string comments = of_side.is_null() ? game.comments_on(static_cast<std::int32_t>(ply)) : "";
    if (!comments.empty()) of_side = clean(comments);
    if (!last[0].is_null() && !last[1].is_null()) break;
  }
  return last;
}

json::object game_object(const core::LiveGame& game, core::Comments comments) {
  const core::GameOpened& opened = game.opened;
  json::object result{{"id", core::value(opened.game)},
                      {"room", clean(opened.room)},
                      {"csa_id", clean(opened.csa_id)},
                      {"name", clean(opened.game_name)},
                      {"black", seat(opened.black, opened.black_rate)},
                      {"white", seat(opened.white, opened.white_rate)},
                      {"time", time_json(opened.time)},
                      {"white_time", time_or_null(opened.white_time)},
                      {"max_moves", opened.max_moves},
                      {"declaration", core::tournament::to_string(opened.declaration)},
                      {"rules", core::tournament::to_string(opened.rulebook)},
                      {"rated", opened.rated},
                      {"start_sfen", clean(opened.start_sfen)}};
  result["delay"] = delay_json(game.delay);
  result["state"] = state_of(game);
  result["moves"] = moves(game);
  result["sfen"] = sfen(game);
  result["remaining_s"] = json::array{game.remaining_s[0], game.remaining_s[1]};
  result["opened_at_ms"] = ms(opened.at);
  result["turn_since_ms"] = ms(game.turn_since);
  if (game.paused_us) {
    result["paused_ms"] = *game.paused_us / 1000;
  } else {
    result["paused_ms"] = nullptr;
  }
  if (game.ended) {
    result["end"] = end(*game.ended);
  } else {
    result["end"] = nullptr;
  }
  result["last_comments"] = are_shown(comments, game) ? last_comments(game) : json::array{nullptr, nullptr};
  return result;
}

json::object headed(core::GameId game) { return {{"v", kJsonVersion}, {"id", core::value(game)}}; }

struct Describe {
  const core::LiveGame& game;
  core::Comments comments;

  json::object operator()(const core::GameOpened&) const {
    return {{"v", kJsonVersion}, {"game", game_object(game, comments)}};
  }
  json::object operator()(const core::GameStarted& fact) const {
    json::object result = headed(fact.game);
    result["at_ms"] = ms(fact.at);
    return result;
  }
  json::object operator()(const core::GameRejected& fact) const {
    json::object result = headed(fact.game);
    result["by"] = clean(fact.by);
    result["at_ms"] = ms(fact.at);
    return result;
  }
  json::object operator()(const core::MoveMade& fact) const {
    json::object result = headed(fact.game);
    result["ply"] = fact.ply;
    result["move"] = fmt::format("{},T{}", fact.csa, fact.spent_s);
    result["remaining_s"] = fact.remaining_s;
    result["sfen"] = sfen(game);
    result["at_ms"] = ms(fact.at);
    if (are_shown(comments, game) && !fact.comment.empty()) result["comment"] = clean(fact.comment);
    return result;
  }
  json::object operator()(const core::CommentAdded& fact) const {
    json::object result = headed(fact.game);
    result["ply"] = fact.ply;
    if (are_shown(comments, game)) result["comment"] = clean(game.comments_on(fact.ply));
    return result;
  }
  json::object operator()(const core::RecordNote& fact) const { return headed(fact.game); }
  json::object operator()(const core::GamePaused& fact) const {
    json::object result = headed(fact.game);
    result["paused_ms"] = fact.used_us / 1000;
    result["by"] = clean(fact.by);
    result["why"] = clean(fact.why);
    return result;
  }
  json::object operator()(const core::GameResumed& fact) const {
    json::object result = headed(fact.game);
    if (!game.paused_us) result["turn_since_ms"] = ms(game.turn_since);
    result["by"] = clean(fact.by);
    return result;
  }
  json::object operator()(const core::GameSuspended& fact) const {
    json::object result = headed(fact.game);
    result["paused_ms"] = fact.used_us / 1000;
    result["why"] = clean(fact.why);
    return result;
  }
  json::object operator()(const core::GameContinued& fact) const {
    json::object result = headed(fact.game);
    if (!game.paused_us) result["turn_since_ms"] = ms(game.turn_since);
    return result;
  }
  json::object operator()(const core::GameEnded& fact) const {
    json::object result = headed(fact.game);
    for (auto& [key, value] : end(fact)) result[key] = std::move(value);
    return result;
  }
  json::object operator()(const core::TournamentGame& fact) const { return headed(fact.game); }
  template <class F>
    requires(!requires(const F& f) { f.game; })
  json::object operator()(const F&) const {  // LiveView shows no such fact
    return {{"v", kJsonVersion}};
  }
};

// Length of the valid UTF-8 sequence at the front of `bytes`; 0 if there is none (overlong forms, surrogates and what
// lies beyond U+10FFFF are none).
std::size_t sequence_length(std::string_view bytes) {
  const auto at = [bytes](std::size_t i) { return i < bytes.size() ? static_cast<unsigned char>(bytes[i]) : 0u; };
  const auto tail = [&](std::size_t i) { return (at(i) & 0xc0u) == 0x80u; };
  const unsigned lead = at(0);
  if (lead < 0x80) return 1;
  if (lead >= 0xc2 && lead <= 0xdf) return tail(1) ? 2 : 0;
  if (lead >= 0xe0 && lead <= 0xef) {
    if (!tail(1) || !tail(2) || (lead == 0xe0 && at(1) < 0xa0) || (lead == 0xed && at(1) > 0x9f)) return 0;
    return 3;
  }
  if (lead >= 0xf0 && lead <= 0xf4) {
    if (!tail(1) || !tail(2) || !tail(3) || (lead == 0xf0 && at(1) < 0x90) || (lead == 0xf4 && at(1) > 0x8f)) return 0;
    return 4;
  }
  return 0;
}

// C0, DEL, C1, and the marks that turn the direction of the text that follows.
bool is_control(std::string_view sequence) {
  if (sequence.size() == 1) return static_cast<unsigned char>(sequence[0]) < 0x20 || sequence[0] == 0x7f;
  if (sequence.size() == 2) {
    return (sequence[0] == '\xc2' && static_cast<unsigned char>(sequence[1]) < 0xa0) || sequence == "\xd8\x9c";
  }
  if (sequence.size() != 3 || sequence[0] != '\xe2') return false;
  const auto middle = static_cast<unsigned char>(sequence[1]), last = static_cast<unsigned char>(sequence[2]);
  return (middle == 0x80 && (last == 0x8e || last == 0x8f || (last >= 0xa8 && last <= 0xae))) ||
         (middle == 0x81 && last >= 0xa6 && last <= 0xa9);
}

struct Name {
  std::string_view operator()(const core::GameOpened&) const { return "opened"; }
  std::string_view operator()(const core::GameStarted&) const { return "started"; }
  std::string_view operator()(const core::GameRejected&) const { return "rejected"; }
  std::string_view operator()(const core::MoveMade&) const { return "moved"; }
  std::string_view operator()(const core::CommentAdded&) const { return "commented"; }
  std::string_view operator()(const core::RecordNote&) const { return ""; }  // LiveView shows no such fact
  std::string_view operator()(const core::GameEnded&) const { return "ended"; }
  std::string_view operator()(const core::GamePaused&) const { return "paused"; }
  std::string_view operator()(const core::GameResumed&) const { return "resumed"; }
  std::string_view operator()(const core::GameSuspended&) const { return "suspended"; }
  std::string_view operator()(const core::GameContinued&) const { return "continued"; }
  std::string_view operator()(const core::TournamentGame&) const { return ""; }
  template <class F>
    requires(!requires(const F& f) { f.game; })
  std::string_view operator()(const F&) const {  // LiveView shows no such fact
    return "";
  }
};
// Null: the game is not over, or its opening none that is known.
json::value opening_or_null(const core::GameStory& game) {
  if (!game.ended) return nullptr;
  const std::string_view name = core::opening_of(game.opened.start_sfen, fmt::format("{}", fmt::join(game.moves, " ")));
  return name.empty() ? json::value(nullptr) : json::value(name);
}

json::value commentary_or_null(const std::optional<std::vector<core::Told>>& commentary) {
  if (!commentary) return nullptr;
  json::array list;
  for (const auto& [ply, words] : *commentary) list.push_back(json::array{ply, clean(words.ja), clean(words.en)});
  return list;
}

}  // namespace

std::string_view outcome_name(core::Outcome outcome) {
  switch (outcome) {
    case core::Outcome::black_wins:
      return "black";
    case core::Outcome::white_wins:
      return "white";
    case core::Outcome::draw:
      return "draw";
    case core::Outcome::none:
      return "none";
  }
  return "none";
}

bool are_shown(core::Comments comments, const core::GameStory& game) {
  return core::comments_shown(comments, game.opened, game.ended.has_value());
}

std::string_view event_name(const core::Fact& fact) { return std::visit(Name{}, fact); }

std::string event_json(const core::LiveChange& change, core::Comments comments) {
  return json::serialize(std::visit(Describe{change.game, comments}, change.fact));
}

std::string game_json(const core::LiveGame& game, core::Wall now, core::Comments comments, bool analysed,
                      const std::optional<std::vector<core::Told>>& commentary) {
  json::object object = game_object(game, comments);
  json::array said;
  const std::size_t begin = are_shown(comments, game) ? game.opened.preset_moves.size() : game.moves.size();
  for (std::size_t ply = begin + 1; ply <= game.moves.size(); ++ply) {
    const std::string of_move = game.comments_on(static_cast<std::int32_t>(ply));
    if (!of_move.empty()) said.push_back(json::array{ply, clean(of_move)});
  }
  object["comments"] = std::move(said);
  return json::serialize(json::object{{"v", kJsonVersion},
                                      {"now_ms", ms(now)},
                                      {"analysis", analysed && game.ended},
                                      {"opening", opening_or_null(game)},
                                      {"commentary", commentary_or_null(commentary)},
                                      {"game", std::move(object)}});
}

std::string commentary_json(core::GameId game, const core::Told& told) {
  json::object result = headed(game);
  result["ply"] = told.ply;
  result["ja"] = clean(told.words.ja);
  result["en"] = clean(told.words.en);
  return json::serialize(result);
}

std::string snapshot_json(const std::map<core::GameId, core::LiveGame>& games,
                          const std::function<bool(core::GameId)>& wanted, core::Wall now, core::Comments comments) {
  json::array list;
  for (const auto& [id, game] : games) {
    if (wanted(id)) list.push_back(game_object(game, comments));
  }
  return json::serialize(json::object{{"v", kJsonVersion}, {"now_ms", ms(now)}, {"games", std::move(list)}});
}

std::string tick_event(core::Wall now) {
  return fmt::format("event: tick\ndata: {{\"v\":{},\"now_ms\":{}}}\n\n", kJsonVersion, ms(now));
}

std::string json_line(std::string_view event) {
  std::string line = "{";
  while (!event.empty()) {
    const std::string_view field = event.substr(0, event.find('\n'));
    event.remove_prefix(std::min(event.size(), field.size() + 1));
    if (field.starts_with("id: ")) line += fmt::format(R"("id":{},)", field.substr(4));
    if (field.starts_with("event: ")) line += fmt::format(R"("event":"{}",)", field.substr(7));
    if (field.starts_with("data: ")) line += fmt::format(R"("data":{})", field.substr(6));
  }
  return line + "}\n";
}

std::string clean_utf8(std::string_view bytes) {
  std::string out;
  out.reserve(bytes.size());
  while (!bytes.empty()) {
    const std::size_t length = sequence_length(bytes);
    const std::string_view sequence = bytes.substr(0, length == 0 ? 1 : length);
    if (length == 0) {
      out += "\xef\xbf\xbd";
    } else if (is_control(sequence)) {
      out += ' ';
    } else {
      out += sequence;
    }
    bytes.remove_prefix(sequence.size());
  }
  return out;
}

}  // namespace fuhyo::net
