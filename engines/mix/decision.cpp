#include "engines/mix/decision.h"

#include <algorithm>
#include <array>

namespace fuhyo::mix {
namespace {

using shogi::Move;
using Kind = Value::Kind;

constexpr int kFirstPly = 40, kLastPly = 120;

bool contains(std::span<const Move> moves, Move move) { return std::ranges::find(moves, move) != moves.end(); }

// A member whose own move is lost as well proves that everything is: it objects only to what loses sooner.
bool objects(const Opinion& opinion, Move move) {
  const Value* const value = opinion.value_of(move);
  if (value == nullptr || value->kind != Kind::loss || opinion.move == move) return false;
  const Value* const own = opinion.value_of(opinion.move);
  return own == nullptr || own->kind != Kind::loss || sooner(*value, *own);
}

bool vetoed(std::span<const Opinion> opinions, Move move) {
  return std::ranges::any_of(opinions, [&](const Opinion& opinion) { return objects(opinion, move); });
}

std::optional<Choice> proven_win(std::span<const Opinion> opinions) {
  std::optional<Choice> best;
  for (const Opinion& opinion : opinions) {
    for (const auto& [move, value] : opinion.values) {
      if (value.kind != Kind::win || (best && !sooner(value, *best->value))) continue;
      best = Choice{.move = move, .reason = Reason::mate, .value = value};
    }
  }
  return best;
}

// Those whom every one of the moves was shown to: only their values can be compared.
std::vector<Opinion> who_know_all(std::span<const Opinion> opinions, std::span<const Move> moves) {
  std::vector<Opinion> know;
  for (const Opinion& opinion : opinions) {
    const auto valued = [&](Move move) { return opinion.value_of(move) != nullptr; };
    if (std::ranges::all_of(moves, valued)) know.push_back(opinion);
  }
  return know;
}

// A proof counts as the certainty of who has it, and no more: a member that sees everything lost must not silence the
// others.
double mean_chance(std::span<const Opinion> opinions, Move move) {
  double sum = 0, weights = 0;
  for (const Opinion& opinion : opinions) {
    const Value* const value = opinion.value_of(move);
    if (value == nullptr) continue;
    sum += opinion.weight * value->chance;
    weights += opinion.weight;
  }
  return weights > 0 ? sum / weights : 0;
}

// Of the members that want the move, without a value the least of all.
double own_chance(std::span<const Opinion> opinions, Move move) {
  double best = -1;
  for (const Opinion& opinion : opinions) {
    const Value* const value = opinion.value_of(move);
    if (opinion.move == move && value != nullptr) best = std::max(best, value->chance);
  }
  return best;
}

}  // namespace

const Value* Opinion::value_of(Move wanted) const {
  const auto found = std::ranges::find(values, wanted, &MoveValue::move);
  return found == values.end() ? nullptr : &found->value;
}

std::string_view to_text(Reason reason) {
  static constexpr std::array<std::string_view, 9> kTexts = {"only",   "mate",       "agreed",    "alone",   "veto",
                                                             "values", "own_values", "last_line", "fallback"};
  return kTexts[static_cast<std::size_t>(reason)];
}

double first_weight(int start_percent, int end_percent, int ply) {
  const double progress =
      static_cast<double>(std::clamp(ply, kFirstPly, kLastPly) - kFirstPly) / (kLastPly - kFirstPly);
  return (start_percent + (end_percent - start_percent) * progress) / 100;
}

std::vector<Move> candidates(std::span<const Opinion> opinions) {
  std::vector<Move> moves;
  for (const Opinion& opinion : opinions) {
    if (opinion.move && !contains(moves, opinion.move)) moves.push_back(opinion.move);
  }
  return moves;
}

std::optional<Value> mean_value(std::span<const Opinion> opinions, Move move) {
  const Value *proof = nullptr, *any = nullptr;
  for (const Opinion& opinion : opinions) {
    const Value* const value = opinion.value_of(move);
    if (value == nullptr) continue;
    any = value;
    const bool better = proof == nullptr || (proof->kind == Kind::loss && value->kind == Kind::win);
    if (value->kind != Kind::estimate && better) proof = value;
  }
  if (proof != nullptr) return *proof;
  if (any == nullptr) return std::nullopt;
  return Value{.chance = mean_chance(opinions, move)};
}

std::optional<Choice> decide_at_once(std::span<const Opinion> opinions) {
  if (auto win = proven_win(opinions)) return win;
  const std::vector<Move> moves = candidates(opinions);
  if (moves.size() != 1) return std::nullopt;
  const auto say = std::ranges::count_if(opinions, [](const Opinion& o) { return static_cast<bool>(o.move); });
  return Choice{.move = moves.front(),
                .reason = say == 1 ? Reason::alone : Reason::agreed,
                .value = mean_value(opinions, moves.front())};
}

Choice decide(std::span<const Opinion> opinions, std::span<const Move> refuted) {
  if (auto at_once = decide_at_once(opinions)) return *at_once;
  const std::vector<Move> all = candidates(opinions);
  std::vector<Move> moves = all;
  std::erase_if(moves, [&](Move move) { return contains(refuted, move) || vetoed(opinions, move); });
  if (moves.size() == 1) {
    return {.move = moves.front(), .reason = Reason::veto, .value = mean_value(opinions, moves.front())};
  }
  if (moves.empty()) moves = all;  // everything loses, as somebody says
  const std::vector<Opinion> judges = who_know_all(opinions, moves);
  const auto chance = [&](Move move) {
    return judges.empty() ? own_chance(opinions, move) : mean_chance(judges, move);
  };
  const Move best = *std::ranges::max_element(moves, {}, chance);
  return {.move = best,
          .reason = judges.empty() ? Reason::own_values : Reason::values,
          .value = mean_value(judges.empty() ? opinions : judges, best)};
}

}  // namespace fuhyo::mix
