#include "engines/record/hcpe.h"

#include <algorithm>
#include <fmt/core.h>
#include <utility>

namespace fuhyo::record {
namespace {

using Failure = std::unexpected<std::string>;

constexpr std::uint8_t kAllBits = 0xff, kWinnerBits = 3;

Hcp take_hcp(ByteReader& in) {
  Hcp hcp;
  std::ranges::copy(*in.take_bytes(Hcp::kSize), hcp.bytes.begin());
  return hcp;
}

void append(Bytes& out, const Hcp& hcp) { out.insert(out.end(), hcp.bytes.begin(), hcp.bytes.end()); }

std::optional<Winner> winner_of(unsigned number) {
  if (number > std::to_underlying(Winner::white)) return std::nullopt;
  return static_cast<Winner>(number);
}

std::unexpected<std::string> no_move(std::uint16_t bits) { return Failure(fmt::format("{:#06x} is no move", bits)); }

void append_position(Bytes& out, const Hcpe& value, std::uint8_t result) {
  append(out, value.position);
  put(out, static_cast<std::uint16_t>(value.score));
  put(out, apery_bits(value.move));
  out.push_back(result);
  out.push_back(value.padding);
}

// `winner_bits`: which bits of the result say who won.
std::expected<Hcpe, std::string> take_position(ByteView bytes, std::uint8_t winner_bits) {
  ByteReader in(bytes);
  Hcpe value{.position = take_hcp(in)};
  value.score = static_cast<std::int16_t>(*in.take<std::uint16_t>());
  const auto bits = *in.take<std::uint16_t>();
  const auto move = move_of_apery_bits(bits);
  const auto result = *in.take<std::uint8_t>();
  const auto winner = winner_of(result & winner_bits);
  if (!move) return no_move(bits);
  if (!winner) return Failure(fmt::format("{} is no result", result));
  value.move = *move;
  value.winner = *winner;
  value.flags = static_cast<std::uint8_t>(result & ~winner_bits);
  value.padding = *in.take<std::uint8_t>();
  return value;
}

}  // namespace

void append_hcpe(Bytes& out, const Hcpe& value) { append_position(out, value, std::to_underlying(value.winner)); }

void append_hcpe2(Bytes& out, const Hcpe& value) {
  append_position(out, value, static_cast<std::uint8_t>(value.flags | std::to_underlying(value.winner)));
}

std::expected<Hcpe, std::string> hcpe(ByteView bytes) { return take_position(bytes, kAllBits); }
std::expected<Hcpe, std::string> hcpe2(ByteView bytes) { return take_position(bytes, kWinnerBits); }

std::expected<std::size_t, std::string> hcpe3_size(ByteView bytes) {
  std::size_t size = Hcpe3Game::kStart;
  if (bytes.size() < size) return size;
  const auto moves = *ByteReader(bytes.subspan(Hcp::kSize)).take<std::uint16_t>();
  for (unsigned i = 1; i <= moves; ++i) {
    size += Hcpe3Game::kMove;
    if (bytes.size() < size) return size;
    const auto candidates = *ByteReader(bytes.subspan(size - sizeof(std::uint16_t))).take<std::uint16_t>();
    if (candidates > kMaxCandidates) return Failure(fmt::format("move {} has {} candidates", i, candidates));
    size += candidates * Hcpe3Game::kCandidate;
  }
  return size;
}

std::expected<Hcpe3Game, std::string> hcpe3(ByteView bytes) {
  ByteReader in(bytes);
  Hcpe3Game game{.start = take_hcp(in)};
  game.moves.resize(*in.take<std::uint16_t>());
  const auto result = *in.take<std::uint8_t>();
  const auto winner = winner_of(result & kWinnerBits);
  if (!winner) return Failure(fmt::format("{} is no result", result));
  game.winner = *winner;
  game.flags = static_cast<std::uint8_t>(result & ~kWinnerBits);
  game.opponent = *in.take<std::uint8_t>();
  for (Hcpe3Move& each : game.moves) {
    const auto bits = *in.take<std::uint16_t>();
    const auto move = move_of_apery_bits(bits);
    if (!move) return no_move(bits);
    each.move = *move;
    each.score = static_cast<std::int16_t>(*in.take<std::uint16_t>());
    each.candidates.resize(*in.take<std::uint16_t>());
    for (auto& candidate : each.candidates) {
      const auto other_bits = *in.take<std::uint16_t>();
      const auto other = move_of_apery_bits(other_bits);
      if (!other) return no_move(other_bits);
      candidate = {.move = *other, .visits = *in.take<std::uint16_t>()};
    }
  }
  return game;
}

bool append_hcpe3(Bytes& out, const Hcpe3Game& game) {
  const auto too_many = [](const Hcpe3Move& move) { return move.candidates.size() > kMaxCandidates; };
  if (game.moves.size() > kMaxHcpe3Moves || std::ranges::any_of(game.moves, too_many)) return false;
  append(out, game.start);
  put(out, static_cast<std::uint16_t>(game.moves.size()));
  out.push_back(static_cast<std::uint8_t>(game.flags | std::to_underlying(game.winner)));
  out.push_back(game.opponent);
  for (const Hcpe3Move& each : game.moves) {
    put(out, apery_bits(each.move));
    put(out, static_cast<std::uint16_t>(each.score));
    put(out, static_cast<std::uint16_t>(each.candidates.size()));
    for (const auto& candidate : each.candidates) {
      put(out, apery_bits(candidate.move));
      put(out, candidate.visits);
    }
  }
  return true;
}

}  // namespace fuhyo::record
