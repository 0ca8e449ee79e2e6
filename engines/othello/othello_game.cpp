#include "engines/othello/othello_game.h"

#include <bit>
#include <fmt/format.h>

namespace fuhyo::othello {
namespace {

// SplitMix64's mixing (Steele, Lea, Flood 2014).
constexpr std::uint64_t mixed(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

}  // namespace

nn::Shape default_shape() {
  return {.edge = 8,
          .planes = kPlanes,
          .scalars = 0,
          .channels = 16,
          .blocks = 2,
          .policy_planes = 1,
          .value_planes = 8,
          .value_hidden = 16};
}

std::expected<void, std::string> check_shape(const nn::Shape& shape) {
  if (const std::string fault = shape.fault(); !fault.empty()) return std::unexpected(fault);
  const nn::Shape usual = default_shape();
  if (shape.edge == usual.edge && shape.planes == usual.planes && shape.scalars == 0 && shape.policy_planes == 1) {
    return {};
  }
  return std::unexpected(fmt::format("{}, boards of {}x{}: Othello has {}+0 inputs and {} labels on 8x8", shape.name(),
                                     shape.edge, shape.edge, kPlanes, kSquares));
}

void write_inputs(const Board& board, std::span<nn::Plane> planes) {
  planes[0][0] = board.own;
  planes[1][0] = board.other;
  planes[2][0] = ~std::uint64_t{0};
}

std::uint64_t OthelloGame::key() const { return mixed(board().own ^ mixed(board().other + 0x9e3779b97f4a7c15)); }

mcts::Verdict OthelloGame::verdict() const {
  if (!board().over()) return {};
  const int lead = board().lead();
  return {.result = lead > 0 ? mcts::Result::win : lead < 0 ? mcts::Result::loss : mcts::Result::draw};
}

std::size_t OthelloGame::moves(std::span<mcts::LabelledMove> room) const {
  std::size_t count = 0;
  for (std::uint64_t rest = board().moves(); rest != 0; rest &= rest - 1) {
    const auto square = static_cast<std::uint16_t>(std::countr_zero(rest));
    room[count++] = {.move = square, .label = square};
  }
  if (count == 0) room[count++] = {.move = kPass, .label = 0};
  return count;
}

}  // namespace fuhyo::othello
