#include "engines/members/value.h"

#include <algorithm>
#include <climits>
#include <cmath>

namespace fuhyo::members {
namespace {

using Kind = Value::Kind;

// An estimate is never certain: its centipawns stay finite.
constexpr double kNearlyLost = 0.001;
// The curve of usi::wdl_of(), in centipawns of which 100 are a pawn.
constexpr double kOwnScale = 600 / 0.9;

Value estimate(double chance) { return {.chance = std::clamp(chance, kNearlyLost, 1 - kNearlyLost)}; }

}  // namespace

std::optional<Value> value_of(const usi::Info& info, double scale) {
  using Score = usi::Score;
  if (info.score && info.score->kind == Score::Kind::win) {
    if (info.score->bound == Score::Bound::upper) return std::nullopt;
    return Value{.kind = Kind::win, .chance = 1, .plies = info.score->value};
  }
  if (info.score && info.score->kind == Score::Kind::lose) {
    if (info.score->bound == Score::Bound::lower) return std::nullopt;
    return Value{.kind = Kind::loss, .chance = 0, .plies = info.score->value};
  }
  if (info.wdl) {
    const double all = static_cast<double>(info.wdl->win) + info.wdl->draw + info.wdl->lose;
    if (info.wdl->win >= 0 && info.wdl->draw >= 0 && info.wdl->lose >= 0 && all > 0) {
      return estimate((info.wdl->win + info.wdl->draw / 2.0) / all);
    }
  }
  if (!info.score) return std::nullopt;
  return estimate(1 / (1 + std::exp(-info.score->value / scale)));
}

Value before_move(const Value& value) {
  const int plies = value.plies == 0 ? 0 : value.plies + 1;
  if (value.kind == Kind::win) return {.kind = Kind::loss, .chance = 0, .plies = plies};
  if (value.kind == Kind::loss) return {.kind = Kind::win, .chance = 1, .plies = plies};
  return {.chance = 1 - value.chance};
}

usi::Score score_of(const Value& value) {
  if (value.kind == Kind::win) return {.kind = usi::Score::Kind::win, .value = value.plies};
  if (value.kind == Kind::loss) return {.kind = usi::Score::Kind::lose, .value = value.plies};
  return {.value = static_cast<int>(std::lround(kOwnScale * std::log(value.chance / (1 - value.chance))))};
}

bool sooner(const Value& a, const Value& b) {
  const auto length = [](const Value& v) { return v.plies == 0 ? INT_MAX : v.plies; };
  return length(a) < length(b);
}

}  // namespace fuhyo::members
