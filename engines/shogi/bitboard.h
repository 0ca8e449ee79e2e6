// A set of squares: 81 bits in two words. Square s is bit s of the low word for files 1-7 (63 squares) and bit s - 63
// of the high word for files 8 and 9. A file never crosses the words, so a step along a file is a shift of both. Plain
// values; usable from any thread.
#pragma once

#include <bit>
#include <cstdint>

#include "engines/shogi/types.h"

namespace fuhyo::shogi {

class Bitboard {
 public:
  static constexpr int kLowSquares = 63;
  static constexpr std::uint64_t kLowMask = (std::uint64_t{1} << 63) - 1;
  static constexpr std::uint64_t kHighMask = (std::uint64_t{1} << 18) - 1;

  constexpr Bitboard() = default;
  constexpr Bitboard(std::uint64_t low, std::uint64_t high) : low_(low), high_(high) {}
  static constexpr Bitboard of(Square s) {
    return s < kLowSquares ? Bitboard(std::uint64_t{1} << s, 0) : Bitboard(0, std::uint64_t{1} << (s - kLowSquares));
  }
  static constexpr Bitboard all() { return {kLowMask, kHighMask}; }

  constexpr std::uint64_t low() const { return low_; }
  constexpr std::uint64_t high() const { return high_; }
  constexpr bool any() const { return (low_ | high_) != 0; }
  constexpr bool none() const { return !any(); }
  constexpr int count() const { return std::popcount(low_) + std::popcount(high_); }
  constexpr bool more_than_one() const { return count() > 1; }
  constexpr bool test(Square s) const { return (*this & of(s)).any(); }
  constexpr Square first() const {  // of a set that is not empty
    return static_cast<Square>(low_ != 0 ? std::countr_zero(low_) : kLowSquares + std::countr_zero(high_));
  }

  friend constexpr Bitboard operator&(Bitboard a, Bitboard b) { return {a.low_ & b.low_, a.high_ & b.high_}; }
  friend constexpr Bitboard operator|(Bitboard a, Bitboard b) { return {a.low_ | b.low_, a.high_ | b.high_}; }
  friend constexpr Bitboard operator^(Bitboard a, Bitboard b) { return {a.low_ ^ b.low_, a.high_ ^ b.high_}; }
  // Set difference.
  friend constexpr Bitboard operator-(Bitboard a, Bitboard b) { return {a.low_ & ~b.low_, a.high_ & ~b.high_}; }
  friend constexpr Bitboard operator~(Bitboard a) { return all() - a; }
  constexpr Bitboard& operator&=(Bitboard b) { return *this = *this & b; }
  constexpr Bitboard& operator|=(Bitboard b) { return *this = *this | b; }
  constexpr Bitboard& operator^=(Bitboard b) { return *this = *this ^ b; }
  constexpr Bitboard& operator-=(Bitboard b) { return *this = *this - b; }
  constexpr bool operator==(const Bitboard&) const = default;

  // Calls f(Square) for every member, in ascending order.
  template <class F>
  [[gnu::always_inline]] constexpr void for_each(F&& f) const {
    for (std::uint64_t word = low_; word != 0; word &= word - 1) f(static_cast<Square>(std::countr_zero(word)));
    for (std::uint64_t word = high_; word != 0; word &= word - 1) {
      f(static_cast<Square>(kLowSquares + std::countr_zero(word)));
    }
  }

 private:
  // 16-byte aligned, so that a set moves and combines in one vector instruction.
  alignas(16) std::uint64_t low_ = 0;
  std::uint64_t high_ = 0;
};

namespace detail {
constexpr Bitboard make_rank(int rank) {
  Bitboard set;
  for (int file = 1; file <= 9; ++file) set |= Bitboard::of(make_square(file, rank));
  return set;
}
constexpr Bitboard make_file(int file) {
  Bitboard set;
  for (int rank = 1; rank <= 9; ++rank) set |= Bitboard::of(make_square(file, rank));
  return set;
}
constexpr Bitboard make_farthest_ranks(Color c, int n) {
  Bitboard set;
  for (int rank = 1; rank <= n; ++rank) set |= make_rank(c == BLACK ? rank : 10 - rank);
  return set;
}
inline constexpr Bitboard kFiles[9] = {make_file(1), make_file(2), make_file(3), make_file(4), make_file(5),
                                       make_file(6), make_file(7), make_file(8), make_file(9)};
}  // namespace detail

constexpr Bitboard file_mask(int file) { return detail::kFiles[file - 1]; }
// Ranks 1 to N of the given side, counted from its farthest.
template <Color C, int N>
inline constexpr Bitboard kFarthestRanks = detail::make_farthest_ranks(C, N);
template <Color C>
inline constexpr Bitboard kPromotionZone = kFarthestRanks<C, 3>;
constexpr Bitboard promotion_zone(Color c) { return c == BLACK ? kPromotionZone<BLACK> : kPromotionZone<WHITE>; }

// One rank forward or back for the side; what would leave the board is dropped.
template <Color C>
constexpr Bitboard forward(Bitboard set) {
  set -= kFarthestRanks<C, 1>;
  return C == BLACK ? Bitboard(set.low() >> 1, set.high() >> 1) : Bitboard(set.low() << 1, set.high() << 1);
}
template <Color C>
constexpr Bitboard backward(Bitboard set) {
  return forward<~C>(set);
}

// The whole files of a set that has at most one square on each.
constexpr Bitboard whole_files(Bitboard set) {
  // Adding all but its last square to a file carries into the last one exactly if the file has a member.
  constexpr Bitboard kLast = detail::make_rank(9), kOthers = Bitboard::all() - kLast;
  const Bitboard hit = Bitboard(set.low() + kOthers.low(), set.high() + kOthers.high()) & kLast;
  return hit | Bitboard(hit.low() - (hit.low() >> 8), hit.high() - (hit.high() >> 8));
}

// One file towards file 9, or towards file 1.
constexpr Bitboard to_higher_file(Bitboard set) {
  return {(set.low() << 9) & Bitboard::kLowMask, ((set.high() << 9) | (set.low() >> 54)) & Bitboard::kHighMask};
}
constexpr Bitboard to_lower_file(Bitboard set) {
  return {(set.low() >> 9) | ((set.high() << 54) & Bitboard::kLowMask), set.high() >> 9};
}

}  // namespace fuhyo::shogi
