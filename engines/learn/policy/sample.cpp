#include "engines/learn/policy/sample.h"

#include <algorithm>
#include <cmath>

#include "engines/jobs/fingerprint.h"
#include "engines/learn/policy/mirror.h"
#include "engines/mcts/shogi/planes.h"
#include "engines/shogi/movegen.h"
#include "engines/shogi/usi_move.h"

namespace fuhyo::learn::policy {

std::optional<Sample> sample_of(const shogi::Position& position, shogi::Move move) {
  const auto packed = record::pack_hcp(position);
  if (!packed) return {};
  return Sample{.position = *packed,
                .move = record::apery_bits(move),
                .ply = static_cast<std::uint16_t>(std::min(position.ply(), 0xFFFF)),
                .score = {},
                .result = {}};
}

std::optional<float> value_target(const Sample& sample, double lambda) {
  if (!sample.score && !sample.result) return {};
  const double result = sample.result ? *sample.result / 2.0 : 0;
  const double score = sample.score ? 1 / (1 + std::exp(-*sample.score / 600.0)) : 0;
  if (!sample.score) return static_cast<float>(result);
  if (!sample.result) return static_cast<float>(score);
  return static_cast<float>(lambda * score + (1 - lambda) * result);
}

std::expected<void, std::string> fill_example(const Sample& sample, bool mirror, double lambda, Example& out,
                                              std::span<const Visits> visits) {
  const auto position = record::unpack(sample.position, sample.ply);
  if (!position) return std::unexpected(position.error());
  const auto move = record::move_of_apery_bits(sample.move);
  if (!move || !position->is_legal(*move)) {
    return std::unexpected("no legal move " + (move ? shogi::to_usi(*move) : "") + " in " + position->sfen());
  }
  out.planes.assign(mcts::kPlanes, {});
  out.scalars.assign(mcts::kScalars, 0);
  mcts::write_inputs(*position, out.planes, out.scalars);
  out.labels.clear();
  out.shares.clear();
  double sum = 0;
  for (const Visits& each : visits) sum += each.count;
  for (const shogi::Move legal : shogi::legal_moves(*position)) {
    if (legal == *move) out.played = out.labels.size();
    const std::uint32_t label = mcts::label_of(legal, position->side_to_move());
    out.labels.push_back(static_cast<std::uint16_t>(mirror ? mirrored_label(label) : label));
    if (sum <= 0) continue;
    const auto found = std::ranges::find(visits, record::apery_bits(legal), &Visits::move);
    out.shares.push_back(found == visits.end() ? 0 : static_cast<float>(found->count / sum));
  }
  if (mirror) {
    for (nn::Plane& plane : out.planes) plane = mirrored(plane);
  }
  out.value = value_target(sample, lambda);
  return {};
}

std::uint64_t input_key(const shogi::Position& position) {
  std::array<nn::Plane, mcts::kPlanes> planes{};
  std::array<float, mcts::kScalars> scalars{};
  mcts::write_inputs(position, planes, scalars);
  jobs::Fingerprint left, right;
  const auto add = [](jobs::Fingerprint& print, const nn::Plane& plane) {
    print.add_number(plane[0]);
    print.add_number(plane[1]);
  };
  // Attacks follow from the pieces: without them half the work is saved.
  for (std::size_t side = 0; side < 2; ++side) {
    for (std::size_t kind = 0; kind < 14; ++kind) {
      const nn::Plane& plane = planes[side * mcts::kPlanes / 2 + kind];
      add(left, plane);
      add(right, mirrored(plane));
    }
  }
  std::uint64_t hands = 0;
  for (const float scalar : scalars) hands = hands << 1U | (scalar != 0 ? 1 : 0);
  left.add_number(hands);
  right.add_number(hands);
  return std::min(left.value(), right.value());
}

}  // namespace fuhyo::learn::policy
