#include "server/store/transfer/sha256.h"

#include <algorithm>
#include <bit>
#include <fmt/format.h>
#include <iterator>

namespace fuhyo::store {
namespace {

// The first 32 bits of the fractional parts of the cube roots of the first 64 primes (FIPS 180-4, 4.2.2).
constexpr std::array<std::uint32_t, 64> kRounds = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

std::uint32_t turned(std::uint32_t word, int bits) { return std::rotr(word, bits); }

}  // namespace

void Sha256::mix(const unsigned char* block) {
  std::array<std::uint32_t, 64> w{};
  for (std::size_t i = 0; i < 16; ++i) {
    const unsigned char* at = block + 4 * i;
    w[i] = std::uint32_t{at[0]} << 24U | std::uint32_t{at[1]} << 16U | std::uint32_t{at[2]} << 8U | at[3];
  }
  for (std::size_t i = 16; i < 64; ++i) {
    const std::uint32_t s0 = turned(w[i - 15], 7) ^ turned(w[i - 15], 18) ^ w[i - 15] >> 3U;
    const std::uint32_t s1 = turned(w[i - 2], 17) ^ turned(w[i - 2], 19) ^ w[i - 2] >> 10U;
    w[i] = w[i - 16] + s0 + w[i - 7] + s1;
  }
  auto [a, b, c, d, e, f, g, h] = state_;
  for (std::size_t i = 0; i < 64; ++i) {
    const std::uint32_t s1 = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25);
    const std::uint32_t first = h + s1 + ((e & f) ^ (~e & g)) + kRounds[i] + w[i];
    const std::uint32_t s0 = turned(a, 2) ^ turned(a, 13) ^ turned(a, 22);
    const std::uint32_t second = s0 + ((a & b) ^ (a & c) ^ (b & c));
    h = g, g = f, f = e, e = d + first;
    d = c, c = b, b = a, a = first + second;
  }
  const std::array<std::uint32_t, 8> after = {a, b, c, d, e, f, g, h};
  for (std::size_t i = 0; i < 8; ++i) state_[i] += after[i];
}

void Sha256::add(std::string_view bytes) {
  size_ += bytes.size();
  const auto* at = reinterpret_cast<const unsigned char*>(bytes.data());
  std::size_t left = bytes.size();
  while (left > 0) {
    if (waits_ == 0 && left >= waiting_.size()) {
      mix(at);
      at += waiting_.size();
      left -= waiting_.size();
      continue;
    }
    const std::size_t part = std::min(left, waiting_.size() - waits_);
    std::copy_n(at, part, waiting_.begin() + static_cast<std::ptrdiff_t>(waits_));
    at += part;
    left -= part;
    waits_ += part;
    if (waits_ < waiting_.size()) continue;
    mix(waiting_.data());
    waits_ = 0;
  }
}

std::string Sha256::finish() {
  const std::uint64_t bits = size_ * 8;
  std::string end(1 + (119 - size_ % 64) % 64, '\0');
  end[0] = '\x80';
  for (int shift = 56; shift >= 0; shift -= 8) end += static_cast<char>(bits >> static_cast<unsigned>(shift) & 0xFFU);
  add(end);
  std::string digits;
  for (const std::uint32_t word : state_) fmt::format_to(std::back_inserter(digits), "{:08x}", word);
  return digits;
}

}  // namespace fuhyo::store
