// A book file of any format: refused with a reason that is one printable line, or searched without harm, whatever it
// holds, in memory and (text) as on disk. The first byte chooses the format. Packed positions, too: what is
// unpacked is a position, and is packed to itself.

#include <memory>
#include <string>

#include "engines/book/binary_books.h"
#include "engines/book/db_line.h"
#include "engines/book/text_book.h"
#include "engines/record/packed_sfen.h"
#include "tests/fuzz/fuzz.h"

namespace {

using fuhyo::fuzz::require;
using fuhyo::fuzz::require_reason;
using namespace fuhyo;
using namespace fuhyo::book;

std::unique_ptr<MemoryBytes> memory(std::string_view bytes) {
  return std::make_unique<MemoryBytes>(std::string(bytes));
}

// The start, a handicap, and each position of the file that is one.
template <class Ask>
void ask_all(std::string_view text, const Ask& ask) {
  for (const char* sfen : {"lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
                           "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"}) {
    ask(*shogi::Position::from_sfen(sfen));
  }
  while (!text.empty()) {
    const Line line = parse_db_line(fuzz::take_line(text));
    if (line.kind != LineKind::position) continue;
    if (const auto position = shogi::Position::from_sfen(line.position.key)) ask(*position);
  }
}

template <class Made>
void search(std::string_view text, const Made& made) {
  if (!made) return require_reason(made.error());
  ask_all(text, [&](const shogi::Position& position) {
    for (const BookMove& move : (*made)->find({.position = position, .ply = {}})) {
      static_cast<void>(position.is_legal(move.move));
      static_cast<void>(position.is_legal(move.reply));
    }
  });
}

void read_packed(std::string_view bytes) {
  record::PackedSfen packed;
  std::ranges::copy(bytes.substr(0, packed.bytes.size()), packed.bytes.begin());
  const auto position = record::unpack(packed);
  if (!position) return require_reason(position.error());
  const auto again = record::pack(*position);
  require(!again || record::unpack(*again)->sfen() == position->sfen(), "what was unpacked is packed to itself");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes = fuzz::text(data + 1, size - 1);
  if (*data == 'y') {
    search({}, YbbBook::make(memory(bytes)));
  } else if (*data == 'a') {
    search({}, AperyBook::make(memory(AperyBook::sorted(bytes))));
  } else if (*data == 'p') {
    read_packed(bytes);
  } else {
    search(bytes, TextBook::make(memory(bytes)));
    search(bytes, SortedTextBook::make(memory(bytes)));
  }
  return 0;
}
