#include "server/core/position_key.h"

#include <bit>
#include <unordered_set>

#include "engines/record/csa_move.h"
#include "engines/record/opening.h"
#include "engines/shogi/usi_move.h"
#include "server/core/games/game.h"

namespace fuhyo::core {
namespace {

// FNV-1a, then the last step of SplitMix64: FNV alone leaves the high bits of similar texts alike.
std::uint64_t hash(std::string_view text) {
  std::uint64_t value = 0xcbf29ce484222325u;
  for (const char c : text) value = (value ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9u;
  value = (value ^ (value >> 27)) * 0x94d049bb133111ebu;
  return value ^ (value >> 31);
}

}  // namespace

std::int64_t position_key(const shogi::Position& position) {
  const std::string sfen = position.sfen();
  return std::bit_cast<std::int64_t>(hash(std::string_view(sfen).substr(0, sfen.rfind(' '))));
}

std::vector<Occurrence> occurrences(const std::string& start_sfen, const std::string& moves) {
  auto position = shogi::Position::from_sfen(start_sfen);
  if (!position) return {};
  std::vector<Occurrence> found;
  std::unordered_set<std::int64_t> seen;
  const auto add = [&](std::int64_t key, std::string move) {
    if (seen.insert(key).second) found.push_back({key, std::move(move)});
  };
  for (const std::string_view text : moves_of(moves)) {
    const std::int64_t before = position_key(*position);
    const auto move = play(*position, text);
    if (!move) break;
    add(before, shogi::to_usi(*move));
  }
  add(position_key(*position), "");
  return found;
}

std::string_view opening_of(const std::string& start_sfen, const std::string& moves) {
  const auto start = shogi::Position::from_sfen(start_sfen);
  if (!start) return {};
  const record::Setup first = record::Setup::of(*start);
  record::Setup setup = first;
  std::vector<record::RecordedMove> made;
  for (const std::string_view text : moves_of(moves)) {
    const auto csa = record::parse_csa_move(text.substr(0, text.find(',')));
    const auto move = csa ? setup.resolve(*csa) : std::nullopt;
    if (!move || made.size() == record::kOpeningPlies) break;
    setup.apply(*move);
    made.push_back({*move, {}});
  }
  return record::opening_name(first, made);
}

}  // namespace fuhyo::core
