#include "engines/cluster/choice.h"

#include <algorithm>
#include <array>

#include "engines/usi/ballot.h"

namespace fuhyo::cluster {
namespace {

using Score = usi::Score;

constexpr int kMateValue = 32'000, kHighestEstimate = 29'999;

int value_in(const Score& score) {
  if (score.kind == Score::Kind::win) return kMateValue - std::clamp(score.value, 0, 1'000);
  if (score.kind == Score::Kind::lose) return -kMateValue + std::clamp(score.value, 0, 1'000);
  return std::clamp(score.value, -kHighestEstimate, kHighestEstimate);
}

usi::Ballot ballot_of(const Opinion& opinion) {
  const Score& score = *opinion.line.score;
  return {.move = opinion.move,
          .value = value_in(score),
          .depth = opinion.line.depth.value_or(1),
          .win = score.kind == Score::Kind::win,
          .exact = score.bound == Score::Bound::exact};
}

Score opposite(Score score) {
  const int further = score.value == 0 ? 0 : score.value + 1;
  if (score.kind == Score::Kind::cp) {
    score.value = -score.value;
  } else {
    score = {.kind = score.kind == Score::Kind::win ? Score::Kind::lose : Score::Kind::win,
             .value = further,
             .bound = score.bound};
  }
  if (score.bound != Score::Bound::exact) {
    score.bound = score.bound == Score::Bound::lower ? Score::Bound::upper : Score::Bound::lower;
  }
  return score;
}

}  // namespace

std::string_view to_text(Reason reason) {
  static constexpr std::array<std::string_view, 5> kTexts = {"only", "mate", "vote", "last_line", "fallback"};
  return kTexts[static_cast<std::size_t>(reason)];
}

std::optional<std::size_t> choose(std::span<const Opinion> opinions, std::span<const shogi::Move> refuted) {
  const auto is_refuted = [&](const Opinion& o) { return std::ranges::find(refuted, o.move) != refuted.end(); };
  const bool all = std::ranges::all_of(opinions, is_refuted);
  int highest = -kMateValue;
  for (const Opinion& opinion : opinions) {
    if (!opinion.below && opinion.line.score) highest = std::max(highest, value_in(*opinion.line.score));
  }
  std::vector<usi::Ballot> ballots;
  std::vector<std::size_t> voters;
  for (std::size_t i = 0; i < opinions.size(); ++i) {
    const Opinion& opinion = opinions[i];
    if (!opinion.line.score || (!all && is_refuted(opinion))) continue;
    if (opinion.below && value_in(*opinion.line.score) <= highest) continue;
    ballots.push_back(ballot_of(opinion));
    voters.push_back(i);
  }
  if (ballots.empty()) return std::nullopt;
  return voters[usi::elect(ballots)];
}

usi::Info before_move(const usi::Info& info, shogi::Move move) {
  usi::Info line{.depth = info.depth.value_or(0) + 1, .score = opposite(*info.score)};
  line.pv = info.pv;
  line.pv.insert(line.pv.begin(), move);
  return line;
}

}  // namespace fuhyo::cluster
