#include "engines/match/analysis.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include <boost/json.hpp>

#include "engines/record/csa_move.h"
#include "engines/shogi/movegen.h"
#include "engines/shogi/usi_move.h"

namespace fuhyo::match {
namespace {

namespace json = boost::json;
using record::Comment;
using shogi::Position;

constexpr int kMateScore = 100'000;  // as floodgate's clients write it
constexpr std::string_view kInfo = "info ";

int black_score(const usi::Score& score, shogi::Color mover) {
  int own = std::clamp(score.value, -kMateScore, kMateScore);
  if (score.kind == usi::Score::Kind::win) own = kMateScore;
  if (score.kind == usi::Score::Kind::lose) own = -kMateScore;
  return mover == shogi::BLACK ? own : -own;
}

// The newest line of each number that the engine tells, as far as it is wanted.
class Listener {
 public:
  explicit Listener(int lines) : lines_(static_cast<std::size_t>(lines)) {}

  void clear() { std::ranges::fill(lines_, std::nullopt); }
  void hear(std::string_view line) {
    if (!line.starts_with(kInfo)) return;
    usi::Info info = usi::parse_info(line.substr(kInfo.size()));
    const int number = info.multipv.value_or(1);
    if (!info.score || number < 1 || static_cast<std::size_t>(number) > lines_.size()) return;
    auto& known = lines_[static_cast<std::size_t>(number) - 1];
    // A bound says less than the score that was found before.
    if (known && info.score->bound != usi::Score::Bound::exact) return;
    known = AnalysedLine{.score = *info.score,
                         .depth = info.depth,
                         .seldepth = info.seldepth,
                         .nodes = info.nodes,
                         .moves = std::move(info.pv)};
  }
  // What was heard, each line as far as the rules allow it.
  std::vector<AnalysedLine> lines(const Position& position) const {
    std::vector<AnalysedLine> out;
    for (const auto& line : lines_) {
      if (!line) continue;
      AnalysedLine legal = *line;
      Position after = position;
      std::size_t count = 0;
      while (count < legal.moves.size() && after.is_legal(legal.moves[count])) after.do_move(legal.moves[count++]);
      legal.moves.resize(count);
      out.push_back(std::move(legal));
    }
    return out;
  }

 private:
  std::vector<std::optional<AnalysedLine>> lines_;
};

std::string moves_in_csa(Position position, const std::vector<shogi::Move>& moves) {
  std::string out;
  for (const shogi::Move move : moves) {
    out += ' ' + record::to_csa(position, move);
    position.do_move(move);
  }
  return out;
}

std::string moves_in_usi(const std::vector<shogi::Move>& moves) {
  std::string out;
  for (const shogi::Move move : moves) out += (out.empty() ? "" : " ") + shogi::to_usi(move);
  return out;
}

bool is_analysis(const Comment& comment) {
  if (comment.kind != Comment::Kind::program || comment.after_end) return false;
  const std::string_view text = comment.text;
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  return text.starts_with("* ") || (digits > 0 && text.substr(digits).starts_with(": "));
}

std::string score_text(const usi::Score& score) {
  usi::Info info;
  info.score = score;
  constexpr std::size_t kBefore = std::string_view("info score ").size();
  return usi::to_text(info).substr(kBefore);
}

json::object to_object(const AnalysedLine& line, shogi::Color mover) {
  json::object out{{"score", score_text(line.score)}, {"black", black_score(line.score, mover)}};
  if (line.depth) out["depth"] = *line.depth;
  if (line.seldepth) out["seldepth"] = *line.seldepth;
  if (line.nodes) out["nodes"] = *line.nodes;
  out["pv"] = moves_in_usi(line.moves);
  return out;
}

std::string best_text(const usi::BestMove& best) {
  constexpr std::size_t kBefore = std::string_view("bestmove ").size();
  const std::string text = usi::to_text({.kind = best.kind, .move = best.move});
  return text.substr(std::min(kBefore, text.size()));
}

}  // namespace

std::expected<Analysis, std::string> analyse(const record::Game& game, const AnalysisOptions& options,
                                             std::stop_token stop,
                                             const std::function<void(const AnalysedPosition&)>& told) {
  auto start = game.start.position();
  if (!start) return std::unexpected(start.error().message);
  Analysis out;
  std::vector<Position> positions = {*start};
  std::vector<shogi::Move> moves;
  for (const record::RecordedMove& recorded : game.moves) {
    if (const shogi::Illegal why = positions.back().why_illegal(recorded.move); why != shogi::Illegal::none) {
      out.remark = fmt::format("move {}, {}, is illegal: {}", moves.size() + 1, to_usi(recorded.move), to_string(why));
      break;
    }
    moves.push_back(recorded.move);
    positions.push_back(positions.back());
    positions.back().do_move(recorded.move);
  }
  Listener listener(options.lines);
  EngineCommand command = options.engine;
  command.any_positions = true;
  UsiPlayer player(std::move(command), "", -1, [&](std::string_view, char direction, std::string_view line) {
    if (direction == '>') listener.hear(line);
  });
  if (auto ready = player.new_game({.stop = stop}); !ready) return std::unexpected(ready.error().why);
  if (const auto refused = player.refused_options(); !refused.empty()) {
    return std::unexpected(fmt::format("{}", fmt::join(refused, "; ")));
  }
  const int last = std::min(options.last_ply.value_or(INT_MAX), static_cast<int>(moves.size()));
  for (int ply = last; ply >= options.first_ply && !stop.stop_requested(); --ply) {
    const Position& position = positions[static_cast<std::size_t>(ply)];
    AnalysedPosition found{.ply = ply, .sfen = position.sfen()};
    if (shogi::count_legal_moves(position) > 0) {
      const std::string line = usi::position_text(*start, std::span(moves).first(static_cast<std::size_t>(ply)));
      listener.clear();
      const std::int64_t time_ms = options.limits.byoyomi_ms + options.limits.movetime_ms.value_or(0);
      const auto answer = player.think({.line = line,
                                        .position = position,
                                        .limits = options.limits,
                                        .patience_us = (time_ms + options.patience_ms) * 1'000,
                                        .stop = stop});
      if (!answer && stop.stop_requested()) break;
      if (!answer) return std::unexpected(fmt::format("position after {} moves: {}", ply, answer.error().why));
      found.best = answer->best;
      found.spent_us = answer->data.spent_us;
      found.lines = listener.lines(position);
    }
    told(found);
    out.positions.push_back(std::move(found));
  }
  std::ranges::reverse(out.positions);
  out.engine = player.name();
  return out;
}

record::Game with_comments(const record::Game& game, const Analysis& analysis) {
  record::Game out = game;
  const auto looked_at = [&](std::int32_t ply) {
    return std::ranges::any_of(analysis.positions, [&](const AnalysedPosition& each) { return each.ply == ply; });
  };
  std::erase_if(out.comments, [&](const Comment& each) { return is_analysis(each) && looked_at(each.ply); });
  for (const AnalysedPosition& found : analysis.positions) {
    const auto position = Position::from_sfen(found.sfen);
    auto at = std::ranges::find_if(out.comments,
                                   [&](const Comment& each) { return each.after_end || each.ply >= found.ply; });
    for (std::size_t i = 0; position && i < found.lines.size(); ++i) {
      const AnalysedLine& line = found.lines[i];
      const std::string head = i == 0 ? std::string("*") : fmt::format("{}:", i + 1);
      const int score = black_score(line.score, position->side_to_move());
      at = std::next(
          out.comments.insert(at, {.ply = found.ply,
                                   .kind = Comment::Kind::program,
                                   .text = fmt::format("{} {}{}", head, score, moves_in_csa(*position, line.moves))}));
    }
  }
  return out;
}

std::string to_json(const record::Game& game, const Analysis& analysis, const std::string& limits) {
  json::array moves, positions;
  for (const record::RecordedMove& each : game.moves) moves.push_back(json::value(to_usi(each.move)));
  for (const AnalysedPosition& found : analysis.positions) {
    const auto position = Position::from_sfen(found.sfen);
    json::array lines;
    for (const AnalysedLine& line : found.lines) {
      lines.push_back(to_object(line, position ? position->side_to_move() : shogi::BLACK));
    }
    json::object each{{"ply", found.ply}, {"sfen", found.sfen}};
    if (!found.lines.empty()) each["best"] = best_text(found.best);
    each["ms"] = found.spent_us / 1'000;
    each["lines"] = std::move(lines);
    positions.push_back(std::move(each));
  }
  json::object out{{"engine", analysis.engine}, {"limits", limits}};
  if (!analysis.remark.empty()) out["remark"] = analysis.remark;
  if (!game.black.empty()) out["black"] = game.black;
  if (!game.white.empty()) out["white"] = game.white;
  out["start"] = "sfen " + game.start.sfen();
  out["moves"] = std::move(moves);
  out["positions"] = std::move(positions);
  return json::serialize(out);
}

}  // namespace fuhyo::match
