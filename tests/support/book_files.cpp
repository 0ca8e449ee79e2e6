#include "tests/support/book_files.h"

#include <random>

#include "engines/book/binary_books.h"
#include "engines/shogi/movegen.h"
#include "engines/shogi/usi_move.h"

namespace fuhyo::test {

using book::BookMove;
using book::Entry;
using book::kYbbMagic;
namespace {

void append(std::string& out, std::uint64_t value, int bytes) {
  for (int i = 0; i < bytes; ++i) out += static_cast<char>(value >> 8 * i & 0xff);
}

}  // namespace

std::string text_file(const Positions& positions) {
  std::string out = "#YANEURAOU-DB2016 1.00\n";
  for (const auto& [sfen, entry] : positions) {
    out += "sfen " + sfen + '\n';
    for (const BookMove& move : entry) {
      out += shogi::to_usi(move.move) + ' ' + (move.reply ? shogi::to_usi(move.reply) : "none") + ' ' +
             std::to_string(move.value) + ' ' + std::to_string(move.depth) + ' ' + std::to_string(move.count) + '\n';
    }
  }
  return out;
}

std::string ybb_file(const Positions& positions, bool with_depth) {
  struct Packed {
    int ply;
    const Entry* entry;
  };
  std::multimap<record::PackedSfen, Packed> sorted;
  for (const auto& [sfen, entry] : positions) {
    const auto position = shogi::Position::from_sfen(sfen);
    sorted.insert({record::pack(position.value()).value(), {.ply = position->ply() + 1, .entry = &entry}});
  }
  std::string out(kYbbMagic), moves;
  append(out, positions.size(), 8);
  append(out, with_depth ? 1 : 0, 8);
  for (const auto& [packed, value] : sorted) {
    out.append(packed.bytes.begin(), packed.bytes.end());
    append(out, moves.size(), 8);
    append(out, static_cast<std::uint64_t>(value.ply), 2);
    append(out, value.entry->size(), 2);
    for (const BookMove& move : *value.entry) {
      append(moves, move.move.bits(), 2);
      append(moves, static_cast<std::uint64_t>(move.value), 2);
      if (with_depth) append(moves, static_cast<std::uint64_t>(move.depth), 2);
    }
  }
  return out + moves;
}

std::string apery_file(const std::vector<AperyRecord>& records) {
  std::string out;
  for (const AperyRecord& record : records) {
    append(out, record.key, 8);
    append(out, record.move, 2);
    append(out, record.count, 2);
    append(out, static_cast<std::uint64_t>(record.value), 4);
  }
  return out;
}

Positions random_positions(std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  Positions positions;
  while (positions.size() < count) {
    shogi::Position position;
    for (int ply = 0; ply < 60 && positions.size() < count; ++ply) {
      const auto moves = shogi::legal_moves(position);
      if (moves.empty()) break;
      Entry entry;
      for (std::size_t i = 0; i < std::min<std::size_t>(moves.size(), 1 + random() % 3); ++i) {
        entry.push_back({.move = moves[i],
                         .value = static_cast<int>(random() % 200) - 100,
                         .depth = static_cast<int>(random() % 40),
                         .count = random() % 100});
      }
      positions.insert({position.sfen(), entry});
      position.do_move(moves[random() % moves.size()]);
    }
  }
  return positions;
}

}  // namespace fuhyo::test
