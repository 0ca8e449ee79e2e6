#include "engines/book/write.h"

#include <algorithm>
#include <cstdint>
#include <fmt/format.h>
#include <utility>

#include "engines/book/binary_books.h"
#include "engines/record/packed_sfen.h"
#include "engines/shogi/usi_move.h"

namespace fuhyo::book {
namespace {

constexpr std::uint64_t kWithDepth = 1;  // flag of a .ybb

void append_little_endian(std::string& out, std::uint64_t number, int bytes) {
  for (int i = 0; i < bytes; ++i, number >>= 8U) out += static_cast<char>(number & 0xFFU);
}

void append_ybb_move(std::string& out, const BookMove& move) {
  append_little_endian(out, move.move.bits(), 2);
  append_little_endian(out, static_cast<std::uint64_t>(std::clamp(move.value, INT16_MIN, INT16_MAX)), 2);
  append_little_endian(out, static_cast<std::uint64_t>(std::clamp(move.depth, 0, UINT16_MAX)), 2);
}

}  // namespace

std::string db_text(const std::vector<BookPosition>& positions) {
  std::vector<std::pair<std::string, const Entry*>> sorted;
  sorted.reserve(positions.size());
  for (const BookPosition& each : positions) sorted.emplace_back(each.position.sfen(), &each.moves);
  std::ranges::sort(sorted, {}, &std::pair<std::string, const Entry*>::first);
  std::string out = "#YANEURAOU-DB2016 1.00\n";
  for (const auto& [sfen, moves] : sorted) {
    out += fmt::format("sfen {}\n", sfen);
    for (const BookMove& move : *moves) {
      out += fmt::format("{} {} {} {} {}\n", shogi::to_usi(move.move), move.reply ? shogi::to_usi(move.reply) : "none",
                         move.value, move.depth, move.count);
    }
  }
  return out;
}

std::expected<std::string, std::string> ybb_bytes(const std::vector<BookPosition>& positions) {
  struct Packed {
    record::PackedSfen position;
    int number;
    const Entry* moves;
  };
  std::vector<Packed> sorted;
  sorted.reserve(positions.size());
  for (const BookPosition& each : positions) {
    const auto packed = record::pack(each.position);
    const int number = each.position.ply() + 1;
    if (!packed || number > UINT16_MAX) {
      return std::unexpected(fmt::format("{}: a .ybb cannot hold this position", each.position.sfen()));
    }
    sorted.push_back({.position = *packed, .number = number, .moves = &each.moves});
  }
  std::ranges::sort(sorted, {}, [](const Packed& each) { return std::pair(each.position, each.number); });
  std::string out(kYbbMagic), moves;
  append_little_endian(out, sorted.size(), 8);
  append_little_endian(out, kWithDepth, 8);
  for (const Packed& each : sorted) {
    out.append(each.position.bytes.begin(), each.position.bytes.end());
    append_little_endian(out, moves.size(), 8);
    append_little_endian(out, static_cast<std::uint64_t>(each.number), 2);
    append_little_endian(out, each.moves->size(), 2);
    for (const BookMove& move : *each.moves) append_ybb_move(moves, move);
  }
  return out + moves;
}

}  // namespace fuhyo::book
