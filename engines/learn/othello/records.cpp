#include "engines/learn/othello/records.h"

#include <bit>
#include <cstring>
#include <fmt/format.h>
#include <optional>

#include "engines/learn/data/block.h"
#include "engines/learn/data/whole_file.h"
#include "engines/othello/board.h"

namespace fuhyo::learn {
namespace {

static_assert(std::endian::native == std::endian::little, "numbers lie in files as in memory");

constexpr std::string_view kOthelloMagic = "FuhyoOG\n";
constexpr std::uint32_t kOthelloVersion = 1;
constexpr std::size_t kLongestOthelloText = 1 << 16;

template <class T>
void append_number(std::string& out, T value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

std::uint32_t checksum_of(std::string_view bytes) {
  return crc32c({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
}

// Takes what it is asked for from the front; afterwards says whether there was enough.
struct OthelloBytes {
  std::string_view left;
  bool enough = true;

  std::string_view take(std::size_t count) {
    if (count > left.size()) enough = false, count = 0;
    const std::string_view taken = left.substr(0, count);
    left.remove_prefix(count);
    return taken;
  }
  template <class T>
  T number() {
    T value{};
    const std::string_view bytes = take(sizeof value);
    if (enough) std::memcpy(&value, bytes.data(), sizeof value);
    return value;
  }
};

// What is wrong with a game; empty if nothing is.
std::string fault_of(const OthelloRecord& record) {
  othello::Board board = othello::Board::start();
  for (std::size_t ply = 0; ply < record.moves.size(); ++ply) {
    const int move = record.moves[ply];
    const std::uint64_t moves = board.moves();
    const bool legal =
        move < othello::kSquares ? (moves >> move & 1) != 0 : move == othello::kPass && moves == 0 && !board.over();
    if (!legal) return fmt::format("move {} is illegal", ply + 1);
    board.play(move);
  }
  return board.over() ? "" : "it has no end";
}

}  // namespace

std::expected<void, std::string> write_othello(const std::filesystem::path& file, std::string_view made_by,
                                               std::span<const OthelloRecord> games) {
  std::string out(kOthelloMagic);
  made_by = made_by.substr(0, kLongestOthelloText);
  append_number(out, kOthelloVersion);
  append_number(out, static_cast<std::uint32_t>(made_by.size()));
  out += made_by;
  append_number(out, std::uint64_t{games.size()});
  for (const OthelloRecord& game : games) {
    append_number(out, static_cast<std::uint8_t>(game.moves.size()));
    out.append(game.moves.begin(), game.moves.end());
  }
  append_number(out, checksum_of(out));
  return replace_file(file, out);
}

std::expected<OthelloRecords, std::string> read_othello(const std::filesystem::path& file) {
  const auto bytes = read_file(file);
  if (!bytes) return std::unexpected(bytes.error());
  const auto wrong = [&](std::string_view what) { return std::unexpected(fmt::format("{}: {}", file.string(), what)); };
  const std::string_view all = *bytes;
  if (!all.starts_with(kOthelloMagic)) return wrong("no file of games of Othello");
  if (all.size() < kOthelloMagic.size() + 20) return wrong("it is cut off");
  OthelloBytes in{.left = all.substr(kOthelloMagic.size(), all.size() - kOthelloMagic.size() - 4)};
  if (const auto version = in.number<std::uint32_t>(); version != kOthelloVersion) {
    return wrong(fmt::format("its version is {}, {} is read", version, kOthelloVersion));
  }
  OthelloRecords out;
  std::uint32_t written = 0;
  std::memcpy(&written, all.data() + all.size() - 4, sizeof written);
  out.checksum = checksum_of(all.substr(0, all.size() - 4));
  if (out.checksum != written) {
    return wrong(
        fmt::format("it is cut off or damaged: its checksum is {:08x} where {:08x} is written", out.checksum, written));
  }
  out.made_by = in.take(in.number<std::uint32_t>());
  const auto count = in.number<std::uint64_t>();
  while (in.enough && out.games.size() < count) {
    const std::string_view moves = in.take(in.number<std::uint8_t>());
    const OthelloRecord game{.moves = {moves.begin(), moves.end()}};
    if (const std::string fault = in.enough ? fault_of(game) : ""; !fault.empty()) {
      return wrong(fmt::format("game {}: {}", out.games.size() + 1, fault));
    }
    out.games.push_back(game);
  }
  if (!in.enough || !in.left.empty()) return wrong("its games are not as many as it says");
  return out;
}

}  // namespace fuhyo::learn
