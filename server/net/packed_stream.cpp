#include "server/net/packed_stream.h"

#include <algorithm>
#include <cstddef>
#include <zlib.h>

namespace fuhyo::net {
namespace {

constexpr std::size_t kWorthIt = 4 * 1024;   // below, what is saved is less than it costs
constexpr std::size_t kMostStored = 0xffff;  // of one stored block (RFC 1951, 3.2.4)
constexpr int kRaw = -15;                    // a window of 32 KB, without a head and a sum

// In blocks that end with a byte, the last one empty.
std::string deflated(std::string_view text) {
  z_stream stream{};
  if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kRaw, 8, Z_DEFAULT_STRATEGY) != Z_OK) return {};
  std::string out(deflateBound(&stream, static_cast<uLong>(text.size())) + 16, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  const bool done = deflate(&stream, Z_SYNC_FLUSH) == Z_OK && stream.avail_in == 0 && stream.avail_out > 0;
  out.resize(done ? stream.total_out : 0);
  deflateEnd(&stream);
  return out;
}

void add_stored(std::string& out, std::string_view text) {
  const auto add_pair = [&out](std::size_t number) {
    out += static_cast<char>(number & 0xff);
    out += static_cast<char>(number >> 8 & 0xff);
  };
  while (!text.empty()) {
    const std::string_view part = text.substr(0, kMostStored);
    text.remove_prefix(part.size());
    out += '\0';  // stored, and not the last one
    add_pair(part.size());
    add_pair(~part.size());
    out += part;
  }
}

}  // namespace

std::string_view packed_begin() {
  // Deflated, no name, no time, of an unknown system.
  static constexpr char kHead[] = {'\x1f', '\x8b', 8, 0, 0, 0, 0, 0, 0, '\xff'};
  return {kHead, sizeof kHead};
}

std::string packed(std::string_view text) {
  std::string out = text.size() < kWorthIt ? std::string() : deflated(text);
  if (out.empty()) add_stored(out, text);
  return out;
}

}  // namespace fuhyo::net
