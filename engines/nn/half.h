// IEEE 754's 16-bit floats, as files keep weights in half the room: 11 bits of precision, numbers to 65,504. Pure; any
// thread.
#pragma once

#include <bit>
#include <cstdint>

namespace fuhyo::nn {

constexpr float kLargestHalf = 65504;

// The nearest one, the even one of two that are as near; infinity from 65,520 on.
constexpr std::uint16_t to_half(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const auto sign = static_cast<std::uint16_t>(bits >> 16U & 0x8000U);
  const std::uint32_t size = bits & 0x7FFFFFFFU;
  if (size > 0x7F800000U) return static_cast<std::uint16_t>(sign | 0x7E00U);   // no number
  if (size >= 0x477FF000U) return static_cast<std::uint16_t>(sign | 0x7C00U);  // 65,520
  if (size < 0x33000001U) return sign;                                         // half of the least, or less
  const std::uint32_t exponent = size >> 23U;
  // Below 2^-14 numbers lie evenly, 2^-24 apart.
  const std::uint32_t shift = exponent < 113 ? 126 - exponent : 13;
  const std::uint32_t mantissa = (size & 0x7FFFFFU) | 0x800000U;
  const std::uint32_t whole = mantissa >> shift, rest = mantissa & ((1U << shift) - 1), middle = 1U << (shift - 1);
  const std::uint32_t base = exponent < 113 ? whole : whole + ((exponent - 113) << 10U);
  return static_cast<std::uint16_t>(sign | (base + (rest > middle || (rest == middle && (whole & 1U) != 0) ? 1 : 0)));
}

constexpr float from_half(std::uint16_t half) {
  const std::uint32_t sign = static_cast<std::uint32_t>(half & 0x8000U) << 16U;
  const std::uint32_t exponent = half >> 10U & 0x1FU, mantissa = half & 0x3FFU;
  if (exponent == 0) {
    const float size = static_cast<float>(mantissa) * 0x1p-24F;
    return sign != 0 ? -size : size;
  }
  const std::uint32_t wide = exponent == 31 ? 0xFFU : exponent + 112;
  return std::bit_cast<float>(sign | wide << 23U | mantissa << 13U);
}

}  // namespace fuhyo::nn
