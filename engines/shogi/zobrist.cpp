#include "engines/shogi/zobrist.h"

namespace fuhyo::shogi::detail {
namespace {

// SplitMix64 (Steele, Lea, Flood 2014).
class Random {
 public:
  constexpr Key next() {
    Key z = state_ += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }

 private:
  Key state_ = 0;
};

constexpr Zobrist make_zobrist() {
  Zobrist z;
  Random random;
  for (auto& squares : z.piece) {
    for (Key& key : squares) key = random.next();
  }
  for (auto& kinds : z.hand) {
    for (Key& key : kinds) key = random.next();
  }
  z.white_to_move = random.next();
  return z;
}

}  // namespace

constinit const Zobrist kZobrist = make_zobrist();

}  // namespace fuhyo::shogi::detail
