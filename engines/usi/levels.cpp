#include "engines/usi/levels.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "engines/shogi/movegen.h"

namespace fuhyo::usi {
namespace {

constexpr std::string_view kLevel = "Level";
constexpr std::string_view kLevelSeed = "LevelSeed";

// Spaced by measurement; how far it goes: LEVELS.md.
constexpr std::array<Level, kHighestLevel> kLevels = {{
    {40, 17, 1189.0}, {40, 16, 920.0},  {44, 15, 760.0},  {48, 15, 634.0},  {54, 14, 529.0},  {61, 14, 439.0},
    {71, 13, 363.0},  {82, 12, 308.0},  {97, 12, 267.0},  {110, 12, 235.0}, {130, 11, 209.0}, {170, 10, 190.0},
    {220, 10, 173.0}, {280, 10, 159.0}, {350, 10, 146.0}, {440, 9, 133.0},  {540, 8, 121.0},  {700, 8, 106.0},
    {940, 8, 91.0},   {1'200, 7, 81.0}, {1'500, 6, 73.0}, {1'800, 6, 66.0}, {2'100, 6, 59.0}, {2'500, 5, 52.0},
    {3'000, 5, 47.0}, {3'600, 5, 41.0}, {4'200, 5, 36.0}, {5'000, 5, 32.0}, {5'900, 5, 29.0}, {7'100, 5, 26.0},
}};

// Where scores begin to count less, in centipawns.
constexpr double kBend = 600;
// What a mate counts as before it is bent; one that is a ply farther counts so much less.
constexpr double kMateScore = 20'000;
constexpr double kPly = 100;

double bent(const Score& score) {
  double value = score.value;
  if (score.kind != Score::Kind::cp) {
    const double mate = std::max(kMateScore - kPly * std::min(score.value, 100), kMateScore / 2);
    value = score.kind == Score::Kind::win ? mate : -mate;
  }
  return std::copysign(kBend * std::log1p(std::abs(value) / kBend), value);
}

bool is_mated(const shogi::Position& position) {
  return position.in_check() && shogi::count_legal_moves(position) == 0;
}

bool can_mate_at_once(shogi::Position& position) {
  for (const shogi::Move move : shogi::legal_moves(position)) {
    if (!position.gives_check(move)) continue;
    const auto undo = position.do_move(move);
    const bool mate = is_mated(position);
    position.undo_move(move, undo);
    if (mate) return true;
  }
  return false;
}

}  // namespace

const Level& level(int number) { return kLevels.at(static_cast<std::size_t>(number - 1)); }

void add_level_options(OptionTable& table) {
  table.add_spin(
      std::string(kLevel), 0, 0, kHighestLevel,
      {"plays weaker: from 1 (a beginner) to 30; 0: full strength", "強さを落とす。1(初心者)から30まで。0なら全力"});
  table.add_spin(std::string(kLevelSeed), 0, 0, INT32_MAX,
                 {"makes the choices of a level repeatable; 0: different ones in every game",
                  "Levelの指し手の乱数の種。0なら毎局違う"});
}

int level_of(const OptionTable& table, const GoLimits& limits) {
  return limits.infinite ? 0 : static_cast<int>(table.spin(kLevel));
}

std::uint64_t level_seed(const OptionTable& table, std::uint64_t fresh) {
  const std::int64_t wanted = table.spin(kLevelSeed);
  return wanted == 0 ? fresh : static_cast<std::uint64_t>(wanted);
}

// ---- choosing ----

SafeMoves find_safe_moves(const shogi::Position& position, std::span<const shogi::Move> moves) {
  SafeMoves safe;
  shogi::Position board = position;
  for (const shogi::Move move : moves) {
    const auto undo = board.do_move(move);
    if (is_mated(board)) {
      safe.mate = move;
    } else if (!can_mate_at_once(board)) {
      safe.moves.push_back(move);
    }
    board.undo_move(move, undo);
    if (safe.mate) break;
  }
  if (safe.moves.empty()) safe.moves.assign(moves.begin(), moves.end());
  return safe;
}

std::vector<double> chances(std::span<const Score> scores, double temperature) {
  std::vector<double> weights;
  weights.reserve(scores.size());
  for (const Score& score : scores) weights.push_back(bent(score));
  const double best = weights.empty() ? 0 : std::ranges::max(weights);
  for (double& weight : weights) weight = std::exp((weight - best) / temperature);
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  for (double& weight : weights) weight /= sum;
  return weights;
}

std::size_t choose(std::span<const Score> scores, double temperature, double random) {
  const std::vector<double> all = chances(scores, temperature);
  std::size_t chosen = 0;
  double passed = all[0];
  while (passed <= random && chosen + 1 < all.size()) passed += all[++chosen];
  return chosen;
}

// ---- a move ----

LevelMove::LevelMove(const Level& level, int wanted_lines, const shogi::Position& position,
                     std::span<const shogi::Move> moves)
    : level_(level), wanted_lines_(wanted_lines) {
  SafeMoves safe = find_safe_moves(position, moves);
  moves_ = safe.mate ? std::vector{safe.mate} : std::move(safe.moves);
}

GoLimits LevelMove::limits(GoLimits given) const {
  given.nodes = std::min(given.nodes.value_or(level_.nodes), level_.nodes);
  return given;
}

void LevelMove::tell(Info info, const Report& report) const {
  if (info.multipv.value_or(1) > wanted_lines_) return;
  if (wanted_lines_ == 1) info.multipv.reset();
  report(info);
}

SearchResult LevelMove::choose(SearchResult found, double random, const Report& report) const {
  // Without whole lines (the clock, or a mate at once) it is the best of what is known.
  std::vector<Score> scores;
  for (const Info& line : found.lines) {
    if (!line.score || line.pv.empty() || scores.size() == static_cast<std::size_t>(level_.lines)) break;
    scores.push_back(*line.score);
  }
  const std::size_t chosen = scores.empty() ? 0 : usi::choose(scores, level_.temperature, random);
  if (chosen == 0) return found;  // the search may have come to know better than its last whole iteration
  Info& line = found.lines[chosen];
  found.best = {.kind = BestMove::Kind::move, .move = line.pv[0]};
  if (line.pv.size() > 1) found.best.ponder = line.pv[1];
  line.nodes = found.nodes;
  if (wanted_lines_ == 1) {
    line.multipv.reset();
    report(line);
  }
  return found;
}

}  // namespace fuhyo::usi
