// Training data of every format: refused with a reason that is one printable line, or read as games all moves of which
// are legal and that are written and read again as they were. The first byte chooses the format; a file of games is
// read as it lies on the disk, and opened again to be written.

#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>

#include "engines/learn/data/game_file.h"
#include "engines/record/scored_game_codec.h"
#include "engines/record/training.h"
#include "tests/fuzz/fuzz.h"

namespace {

namespace fs = std::filesystem;
using fuhyo::fuzz::require;
using fuhyo::fuzz::require_reason;
using namespace fuhyo;
using record::ByteReader;
using record::Bytes;
using record::ByteView;
using record::ScoredGame;

bool same(const ScoredGame& a, const ScoredGame& b) {
  return a.start.sfen() == b.start.sfen() && a.moves == b.moves && a.winner == b.winner && a.end == b.end;
}

// That its moves are legal is what every reader has promised.
void require_whole(const ScoredGame& game) {
  shogi::Position position = game.start;
  for (const record::ScoredMove& each : game.moves) {
    require(position.is_legal(each.move), "a move that was read is legal");
    position.do_move(each.move);
  }
  Bytes bytes;
  require(append_scored_game(bytes, game).has_value(), "what was read can be written");
  ByteReader in(bytes);
  const auto again = take_scored_game(in);
  require(again && same(*again, game), "and is read again");
}

void read_games(ByteView bytes) {
  ByteReader in(bytes);
  while (!in.rest().empty()) {
    const auto game = take_scored_game(in);
    if (!game) return require_reason(game.error());
    require_whole(*game);
  }
}

void read_hcpe3(ByteView bytes) {
  const auto size = record::hcpe3_size(bytes);
  if (!size) return require_reason(size.error());
  if (*size > bytes.size()) return;
  const auto packed = record::hcpe3(bytes.first(*size));
  if (!packed) return require_reason(packed.error());
  Bytes again;
  require(append_hcpe3(again, *packed) && std::ranges::equal(again, bytes.first(*size)), "written byte for byte");
  const auto game = record::scored_game(*packed);
  if (!game) return require_reason(game.error());
  require_whole(*game);
}

void require_position(const std::expected<record::ScoredPosition, std::string>& position) {
  if (!position) return require_reason(position.error());
  require(position->position.is_legal(position->move), "the best move is legal");
}

void read_position(ByteView bytes, bool psv) {
  if (psv && bytes.size() >= record::PackedSfenValue::kSize) {
    const auto first = bytes.first<record::PackedSfenValue::kSize>();
    const auto value = record::packed_sfen_value(first);
    require(std::ranges::equal(to_bytes(value), first), "written byte for byte");
    require_position(scored_position(value));
  } else if (!psv && bytes.size() >= record::Hcpe::kSize) {
    const auto value = record::hcpe(bytes.first(record::Hcpe::kSize));
    if (!value) return require_reason(value.error());
    Bytes again;
    append_hcpe(again, *value);
    require(std::ranges::equal(again, bytes.first(record::Hcpe::kSize)), "written byte for byte");
    require_position(scored_position(*value));
  }
}

void read_file(ByteView bytes) {
  static const fs::path path = fs::temp_directory_path() / fmt::format("fuhyo-training-fuzz-{}.games", ::getpid());
  std::ofstream(path, std::ios::binary) << fuzz::text(bytes.data(), bytes.size());
  if (auto reader = learn::GameReader::open(path)) {
    for (;;) {
      const auto game = reader->next();
      if (!game) require_reason(game.error());
      if (!game || !*game) break;
      require_whole(**game);
    }
  } else {
    require_reason(reader.error());
  }
  fs::remove(path);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const ByteView bytes(data + 1, size - 1);
  if (*data == 'f') {
    read_file(bytes);
  } else if (*data == '3') {
    read_hcpe3(bytes);
  } else if (*data == 'p' || *data == 'e') {
    read_position(bytes, *data == 'p');
  } else {
    read_games(bytes);
  }
  return 0;
}
