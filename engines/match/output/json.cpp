#include "engines/match/output/json.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include <boost/json.hpp>

#include "engines/shogi/usi_move.h"
#include "engines/usi/text.h"

namespace fuhyo::match {
namespace {

namespace json = boost::json;

constexpr std::array<std::string_view, 3> kResultWords = {"draw", "black_wins", "white_wins"};

std::string score_text(const usi::Score& score) {
  usi::Info info;
  info.score = score;
  constexpr std::size_t kBefore = std::string_view("info score ").size();
  return usi::to_text(info).substr(kBefore);
}

std::optional<usi::Score> score_of(std::string_view text) {
  return usi::parse_info("score " + std::string(text)).score;
}

std::string line_text(const std::vector<shogi::Move>& moves) {
  std::string out;
  for (const shogi::Move move : moves) out += (out.empty() ? "" : " ") + shogi::to_usi(move);
  return out;
}

// One value a move; left out if no move has any.
template <class Value>
void add_column(json::object& out, std::string_view key, const std::vector<MoveData>& moves, Value value) {
  json::array column;
  for (const MoveData& data : moves) column.push_back(value(data));
  if (std::ranges::any_of(column, [](const json::value& each) { return !each.is_null(); }))
    out[key] = std::move(column);
}

template <class T>
json::value or_null(const std::optional<T>& value) {
  return value ? json::value(*value) : json::value(nullptr);
}

// ---- reading: every step may find that the line is not what it should be ----

class Reader {
 public:
  explicit Reader(const json::object& object) : object_(object) {}

  std::int64_t integer(std::string_view key) { return integer(find(key), key); }
  std::string text(std::string_view key) { return text(find(key), key); }
  std::array<const json::value*, 2> both(std::string_view key) {
    const json::value* value = find(key);
    if (value == nullptr || !value->is_array() || value->get_array().size() != 2) {
      fail(key);
      return {};
    }
    return {&value->get_array()[0], &value->get_array()[1]};
  }
  // As many as there are moves, or none at all.
  const json::array* column(std::string_view key, std::size_t size) {
    const json::value* value = object_.if_contains(key);
    if (value == nullptr) return nullptr;
    if (value->is_array() && value->get_array().size() == size) return &value->get_array();
    fail(key);
    return nullptr;
  }
  const json::value* find(std::string_view key) {
    const json::value* value = object_.if_contains(key);
    if (value == nullptr) fail(key);
    return value;
  }
  std::int64_t integer(const json::value* value, std::string_view key) {
    if (value != nullptr && value->is_int64()) return value->get_int64();
    fail(key);
    return 0;
  }
  std::string text(const json::value* value, std::string_view key) {
    if (value != nullptr && value->is_string()) return std::string(value->get_string());
    fail(key);
    return {};
  }
  void fail(std::string_view key) {
    if (why_.empty()) why_ = fmt::format("\"{}\" is missing or wrong", key);
  }
  const std::string& why() const { return why_; }

 private:
  const json::object& object_;
  std::string why_;
};

std::optional<std::int64_t> optional_at(Reader& reader, const json::array* column, std::size_t i,
                                        std::string_view key) {
  if (column == nullptr || (*column)[i].is_null()) return std::nullopt;
  return reader.integer(&(*column)[i], key);
}

std::optional<std::vector<shogi::Move>> moves_of(std::string_view text) {
  std::vector<shogi::Move> moves;
  for (std::string_view word = usi::next_word(text); !word.empty(); word = usi::next_word(text)) {
    const auto move = shogi::parse_usi_move(word);
    if (!move) return std::nullopt;
    moves.push_back(*move);
  }
  return moves;
}

void read_moves(Reader& reader, PlayedGame& game) {
  const json::value* moves = reader.find("moves");
  if (moves == nullptr || !moves->is_array()) return reader.fail("moves");
  const json::array& list = moves->get_array();
  const auto* us = reader.column("us", list.size());
  const auto* scores = reader.column("scores", list.size());
  const auto* depths = reader.column("depths", list.size());
  const auto* seldepths = reader.column("seldepths", list.size());
  const auto* nodes = reader.column("nodes", list.size());
  const auto* pvs = reader.column("pvs", list.size());
  shogi::Position position = game.start.current();
  for (std::size_t i = 0; i < list.size(); ++i) {
    MoveData data;
    const auto move = shogi::parse_usi_move(reader.text(&list[i], "moves"));
    if (!move || !position.is_legal(*move)) return reader.fail("moves");
    position.do_move(*move);
    data.move = *move;
    data.spent_us = optional_at(reader, us, i, "us").value_or(0);
    data.depth = optional_at(reader, depths, i, "depths");
    data.seldepth = optional_at(reader, seldepths, i, "seldepths");
    data.nodes = optional_at(reader, nodes, i, "nodes");
    if (scores != nullptr && !(*scores)[i].is_null()) {
      data.score = score_of(reader.text(&(*scores)[i], "scores"));
      if (!data.score) reader.fail("scores");
    }
    if (pvs != nullptr && !(*pvs)[i].is_null()) {
      const auto pv = moves_of(reader.text(&(*pvs)[i], "pvs"));
      if (!pv) return reader.fail("pvs");
      data.pv = *pv;
    }
    game.moves.push_back(std::move(data));
  }
}

void read_sides(Reader& reader, PlayedGame& game) {
  const auto engines = reader.both("engines"), names = reader.both("names"), times = reader.both("times");
  for (const std::size_t color : {0UZ, 1UZ}) {
    game.engines[color] = static_cast<int>(reader.integer(engines[color], "engines"));
    game.names[color] = reader.text(names[color], "names");
    const std::string text = reader.text(times[color], "times");
    if (text.empty()) continue;  // who is built in has no clock
    const auto time = parse_time_control(text);
    if (time) game.times[color] = *time;
    if (!time) reader.fail("times");
  }
}

void read_end(Reader& reader, PlayedGame& game) {
  const auto result = std::ranges::find(kResultWords, reader.text("outcome"));
  if (result == kResultWords.end()) return reader.fail("outcome");
  game.result = static_cast<GameResult>(result - kResultWords.begin());
  const auto ending = parse_ending(reader.text("ending"));
  if (!ending) return reader.fail("ending");
  game.ending = *ending;
  game.detail = reader.text("detail");
  game.began_ms = reader.integer("began");
  game.ended_ms = reader.integer("ended");
}

}  // namespace

std::string to_json(const PlayedGame& game) {
  json::object out;
  out["game"] = game.number;
  out["engines"] = json::array{game.engines[0], game.engines[1]};
  out["names"] = json::array{game.names[0], game.names[1]};
  out["times"] = json::array{to_text(game.times[0]), to_text(game.times[1])};
  out["opening"] = game.opening;
  out["openingName"] = game.opening_name;
  constexpr std::size_t kBefore = std::string_view("position ").size();
  out["start"] = usi::position_text(game.start.start, game.start.moves).substr(kBefore);
  json::array moves;
  for (const MoveData& data : game.moves) moves.push_back(json::value(shogi::to_usi(data.move)));
  out["moves"] = std::move(moves);
  add_column(out, "us", game.moves, [](const MoveData& data) { return json::value(data.spent_us); });
  add_column(out, "scores", game.moves, [](const MoveData& data) {
    return data.score ? json::value(score_text(*data.score)) : json::value(nullptr);
  });
  add_column(out, "depths", game.moves, [](const MoveData& data) { return or_null(data.depth); });
  add_column(out, "seldepths", game.moves, [](const MoveData& data) { return or_null(data.seldepth); });
  add_column(out, "nodes", game.moves, [](const MoveData& data) { return or_null(data.nodes); });
  add_column(out, "pvs", game.moves, [](const MoveData& data) {
    return data.pv.empty() ? json::value(nullptr) : json::value(line_text(data.pv));
  });
  out["outcome"] = kResultWords[static_cast<std::size_t>(game.result)];
  out["ending"] = to_string(game.ending);
  out["detail"] = game.detail;
  out["began"] = game.began_ms;
  out["ended"] = game.ended_ms;
  return json::serialize(out);
}

std::expected<PlayedGame, std::string> game_from_json(std::string_view line) {
  boost::system::error_code error;
  const json::value value = json::parse(line, error);
  if (error) return std::unexpected("no JSON: " + error.message());
  if (!value.is_object()) return std::unexpected(std::string("no JSON object"));
  Reader reader(value.get_object());
  PlayedGame game;
  game.number = reader.integer("game");
  game.opening = reader.integer("opening");
  game.opening_name = reader.text("openingName");
  read_sides(reader, game);
  if (auto start = usi::parse_position(reader.text("start"))) {
    game.start = std::move(*start);
    read_moves(reader, game);
  } else {
    reader.fail("start");
  }
  read_end(reader, game);
  if (!reader.why().empty()) return std::unexpected(reader.why());
  return game;
}

}  // namespace fuhyo::match
